# SPDX-License-Identifier: Apache-2.0
"""Components beside any kernel: the deadlock detection unit, and the memory management unit with
the heap over it, in whole systems. They alone: test_components_alone; boot: test_component_boot;
keys of a configuration: test_config; figures: test_deadlock_experiment, test_dmmu_experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from melanion import build, config, soc
from melanion.run import RunResult, Settings, run_program
from tests.common import findings
from tests.common.planted_tree import TreeMutant

TILE = "soc/tops/mel_component_tile.sv"


@dataclass(frozen=True)
class Component:
    """A component, the program that uses it, and the program's last line.

    `name`: in a configuration, and of the systems that have it beside a kernel, KERNEL-<name>.
    `now`, `soak`: the kernels; `mutants`: shown by the program on `sw`.
    """

    name: str
    app: str
    end: str
    mutants: Sequence[TreeMutant]
    now: Sequence[str] = ("sw", "hwrtos")
    soak: Sequence[str] = (
        *("sw-3", "lockcache-2", "booster", "port", "banked-2"),
        *("freertos", "sw-vexriscv", "hwrtos-vexriscv"),
    )

    def works_on(self, name: str) -> None:
        """Raises AssertionError: its program ends otherwise on the named system."""
        result = run(name, self.app)
        assert (result.code, result.console) == (0, self.end), result.console


def run(name: str, app: str) -> RunResult:
    return run_program(config.find(name), build.application(app), Settings())


COMPONENTS = (
    Component(
        "deadlock",
        "philosophers",
        "philosophers: all have eaten; deadlocks were refused and named\n",
        [
            TreeMutant(
                "a take that deadlocks waits",
                "kernel/deadlock/resource.c",
                "answer == MEL_DEADLOCK_ANSWER_DEADLOCK ? MEL_E_ILUSE :",
                "answer == MEL_DEADLOCK_ANSWER_NONE ? MEL_E_ILUSE :",
            ),
            TreeMutant(
                "who got the resource withdraws",
                "kernel/deadlock/resource.c",
                "status == MEL_E_OK ? MEL_DEADLOCK_COMMAND_GRANT",
                "status != MEL_E_OK ? MEL_DEADLOCK_COMMAND_GRANT",
            ),
            TreeMutant(
                "the interrupt goes to the line beside",
                TILE,
                "<< DeadlockLine;",
                "<< (DeadlockLine - 1);",
            ),
        ],
    ),
    Component(
        "dmmu",
        "parcels",
        "parcels: all have arrived\n",
        [
            TreeMutant(
                "an allocation is a block short",
                "kernel/dmmu/heap.c",
                "(bytes - 1) / MEL_DMMU_BLOCK_BYTES + 1;",
                "bytes / MEL_DMMU_BLOCK_BYTES;",
            ),
            TreeMutant(
                "more than the heap is asked for",
                "kernel/dmmu/heap.c",
                "task >= MEL_DMMU_OWNERS || blocks > MEL_DMMU_BLOCKS",
                "task >= MEL_DMMU_OWNERS",
            ),
            TreeMutant(
                "an address in a block is taken for the block's",
                "kernel/dmmu/heap.c",
                "offset < sizeof heap && offset % MEL_DMMU_BLOCK_BYTES == 0",
                "offset < sizeof heap",
            ),
            TreeMutant(
                "memory is given to the caller",
                "kernel/dmmu/heap.c",
                "block, next))",
                "block, task))",
            ),
            TreeMutant(
                "the answer is that of the other component",
                TILE,
                "(target_q == TargetDmmu) ? dmmu_rsp_rdata[i]",
                "(target_q != TargetDmmu) ? dmmu_rsp_rdata[i]",
            ),
        ],
    ),
)
EVERY = pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)


@pytest.mark.parametrize(
    ("component", "name"),
    [
        pytest.param(each, name, id=name, marks=[pytest.mark.soak] if kernel in each.soak else [])
        for each in COMPONENTS
        for kernel in (*each.now, *each.soak)
        for name in [f"{kernel}-{each.name}"]
    ],
)
def test_its_program_ends(component: Component, name: str) -> None:
    component.works_on(name)


@pytest.mark.soak
def test_two_components_stand_beside_each_other() -> None:
    for component in COMPONENTS:
        component.works_on("sw-deadlock-dmmu")


@EVERY
def test_others_take_the_same_cycles_beside_it(component: Component) -> None:
    assert run(f"sw-{component.name}", "pingpong").cycles == run("sw", "pingpong").cycles


@pytest.mark.parametrize("name", ["sw", "sw-3", "hwrtos", "banked", "sw-deadlock", "sw-dmmu"])
def test_a_system_has_nothing_of_the_components_that_it_lacks(name: str) -> None:
    system = config.find(name)
    files = [path.name for path in (*soc.rtl_sources(system).files, *soc.top_sources(system))]
    package = soc.system_package(system)
    there = system.components.names if system.components else ()
    assert f"Components        = {len(there)};" in package
    assert ("mel_component_tile.sv" in files) == (there != ())
    for component in COMPONENTS:
        assert (f"mel_{component.name}.sv" in files) == (component.name in there)
        assert (f"{component.name}_base" in soc.addresses(system)) == (component.name in there)
    assert ("DeadlockProcesses = 0;" in package) == ("deadlock" not in there)
    assert ("DmmuBlocks        = 0;" in package) == (there == ("deadlock",))
    assert ("Dmmu" in package) == (there != ())


def test_no_file_is_there_twice() -> None:
    """Components share files with each other, with the lock cache and with the hardware RTOS."""
    for name in ("lockcache-2-deadlock", "lockcache-2-deadlock-dmmu", "hwrtos-dmmu"):
        files = soc.rtl_sources(config.find(name)).files
        assert len(set(files)) == len(files)


def test_the_size_of_a_block_makes_no_other_hardware() -> None:
    """The unit knows numbers of blocks."""
    system = config.find("sw-dmmu")
    large = config.Components(dmmu=config.Dmmu(block_bytes=1024))
    other = system.model_copy(update={"components": large})
    assert soc.hardware_parameters(other) == soc.hardware_parameters(system)
    assert soc.system_package(other) == soc.system_package(system)


# ---- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("component", "mutant"),
    [
        pytest.param(each, mutant, id=f"{each.name}: {mutant.name}")
        for each in COMPONENTS
        for mutant in each.mutants
    ],
)
def test_planted_bug_is_noticed(
    component: Component, mutant: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    assert findings.words(lambda: component.works_on(f"sw-{component.name}")) != ""


@EVERY
def test_without_a_bug_its_program_ends(component: Component) -> None:
    assert findings.words(lambda: component.works_on(f"sw-{component.name}")) == ""
