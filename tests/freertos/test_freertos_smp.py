# SPDX-License-Identifier: Apache-2.0
"""The kernel `freertos` on several cores: FreeRTOS's scheduler for them over a port layer of ours
(docs/decisions/0046). No model replays its runs: programs check themselves. The program for
Melanion runs on our kernels, too, where the golden model judges the same checks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import BuildError, library
from melanion.run import RunError, RunResult, Settings, run_program, switches
from melanion.trace.events import EVENT
from tests.common.fetched import needs_cargo
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
FACTS = YAML(typ="safe").load((ROOT / "kernel/compat/freertos/calls.yaml").read_text("utf-8"))
FILE = Path(__file__).parents[1] / "mutants" / "freertos_smp.yaml"
SOAK = pytest.mark.soak
APP = "alongside"
RIGHT = "alongside: all was right\n"

pytestmark = needs_cargo


def run(
    system: str,
    app: build.App | None = None,
    waits: tuple[str, str] | None = None,
    *,
    seed: int = 1,
    defines: dict[str, int | str] | None = None,
) -> RunResult:
    """Raises RunError for what the program finds. `waits`: of memory, and of devices."""
    memory, devices = waits or (None, None)
    settings = Settings(
        wait_states=memory,
        unit_wait_states=devices,
        seed=seed,
        max_cycles=None if waits is None else 40_000_000,
        defines=defines or {},
    )
    return run_program(config.find(system), app or build.application(APP), settings)


# ---- a program for Melanion ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "system",
    ["freertos-2", *(pytest.param(name, marks=SOAK) for name in ("freertos-3", "freertos-4"))],
)
def test_cores_work_alongside(system: str) -> None:
    assert run(system).console == RIGHT


@SOAK
@pytest.mark.parametrize("system", ["sw-2", "sw-3", "hwrtos-2", "banked-2"])
def test_the_self_checks_are_no_rules_of_freertos_alone(system: str) -> None:
    found = run(system)
    assert found.console == RIGHT
    assert found.replay is not None and found.replay.commands > 500


@pytest.mark.parametrize(
    ("system", "waits", "seed"),
    [
        ("freertos-2", ("0-3", "0-7"), 2),
        *(
            pytest.param(*each, marks=SOAK)
            for each in (
                ("freertos-2", ("1", "1"), 1),
                ("freertos-2", ("0", "0-20"), 3),
                ("freertos-3", ("0-2", "0-3"), 5),
                ("freertos-4", ("0-1", "0-3"), 7),
            )
        ),
    ],
)
def test_whatever_an_access_takes(system: str, waits: tuple[str, str], seed: int) -> None:
    assert run(system, waits=waits, seed=seed).console == RIGHT


def test_equal_tasks_take_turns_where_the_program_asks() -> None:
    """The program expects what its macro says."""
    assert run("freertos-2", defines={"MEL_FREERTOS_TIME_SLICING": 1}).console == RIGHT


def test_switches_are_those_of_each_core() -> None:
    found = run("freertos-2").events
    idle = config.find("freertos-2").parameters.tasks
    for core in range(2):
        own = found[(found["kind"] == TraceKind.DISPATCH) & (found["core"] == core)]
        assert len(own) > 50
        assert own["b"][0] == idle
        assert (own["a"][:-1] == own["b"][1:]).all()
        assert (own["a"] != own["b"]).all()


def test_a_core_leaves_what_it_ran_itself() -> None:
    events = np.zeros(4, dtype=EVENT)
    events["kind"], events["a"] = TraceKind.DISPATCH, switches.NOBODY
    events["core"], events["b"] = [0, 1, 1, 0], [0x1010, 0x2010, 0x1010, 0x2010]
    stacks = (build.Stack(0x1000, 0x100, 3, "one"), build.Stack(0x2000, 0x100, 4, "two"))
    found = switches.named(events, stacks, 64)
    assert found["a"].tolist() == [3, 4, 3, 4]
    assert found["b"].tolist() == [64, 64, 4, 3]


def test_more_priorities_than_a_word_has_bits() -> None:
    found = run("freertos-2[priorities=40]", build.application("hello"))
    assert found.code == 0


def test_one_core_has_other_sources() -> None:
    """Nothing of the port for several cores, and FreeRTOS's own."""
    one, several = (library.sources(config.find(name)) for name in ("freertos", "freertos-2"))
    assert not [path for path in one if "smp" in path.parts]
    assert [path.name for path in several if "smp" in path.parts] == [
        "port.S",
        "port.c",
        "boot.c",
        "interrupt.c",
        "pool.c",
        "task.c",
        "cores.c",
    ]


# ---- a program for FreeRTOS ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "waits"),
    [
        ("freertos-2", None),
        *(
            pytest.param(*each, marks=SOAK)
            for each in (
                ("freertos-3", None),
                ("freertos-4", None),
                ("freertos-2", ("1", "1")),
                ("freertos-2", ("0-3", "0-3")),
                ("freertos-3", ("0-3", "0-7")),
            )
        ),
    ],
)
def test_the_checks_of_the_layer_hold_on_freertos_itself(
    system: str, waits: tuple[str, str] | None
) -> None:
    app = build.application(ROOT / "apps" / "freertos" / "freertos_cores")
    found = set(run(system, app, waits, seed=2).console.splitlines())
    assert found == set(FACTS["calls"]["several cores"])


def test_a_program_as_it_is_uses_both_cores() -> None:
    app = build.freertos_application(ROOT / "apps" / "examples" / "sample_pipeline")
    found = run("freertos-2", app)
    assert "wrong 0" in found.console
    ran = found.events[found.events["kind"] == TraceKind.DISPATCH]
    assert {0, 1} == set(ran["core"].tolist())


# ---- what a program is told ----------------------------------------------------------------------

SETTINGS = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configTOTAL_HEAP_SIZE 8192
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY 1
"""
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include <melanion/kernel.h>
static void task(void *unused) { (void)unused; BODY mel_exit(0); }
int main(void) {
    xTaskCreate(task, "task", 256, 0, 1, 0);
    vTaskStartScheduler();
}
"""


def program(folder: Path, cores: str, body: str = "") -> build.App:
    settings = SETTINGS + (f"#define configNUMBER_OF_CORES {cores}\n" if cores else "")
    (folder / "mine.c").write_text(MAIN.replace("BODY", body), encoding="utf-8")
    (folder / "FreeRTOSConfig.h").write_text(settings, encoding="utf-8")
    return build.freertos_application(folder)


@pytest.mark.parametrize(
    ("system", "cores", "found", "allowed"),
    [
        ("freertos-2", "3", "3", "2"),
        ("freertos-2", "", "1", "2"),
        ("freertos-3", "2", "2", "3"),
        ("freertos", "2", "2", "1"),
    ],
)
def test_other_cores_than_the_system_has(
    tmp_path: Path, system: str, cores: str, found: str, allowed: str
) -> None:
    with pytest.raises(BuildError) as raised:
        build.program(config.find(system), program(tmp_path, cores))
    assert (
        f"does not compile: configNUMBER_OF_CORES is {found}, allowed is {allowed}, the cores of"
        f" the system {system} (1 where it is left out); correct it, or name another system"
    ) in raised.value.message


IN_SECTION = (
    "freertos: in a critical section a task yielded, waited, suspended the scheduler or asked for"
    " memory; leave the section before such a call"
)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("taskENTER_CRITICAL(); vTaskSuspendAll();", IN_SECTION),
        ("taskENTER_CRITICAL(); (void)pvPortMalloc(8);", IN_SECTION),
        ("taskENTER_CRITICAL(); taskYIELD();", IN_SECTION),
        ("vTaskEndScheduler();", "freertos: vTaskEndScheduler was called; a scheduler of several"),
    ],
)
def test_what_freertos_forbids_ends_the_run(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(RunError) as raised:
        run("freertos-2", program(tmp_path, "2", body))
    assert said in raised.value.message


HELD = """#include <melanion/device.h>
#include <melanion/melanion.h>
MEL_TASK_STACK(stack_first, 0, 512);
MEL_TASK_STACK(stack_second, 1, 512);
static volatile bool ran;
static void run(void *unused) { (void)unused; for (;;) { ran = true; } }
static void hold(void *unused)
{
    (void)unused;
    while (!ran) {
    }
    (void)mel_dispatch_disable();
    (void)mel_task_terminate(1);
    mel_exit(0);
}
int main(void)
{
    const mel_task_attributes_t first = {
        .entry = hold, .stack = stack_first, .stack_size = 512, .priority = 5};
    const mel_task_attributes_t second = {
        .entry = run, .stack = stack_second, .stack_size = 512, .priority = 5};
    (void)mel_task_create_on(0, &first, 0);
    (void)mel_task_create_on(1, &second, 1);
    (void)mel_task_start(0);
    (void)mel_task_start(1);
    mel_kernel_start();
}
"""


def test_a_task_that_cannot_leave_its_core_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text("name: mine\n", encoding="utf-8")
    (tmp_path / "mine.c").write_text(HELD, encoding="utf-8")
    with pytest.raises(RunError) as raised:
        run("freertos-2", build.application(tmp_path))
    assert (
        "freertos: with dispatch disabled a task was terminated or started that runs on another"
        " core, which cannot leave it; enable dispatch first"
    ) in raised.value.message


# ---- mutants -------------------------------------------------------------------------------------

MUTANTS = [TreeMutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]
CHEAP = 2  # mutants that run with every commit


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(each, id=each.name, marks=[SOAK] if i >= CHEAP else [])
        for i, each in enumerate(MUTANTS)
    ],
)
def test_self_checks_notice_planted_bugs(
    mutant: TreeMutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises(RunError) as raised:
        run("freertos-2")
    print(raised.value.message)
