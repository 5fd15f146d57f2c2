# SPDX-License-Identifier: Apache-2.0
"""Systems of several cores: programs on 2 and 4 of them, the arbiter of their memory, their boot.

Every run is replayed against the golden model; here are also the mutants that these runs must
catch: tests/mutants/cores.yaml.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, Settings, run_program
from melanion.scenario import load
from tests.common import scenario_run
from tests.common.planted_tree import TreeMutant

SINGLE = (
    "hwrtos-single-2",
    "hwrtos-single-4",
    "banked-single-2",
)  # the unit has the clock of the cores
SYSTEMS = ("hwrtos-2", "hwrtos-4", "port-2", "banked-2", "banked-4", *SINGLE)
WAITS: list[tuple[int | str, int | str, int]] = [
    (0, 0, 1),
    ("0-2", 0, 2),
    ("0-1", "0-8", 3),
]  # memory, unit, seed
MUTANTS = paths.data_root() / "tests" / "mutants" / "cores.yaml"

# In every run: kernels that save registers and that have banks, one of them with four cores, which
# is slow to build; `port` saves them as `hwrtos` does.
LATER = pytest.mark.soak
NOW = {
    ("hwrtos-2", WAITS[0]),
    ("hwrtos-2", WAITS[2]),
    ("banked-2", WAITS[0]),
    ("banked-4", WAITS[2]),
}
EVERY = list(product(SYSTEMS, WAITS))
CASES = [
    pytest.param(name, *wait, marks=[] if (name, wait) in NOW else LATER) for name, wait in EVERY
]
SLOW = [case for case, (_, wait) in zip(CASES, EVERY, strict=True) if wait != WAITS[0]]
HANDED_OVER = [("banked-2", WAITS[1])]
MARKED = [
    pytest.param(name, marks=LATER if name in ("hwrtos-4", "port-2", *SINGLE) else [])
    for name in SYSTEMS
]


def run(
    name: str, app: str, memory: int | str = 0, unit: int | str = 0, seed: int = 1
) -> RunResult:
    """An application that comes with Melanion; RunError and ReplayError pass."""
    system, program = config.find(name), build.application(app)
    return run_program(
        system, program, Settings(wait_states=memory, unit_wait_states=unit, seed=seed)
    )


def cores_of(result: RunResult, kind: TraceKind) -> set[int]:
    events = result.events
    return set(events["core"][events["kind"] == kind].tolist())


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("hwrtos", 1),
        ("hwrtos-2", 2),
        pytest.param("hwrtos-4", 3, marks=LATER),
        pytest.param("port-2", 2, marks=LATER),
        pytest.param("port-4", 3, marks=LATER),
        ("banked-2", 2),
        ("banked-4", 3),
        pytest.param("hwrtos-single-2", 2, marks=LATER),
        pytest.param("hwrtos-single-4", 3, marks=LATER),
        pytest.param("banked-single-2", 2, marks=LATER),
    ],
)
def test_the_pipeline_uses_a_core_for_each_stage(name: str, used: int) -> None:
    result = run(name, "pipeline")
    noun = "core" if used == 1 else "cores"
    assert result.console == f"pipeline: 200 words through 3 stages on {used} {noun}\n"
    assert cores_of(result, TraceKind.COMMAND) >= set(range(used))


@pytest.mark.parametrize(("name", "memory", "unit", "seed"), SLOW)
def test_pipeline_in_slow_memory(name: str, memory: int | str, unit: int | str, seed: int) -> None:
    assert run(name, "pipeline", memory, unit, seed).code == 0


# One core: without its moves the program shows what test_registers.py does.
@pytest.mark.parametrize(
    ("name", "memory", "unit", "seed"),
    [pytest.param("hwrtos", *WAITS[2], marks=LATER), *CASES],
)
def test_tasks_that_move_keep_their_registers(
    name: str, memory: int | str, unit: int | str, seed: int
) -> None:
    result = run(name, "movers", memory, unit, seed)
    count = config.find(name).core.count
    # Each core takes tasks over, by calls and by the dispatch interrupt; handlers run on core 0.
    assert cores_of(result, TraceKind.DISPATCH) == set(range(count))
    assert cores_of(result, TraceKind.TRAP) == set(range(count))
    assert cores_of(result, TraceKind.CLAIM) == {0}
    if count > 1:
        check_moves(result, count)


def check_moves(result: RunResult, count: int) -> None:
    """Tasks really change cores; else that they keep their registers proves nothing. On four cores
    it depends on the cycles whether each task comes to the last of them, too."""
    dispatches = result.events[result.events["kind"] == TraceKind.DISPATCH]
    visited = set()
    for task in range(6):  # MOVERS
        cores = dispatches["core"][dispatches["a"] == task]
        visited |= set(cores.tolist())
        assert len(set(cores.tolist())) >= min(count, 3)
        assert np.count_nonzero(np.diff(cores.astype(int))) > 10
    assert visited == set(range(count))


# Five times as long as the others of this file. On hwrtos-2: test_handovers_are_close.
@pytest.mark.parametrize(
    ("name", "memory", "unit", "seed"),
    [
        pytest.param(name, *wait, marks=[] if (name, wait) in HANDED_OVER else LATER)
        for name, wait in EVERY
    ],
)
def test_a_task_is_taken_as_soon_as_its_core_has_left_it(
    name: str, memory: int | str, unit: int | str, seed: int
) -> None:
    assert run(name, "handover", memory, unit, seed).code == 0


def test_handovers_are_close() -> None:
    """The other core takes the traveller (task 0) before its old core could save anything more.
    Two runs: when the guards wake decides how often."""
    assert sum(map(close_handovers, (1, 2))) > 40


def close_handovers(seed: int) -> int:
    events = run("hwrtos-2", "handover", seed=seed).events
    dispatches = events[events["kind"] == TraceKind.DISPATCH]
    leaves, takes = dispatches[:-1], dispatches[1:]
    handed = (leaves["b"] == 0) & (takes["a"] == 0) & (leaves["core"] != takes["core"])
    gaps = (takes["cycle"] - leaves["cycle"])[handed].astype(int)
    return int(np.count_nonzero(gaps < 12))  # 12: the stores of SAVE_CALLEE, and `saved`


@pytest.mark.parametrize("name", ["sw", "hwrtos", *MARKED])
def test_a_core_that_does_not_exist_is_refused(name: str, tmp_path: Path) -> None:
    """… in the order of checks: number, then priority and core, then whether the task exists."""
    result = run_text(tmp_path, name, REFUSED)
    count = config.find(name).core.count
    assert result.console == f"{count} cores: -17 -17 -17 -18 0 -41 0\n"


REFUSED = """
#include <melanion/melanion.h>
enum { ANY = 99 };
MEL_TASK_STACK(stack, 1, 512);
static void nothing(void *argument) { (void)argument; }
static void try_on(mel_id_t task, mel_priority_t priority, uint32_t core)
{
    const mel_task_attributes_t attributes = {
        .entry = nothing, .stack = stack, .stack_size = 512, .priority = priority};
    mel_print(" ");
    mel_print_signed(
        core == ANY ? mel_task_create(task, &attributes)
                    : mel_task_create_on(task, &attributes, core));
}
int main(void)
{
    mel_print_unsigned(MEL_CORES);
    mel_print(" cores:");
    try_on(1, 5, MEL_CORES);
    try_on(1, 256, 0);
    try_on(1, 256 + 5, ANY);
    try_on(MEL_TASKS, 5, UINT32_MAX);
    try_on(1, 5, MEL_CORES - 1);
    try_on(1, 5, 0);
    mel_print(" ");
    mel_print_unsigned(mel_core_self());
    mel_print("\\n");
    return 0;
}
"""


def run_text(folder: Path, name: str, text: str) -> RunResult:
    """One C text on a system."""
    (folder / "app.yaml").write_text("name: text\n")
    (folder / "main.c").write_text(text)
    return run_program(config.find(name), build.application(folder))


PANIC = """
#include <melanion/melanion.h>
MEL_TASK_STACK(stack, 3, 512);
static void wild(void *argument) { *(volatile uint32_t *)argument = 1; }
int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = wild, .argument = (void *)0x30000000u, .stack = stack, .stack_size = 512,
        .priority = 1, .name = "careless"};
    (void)mel_task_create_on(3, &attributes, 1);
    (void)mel_task_start(3);
    mel_kernel_start();
}
"""


def test_a_panic_names_its_core(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"in task 3 \(careless\), on core 1$"):
        run_text(tmp_path, "hwrtos-2", PANIC)


# ---- scenarios with their tasks on the last core -------------------------------------------------

# A handler runs on core 0 while a task that it wakes already runs on: the log has another order.
# task_rotate of another priority means the tasks of any core (spec/commands.yaml).
FILES = [
    path
    for path in scenario_run.files()
    if "handler:" not in path.read_text("utf-8") and path.stem != "task_rotate_other_priority"
]
# Another value of the tick counter after reset is another system.
WRAPS = "time_reset:"
# One system for each; every second one in every run, every fourth one with four cores.
EVERY_RUN = {"hwrtos-2": 2, "banked-2": 2, "banked-4": 4}
SAMPLES = [
    *(("hwrtos-2", f) for f in FILES[::8]),
    *(("hwrtos-4", f) for f in FILES[4::8]),
    *(("banked-2", f) for f in FILES[2::8]),
    *(("banked-4", f) for f in FILES[6::8]),
    *product(SINGLE[:2], FILES),
]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param(
            *(name, path),
            id=f"{name}-{path.stem}",
            marks=[]
            if name in EVERY_RUN and place % EVERY_RUN[name] == 0 and WRAPS not in path.read_text()
            else LATER,
        )
        for place, (name, path) in enumerate(SAMPLES)
    ],
)
def test_a_scenario_on_another_core_than_its_handlers(
    name: str, path: Path, tmp_path: Path
) -> None:
    scenario = load(path)
    system = scenario_run.system_of(scenario, name)
    found = scenario_run.complaint_on_last_core(scenario, system, tmp_path, wait_states="0-1")
    assert found is None


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """Running `app` on `system` shows the bug."""

    app: str
    system: str = "hwrtos-2"


BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "bug",
    [
        pytest.param(
            bug,
            id=bug.name.replace(" ", "_"),
            marks=LATER if bug.file.startswith("soc/") else [],  # a system of its own
        )
        for bug in BUGS
    ],
)
def test_planted_bug_is_caught(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bug.plant(monkeypatch, tmp_path)
    caught = ""
    for memory, unit, seed in WAITS:
        try:
            run(bug.system, bug.app, memory, unit, seed)
        except (ReplayError, RunError) as error:
            caught = error.message
            break
    assert caught, f"every run of {bug.app} passed with the bug: {bug.name}"
    print(caught)


# ---- the memory's arbiter ------------------------------------------------------------------------

EVEN = """
#include <melanion/device.h>
#include <melanion/melanion.h>

MEL_TASK_STACK(stack_0, 0, 512);
MEL_TASK_STACK(stack_1, 1, 512);
MEL_TASK_STACK(stack_2, 2, 512);
MEL_TASK_STACK(stack_3, 3, 512);
static uint8_t *const stacks[MEL_CORES] = {stack_0, stack_1, stack_2, stack_3};
static volatile uint32_t ready, words[MEL_CORES * 4];

/* Loads as fast as a core can, all the same loop: a word of memory, and the instructions. */
static void load(void *argument)
{
    volatile uint32_t *word = &words[4 * (uint32_t)(uintptr_t)argument];
    for (;;) {
        MEL_TRACEPOINT(1, 0);
        (void)*word;
        (void)*word;
        (void)*word;
        (void)*word;
    }
}

static void end(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    mel_exit(0);
}

int main(void)
{
    for (mel_id_t task = 0; task < MEL_CORES; task++) {
        const mel_task_attributes_t attributes = {
            .entry = load, .argument = (void *)(uintptr_t)task, .stack = stacks[task],
            .stack_size = 512, .priority = 5};
        (void)mel_task_create_on(task, &attributes, task);
        (void)mel_task_start(task);
    }
    (void)mel_irq_attach(0, end, NULL);
    (void)mel_irq_map(0, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(0);
    mel_irqgen_pulse(0, 60000);
    mel_kernel_start();
}
"""


def turns(folder: Path) -> list[np.ndarray]:
    """Lengths in cycles of each core's turns of its loop, while all four run."""
    folder.mkdir()
    (folder / "app.yaml").write_text("name: even\n")
    (folder / "main.c").write_text(EVEN)
    result = run_program(config.find("banked-4"), build.application(folder))
    tracepoints = result.events[result.events["kind"] == TraceKind.TRACEPOINT]
    late = tracepoints[tracepoints["cycle"] > 30_000]
    return [np.diff(late["cycle"][late["core"] == core].astype(int)) for core in range(4)]


def unfairness(found: list[np.ndarray]) -> str | None:
    """Breach of mel_memory_arbiter's rule: equal shares, and a bound on each access; None: none."""
    counts = [len(lengths) for lengths in found]
    if min(counts) < 0.9 * max(counts):
        return f"the cores made {counts} turns of the same loop"
    # A turn has 4 loads and a jump, 14 bytes or less: with what is fetched behind the jump and
    # thrown away, 8 fetches. Each of the 12 accesses waits for at most three others; a load
    # takes one cycle more to be answered, and a jump two.
    bound = 12 * 4 + 4 + 2
    longest = max(int(lengths.max()) for lengths in found)
    return f"a turn took {longest} cycles, at most {bound} fit" if longest > bound else None


def test_the_memory_serves_all_cores_alike(tmp_path: Path) -> None:
    assert unfairness(turns(tmp_path / "even")) is None


@pytest.mark.soak
def test_an_unfair_arbiter_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bug = Mutant(
        "the lowest core goes first",
        "soc/bus/mel_memory_arbiter.sv",
        "req_i[(32'(served_q) + i) % Cores]) core = 2'((32'(served_q) + i) % Cores)",
        "req_i[i - 1]) core = 2'(i - 1)",
        "even",
    )
    (tmp_path / "root").mkdir()
    bug.plant(monkeypatch, tmp_path / "root")
    finding: object
    try:
        finding = unfairness(turns(tmp_path / "even"))
    except ReplayError as starved:  # a core that gets no turn at all does not even dispatch
        finding = starved
    assert finding is not None
    print(finding)
