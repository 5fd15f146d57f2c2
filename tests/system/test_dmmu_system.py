# SPDX-License-Identifier: Apache-2.0
"""The memory management unit in whole systems, and the heap over it. It alone: test_dmmu; keys of a
configuration: test_config; figures: test_dmmu_experiment.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen.dmmu import FACTS_HASH_WORD, IDENTITY

from melanion import build, config, soc
from melanion.run import RunResult, Settings, run_program
from tests.common import findings
from tests.common.planted_tree import TreeMutant
from tests.kernel import test_kernel_boot

LATER = pytest.mark.soak
NOW = ("sw-dmmu", "hwrtos-dmmu")
OTHERS = (
    *("sw-3-dmmu", "lockcache-2-dmmu", "booster-dmmu", "port-dmmu", "banked-2-dmmu"),
    *("freertos-dmmu", "sw-vexriscv-dmmu", "hwrtos-vexriscv-dmmu"),
)
ARRIVED = "parcels: all have arrived\n"
EATEN = "philosophers: all have eaten; deadlocks were refused and named\n"


def run(name: str, app: str) -> RunResult:
    return run_program(config.find(name), build.application(app), Settings())


@pytest.mark.parametrize("name", [*NOW, *(pytest.param(each, marks=LATER) for each in OTHERS)])
def test_memory_is_handed_from_task_to_task(name: str) -> None:
    result = run(name, "parcels")
    assert (result.code, result.console) == (0, ARRIVED)


@pytest.mark.soak
def test_two_components_stand_beside_each_other() -> None:
    for app, text in (("philosophers", EATEN), ("parcels", ARRIVED)):
        assert run("sw-deadlock-dmmu", app).console == text


def test_others_take_the_same_cycles_beside_it() -> None:
    assert run("sw-dmmu", "pingpong").cycles == run("sw", "pingpong").cycles


def test_a_system_without_it_has_nothing_of_it() -> None:
    for name in ("sw", "hwrtos", "banked", "sw-deadlock"):
        system = config.find(name)
        files = [path.name for path in soc.rtl_sources(system).files]
        assert "mel_dmmu.sv" not in files
        assert "dmmu_base" not in soc.addresses(system)
        package = soc.system_package(system)
        assert ("DmmuBlocks        = 0;" in package) == (system.components is not None)
        assert ("Dmmu" in package) == (system.components is not None)


def test_no_file_is_there_twice() -> None:
    """It shares one with the unit of the kernel, one with lock cache and deadlock detection."""
    for name in ("lockcache-2-deadlock-dmmu", "hwrtos-dmmu"):
        files = soc.rtl_sources(config.find(name)).files
        assert len(set(files)) == len(files)


def test_the_size_of_a_block_makes_no_other_hardware() -> None:
    """The unit knows numbers of blocks."""
    system = config.find("sw-dmmu")
    large = config.Components(dmmu=config.Dmmu(block_bytes=1024))
    other = system.model_copy(update={"components": large})
    assert soc.hardware_parameters(other) == soc.hardware_parameters(system)
    assert soc.system_package(other) == soc.system_package(system)


# ---- boot ----------------------------------------------------------------------------------------

MAIN = """
#include <melanion/dmmu.h>
#include <melanion/melanion.h>
int main(void) { mel_dmmu_boot(); mel_print("started"); return 0; }
"""


def boot(folder: Path, hardware: str, of: str, **changes: int) -> tuple[str, int]:
    return test_kernel_boot.run(
        folder, config.find(hardware), config.find(of), MAIN, header="mel_dmmu.h", **changes
    )


def test_it_fits(tmp_path: Path) -> None:
    assert boot(tmp_path, "sw-dmmu", "sw-dmmu") == ("started", 0)


def test_no_unit(tmp_path: Path) -> None:
    text, code = boot(tmp_path, "sw", "sw-dmmu")
    assert code == test_kernel_boot.EXIT_CODE_BOOT
    assert text == (
        "melanion: no memory management unit answers at its address (bus error): run the program"
        " on a system with one\n"
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"MEL_DMMU_IDENTITY": 0x12345678},
            "what answers at the address of the memory management unit is none: its identity is"
            f" {IDENTITY:#010x} instead of 0x12345678; run the program on a system with one",
        ),
        (
            {"MEL_DMMU_FACTS_HASH": 0x12345678},
            "the program was built for another memory management unit: its facts hash is"
            f" 0x12345678, the unit's is {FACTS_HASH_WORD:#010x}; build it again for this system",
        ),
    ],
)
def test_another_unit(tmp_path: Path, change: dict[str, int], says: str) -> None:
    text, code = boot(tmp_path, "sw-dmmu", "sw-dmmu", **change)
    assert (text, code) == (f"melanion: {says}\n", test_kernel_boot.EXIT_CODE_BOOT)


# ---- mutants -------------------------------------------------------------------------------------

C = "kernel/dmmu/heap.c"
TILE = "soc/tops/mel_component_tile.sv"
MUTANTS = [
    TreeMutant(
        "an allocation is a block short",
        C,
        "(bytes - 1) / MEL_DMMU_BLOCK_BYTES + 1;",
        "bytes / MEL_DMMU_BLOCK_BYTES;",
    ),
    TreeMutant(
        "more than the heap is asked for",
        C,
        "task >= MEL_DMMU_OWNERS || blocks > MEL_DMMU_BLOCKS",
        "task >= MEL_DMMU_OWNERS",
    ),
    TreeMutant(
        "an address in a block is taken for the block's",
        C,
        "offset < sizeof heap && offset % MEL_DMMU_BLOCK_BYTES == 0",
        "offset < sizeof heap",
    ),
    TreeMutant("memory is given to the caller", C, "block, next))", "block, task))"),
    TreeMutant(
        "the answer is that of the other component",
        TILE,
        "(target_q == TargetDmmu) ? dmmu_rsp_rdata[i]",
        "(target_q != TargetDmmu) ? dmmu_rsp_rdata[i]",
    ),
]


def arrive() -> None:
    result = run("sw-dmmu", "parcels")
    assert result.console == ARRIVED, result.console


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(
    mutant: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    assert findings.words(arrive) != ""


def test_without_a_bug_all_arrive() -> None:
    assert findings.words(arrive) == ""
