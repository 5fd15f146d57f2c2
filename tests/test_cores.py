"""Systems of several cores: programs on 2 and 4 of them, the arbiter of their memory, their boot.

Every run is replayed against the golden model; here are also the planted bugs that these runs must
catch: tests/mutants/cores.yaml.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, run_program

SYSTEMS = ("hwrtos-2", "hwrtos-4")
WAITS = [(0, 0, 1), ("0-2", 0, 2), ("0-1", "0-8", 3)]  # memory, unit, seed
MUTANTS = paths.data_root() / "tests" / "mutants" / "cores.yaml"

each_system = pytest.mark.parametrize("name", SYSTEMS)
each_wait = pytest.mark.parametrize(("memory", "unit", "seed"), WAITS)


def run(
    name: str, app: str, memory: int | str = 0, unit: int | str = 0, seed: int = 1
) -> RunResult:
    """An application that comes with Melanion; RunError and ReplayError pass."""
    system, program = config.find(name), build.application(app)
    return run_program(system, program, wait_states=memory, unit_wait_states=unit, seed=seed)


def cores_of(result: RunResult, kind: TraceKind) -> set[int]:
    events = result.events
    return set(events["core"][events["kind"] == kind].tolist())


@pytest.mark.parametrize(("name", "used"), [("hwrtos", 1), ("hwrtos-2", 2), ("hwrtos-4", 3)])
def test_the_pipeline_uses_a_core_for_each_stage(name: str, used: int) -> None:
    result = run(name, "pipeline")
    noun = "core" if used == 1 else "cores"
    assert result.console == f"pipeline: 200 words through 3 stages on {used} {noun}\n"
    assert cores_of(result, TraceKind.COMMAND) >= set(range(used))


@each_wait
@each_system
def test_pipeline_in_slow_memory(name: str, memory: int | str, unit: int | str, seed: int) -> None:
    assert run(name, "pipeline", memory, unit, seed).code == 0


@each_wait
@pytest.mark.parametrize("name", ["hwrtos", *SYSTEMS])
def test_tasks_that_move_keep_their_registers(
    name: str, memory: int | str, unit: int | str, seed: int
) -> None:
    result = run(name, "movers", memory, unit, seed)
    count = config.find(name).core.count
    # Each core takes tasks over, by calls and by the dispatch interrupt; handlers run on core 0.
    assert cores_of(result, TraceKind.DISPATCH) == set(range(count))
    assert cores_of(result, TraceKind.TRAP) == set(range(count))
    assert cores_of(result, TraceKind.CLAIM) == {0}


@each_system
def test_tasks_really_change_cores(name: str) -> None:
    """Else the registers of test_tasks_that_move_keep_their_registers prove nothing."""
    events = run(name, "movers").events
    dispatches = events[events["kind"] == TraceKind.DISPATCH]
    for task in range(6):  # MOVERS
        cores = dispatches["core"][dispatches["a"] == task]
        assert len(set(cores.tolist())) == config.find(name).core.count
        assert np.count_nonzero(np.diff(cores.astype(int))) > 10


# ---- planted bugs --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file`; running `app` on `system` shows the bug."""

    name: str
    file: str
    old: str
    new: str
    app: str
    system: str = "hwrtos-2"

    def plant(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """From now on the data folders are in the empty `folder`, with the bug in one of them."""
        original = paths.data_root()
        room = Path(self.file).parts[0]
        for path in original.iterdir():
            if path.is_dir() and path.name not in (room, "build", ".git"):
                (folder / path.name).symlink_to(path)
        shutil.copytree(original / room, folder / room)
        path = folder / self.file
        text = path.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.name}: `old` must occur once in {self.file}"
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        patch.setattr(paths, "data_root", lambda: folder)


BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name.replace(" ", "_"))
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
        MEL_POINT(1, 0);
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
    """Of each core, the lengths in cycles of the turns of its loop, while all four run."""
    folder.mkdir()
    (folder / "app.yaml").write_text("name: even\n")
    (folder / "main.c").write_text(EVEN)
    result = run_program(config.find("hwrtos-4"), build.application(folder))
    points = result.events[result.events["kind"] == TraceKind.POINT]
    late = points[points["cycle"] > 30_000]
    return [np.diff(late["cycle"][late["core"] == core].astype(int)) for core in range(4)]


def unfairness(found: list[np.ndarray]) -> str | None:
    """What contradicts the rule of mel_memory_arbiter: equal shares, and a bound on each access."""
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
    finding = unfairness(turns(tmp_path / "even"))
    assert finding is not None
    print(finding)
