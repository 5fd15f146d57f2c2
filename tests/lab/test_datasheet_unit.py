# SPDX-License-Identifier: Apache-2.0
"""The bounds of the unit in the data sheet: they are those of the microprogram, no command and no
access of a run on RTL takes longer, and most runs come near; kinds of access by address.

Measured U of commands: tests/asserted/engine_measured.csv (tests/rtl/test_engine_cycles.py).
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import mel_gen
import pytest
from mel_gen import Command, Query, Register, TraceKind

from melanion import build, config, paths
from melanion.build.listing import Instruction
from melanion.config import System
from melanion.datasheet.accesses import SERVED, Access, Kind, decode
from melanion.datasheet.core import CORES
from melanion.datasheet.path import Measure, transfer
from melanion.datasheet.unit import (
    BEFORE_LINE,
    Before,
    Unit,
    UnitError,
    awaits_clearing,
    before_access,
    held_back,
    microprogram,
    requests,
    unit,
)
from melanion.docs.largest import UNITS, variant
from melanion.micro import bound_files
from melanion.micro.__main__ import ASSERTED
from melanion.micro.bounds import Bound, Formula
from melanion.run import Settings, run_program
from melanion.soc import addresses
from tests.lab.datasheet_run import Edge, Walk
from tests.lab.test_interference import DEFINITION, PROGRAM

ROOT = paths.data_root()
SYSTEM = config.find(UNITS[0])
UNIT = unit(SYSTEM)
ALONE = replace(UNIT, free=True)


def command(op: Command) -> Access:
    return Access(Kind.COMMAND, op)


# ---- the microprogram ----------------------------------------------------------------------------


def test_bounds_are_those_of_the_microprogram() -> None:
    text = (ROOT / ASSERTED / bound_files.BOUNDS).read_text(encoding="utf-8")
    assert [row for rows in microprogram().values() for row in rows] == bound_files.read_table(text)


def test_every_access_has_a_program() -> None:
    accesses = [command(op) for op in Command] + [Access(Kind.QUERY, op) for op in Query]
    accesses += [Access(Kind.REGISTER, op, store) for op in Register for store in (False, True)]
    accesses += [Access(kind) for kind in SERVED - {Kind.QUERY}]
    named = {name for access in accesses for name in requests(access, UNIT.rows)}
    others = {name for name in UNIT.rows if name in ("irq", "init") or name.startswith("job ")}
    assert named | others == set(UNIT.rows)
    for access in accesses:
        assert UNIT.answer(access) >= 1
        assert ALONE.waits(access) < UNIT.waits(access)


def planted(request: str, step: Formula | None = None, after: Formula | None = None) -> Unit:
    """The unit of a program in which that request takes other cycles."""
    rows = UNIT.rows[request]
    changed = tuple(r._replace(step=step or r.step, after=after or r.after) for r in rows)
    return replace(UNIT, rows={**UNIT.rows, request: changed})


def test_rounds_are_those_of_the_sizes() -> None:
    assert (UNIT.tasks, UNIT.chain) == (64, 16)
    assert UNIT.answer(command(Command.TASK_RELEASE)) == 79
    assert UNIT.answer(command(Command.MUTEX_LOCK)) == 34 + 8 * 16
    assert UNIT.answer(command(Command.EVENT_FLAGS_SET)) == 43 + 7 * 64
    few = replace(UNIT, mutexes=2, tasks=4)
    assert few.answer(command(Command.MUTEX_LOCK)) == 34 + 8 * 2
    assert few.answer(command(Command.EVENT_FLAGS_SET)) == 43 + 7 * 4


def test_what_comes_before_an_access() -> None:
    assert UNIT.before == Before(cores=0, interrupts=1, jobs=2, ticks=1, found=2 * 64 + 8)
    passed = 7 * 64
    assert UNIT.longest == max(UNIT.steps.values()) == 66 + passed
    turns = (66 + passed) + 2 * (55 + passed)
    assert UNIT.waited == UNIT.longest + turns + 21 + (2 * 64 + 8) * 15
    assert UNIT.plain_waited == 92 + 92 + 2 * 81 + 21 + (2 * 64 + 8) * 15
    # Any other step may be the longest one: of a job, of an interrupt, behind an own answer.
    longer = Formula(1000)
    assert planted("job drain", step=longer).longest == 1000
    assert planted("irq", step=longer).longest == 1000
    assert planted("load dispatch", after=longer).longest == 1000
    assert planted("command semaphore_give", step=longer).longest == UNIT.longest
    assert UNIT.waited + 200 < planted("job tick", step=longer).waited < UNIT.waited + 2000
    assert planted("job found", step=Formula(16)).waited == UNIT.waited + 2 * 64 + 8


def test_what_comes_before_an_interrupt() -> None:
    """A command of the core, and the service of an interrupt, which is under way."""
    passed = 7 * 64
    jobs = 2 * (55 + passed) + 21 + (2 * 64 + 8 + 4) * 15
    assert UNIT.line_waited == (66 + passed) + (52 + passed) + jobs


def test_with_several_cores_commands_of_others_come_before() -> None:
    several = replace(UNIT, cores=2)
    assert several.before == Before(cores=1, interrupts=2, jobs=4, ticks=1, found=2 * 64 + 8 + 8)
    assert several.longest == UNIT.longest + 2, "the best tasks follow"


@pytest.mark.parametrize("cores", [1, 2, 3, 4])
def test_the_turns_are_those_of_the_proof(cores: int) -> None:
    text = (ROOT / "hw" / "formal" / "mel_choice.sv").read_text(encoding="utf-8")
    for promise in (
        "AccessWait = 4 * Cores - 1, IrqWait = 3,",
        "a_access_wait: assert (32'(access_q.all) <= AccessWait);",
        "assert (access_q.other <= 2'd1 && 32'(access_q.irqs) <= Cores"
        " && 32'(access_q.jobs) <= 2 * Cores);",
        "a_irq_wait:    assert (32'(line_q.all) <= IrqWait && line_q.jobs <= 5'd2);",
    ):
        assert promise in text
    before = before_access(cores)
    assert before.turns == 4 * cores - 1
    assert (before.cores, before.interrupts, before.jobs) == (cores - 1, cores, 2 * cores)
    assert (BEFORE_LINE.turns, BEFORE_LINE.jobs) == (3, 2)


def test_ticks_add_steps() -> None:
    in_tick = 21 + (2 * 64 + 8) * 15
    waited = UNIT.served_cycles
    assert replace(UNIT, tick=waited + 1).before == UNIT.before
    more = replace(UNIT, tick=waited)
    assert more.before == replace(UNIT.before, ticks=2)
    assert more.waited == UNIT.waited + in_tick
    tick = UNIT.core_cycles(in_tick)
    with pytest.raises(UnitError) as caught:
        _ = replace(UNIT, tick=tick).before
    assert caught.value.message == (
        f"a tick of {tick} cycles is no longer than the step of a tick, and those of all entries"
        f" that may end with it, take ({tick} cycles), so no access has a bound; write a longer"
        " tick_us."
    )
    assert replace(UNIT, tick=tick + 1).before.ticks > 2


def test_a_unit_at_the_clock_of_its_cores() -> None:
    single = unit(SYSTEM.model_copy(update={"unit_clock": 1}))
    assert single.served_cycles == single.waited == UNIT.waited


def test_a_stage_before_the_cores_costs_a_cycle_of_a_core() -> None:
    staged = unit(SYSTEM.model_copy(update={"unit_stage": True}))
    give = command(Command.SEMAPHORE_GIVE)
    assert staged.waits(give) == UNIT.waits(give) + 1
    assert staged.own_cycles(give) == UNIT.own_cycles(give) + 1
    assert staged.waited == UNIT.waited
    lines, staged_lines = UNIT.interrupts(), staged.interrupts()
    assert staged_lines == {way: (a + 1, b + 1) for way, (a, b) in lines.items()}


def test_what_an_access_waits_for() -> None:
    """Its own program, what is under way behind the answer before, the switch of contexts; the port
    itself gives answers."""
    give, dispatch = command(Command.SEMAPHORE_GIVE), Access(Kind.DISPATCH)
    assert UNIT.waits(give) == -(-(UNIT.waited + 18) // 2)
    assert ALONE.waits(give) == 9
    assert ALONE.waits(give, [give, dispatch]) == (61 + 18 + 1) // 2
    assert ALONE.waits(dispatch, [give]) == (4 + 1 + 1) // 2, "perhaps it was refused"
    assert ALONE.waits(Access(Kind.SWITCH)) == 1 + 2 + 5
    assert ALONE.waits(Access(Kind.REGISTER, Register.TIME_LOW)) == 2
    assert ALONE.waits(Access(Kind.REGISTER)) == 6, "refused"
    assert [UNIT.waits(Access(kind)) for kind in (Kind.ANSWER, Kind.BANK, Kind.MEMORY)] == [0] * 3
    single = replace(ALONE, ratio=1)
    assert single.waits(give) == 18


def test_what_is_released_behind_a_call() -> None:
    ends, deletes = [Command.TASK_EXIT], [Command.SEMAPHORE_DELETE]
    assert ALONE.release(deletes) == (5 + 62 + 1) // 2
    assert ALONE.release(ends) == (7 + 62 + 17 * 55 + 1) // 2
    assert ALONE.rest(ends) == 28
    assert UNIT.release(ends) > 17 * UNIT.served_cycles
    assert UNIT.rest(ends) == 0, "in what an access waits for"


def test_what_waits_for_clearing_is_tried_again() -> None:
    found = awaits_clearing()
    assert {Command.SEMAPHORE_CREATE, Command.TASK_EXIT, Command.QUEUE_DELETE} <= found
    assert Command.SEMAPHORE_GIVE not in found
    assert len(found) == 12


def test_what_a_set_or_a_chain_holds_back() -> None:
    lock, dispatch = command(Command.MUTEX_LOCK), Access(Kind.DISPATCH)
    walk, link = 55 + 7 * 64, 70
    assert ALONE.goes_on(lock, Command.EVENT_FLAGS_SET) == 63 * walk
    assert ALONE.goes_on(lock, Command.TASK_RELEASE) == 15 * link
    assert ALONE.goes_on(dispatch, Command.TASK_RELEASE) == 15 * link
    assert ALONE.goes_on(dispatch, Command.EVENT_FLAGS_SET) == 0, "it goes on beside the core"
    assert ALONE.goes_on(command(Command.SEMAPHORE_GIVE), Command.TASK_RELEASE) == 0
    assert ALONE.goes_on(lock, Command.MUTEX_UNLOCK) == 0, "its owner runs"
    assert UNIT.goes_on(dispatch) == 15 * (link + 2 * UNIT.longest)
    assert UNIT.goes_on(lock) == 63 * (walk + 2 * UNIT.longest)
    waits = ALONE.waits(dispatch, [command(Command.TASK_RELEASE)])
    assert waits == (ALONE.after(command(Command.TASK_RELEASE)) - 1 + 15 * link + 1 + 1) // 2
    assert held_back() >= {Command.MUTEX_UNLOCK, Command.EVENT_FLAGS_CLEAR}


def test_interrupts_take_turns_with_the_core() -> None:
    found = UNIT.interrupts()
    assert found["irq_wakeup"] == ((32 + 2 + 2) // 2, (UNIT.line_waited + 32 + 2 + 2) // 2)
    assert len(found) == 8


# ---- measured U ----------------------------------------------------------------------------------


@cache
def measured() -> dict[Command, int]:
    """The largest U of each command in runs of the default size."""
    found: dict[Command, int] = {}
    with (ROOT / ASSERTED / "engine_measured.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["command"].partition(" ")[0].strip(",").upper()
            if name in Command.__members__:
                found[Command[name]] = max(found.get(Command[name], 0), int(row["most"]))
    return found


def above(of: Unit) -> set[Command]:
    """Commands that took longer than the sheet says."""
    return {op for op, most in measured().items() if most > of.answer(command(op))}


def lowered(op: Command) -> Unit:
    """The unit with a bound of that command a cycle less."""
    rows = dict(UNIT.rows)
    for request in requests(command(op), rows):
        rows[request] = tuple(map(_less, rows[request]))
    return replace(UNIT, rows=rows)


def _less(row: Bound) -> Bound:
    return row._replace(answer=row.answer and row.answer._replace(base=row.answer.base - 1))


def test_no_command_is_measured_above_its_bound() -> None:
    assert above(UNIT) == set()
    shares = {op: most / UNIT.answer(command(op)) for op, most in measured().items()}
    near = [op for op, share in shares.items() if share >= 0.75]
    assert len(near) > len(shares) / 2
    reached = [op for op, share in shares.items() if share == 1]
    assert len(reached) > len(shares) / 4
    for op in reached:
        assert op in above(lowered(op))


# ---- accesses of a run ---------------------------------------------------------------------------

# Loads that bring what the program computes. An answer, and a dispatch, may also wait for what the
# call before has left, which no bound of a free unit includes.
NOW = (UNITS[1], "main")
LOADS = frozenset({Kind.QUERY, Kind.VALUE, Kind.REGISTER})


@dataclass(frozen=True)
class Late:
    """By how many cycles loads of an access came later than memory, and the bound of it."""

    cycles: int
    bound: int


def lates(edges: Iterable[Edge], walk: Walk) -> dict[Access, Late]:
    """The largest of each access that no other shares an instruction with."""
    core, bounds = walk.measure.core, _bounds(walk)
    found: dict[Access, Late] = {}
    for edge in edges:
        own = core.cycles(edge.instruction, edge.following)
        late = edge.cycles - own - core.stall(edge.before, edge.instruction)
        for instruction in (edge.before, edge.instruction):  # the one behind a load waits for it
            access, bound = bounds.get(instruction.address, (None, 0))
            if access is not None and late > found.get(access, Late(0, 0)).cycles:
                found[access] = Late(late, bound)
    return found


def _bounds(walk: Walk) -> dict[int, tuple[Access, int]]:
    """Addresses of instructions that make one access of LOADS: that access, and its bound, after
    whatever called."""
    unit, bounds = walk.measure.unit, dict[int, tuple[Access, int]]()
    assert unit
    stores: dict[Access, int] = {}
    for graph, found in walk.graphs:
        for node in graph.edges:
            for access in walk.measure.accesses(graph.instruction(node), found.values[node]):
                if access.kind in (Kind.COMMAND, Kind.OPERAND):
                    waits = unit.waits(access, found.earlier[node])
                    stores[access] = max(stores.get(access, 0), waits)
    for graph, found in walk.graphs:
        for node in graph.edges:
            accesses = walk.measure.accesses(graph.instruction(node), found.values[node])
            if len(accesses) == 1 and accesses[0].kind in LOADS and not accesses[0].store:
                # A store goes on beside the core: the next access waits for it, too.
                posted = max((stores.get(each, 0) for each in found.earlier[node]), default=0)
                waits = unit.waits(accesses[0], found.earlier[node])
                most = max(waits + posted, bounds.get(node.address, (None, 0))[1])
                bounds[node.address] = accesses[0], most
    return bounds


def too_late(found: Mapping[Access, Late]) -> set[Access]:
    return {access for access, late in found.items() if late.cycles > late.bound}


@pytest.mark.parametrize(
    ("name", "core"),
    [
        pytest.param(name, core, marks=[] if (name, core) == NOW else pytest.mark.soak)
        for name in UNITS
        for core in CORES
    ],
)
def test_no_load_of_a_run_is_later_than_its_bound(name: str, core: str, tmp_path: Path) -> None:
    """And a bound of a cycle less is noticed, of each that is reached."""
    system = variant(name, core)
    walk = Walk(system, Measure(CORES[core], replace(unit(system), free=True)), tmp_path)
    found = lates(walk.edges(), walk)
    assert too_late(found) == set()
    assert {access.kind for access in found} == LOADS
    reached = {access for access, late in found.items() if late.cycles == late.bound}
    assert len(reached) >= 5
    for access in reached:
        less = Late(found[access].cycles, found[access].bound - 1)
        assert too_late({**found, access: less}) == {access}


# ---- interrupts of a run -------------------------------------------------------------------------

ACTIONS = {"handler": "irq_none", "task": "irq_give"}  # lines of the benchmark `interference`
SWEPT = "timer_stop"


def served(system: System) -> dict[str, Counter[int]]:
    """Cycles from the edge of a line to the event of its action, by action: in each cycle of a call
    and behind it."""
    number = DEFINITION.phases[SWEPT]
    run = run_program(
        system,
        build.application(PROGRAM),
        Settings(defines={"FIRST_CALL": number, "LAST_CALL": number}, max_cycles=100_000_000),
    )
    actions = {DEFINITION.lines[edge]: action for edge, action in ACTIONS.items()}
    found: dict[str, Counter[int]] = {action: Counter() for action in actions.values()}
    edges: dict[int, int] = {}
    for event in run.events:
        line, cycle = int(event["a"]), int(event["cycle"])
        if event["kind"] == TraceKind.IRQ_WIRE:
            edges[line] = cycle
        elif event["kind"] == TraceKind.IRQ and line in edges:
            found[actions[line]][cycle - edges.pop(line)] += 1
    return found


@pytest.mark.parametrize("name", ["port", "hwrtos-single"])
def test_no_interrupt_of_a_run_is_later_than_its_bound(name: str) -> None:
    """With either ratio of the clocks; most of these interrupts come while nothing is served."""
    system = config.find(name)
    known, found = unit(system), served(system)
    own = known.core_cycles(known.step(f"command {SWEPT}"))
    for action, times in found.items():
        alone, late = known.interrupts()[action]
        assert times.most_common(1)[0][0] == min(times) <= alone
        assert max(times) <= alone + own <= late, "it may wait for the step of the call"
    assert min(found["irq_none"]) == known.interrupts()["irq_none"][0], "reached"


# ---- kinds of access -----------------------------------------------------------------------------

ADDRESSES = addresses(SYSTEM)
WINDOW = ADDRESSES["unit_base"]


@pytest.mark.parametrize(
    ("address", "store", "access"),
    [
        (WINDOW + 18 * 1024 + 7 * 4, True, Access(Kind.COMMAND, Command.SEMAPHORE_GIVE)),
        (WINDOW + 18 * 1024, False, Access(Kind.ANSWER)),
        (
            WINDOW + Query.SEMAPHORE_COUNT * 1024 + 4,
            False,
            Access(Kind.QUERY, Query.SEMAPHORE_COUNT),
        ),
        (WINDOW + Register.OPERAND, True, Access(Kind.OPERAND)),
        (WINDOW + Register.DISPATCH, False, Access(Kind.DISPATCH)),
        (WINDOW + Register.VALUE, False, Access(Kind.VALUE)),
        (WINDOW + Register.CLAIM, False, Access(Kind.CLAIM)),
        (WINDOW + Register.READY, False, Access(Kind.ANSWER)),
        (WINDOW + Register.TIME_LOW, False, Access(Kind.REGISTER, Register.TIME_LOW)),
        (WINDOW + Register.LATENCY_15 + 4, False, Access(Kind.REGISTER)),
        (WINDOW + Register.MONITOR, True, Access(Kind.REGISTER, Register.MONITOR, True)),
        (WINDOW, True, Access(Kind.COMMAND, None)),
        (mel_gen.PORT_BASE + 18 * 4, True, Access(Kind.COMMAND, Command.SEMAPHORE_GIVE)),
        (mel_gen.PORT_BASE + 0x100 + 9 * 4, True, Access(Kind.COMMAND, Command.TASK_ROTATE)),
        (mel_gen.PORT_BASE, False, Access(Kind.ANSWER)),
        (mel_gen.PORT_BASE + 0x410, False, Access(Kind.DISPATCH)),
        (mel_gen.PORT_BASE + 0x434, True, Access(Kind.OPERAND)),
        (mel_gen.BANK_SWITCH, True, Access(Kind.SWITCH)),
        (mel_gen.BANK_FORGET, True, Access(Kind.BANK)),
        (mel_gen.BANK_FRAME + 40, True, Access(Kind.BANK)),
        (ADDRESSES["memory_base"] + 0x4000, True, Access(Kind.MEMORY)),
    ],
)
def test_an_address_says_which_access_it_is(address: int, store: bool, access: Access) -> None:
    assert decode(address, WINDOW, store=store) == access


def run(*lines: str) -> list[Access]:
    """Return the accesses that the last of these instructions, a load or store, may make."""
    values: dict[str, frozenset[int]] = {}
    for line in lines[:-1]:
        values = dict(transfer(_instruction(line), values))
    return Measure(CORES["main"], UNIT).accesses(_instruction(lines[-1]), values)


def _instruction(line: str) -> Instruction:
    name, _, rest = line.partition(" ")
    return Instruction(0, 4, "f", name, tuple(rest.split(",")))


def test_the_code_says_which_address_it_is() -> None:
    """As compilers make them: scaled and added, offset first, or at an offset from x0."""
    give, answer = [Access(Kind.COMMAND, Command.SEMAPHORE_GIVE)], [Access(Kind.ANSWER)]
    assert run("lui a5,0x40005", "sh2add a0,a0,a5", "sw zero,-2048(a0)") == give
    assert run("lui a5,0x40005", "sh2add a0,a0,a5", "lw a0,-2048(a0)") == answer
    offset_first = ("lui a5,0x40005", "sll a0,a0,0x2", "add a0,a0,-2048", "add a0,a0,a5")
    assert run(*offset_first, "sw zero,0(a0)") == give
    assert run("li a5,1", "sw a5,-1976(zero)") == give
    assert run("lui a5,0x40005", "mv a4,a5", "add a4,a4,-2048", "sw zero,0(a4)") == give
    assert run("lui a5,0x40005", "beqz a5,f", "sw zero,-2048(a5)") == give
    assert run("lui a5,0x40005", "lw a5,0(a5)", "sw zero,-2048(a5)") == [Access(Kind.MEMORY)]
    offset_masked = ("add a0,a0,a5", "sll a0,a0,0x2", "and a0,a0,1020")
    assert run(*offset_masked, "lw a5,-1024(a0)") == [Access(Kind.REGISTER, Register.IDENTITY)]
    assert run("lui a5,0x10005", "sw zero,0(a5)") == [Access(Kind.MEMORY)]
    assert run("sw zero,12(sp)") == [Access(Kind.MEMORY)]
