# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS' heap over the memory management unit (configUSE_HEAP_UNIT): the program
apps/freertos/freertos_heap_unit compares what the heap says of itself with what it holds, on
several kernels; cycles of its calls; what is said where there is no such heap; mutants."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import BuildError
from melanion.run import RunError, RunResult, run_program
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant

PROGRAM = "freertos_heap_unit"
LAYER = "kernel/compat/freertos/heap_unit.c"
# What docs/explanation/dmmu.md promises of a call, in cycles.
MOST = {"malloc": 160, "free": 90}
SOAK = pytest.mark.soak


def run(system: str) -> RunResult:
    return run_program(config.find(system), build.application(PROGRAM))


@pytest.mark.parametrize(
    "system",
    ["sw-dmmu", *(pytest.param(name, marks=SOAK) for name in ("hwrtos-dmmu", "banked-dmmu"))],
)
def test_the_heap_is_as_it_says_and_its_calls_take_the_same_cycles(system: str) -> None:
    console = run(system).console
    assert (
        console.count("16385 bytes were asked for, and the memory management unit has 16384") == 1
    )
    ranges = re.findall(r"^(malloc|free) (\d+) (\d+)$", console, re.MULTILINE)
    assert [name for name, _, _ in ranges] == list(MOST)
    for name, least, most in ranges:
        assert int(most) <= MOST[name]
        assert least == most or not exact_cycles.is_pinned()


def own(folder: Path, *settings: str) -> build.App:
    """A program with a heap in the unit."""
    lines = ["#define configUSE_HEAP_UNIT 1", "#define configTICK_RATE_HZ 1000"]
    lines += ["#define configMAX_PRIORITIES 5", *settings]
    (folder / "FreeRTOSConfig.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    source = '#include "FreeRTOS.h"\nint main(void) { return pvPortMalloc(8) == NULL; }\n'
    (folder / "main.c").write_text(source, encoding="utf-8")
    (folder / "app.yaml").write_text("name: mine\ncompat: freertos\n", encoding="utf-8")
    return build.application(folder)


@pytest.mark.parametrize(
    ("system", "settings", "said"),
    [
        (
            "sw",
            (),
            "configUSE_HEAP_UNIT is 1, and this system has no memory management unit; take a system"
            " with components: dmmu, such as sw-dmmu, or set it to 0",
        ),
        (
            "sw-dmmu",
            ("#define configTOTAL_HEAP_SIZE 16385",),
            "configTOTAL_HEAP_SIZE is more than blocks * block_bytes of the memory management unit;"
            " make it smaller, raise these (components: dmmu), or set configUSE_HEAP_UNIT to 0",
        ),
        (
            "sw-dmmu",
            ("#define configAPPLICATION_ALLOCATED_HEAP 1",),
            "configAPPLICATION_ALLOCATED_HEAP is 1, and the heap of configUSE_HEAP_UNIT is the"
            " layer's; set one of them to 0",
        ),
    ],
)
def test_a_heap_that_cannot_be_is_told(
    tmp_path: Path, system: str, settings: tuple[str, ...], said: str
) -> None:
    with pytest.raises(BuildError) as caught:
        build.program(config.find(system), own(tmp_path, *settings))
    assert said in caught.value.message


def test_a_size_that_fits_and_none_are_allowed(tmp_path: Path) -> None:
    for settings in ((), ("#define configTOTAL_HEAP_SIZE 16384",)):
        build.program(config.find("sw-dmmu"), own(tmp_path, *settings))


# Each is noticed by the program.
MUTANTS = [
    TreeMutant(
        "memory is rounded down",
        LAYER,
        "(xWantedSize - 1) / BLOCK + 1; /* 0",
        "xWantedSize / BLOCK + (xWantedSize < BLOCK); /* 0",
    ),
    TreeMutant("a failed allocation has no hook", LAYER, "if (memory == NULL) {", "if (0) {"),
    TreeMutant(
        "the least is not counted anew",
        LAYER,
        "least = now < least ? now : least;",
        "(void)now;",
    ),
    TreeMutant(
        "a second free is not noticed",
        LAYER,
        "configASSERT(answer == MEL_DMMU_ANSWER_DONE);",
        "configASSERT(answer != MEL_DMMU_ANSWER_FULL);",
    ),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_wrong_heap_is_noticed(
    mutant: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises(RunError) as caught:
        run("sw-dmmu")
    assert "freertos_heap_unit: line " in caught.value.message
