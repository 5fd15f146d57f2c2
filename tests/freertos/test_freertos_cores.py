# SPDX-License-Identifier: Apache-2.0
"""The layer for FreeRTOS (kernel/compat/freertos) on several cores: who is kept out, where tasks
run, what passes between cores, what a program is told that asks for more than there is. The program
checks itself; the replay judges the kernel's calls below it."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import BuildError
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, Settings, run_program
from tests.common.planted_tree import ProgramMutant, programs

ROOT = paths.data_root()
FACTS = YAML(typ="safe").load((ROOT / "kernel/compat/freertos/calls.yaml").read_text("utf-8"))
FILE = Path(__file__).parents[1] / "mutants" / "freertos_cores.yaml"
SOAK = pytest.mark.soak
APP = "freertos_cores"


def run(system: str, waits: str | None = None, seed: int = 1) -> RunResult:
    """Raises RunError for what the program finds, ReplayError for a wrong schedule. `waits`: of
    memory, and of devices or the unit."""
    folder = paths.data_root() / "apps" / "freertos" / APP
    return run_program(
        config.find(system),
        build.application(folder),
        Settings(
            wait_states=waits,
            unit_wait_states=waits,
            seed=seed,
            max_cycles=None if waits is None else 30_000_000,
        ),
    )


# ---- the program ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "system",
    [
        "hwrtos-2",
        *(
            pytest.param(name, marks=SOAK)
            for name in ("sw-2", "banked-2", "port-2", "sw-3", "hwrtos-3", "hwrtos-4", "banked-4")
        ),
        *(pytest.param(name, marks=SOAK) for name in ("hwrtos-single-2", "hwrtos-single-4")),
    ],
)
def test_cores_keep_each_other_out_and_hand_over(system: str) -> None:
    """Each name that is of several cores is shown, too."""
    assert set(run(system).console.splitlines()) == set(FACTS["calls"]["several cores"])


@SOAK
@pytest.mark.parametrize(
    ("system", "waits", "seed"),
    [
        *(("sw-2", "1", 1), ("sw-2", "0-3", 2)),  # more, and a tick is too short for its handler
        *(("hwrtos-2", "1", 1), ("hwrtos-2", "0-3", 2), ("hwrtos-2", "0-7", 3)),
        *(("banked-2", "1", 1), ("banked-2", "0-3", 2), ("banked-2", "0-7", 3)),
        ("hwrtos-3", "0-3", 2),
        ("hwrtos-single-2", "0-3", 2),
    ],
)
def test_whatever_an_access_takes(system: str, waits: str, seed: int) -> None:
    assert run(system, waits, seed).code == 0


# ---- one core of several -------------------------------------------------------------------------

SETTINGS = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configTOTAL_HEAP_SIZE 8192
"""
SEVERAL = SETTINGS + "#define configNUMBER_OF_CORES 2\n#define configRUN_MULTIPLE_PRIORITIES 1\n"
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include <melanion/console.h>
#include <melanion/kernel.h>
static volatile int turns;
static void task(void *last) {
    for (int i = 0; i < 20; i++) {
        if (mel_core_self() != 0 || portGET_CORE_ID() != 0) mel_exit(3);
        const int before = turns++;
        if (turns != before + 1) mel_exit(4);
        if (i % 8 == 7) vTaskDelay(1);
    }
    if (last) { vTaskDelay(3); mel_exit(turns == 60 ? 0 : 5); }
    vTaskDelete(NULL);
}
static void quick(void *unused) { (void)unused; mel_exit(0); }
int main(void) {
    (void)quick;
    MADE
    vTaskStartScheduler();
}
"""
THREE = "for (int i = 0; i < 3; i++) xTaskCreate(task, 0, 256, i == 2 ? (void *)&turns : 0, 1, 0);"


def program(folder: Path, settings: str, made: str) -> build.App:
    (folder / "app.yaml").write_text("name: mine\ncompat: freertos\n", encoding="utf-8")
    (folder / "mine.c").write_text(MAIN.replace("MADE", made), encoding="utf-8")
    (folder / "FreeRTOSConfig.h").write_text(settings, encoding="utf-8")
    return build.application(folder)


def test_program_for_one_core_stays_on_core_0(tmp_path: Path) -> None:
    """Its three tasks count without a lock."""
    assert run_program(config.find("hwrtos-2"), program(tmp_path, SETTINGS, THREE)).code == 0


# ---- what a program is told ----------------------------------------------------------------------

SAID = (
    "mine does not compile: configNUMBER_OF_CORES is {0}, allowed is 1 (all tasks then run on core"
    " 0) or"
)
WRONG = {
    ("hwrtos-2", SEVERAL.replace("CORES 2", "CORES 3")): (
        SAID.format(3) + " 2, the cores of the system hwrtos-2; correct it, or name another system"
    ),
    ("hwrtos", SEVERAL): SAID.format(2) + " 1, the cores of the system hwrtos; correct it, or name",
    ("sw-3", SEVERAL): SAID.format(2) + " 3, the cores of the system sw-3; correct it, or name",
    ("hwrtos-2", SEVERAL.replace("PRIORITIES 1\n", "PRIORITIES 0\n")): (
        "configRUN_MULTIPLE_PRIORITIES is 0, as it is where it is left out,"
        " allowed is 1 with several cores"
    ),
    ("sw-2", SETTINGS + "#define configNUMBER_OF_CORES 2\n"): (
        "configRUN_MULTIPLE_PRIORITIES is 0, as it is where it is left out, allowed is 1"
    ),
}


@pytest.mark.parametrize(("system", "settings"), WRONG, ids=range(len(WRONG)))
def test_wrong_settings_are_named_when_the_program_is_built(
    system: str, settings: str, tmp_path: Path
) -> None:
    with pytest.raises(BuildError) as caught:
        build.program(config.find(system), program(tmp_path, settings, THREE))
    assert WRONG[system, settings] in caught.value.message
    assert caught.value.message.startswith(str(tmp_path / "FreeRTOSConfig.h"))


MASK = (
    "freertos: a core affinity mask names no core of configNUMBER_OF_CORES, or several and not all;"
    " the kernel runs a task on any core or on one: give tskNO_AFFINITY or one bit, 1 << core"
)
LATE = (
    "freertos: vTaskCoreAffinitySet: a task keeps its cores once the scheduler runs: give them to"
    " xTaskCreateAffinitySet, or before vTaskStartScheduler"
)
SHIFTS = "void shift(void *p) { (void)p; vTaskCoreAffinitySet(NULL, 2); mel_exit(0); }"
BOOTS = {
    ("hwrtos-2", "xTaskCreateAffinitySet(quick, 0, 256, 0, 1, 4, 0);"): MASK,
    ("hwrtos-2", "xTaskCreateAffinitySet(quick, 0, 256, 0, 1, 0, 0);"): MASK,
    ("hwrtos-3", "xTaskCreateAffinitySet(quick, 0, 256, 0, 1, 6, 0);"): MASK,
    ("hwrtos-2", f"{SHIFTS} xTaskCreate(shift, 0, 256, 0, 1, 0);"): LATE,
}


@pytest.mark.parametrize(
    ("system", "made"),
    [pytest.param(*key, marks=[SOAK] if key[0] == "hwrtos-3" else []) for key in BOOTS],
    ids=range(len(BOOTS)),
)
def test_cores_that_no_task_can_have_end_the_run(system: str, made: str, tmp_path: Path) -> None:
    settings = SEVERAL.replace("CORES 2", f"CORES {system[-1]}")
    with pytest.raises(RunError) as caught:
        run_program(config.find(system), program(tmp_path, settings, made))
    assert BOOTS[system, made] in caught.value.message


def test_all_cores_and_more_are_any_core(tmp_path: Path) -> None:
    made = "xTaskCreateAffinitySet(quick, 0, 256, 0, 1, 0xFF, 0);"
    assert run_program(config.find("hwrtos-2"), program(tmp_path, SEVERAL, made)).code == 0


# ---- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mutant", programs(FILE, quick=2))
def test_mutant_is_caught(
    mutant: ProgramMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert mutant.app == APP
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises((RunError, ReplayError)) as caught:
        run(mutant.kernel)
    print(caught.value.message)
