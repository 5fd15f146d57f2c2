# SPDX-License-Identifier: Apache-2.0
"""Components beside any kernel: the deadlock detection unit in whole systems. It alone:
test_deadlock; keys of a configuration: test_config; figures: test_deadlock_experiment.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen.deadlock import FACTS_HASH_WORD, IDENTITY

from melanion import build, config, soc
from melanion.run import RunResult, Settings, run_program
from tests.common import findings
from tests.common.planted_tree import TreeMutant
from tests.kernel import test_kernel_boot

LATER = pytest.mark.soak
NOW = ("sw-deadlock", "hwrtos-deadlock")
OTHERS = (
    *("sw-3-deadlock", "lockcache-2-deadlock", "booster-deadlock", "port-deadlock"),
    *("banked-2-deadlock", "freertos-deadlock", "sw-vexriscv-deadlock", "hwrtos-vexriscv-deadlock"),
)
EATEN = "philosophers: all have eaten; deadlocks were refused and named\n"


def run(name: str, app: str) -> RunResult:
    return run_program(config.find(name), build.application(app), Settings())


@pytest.mark.parametrize("name", [*NOW, *(pytest.param(each, marks=LATER) for each in OTHERS)])
def test_deadlocks_are_refused_and_named(name: str) -> None:
    result = run(name, "philosophers")
    assert (result.code, result.console) == (0, EATEN)


def test_others_take_the_same_cycles_beside_it() -> None:
    assert run("sw-deadlock", "pingpong").cycles == run("sw", "pingpong").cycles


def test_a_system_without_components_has_nothing_of_them() -> None:
    for name in ("sw", "sw-3", "hwrtos", "banked"):
        system = config.find(name)
        files = [path.name for path in (*soc.rtl_sources(system).files, *soc.top_sources(system))]
        assert "mel_component_tile.sv" not in files
        assert "mel_deadlock.sv" not in files
        assert "Components        = 0;" in soc.system_package(system)
        assert "deadlock_base" not in soc.addresses(system)


def test_no_file_is_there_twice() -> None:
    """The lock cache and the deadlock detection unit share one."""
    files = soc.rtl_sources(config.find("lockcache-2-deadlock")).files
    assert len(set(files)) == len(files)


# ---- boot ----------------------------------------------------------------------------------------

MAIN = """
#include <melanion/deadlock.h>
#include <melanion/melanion.h>
int main(void) { mel_deadlock_boot(); mel_print("started"); return 0; }
"""


def boot(folder: Path, hardware: str, of: str, **changes: int) -> tuple[str, int]:
    return test_kernel_boot.run(
        folder, config.find(hardware), config.find(of), MAIN, header="mel_deadlock.h", **changes
    )


def test_it_fits(tmp_path: Path) -> None:
    assert boot(tmp_path, "sw-deadlock", "sw-deadlock") == ("started", 0)


def test_no_unit(tmp_path: Path) -> None:
    text, code = boot(tmp_path, "sw", "sw-deadlock")
    assert code == test_kernel_boot.EXIT_CODE_BOOT
    assert text == (
        "melanion: no deadlock detection unit answers at its address (bus error): run the program"
        " on a system with one\n"
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"MEL_DEADLOCK_IDENTITY": 0x12345678},
            "what answers at the address of the deadlock detection unit is none: its identity is"
            f" {IDENTITY:#010x} instead of 0x12345678; run the program on a system with one",
        ),
        (
            {"MEL_DEADLOCK_FACTS_HASH": 0x12345678},
            "the program was built for another deadlock detection unit: its facts hash is"
            f" 0x12345678, the unit's is {FACTS_HASH_WORD:#010x}; build it again for this system",
        ),
    ],
)
def test_another_unit(tmp_path: Path, change: dict[str, int], says: str) -> None:
    text, code = boot(tmp_path, "sw-deadlock", "sw-deadlock", **change)
    assert (text, code) == (f"melanion: {says}\n", test_kernel_boot.EXIT_CODE_BOOT)


# ---- mutants -------------------------------------------------------------------------------------

C = "kernel/deadlock/resource.c"
TILE = "soc/tops/mel_component_tile.sv"
MUTANTS = [
    TreeMutant(
        "a take that deadlocks waits",
        C,
        "answer == MEL_DEADLOCK_ANSWER_DEADLOCK ? MEL_E_ILUSE :",
        "answer == MEL_DEADLOCK_ANSWER_NONE ? MEL_E_ILUSE :",
    ),
    TreeMutant(
        "who got the resource withdraws",
        C,
        "status == MEL_E_OK ? MEL_DEADLOCK_COMMAND_GRANT",
        "status != MEL_E_OK ? MEL_DEADLOCK_COMMAND_GRANT",
    ),
    TreeMutant(
        "the interrupt goes to the line beside", TILE, "<< DeadlockLine;", "<< (DeadlockLine - 1);"
    ),
]


def eats() -> None:
    result = run("sw-deadlock", "philosophers")
    assert result.console == EATEN, result.console


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(
    mutant: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    assert findings.words(eats) != ""


def test_without_a_bug_all_eat() -> None:
    assert findings.words(eats) == ""
