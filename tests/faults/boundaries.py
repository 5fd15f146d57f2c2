# SPDX-License-Identifier: Apache-2.0
"""Limits (row 10), edges that do nothing (row 12), and storms of edges (row 11), on the unit
alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mel_gen import SEMAPHORE_COUNT_LIMIT, WAKEUPS_LIMIT, Command, IrqAction, Register, Status
from mel_gen import TraceKind as Kinds

from tests.faults.stage import (
    FULL,
    LIMITS,
    LINES_SETTLE,
    NEVER_MADE,
    RUNNING,
    WANTED,
    Played,
    Stage,
)
from tests.random.records import EDGE
from tests.random.script import Entry, Kind, access

EDGE_STEP = 2  # cycles that a command waits for the edge before it, at most
SPURIOUS = 0xFFFF_FFFF
GIVER, WAKER, MISSER, UNMAPPED = 3, 4, 5, 6  # interrupt lines


def _statuses(played: Played, op: Command) -> list[int]:
    """Return the status of every command of this kind, in order."""
    events = [event for event in played.run.events if event[1] == Kinds.COMMAND]
    found = zip(events, played.statuses, strict=True)
    return [status for event, status in found if event[3] & 0xFF == op]


def check_semaphore_limit(program: Path) -> None:
    """One below the maximum, at it, and beyond; the smallest and the largest maximum."""
    for maximum in (1, 2, SEMAPHORE_COUNT_LIMIT):
        stage = Stage()
        stage.populate()
        stage.call(Command.SEMAPHORE_CREATE, NEVER_MADE, maximum << 16 | maximum - 1)
        stage.call(Command.IRQ_MAP, GIVER, NEVER_MADE << 8 | IrqAction.SEMAPHORE_GIVE)
        stage.call(Command.IRQ_ENABLE, GIVER)
        stage.look()
        for _ in range(3):
            stage.call(Command.SEMAPHORE_GIVE, NEVER_MADE)
        stage.call(Command.IRQ_RAISE, GIVER)
        stage.look()
        stage.call(Command.SEMAPHORE_TAKE, NEVER_MADE)
        stage.call(Command.SEMAPHORE_GIVE, NEVER_MADE)
        stage.unwind()
        played = stage.play(program)
        gives = _statuses(played, Command.SEMAPHORE_GIVE)
        assert gives[:4] == [Status.E_OK, Status.E_QOVR, Status.E_QOVR, Status.E_OK]
        place = stage.limits.tasks + NEVER_MADE
        (before, _), (after, _) = played.look(0), played.look(1)
        assert (before[place], after[place]) == (maximum - 1, maximum)
        lost = [words[-1] for words in (before, after)]
        assert lost[1] - lost[0] == 1, "the edge that found the count at its maximum"


def check_wakeup_limit(program: Path) -> None:
    """One below the limit, at it, and beyond; the count is what sleeps consume."""
    stage = Stage()
    stage.populate()
    stage.call(Command.IRQ_MAP, WAKER, RUNNING << 8 | IrqAction.TASK_WAKEUP)
    stage.call(Command.IRQ_ENABLE, WAKER)
    for _ in range(WAKEUPS_LIMIT - 1):
        stage.call(Command.TASK_WAKEUP, RUNNING)
    stage.call(Command.IRQ_RAISE, WAKER)
    stage.look()
    stage.call(Command.TASK_WAKEUP, RUNNING)
    stage.call(Command.IRQ_RAISE, WAKER)
    stage.look()
    for _ in range(WAKEUPS_LIMIT + 1):
        stage.call(Command.TASK_SLEEP, 0, 0)
    stage.unwind()
    played = stage.play(program)
    assert _statuses(played, Command.TASK_WAKEUP)[-1] == Status.E_QOVR
    sleeps = _statuses(played, Command.TASK_SLEEP)[-WAKEUPS_LIMIT - 1 :]
    assert sleeps == [Status.E_OK] * WAKEUPS_LIMIT + [Status.E_TMOUT]
    (before, _), (after, _) = played.look(0), played.look(1)
    assert before[RUNNING] >> 16 == WAKEUPS_LIMIT
    assert after[:-1] == before[:-1]
    assert after[-1] - before[-1] == 1, "the edge that found the count at its limit"


def check_edges_without_effect(program: Path) -> None:
    """Disabled lines: ignored. Enabled and unmapped, or without an object: counted, nothing else.
    A claim with nothing pending: a handler without a number."""
    stage = Stage()
    stage.populate()
    stage.call(Command.IRQ_MAP, MISSER, NEVER_MADE << 8 | IrqAction.SEMAPHORE_GIVE)
    stage.call(Command.IRQ_MAP, WAKER, FULL << 8 | IrqAction.TASK_RELEASE)
    for line in (MISSER, UNMAPPED):
        stage.call(Command.IRQ_ENABLE, line)
    stage.look()
    for line in (WAKER, GIVER):  # disabled: mapped and not
        stage.add(Entry(Kind.EDGE, number=line, delay=2, gap=1))
        stage.add(Entry(Kind.WAIT, argument=LINES_SETTLE))
    stage.look()
    for line in (MISSER, UNMAPPED, UNMAPPED):
        stage.add(Entry(Kind.EDGE, number=line, delay=2, gap=3))
        stage.add(Entry(Kind.WAIT, argument=LINES_SETTLE))
    claim = stage.add(access(Register.CLAIM))
    stage.add(Entry(Kind.WAIT, argument=LINES_SETTLE))
    stage.look()
    stage.unwind()
    played = stage.play(program)
    first, disabled, enabled = (played.look(i) for i in range(3))
    assert disabled == first
    assert enabled[0][:-1] == first[0][:-1]
    assert enabled[0][-1] - first[0][-1] == 3
    assert played.read[claim] == SPURIOUS


def storm(program: Path, gaps: Sequence[int]) -> tuple[list[int], int, int, int]:
    """Edges on all lines, each line one edge every `gap` cycles, while a task calls all the time:
    cycles from each store to its answer; edges that came, that were served, that `lost_irqs`
    counted as merged with one pending."""
    stage = Stage()
    lines = range(len(gaps))
    for line in lines:
        action = (IrqAction.SEMAPHORE_GIVE, IrqAction.TASK_WAKEUP, IrqAction.NONE)[line % 3]
        stage.call(Command.IRQ_MAP, line, (0 if line % 3 else WANTED) << 8 | action)
    stage.call(Command.SEMAPHORE_CREATE, WANTED, 65535 << 16)
    stage.call(Command.TASK_CREATE, 0, 0)
    stage.call(Command.TASK_CREATE, 1, 3)
    for task in (0, 1):
        stage.call(Command.TASK_START, task)
    stage.call(Command.DISPATCH_ENABLE)
    stage.call(Command.TICK_SET, 0, stage.limits.tick_cycles_minimum)
    for line in lines:
        stage.call(Command.IRQ_ENABLE, line)
    length = 600
    for line, gap in enumerate(gaps):
        for delay in range(40 + line, 40 + length, gap):
            stage.add(Entry(Kind.EDGE, number=line, delay=delay, gap=1))
    first = len(stage.entries)
    for i in range(length // 12):
        stage.call((Command.SEMAPHORE_TAKE, Command.TASK_SLEEP, Command.TASK_ROTATE)[i % 3])
    last = len(stage.entries)
    for register in (Register.RUNNING, Register.REFUSED, Register.LOST_IRQS):
        stage.add(access(register, delay=2000))
    played = stage.play(program)
    accesses = [a for a in played.run.accesses if first <= a.entry < last]
    answers = [a.answered - a.accepted for a in accesses if a.kind in (0, 1)]
    came = sum(a.kind == EDGE for a in played.run.accesses)
    irqs = [event for event in played.run.events if event[1] == Kinds.IRQ]
    useless = sum(event[6] != Status.E_OK for event in irqs)
    return answers, came, len(irqs), played.read[len(stage.entries) - 1] - useless


def check_storm(program: Path) -> None:
    """From a quiet line to an edge on every line in every second cycle, which is the most that a
    line can have: no call takes longer than without, and no edge is unaccounted for."""
    calm, *_ = storm(program, [400] * LIMITS.interrupts)
    for gap in (100, 50, 20, 10, 6, 4, 3, 2):
        answers, came, served, merged = storm(program, [gap] * LIMITS.interrupts)
        assert max(answers) <= max(calm) + EDGE_STEP, f"an edge every {gap} cycles"
        assert served + merged == came
        assert merged or gap > 10, "the storm is none"
