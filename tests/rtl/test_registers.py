# SPDX-License-Identifier: Apache-2.0
"""Registers across every kind of switch: apps/faults/registers on every kernel, and with a store
of contexts (decision 0038) on both variants of the core, with few and many contexts at hand, and on
several cores; what a switch costs to a task whose registers are not at hand; the mutants that these
runs and the sweep of interrupts must notice (tests/mutants/banked.yaml).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import Program
from melanion.config import System
from melanion.run import RunError, RunResult, Settings, run_program
from tests.common import findings, kept, planted_tree, scenario_run
from tests.common.planted_tree import TreeMutant, WovenTree
from tests.faults import whole
from tests.faults.whole import banked
from tests.kernel.test_kernel_build import pinned

MUTANTS = paths.data_root() / "tests" / "mutants" / "banked.yaml"
WAITS: list[tuple[int | str, int | str, int]] = [
    (0, 0, 1),
    (1, 0, 2),
    ("0-3", "0-4", 3),
]  # memory, unit, seed
ROUNDS = 3
DELAYS = 180  # delays of the sweep: more than the longest call that does not wait
PHASES = ("calls", "interrupts", "ends", "spills")
MARK_PHASE = 1  # marker of the program
CONDUCTOR, MORTAL = 24, 28
TRAP_SOFTWARE, TRAP_EXTERNAL = 1 << 15 | 3, 1 << 15 | 11


def run(
    system: System,
    memory: int | str = 0,
    unit: int | str = 0,
    seed: int = 1,
    rounds: int = ROUNDS,
    max_cycles: int | None = None,
) -> RunResult:
    """The stress program; RunError and ReplayError pass. With a store of contexts x4 is a task's
    own, too."""
    own = int(system.coupling == "banked")
    return run_program(
        system,
        whole.app("registers"),
        Settings(
            defines={"ROUNDS": rounds, "SEED": seed, "OWN_TP": own},
            wait_states=memory,
            unit_wait_states=unit,
            seed=seed,
            max_cycles=max_cycles or 2_000_000 + rounds * 500_000,
        ),
    )


def switches(result: RunResult) -> list[np.ndarray]:
    """Dispatches that changed the running task, per phase."""
    events = result.events
    marks = events[(events["kind"] == TraceKind.MARKER) & (events["a"] == MARK_PHASE)]
    assert marks["b"].tolist() == list(range(len(PHASES)))
    found = events[(events["kind"] == TraceKind.DISPATCH) & (events["a"] != events["b"])]
    begins = np.append(marks["cycle"], np.uint64(result.cycles + 1))
    place = np.searchsorted(begins, found["cycle"], side="right") - 1
    return [found[place == phase] for phase in range(len(PHASES))]


def interrupted(result: RunResult) -> set[int]:
    """Byte offsets in `stretch` of the instructions that an interrupt came before."""
    begin, end = stretch(result.program)
    traps = result.events[result.events["kind"] == TraceKind.TRAP]["b"].astype(int)
    return {pc - begin for pc in traps.tolist() if begin <= pc < end}


def stretch(program: Program) -> tuple[int, int]:
    """First address of `stretch` in the program, and the address behind it."""
    return program.content.symbols["stretch"], program.content.symbols["stretch_end"]


# ---- the short run -------------------------------------------------------------------------------


def check_short(result: RunResult) -> None:
    """Every kind of switch took place: else nothing is said about it."""
    calls, interrupts, ends, spills = switches(result)
    traps = result.events[result.events["kind"] == TraceKind.TRAP]["a"].tolist()
    assert traps.count(TRAP_EXTERNAL) > 20 * ROUNDS, "handlers in C"
    if result.system.unit:
        assert traps.count(TRAP_SOFTWARE) > 10 * ROUNDS, "the unit's dispatch interrupts"
    assert min(len(calls), len(interrupts) // 3, len(ends) // 3) > ROUNDS
    assert np.count_nonzero(ends["a"] == MORTAL) > ROUNDS
    assert len(set(spills["a"].tolist()) - {CONDUCTOR, MORTAL}) > 24
    assert len(interrupted(result)) > 36, "instructions of the stretch"


@pytest.mark.parametrize(
    "kernel",
    [
        *(name for name in scenario_run.KERNELS if name != "banked"),
        *(pytest.param(name, marks=pytest.mark.soak) for name in scenario_run.SINGLE),
    ],
)
def test_registers(kernel: str) -> None:
    """More rounds than with a store: on a slower kernel fewer of the pulses meet a stretch."""
    check_short(run(config.find(kernel), "0-2", "0-2", rounds=5))


# The main core: test_the_store_without_a_bug_passes.
@pytest.mark.parametrize(
    ("memory", "unit", "seed"),
    [WAITS[0], pytest.param(*WAITS[1], marks=pytest.mark.soak), WAITS[2]],
)
def test_registers_in_the_store_of_the_small_core(
    memory: int | str, unit: int | str, seed: int
) -> None:
    check_short(run(banked("small"), memory, unit, seed))


# ---- several cores ------------------------------------------------------------------------------

VICTIM, ENDINGS = 1, 400  # task of apps/faults/ended; its endings, at least
# Two cores with four and six contexts at hand: test_the_store_without_a_bug_passes.
CORES = [
    pytest.param(banked("small", cores=2), 1, 0, 2, id="two-small", marks=pytest.mark.soak),
    pytest.param(banked(cores=3), "0-3", "0-4", 3, id="three", marks=pytest.mark.soak),
    pytest.param(banked(cores=4), 0, 0, 1, id="four", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("system", "memory", "unit", "seed"), CORES)
def test_registers_in_the_stores_of_several_cores(
    system: System, memory: int | str, unit: int | str, seed: int
) -> None:
    check_moves(run(system, memory, unit, seed))


def check_moves(result: RunResult) -> None:
    """Every kind of switch took place, and tasks went on elsewhere."""
    check_short(result)
    moves, same = moves_of(result)
    print(f"{moves} moves, {same} switches to a task of the same core")
    assert moves > 10 * ROUNDS, "tasks that go on elsewhere"


def check_victim(result: RunResult) -> None:
    """A task that ends while its registers are on their way begins with those that C has given to
    it. Fellows and it are more tasks than a core has at hand."""
    events = result.events
    other = events[(events["kind"] == TraceKind.DISPATCH) & (events["core"] == 1)]
    assert np.count_nonzero(other["a"] == VICTIM) >= ENDINGS
    assert len(set(other["a"].tolist())) > result.system.core.resident, "else nothing is on its way"


def run_ended(system: System, memory: int | str, unit: int | str, seed: int) -> RunResult:
    app = whole.app("ended")
    return run_program(system, app, Settings(wait_states=memory, unit_wait_states=unit, seed=seed))


def moves_of(result: RunResult) -> tuple[int, int]:
    """Dispatches of a task on another core than its last one, and on the same."""
    where: dict[int, int] = {}
    found = {True: 0, False: 0}
    for phase in switches(result):
        for task, core in zip(phase["a"].tolist(), phase["core"].tolist(), strict=True):
            if task < result.system.parameters.tasks:
                found[where.get(task, core) != core] += 1
                where[task] = core
    return found[True], found[False]


# ---- very many switches --------------------------------------------------------------------------

MANY = 250_000
PARTS = (1, 2)  # seeds; each is about two minutes


@pytest.mark.soak
@pytest.mark.parametrize("seed", PARTS)
def test_a_quarter_of_a_million_switches(seed: int) -> None:
    """Together: each of the runs a half. In each, an interrupt came before nearly every instruction
    of the switch."""
    result = run(banked(), seed=seed, rounds=620)
    assert sum(map(len, switches(result))) >= MANY // len(PARTS)
    begin, end = stretch(result.program)
    assert len(interrupted(result)) > 0.9 * (end - begin) / 4


@pytest.mark.soak
@pytest.mark.parametrize(
    ("variant", "resident", "memory", "unit", "seed"),
    [
        *(("main", 4, 1, 0, 1), ("main", 5, "0-3", "0-4", 2), ("main", 16, 1, 0, 1)),
        *(("small", 4, "0-3", "0-4", 2), ("small", 5, 1, 0, 1), ("small", 16, "0-3", "0-4", 2)),
    ],
)
def test_switches_with_any_number_of_contexts_at_hand(
    variant: str, resident: int, memory: int | str, unit: int | str, seed: int
) -> None:
    """Each number on each variant of the core, with either kind of wait states."""
    check_short(run(banked(variant, resident), memory, unit, seed, rounds=100))


# ---- what a switch costs to a task whose registers are not at hand -------------------------------

LEAVES, GOES_ON, BEGINS, WOKEN = 1, 2, 3, 4  # tracepoints
MISSING = """
#include <melanion/device.h>
#include <melanion/melanion.h>
enum { WAKER = WORKERS, TASKS, LINE = 0, SEM = 0, TURNS = 20, STACK = 512 };
static uint8_t stacks[TASKS][STACK] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
MEL_STACK_RECORD(stacks, 0, TASKS * STACK);

/* The first one is preempted once in a turn of all. */
static void work(void *argument)
{
    MEL_TRACEPOINT(3, 0);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        MEL_TRACEPOINT(1, 0);
        (void)mel_task_yield();
        MEL_TRACEPOINT(2, 0);
        if (argument == NULL) {
            mel_irqgen_pulse(LINE, 20);
            __asm__ volatile(".rept 200\\n\\tnop\\n\\t.endr");
        }
    }
    mel_exit(0);
}

static void wake(void *argument)
{
    for (;;) {
        (void)mel_sem_take(SEM, MEL_FOREVER);
        MEL_TRACEPOINT(4, argument);
    }
}

int main(void)
{
    (void)mel_tick_set(0);
    (void)mel_sem_create(SEM, 0, 1);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM, 0, false);
    (void)mel_irq_enable(LINE);
    for (mel_id_t task = 0; task < TASKS; task++) {
        const mel_task_attributes_t attributes = {
            .entry = task == WAKER ? wake : work, .argument = (void *)(uintptr_t)task,
            .stack = stacks[task], .stack_size = STACK, .priority = task == WAKER ? 1 : 2};
        (void)mel_task_create(task, &attributes);
        (void)mel_task_start(task);
    }
    mel_kernel_start();
}
"""


def missing(folder: Path, workers: int) -> dict[str, tuple[int, int]]:
    """Least and most cycles of a switch: a yield to a task that goes on or begins, and from the
    wire of an interrupt to the task that it wakes. The woken task is no worker."""
    folder.mkdir()
    (folder / "app.yaml").write_text("name: missing\n")
    (folder / "main.c").write_text(MISSING)
    app = build.application(folder)
    events = run_program(banked(), app, Settings(defines={"WORKERS": workers})).events
    tracepoints = events[events["kind"] == TraceKind.TRACEPOINT]
    cycles, kinds = tracepoints["cycle"].astype(int), tracepoints["a"]
    leaves = np.flatnonzero(kinds[:-1] == LEAVES)
    wires = events[events["kind"] == TraceKind.IRQ_WIRE]["cycle"].astype(int)
    after = np.searchsorted(cycles, wires)
    assert np.all(kinds[after] == WOKEN)
    spans = {
        "goes on": (cycles[leaves + 1] - cycles[leaves])[kinds[leaves + 1] == GOES_ON],
        "begins": (cycles[leaves + 1] - cycles[leaves])[kinds[leaves + 1] == BEGINS],
        "woken": cycles[after] - wires,
    }
    return {name: (int(found.min()), int(found.max())) for name, found in spans.items()}


def test_what_a_context_costs_that_is_not_at_hand(tmp_path: Path) -> None:
    """The next task is loaded before it runs, however many there are, also one that begins."""
    few, many = missing(tmp_path / "few", 2), missing(tmp_path / "many", 18)
    for title, found in (("few", few), ("many", many)):
        print(f"{title}: {found}")
    if pinned():
        assert few == {"goes on": (9, 9), "begins": (12, 12), "woken": (16, 16)}
        assert many == few


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """`check` notices the bug on `system`. A `quick` one of the C side is planted in every run,
    those of the RTL are."""

    check: str
    system: str = "banked"
    quick: bool = False
    cores: int = 1
    resident: int = 4

    def where(self) -> System:
        if self.system != "banked":
            return config.find(self.system)
        return banked(resident=self.resident, cores=self.cores)


# Cycles after which a run of a bug hangs: about twice what it takes without one.
LIMITS = dict(zip(WAITS, (1_200_000, 2_000_000, 2_500_000), strict=True))
SWEEP_LIMIT = 6_000_000


def check_registers(system: System) -> Iterator[RunResult]:
    for memory, unit, seed in WAITS:
        limit = LIMITS[memory, unit, seed]
        yield run(system, memory, unit, seed, max_cycles=limit)


# Lines with an action and no handler: test_faults_whole (in `make soak`).
def check_sweep(system: System) -> Iterator[RunResult]:
    yield whole.interrupted(system, delays=DELAYS, handle=True, max_cycles=SWEEP_LIMIT)


def check_every_cycle(result: RunResult) -> None:
    """A pulse came in every cycle of every call."""
    assert whole.cycles_missed(result, DELAYS - whole.SET_UP) == {}


def check_ended(system: System) -> Iterator[RunResult]:
    for memory, unit, seed in WAITS:
        yield run_ended(system, memory, unit, seed)


CLOSE = 10  # cycles that a load may take: mel_context_store, two cores
TRAVELLER = 0  # task of apps/faults/handover


def check_handover(system: System) -> Iterator[RunResult]:
    yield run_program(system, whole.app("handover"), Settings())


def check_movers(system: System) -> Iterator[RunResult]:
    yield run_program(system, whole.app("movers"), Settings())


def check_taken(result: RunResult) -> None:
    """A core often takes a task that its neighbour has just left: its registers are on their way,
    because nobody loads a task that runs elsewhere."""
    leaves, takes = close(result)
    assert np.count_nonzero((leaves["b"] == TRAVELLER) & (takes["a"] == TRAVELLER)) > 100


def check_chased(result: RunResult) -> None:
    """A core is often interrupted for a task, and its neighbour dispatches just before it does."""
    _, takes = close(result)
    traps = result.events[result.events["kind"] == TraceKind.TRAP]
    woken = 0
    for core in range(result.system.core.count):
        found = traps["cycle"][(traps["core"] == core) & (traps["a"] == TRAP_SOFTWARE)]
        cycles = takes["cycle"][takes["core"] == core]
        before = np.searchsorted(found, cycles, side="right")
        after = np.searchsorted(found, cycles - np.uint64(CLOSE))
        woken += int(np.count_nonzero(before > after))
    print(f"{woken} dispatches of an interrupt, close behind another core's")
    assert woken > 10


def close(result: RunResult) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of dispatches by different cores, closer than a load takes."""
    dispatches = result.events[result.events["kind"] == TraceKind.DISPATCH]
    first, second = dispatches[:-1], dispatches[1:]
    near = second["cycle"] - first["cycle"] < CLOSE
    found = near & (first["core"] != second["core"])
    return first[found], second[found]


# Runs that notice a bug; and what is asserted of each of them without one.
CHECKS = {
    "registers": check_registers,
    "sweep": check_sweep,
    "ended": check_ended,
    "handover": check_handover,
    "movers": check_movers,
}
REACHED: dict[str, Callable[[RunResult], object]] = {
    "registers": lambda result: (check_moves if result.system.core.count > 1 else check_short)(
        result
    ),
    "sweep": check_every_cycle,
    "ended": check_victim,
    "handover": check_taken,
    "movers": check_chased,
}


def look(check: str, system: System, bug: bool = True) -> None:
    """Make the runs of a check. RunError and ReplayError pass."""
    for result in CHECKS[check](system):
        if not bug:
            REACHED[check](result)


BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


RTL = [bug for bug in BUGS if bug.file.endswith(".sv")]
SYSTEMS = sorted({(bug.check, bug.cores, bug.resident) for bug in RTL})


def named(bug: Mutant) -> str:
    return bug.name.replace(" ", "_")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> WovenTree:
    return WovenTree(tmp_path_factory.mktemp("woven"), RTL)


def finding(tree: WovenTree, bug: Mutant | None, check: str, cores: int, resident: int) -> str:
    contents = [
        ("check", f"{check} {cores} {resident}".encode()),
        *kept.folders("tests/rtl/test_registers.py"),
    ]
    system = banked(resident=resident, cores=cores)
    return planted_tree.finding(tree, bug, lambda: look(check, system, bug is not None), contents)


def _later(cores: int) -> pytest.MarkDecorator | tuple[()]:
    """A system of several cores is one more to build: `make soak`."""
    return pytest.mark.soak if cores > 1 else ()


@pytest.mark.parametrize(
    ("check", "cores", "resident"),
    [pytest.param(*where, marks=_later(where[1])) for where in SYSTEMS],
)
def test_the_store_without_a_bug_passes(
    tree: WovenTree, check: str, cores: int, resident: int
) -> None:
    assert finding(tree, None, check, cores, resident) == ""


@pytest.mark.parametrize(
    "bug", [pytest.param(bug, id=named(bug), marks=_later(bug.cores)) for bug in RTL]
)
def test_bug_in_the_store_is_noticed(tree: WovenTree, bug: Mutant) -> None:
    said = finding(tree, bug, bug.check, bug.cores, bug.resident)
    assert said, f"nothing was noticed of: {bug.name}"
    print(said)


def _marked(bug: Mutant) -> object:
    return pytest.param(bug, id=named(bug), marks=() if bug.quick else (pytest.mark.soak,))


@pytest.mark.parametrize("bug", [_marked(bug) for bug in BUGS if bug not in RTL])
def test_planted_bug_is_noticed(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Mutants of the C side. Their control are the runs above."""
    bug.plant(monkeypatch, tmp_path)
    with findings.noticed():
        look(bug.check, bug.where())


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name.replace(" ", "_"))
def test_bug_fits_the_text(bug: Mutant) -> None:
    text = (paths.data_root() / bug.file).read_text(encoding="utf-8")
    assert text.count(bug.old) == 1


LOST = (
    r"registers: task \d+ lost x(?P<register>\d+) in a (stretch|call): 0x[0-9a-f]{8} instead of"
    r" 0x[0-9a-f]{8}, in phase (?P<phase>\w+)"
)


def called(name: str) -> Mutant:
    (found,) = (bug for bug in BUGS if bug.name == name)
    return found


def test_what_a_kernel_lost_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bug = called("a preempted task loses s11")
    bug.plant(monkeypatch, tmp_path)
    with pytest.raises(RunError) as error:
        look(bug.check, bug.where())
    match = re.search(LOST, error.value.message)
    assert match is not None, error.value.message
    assert match["register"] == "27"
    assert match["phase"] in PHASES[1:]


def test_what_the_store_lost_is_named(tree: WovenTree) -> None:
    """A core that still finds a context has its registers of before."""
    bug = called("a task that ran elsewhere is still found")
    said = finding(tree, bug, bug.check, bug.cores, bug.resident)
    assert re.search(LOST, said), said
