# SPDX-License-Identifier: Apache-2.0
"""The end of a wait from two sides (rows 15, 16): something that ends it takes effect in every
cycle around the tick in which its timeout expires. And the longest timeout (row 14)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mel_gen import Command, IrqAction, Register, Status
from mel_gen import TraceKind as Kinds

from melanion.model import Limits
from tests.faults.stage import FOREVER, perform
from tests.random.campaign import SIZES
from tests.random.records import EDGE, STORE
from tests.random.script import Entry, Flag, Kind, access

SIZE = SIZES["small"]
WAITER, MAIN, OTHER = 1, 2, 3  # OTHER is as urgent as WAITER, waits behind it, and is due with it
TICK = 300  # cycles: longer than all that is done before it
LINE = 1
CONTESTED, START = 0, 1  # semaphores
# Cycles from a tick to the contender's request, by timeout. One tick: that tick ends the wait.
# Two: it is the one before, after which the unit looks for the limits of the next.
AROUND = {1: range(-10, 71), 2: range(-4, 45)}
MIDDLE = TICK - 40  # a delay that brings the contender near the tick, to measure from
HASTY = Flag.IGNORE_DISPATCH | Flag.IGNORE_HANDLER | Flag.IGNORE_DUE
WAITS = 2


@dataclass(frozen=True)
class Contender:
    """Event that races the timeout of a `wait`: commands of MAIN, or an edge with `action`.

    `unit`: it gives one, which exactly one must find: the waiter, or a poll afterwards.
    """

    name: str
    commands: tuple[tuple[Command, int, int], ...] = ()
    action: IrqAction | None = None
    wait: Command = Command.SEMAPHORE_TAKE
    unit: bool = False


CONTENDERS = [
    Contender("give", ((Command.SEMAPHORE_GIVE, CONTESTED, 0),), unit=True),
    Contender("edge_gives", action=IrqAction.SEMAPHORE_GIVE, unit=True),
    Contender("wakeup", ((Command.TASK_WAKEUP, WAITER, 0),), None, Command.TASK_SLEEP, True),
    Contender("edge_wakes", (), IrqAction.TASK_WAKEUP, Command.TASK_SLEEP, True),
    Contender("release", ((Command.TASK_RELEASE, WAITER, 0),)),
    Contender("edge_releases", action=IrqAction.TASK_RELEASE),
    Contender(
        "semaphore_made_anew",
        (
            (Command.SEMAPHORE_DELETE, CONTESTED, 0),
            (Command.SEMAPHORE_CREATE, CONTESTED, 2 << 16),
        ),
    ),
    Contender(
        "task_made_anew",
        (
            (Command.TASK_TERMINATE, WAITER, 0),
            (Command.TASK_DELETE, WAITER, 0),
            (Command.TASK_CREATE, WAITER, 1),
            (Command.TASK_START, WAITER, 0),
        ),
    ),
    Contender("suspension", ((Command.TASK_SUSPEND, WAITER, 0), (Command.TASK_RESUME, WAITER, 0))),
    Contender("new_priority", ((Command.TASK_SET_PRIORITY, WAITER, 0),)),
]


def _call(command: Command, number: int = 0, argument: int = 0, delay: int = 0) -> Entry:
    return Entry(Kind.COMMAND, command, number, argument, delay=delay)


def _round(contender: Contender, limit: int, delay: int) -> tuple[list[Entry], int]:
    """The script, and the index of the contender's entry. Both wait at most `limit` ticks; the
    contender comes; everybody who runs then polls."""
    script = []
    for task, priority in ((WAITER, 1), (OTHER, 1), (MAIN, 2)):
        script += [_call(Command.TASK_CREATE, task, priority), _call(Command.TASK_START, task)]
    for semaphore in (CONTESTED, START):
        script.append(_call(Command.SEMAPHORE_CREATE, semaphore, 2 << 16))
    object_ = CONTESTED if contender.action == IrqAction.SEMAPHORE_GIVE else WAITER
    script.append(_call(Command.IRQ_MAP, LINE, object_ << 8 | (contender.action or 0)))
    script += [_call(Command.IRQ_ENABLE, LINE), _call(Command.DISPATCH_ENABLE)]
    script += [_call(Command.SEMAPHORE_TAKE, START, FOREVER)] * 2
    script += [_call(Command.TICK_SET, 0, TICK), Entry(Kind.TICK, argument=2 * TICK)]
    place = len(script)
    if contender.action is not None:
        script.append(Entry(Kind.EDGE, number=LINE, delay=delay, gap=1))
    for _ in (WAITER, OTHER):
        script += [_call(Command.SEMAPHORE_GIVE, START), _call(contender.wait, CONTESTED, limit)]
    if contender.action is None:
        place = len(script)
    for i, command in enumerate(contender.commands):
        step = _call(*command, delay=0 if i else delay)
        script.append(step._replace(flags=HASTY))
    wait = TICK if contender.action is not None else 60
    wait += (limit - 1) * TICK
    script += [Entry(Kind.TICK, argument=wait, delay=80, flags=HASTY)] * limit
    script.append(access(Register.DISPATCH))
    polls = [_call(contender.wait, CONTESTED), _call(Command.TASK_ROTATE, 0, FOREVER)] * 2
    rest = [access(Register.RUNNING, delay=TICK) for _ in range(3)]
    return [*script, *polls, *rest], place


@dataclass(frozen=True)
class Outcome:
    """`request`: cycle of the contender, relative to the one in which the tick is due (a step that
    is under way holds it up). Counts of what ended how."""

    request: int
    timeouts: int
    found: int  # polls that found a unit


def race(program: Path, contender: Contender, limit: int, delay: int) -> Outcome:
    """One round; the judge has accepted it."""
    script, place = _round(contender, limit, delay)
    run = perform(program, SIZE, script, delay).run
    commands = [event for event in run.events if event[1] == Kinds.COMMAND]
    waits = [e for e in commands if (e[3] & 0xFF, e[5], e[6]) == (contender.wait, limit, WAITS)]
    assert len(waits) == 2
    ticks = [event[0] for event in run.events if event[1] == Kinds.TICK]
    tick = max(cycle for cycle in ticks if cycle < waits[0][0]) + TICK
    stores = [a.accepted for a in run.accesses if (a.kind, a.entry) == (STORE, place)]
    edges = [access.accepted for access in run.accesses if access.kind == EDGE]
    request = (stores if contender.action is None else edges)[0]
    timeouts = sum(event[1] == Kinds.TIMEOUT for event in run.events)
    polls = [e for e in commands if (e[3] & 0xFF, e[5]) == (contender.wait, 0)]
    return Outcome(request - tick, timeouts, sum(e[6] == Status.E_OK for e in polls))


def check_race(program: Path, contender: Contender) -> None:
    """Each round is what the model says; no unit is lost or found twice; before the tick the
    contender wins, long after it the timeout."""
    for limit, around in AROUND.items():
        middle = race(program, contender, limit, MIDDLE).request
        outcomes = [race(program, contender, limit, MIDDLE - middle + place) for place in around]
        assert [outcome.request for outcome in outcomes] == list(around)
        assert (outcomes[-1].timeouts == 2) or limit > 1
        if contender.unit:
            assert outcomes[0].timeouts == 1
            for outcome in outcomes:
                woken = 2 - outcome.timeouts
                assert woken + outcome.found == 1, outcome


def check_longest_limit(program: Path, limits: Limits) -> None:
    """The largest number of ticks is none of the next ones, also across a wrap of the counter."""
    script = [_call(Command.TASK_CREATE, task, task) for task in (0, 1, 2)]
    script += [_call(Command.TASK_START, task) for task in (0, 1, 2)]
    script += [_call(Command.TICK_SET, 0, limits.tick_cycles_minimum)]
    script += [_call(Command.DISPATCH_ENABLE)]
    script += [_call(Command.TASK_SLEEP, 0, FOREVER - 1), _call(Command.TASK_DELAY, 0, 3)]
    ticks = Entry(Kind.TICK, argument=2 * limits.tick_cycles_minimum, delay=2)
    script += [ticks] * 16
    script += [access(Register.RUNNING, delay=2 * limits.tick_cycles_minimum)] * 3
    events = perform(program, limits, script, 1).run.events
    timeouts = [event[3] for event in events if event[1] == Kinds.TIMEOUT]
    assert timeouts == [1]
    assert sum(event[1] == Kinds.TICK for event in events) > 16
