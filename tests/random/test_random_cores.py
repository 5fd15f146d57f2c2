# SPDX-License-Identifier: Apache-2.0
"""Several cores against the golden model: random scripts on the RTL, mutants, fairness.

What the single core shares with them is in test_random.py; mutants in the RTL in
test_random_mutants.py.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from mel_gen import Command, Register, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.replay import Event
from tests.common.soak import new_seed
from tests.random import bench, coverage, mutants
from tests.random.campaign import SEVERAL, SIZES, Case, cases, execute, rehearse_case, run_case
from tests.random.generate import LAST, generate, rehearse
from tests.random.judge import judge
from tests.random.lines import DISPATCH
from tests.random.planted_cores import BUGS
from tests.random.profiles import PROFILES
from tests.random.records import LINES, LOAD, STORE, Access, RejectedError, Run
from tests.random.script import Entry, Flag, Kind, access
from tests.random.turns import TWICE, Turns

TARGETS = Path(__file__).parents[1] / "asserted" / "engine_targets.csv"
COMMANDS = 1000  # in a script
SEEDS = range(1, 6)  # after the first, scripts run until every situation was reached
MEETING = ("mutexes", "plain")
CASE = Case("four", "mixed", 1, 600)


@pytest.mark.soak
def test_scripts_reach_every_situation_of_cores_on_the_model_alone() -> None:
    total: Counter[str] = Counter()
    for case in cases(["two", "three", "four"], SEEDS, COMMANDS):
        total += rehearse_case(case)
    assert not sorted(name for name in coverage.OF_CORES if not total[name])


def test_a_rehearsal_on_several_cores_is_a_run_of_the_unit() -> None:
    """Its links of chains follow their commands, and nothing waits while all cores pause."""
    kinds: Counter[int] = Counter()
    for case in (Case("two", "mutexes", 1, COMMANDS), Case("two", "timers", 5, COMMANDS)):
        run = rehearse(case.seed, case.limits, PROFILES[case.profile], case.commands)[1]
        judge(run)
        kinds.update(event[1] for event in run.events)
    assert kinds[TraceKind.INHERIT] and kinds[TraceKind.TURN]


# With two cores in every run: the scripts of test_random_mutants.py, on the bench of its bugs.
@pytest.mark.parametrize(
    "size", [pytest.param(n, marks=[] if n == "four" else pytest.mark.soak) for n in SEVERAL]
)
def test_random_scripts_agree_with_the_model(size: str) -> None:
    program = bench.build(SIZES[size])
    many = {"all cores command in the same cycle"} if SIZES[size].cores == 2 else set()
    never = set(coverage.OF_CORES - many)
    results = []
    for case in due(size):
        if case.seed > 1 and not never:
            break
        result = run_case(case, program)
        results.append(result)
        never = {name for name in never if not result.coverage[name]}
    waits = max(result.longest_wait for result in results)
    commands = sum(result.commands for result in results)
    print(f"{size}: {commands} commands, the longest waited for {waits} cycles")
    assert not never, f"never reached: {sorted(never)}"


def due(size: str) -> list[Case]:
    """Every profile once; then more seeds, those profiles first in which cores meet most."""
    first, *others = SEEDS
    later = cases([size], others, COMMANDS)
    later.sort(key=lambda case: (case.profile not in MEETING, case.seed))
    return cases([size], [first], COMMANDS) + later


@pytest.mark.new_seeds
@pytest.mark.soak
@pytest.mark.parametrize("size", SEVERAL)
def test_random_scripts_with_other_seeds(size: str) -> None:
    first = new_seed()
    program = bench.build(SIZES[size])
    for case in cases([size], range(first, first + 8), COMMANDS):
        run_case(case, program)


@pytest.mark.soak
def test_who_leaves_flags_with_a_tick_may_take_a_turn() -> None:
    """Four cores: three leave after a tick, one of them at the end of its timeout
    (tests/model/test_model_objects.py has the rule)."""
    case = Case("four_default", "flags", 795912472, COMMANDS)
    run_case(case, bench.build(case.limits))


# ---- fairness ----------------------------------------------------------------------------------

# One release at most, no background work: the longest step without waiting.
SINGLE = (
    Command.TASK_START,
    Command.TASK_TERMINATE,
    Command.TASK_SUSPEND,
    Command.TASK_RESUME,
    Command.TASK_SET_PRIORITY,
    Command.TASK_WAKEUP,
    Command.SEMAPHORE_GIVE,
)


def busy(limits: Limits, seed: int, commands: int) -> list[Entry]:
    """All cores command without a pause, in the idle context with dispatch disabled."""
    chance = random.Random(seed)
    entries = [Entry(Kind.WAIT, argument=5000)]  # memories are being cleared
    entries += [Entry(Kind.COMMAND, Command.TASK_CREATE, n) for n in range(limits.tasks)]
    entries.append(Entry(Kind.COMMAND, Command.SEMAPHORE_CREATE, 0, 0xFFFF_0000))
    entries += [Entry(Kind.MEET, argument=1, core=core) for core in range(limits.cores)]
    for _ in range(commands):
        op = chance.choice(SINGLE)
        number = 0 if op == Command.SEMAPHORE_GIVE else chance.randrange(limits.tasks)
        argument = chance.randrange(limits.priorities) if op == Command.TASK_SET_PRIORITY else 0
        entries += [
            Entry(Kind.COMMAND, op, number, argument, Flag.NO_ANSWER | Flag.IGNORE_DISPATCH, core=n)
            for n in range(limits.cores)
        ]
    entries += [Entry(Kind.MEET, argument=2, core=core) for core in range(limits.cores)]
    return entries + [access(register, delay=100) for register in LAST]


@pytest.mark.soak  # a bench for each number of cores
def test_a_command_waits_for_one_step_of_every_other_core() -> None:
    """Fault row 6: one step, and what lies between two, for each other core that is busy; no
    background work here."""
    waits = {}
    for cores in (1, 2, 3, 4):
        limits = replace(SIZES["four"], cores=cores)
        result = execute(bench.build(limits), limits, busy(limits, 1, 300), 1)
        waits[cores] = result.longest_wait
        assert result.overtaken <= TWICE
    print(f"longest wait in cycles, from the store to the effect: {waits}")
    # A change of a ready task's priority; several cores begin a step a cycle later than one.
    step = bound("priority of a task that waits for nothing and is not due")
    assert all(waits[cores] <= waits[1] + (cores - 1) * (step + 1) for cores in waits)
    assert waits == {1: 16, 2: 35, 3: 58, 4: 81}  # they did meet, in the longest steps


def bound(case: str) -> int:
    """What the microprogram takes at most, by the name of a case of hw/micro/bounds.yaml."""
    with TARGETS.open(encoding="utf-8", newline="") as rows:
        return next(int(row["found"]) for row in csv.DictReader(rows) if row["case"] == case)


IN_A_ROW = 3  # commands of a core in a round
STEP = 20  # cycles of the longest step of SINGLE, and what lies between steps


def rounds(limits: Limits, count: int) -> list[Entry]:
    """In each round all cores store in the same cycle, and twice again as soon as they can."""
    cores = range(limits.cores)
    entries = [Entry(Kind.COMMAND, Command.TASK_CREATE, n) for n in range(limits.tasks)]
    entries.append(Entry(Kind.COMMAND, Command.SEMAPHORE_CREATE, 0, 0xFFFF_0000))
    flags = Flag.NO_ANSWER | Flag.IGNORE_DISPATCH
    for turn in range(count):
        entries += [Entry(Kind.MEET, argument=turn + 1, core=core) for core in cores]
        for place in range(IN_A_ROW):
            for core in cores:
                op = SINGLE[(turn + place + core) % len(SINGLE)]
                number = 0 if op == Command.SEMAPHORE_GIVE else (turn + core) % limits.tasks
                entries.append(Entry(Kind.COMMAND, op, number, flags=flags, core=core))
        entries += [access(0, delay=100)._replace(core=core) for core in cores]
    return entries + [access(register, delay=100) for register in LAST]


def unfairness(run: Run, count: int) -> str | None:
    """Breach of the rule: in each round all stores come in one cycle, and the cores are served in
    turn, each once before any is served again; None: there is none."""
    cores = run.limits.cores
    commands = [a for a in run.accesses if a.kind == STORE and a.address < Register.IDENTITY]
    served = [event for event in run.events if event[1] == TraceKind.COMMAND]
    made = len(served) - count * cores * IN_A_ROW
    commands.sort(key=lambda a: a.accepted)
    for start in range(made, len(served), cores * IN_A_ROW):
        if len({a.accepted for a in commands[start : start + cores]}) != 1:
            return f"the cores did not store in one cycle, command {start}"
        for first in range(start, start + cores * IN_A_ROW, cores):
            order = [event[2] for event in served[first : first + cores]]
            if sorted(order) != list(range(cores)):
                return f"cycle {served[first][0]}: the cores were served in the order {order}"
    return None


def longest_first_wait(run: Run, count: int) -> int:
    """Cycles from the stores of one cycle to the effect of the last of them, at most."""
    cores = run.limits.cores
    commands = [a for a in run.accesses if a.kind == STORE and a.address < Register.IDENTITY]
    accepted = sorted(a.accepted for a in commands)
    served = [event[0] for event in run.events if event[1] == TraceKind.COMMAND]
    made = len(served) - count * cores * IN_A_ROW
    firsts = range(made, len(served), cores * IN_A_ROW)
    return max(served[start + cores - 1] - accepted[start] for start in firsts)


def test_cores_that_store_in_the_same_cycle_are_served_in_turn() -> None:
    """Fault row 6: and each waits for at most one step of every other core. With two cores on the
    bench of the mutants, none of which is chosen."""
    check_turns(
        [(SIZES["two"], mutants.program("two")), (SIZES["four"], bench.build(SIZES["four"]))]
    )


@pytest.mark.soak  # a bench for each number of cores
def test_any_number_of_cores_is_served_in_turn() -> None:
    several = [replace(SIZES["four"], cores=cores) for cores in (1, 2, 3, 4)]
    check_turns([(limits, bench.build(limits)) for limits in several])


def check_turns(several: Sequence[tuple[Limits, Path]]) -> None:
    """`several`: sizes and their benches, more cores each time."""
    waits: dict[int, int] = {}
    for limits, program in several:
        result = execute(program, limits, rounds(limits, 40), 1)
        assert unfairness(result.run, 40) is None
        waits[limits.cores] = longest_first_wait(result.run, 40)
    print(f"longest wait in cycles, from the store to the effect: {waits}")
    fewest = min(waits)
    assert all(waits[n] <= waits[fewest] + (n - fewest) * STEP for n in waits)
    assert [*waits.values()] == sorted({*waits.values()})


def test_a_core_that_is_always_served_first_is_noticed() -> None:
    limits = SIZES["four"]
    run = execute(bench.build(limits), limits, rounds(limits, 4), 1).run
    places = [i for i, event in enumerate(run.events) if event[1] == TraceKind.COMMAND]
    turn = len(places) - limits.cores * (IN_A_ROW - 1)  # the second of the last round
    first, second = places[turn - 1], places[turn]
    events = list(run.events)  # … core 3, core 0 …: these two change places
    events[first], events[second] = events[second], events[first]
    finding = unfairness(replace(run, events=events), 4)
    assert finding is not None and "the cores were served in the order" in finding


def _store(core: int, cycle: int) -> Access:
    address = Command.SEMAPHORE_GIVE * 1024
    return Access(cycle, cycle + 1, address, STORE, 15, core, 0, 0, 0)


def _given(core: int, cycle: int) -> Event:
    return cycle, int(TraceKind.COMMAND), core, int(Command.SEMAPHORE_GIVE), 0, 0, 0


def test_a_core_that_is_served_again_and_again_before_another_is_noticed() -> None:
    turns = Turns(Kernel(Limits(cores=2)))
    turns.begin(_store(1, 10))
    for cycle in (12, 16, 20):
        turns.begin(_store(0, cycle - 2))
        turns.event(_given(0, cycle))
    with pytest.raises(RejectedError, match="core 0 was served 3 times while a command of core 1"):
        turns.event(_given(1, 24))


# ---- the test itself ---------------------------------------------------------------------------


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_bug_of_several_cores_is_caught(bug: type[Kernel]) -> None:
    assert any(_caught(bug, case) for case in cases(["two", "four"], SEEDS, 600)), bug.__doc__


def _caught(bug: type[Kernel], case: Case) -> bool:
    run = rehearse(case.seed, case.limits, PROFILES[case.profile], case.commands, bug)[1]
    try:
        judge(run)
    except RejectedError:
        return True
    return False


@pytest.fixture(scope="module")
def good() -> Run:
    return rehearse(CASE.seed, CASE.limits, PROFILES[CASE.profile], CASE.commands)[1]


def _without_lines(core: int) -> Callable[[Access], bool]:
    return lambda access: access.kind != LINES or access.core != core


@cache
def _rehearsed(case: Case) -> Run:
    return rehearse(case.seed, case.limits, PROFILES[case.profile], case.commands)[1]


def _finding(run: Run) -> str:
    try:
        judge(run)
    except RejectedError as reason:
        return str(reason)
    return ""


@pytest.mark.parametrize("core", range(4))
def test_a_line_that_stays_low_is_noticed(core: int) -> None:
    """In some run: mostly a core acts before its line must have settled."""
    runs = map(_rehearsed, cases(["four"], range(1, 4), 600))
    low = (replace(r, accesses=list(filter(_without_lines(core), r.accesses))) for r in runs)
    assert any(f"core {core}: line dispatch high expected" in _finding(run) for run in low)


@pytest.mark.parametrize("core", range(4))
def test_an_interrupt_of_a_core_that_need_not_change_is_noticed(good: Run, core: int) -> None:
    """One cycle is enough: a core takes it."""
    level, since = 0, 0
    for access_ in good.accesses:
        if access_.kind != LINES or access_.core != core:
            continue
        if level == 0 and access_.answered - since > 200:
            break
        level, since = access_.read & DISPATCH, access_.answered
    pulse = [
        Access(cycle, cycle, 0, LINES, 0, core, 0, read, 0)
        for cycle, read in ((since + 120, 1), (since + 121, 0))
    ]
    accesses = sorted([*good.accesses, *pulse], key=lambda a: (a.answered, a.accepted))
    with pytest.raises(RejectedError, match=f"core {core}: line dispatch rose"):
        judge(replace(good, accesses=accesses))


@pytest.mark.parametrize("core", range(4))
def test_a_wrong_load_of_any_core_is_noticed(good: Run, core: int) -> None:
    loads = [i for i, a in enumerate(good.accesses) if a.kind == LOAD and a.core == core]
    assert len(loads) > 50
    for index in loads[5::20]:
        accesses = list(good.accesses)
        accesses[index] = accesses[index]._replace(read=accesses[index].read ^ 2)
        with pytest.raises(RejectedError):
            judge(replace(good, accesses=accesses))


def test_the_cores_share_the_script() -> None:
    entries = generate(CASE.seed, CASE.limits, PROFILES[CASE.profile], CASE.commands)
    count = Counter(entry.core for entry in entries if entry.kind == Kind.COMMAND)
    assert min(count[core] for core in range(4)) > CASE.commands / 8


def test_any_part_of_a_script_for_several_cores_is_a_script() -> None:
    """Meetings that some cores miss hold up nobody."""
    limits = SIZES["four"]
    program = bench.build(limits)
    entries = generate(5, limits, PROFILES["plain"], 200)
    last = 3 + limits.cores
    for part in (entries[::2], entries[1::3], entries[100:]):
        execute(program, limits, part + entries[-last:], 5)
