# SPDX-License-Identifier: Apache-2.0
"""Systems with cores of several kinds (docs/decisions/0024): one program on all, replayed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mel_gen import TraceKind

from melanion import build, config, soc
from melanion.build import linkage
from melanion.run import RunError, RunResult, run_program

NAME = "hwrtos-mixed"
KINDS = Path(__file__).parent / "mixed"


def cycles(result: RunResult) -> list[int]:
    """Cycles of the same multiplications on core 0 and core 1."""
    return [int(text) for text in re.findall(r"^core \d: (\d+) cycles$", result.console, re.M)]


def written(folder: Path, name: str, core: str) -> config.System:
    """A configuration of ours with other cores."""
    text = config.text(config.find(name))
    path = folder / "mine.yaml"
    path.write_text(re.sub(r"^core:.*$", f"core: {core}", text, flags=re.M), encoding="utf-8")
    return config.load(path)


def test_a_list_of_equal_kinds_is_the_system_that_it_says(tmp_path: Path) -> None:
    kind = "{type: ibex, variant: main, count: %d}"
    two, one = config.find("hwrtos-2"), config.find("hwrtos")
    assert written(tmp_path, "hwrtos", f"[{kind % 1}]") == one
    twice = written(tmp_path, "hwrtos-2", f"[{kind % 1}, {kind % 1}]")
    assert soc.system_package(twice) == soc.system_package(two)
    assert linkage.flags(twice) == linkage.flags(two)
    assert "SmallCores = 2'b00;" in soc.system_package(two)


@pytest.mark.parametrize(
    ("counts", "bits", "text"),
    [
        ((1, 1), "2'b10", "1 × ibex main + 1 × ibex small"),
        ((2, 2), "4'b1100", "2 × ibex main + 2 × ibex small"),
        ((1, 2), "3'b110", "1 × ibex main + 2 × ibex small"),
    ],
)
@pytest.mark.parametrize("kernel", ["hwrtos", "banked", "sw-2"])
def test_each_core_is_of_its_kind(
    tmp_path: Path, counts: tuple[int, int], bits: str, text: str, kernel: str
) -> None:
    kinds = [
        f"{{type: ibex, variant: {variant}, count: {count}}}"
        for variant, count in zip(("main", "small"), counts, strict=True)
    ]
    system = written(tmp_path, kernel, f"[{', '.join(kinds)}]")
    assert f"SmallCores = {bits};" in soc.system_package(system)
    assert system.core.text == text
    assert system.core.count == sum(counts)
    other = written(tmp_path, kernel, f"[{', '.join(reversed(kinds))}]")
    assert other.core.variants == system.core.variants[::-1]
    assert linkage.flags(other)[-1] == linkage.flags(system)[-1] == f"-march={linkage.ISA['small']}"


def test_the_least_core_has_the_instructions_of_all() -> None:
    """Assumption of `Mixed.variant`."""
    least, other = (set(linkage.ISA[name].split("_")) for name in ("small", "main"))
    assert least < other


def test_the_pipeline_has_a_stage_on_each_kind_of_core() -> None:
    result = run_program(config.find(NAME), build.application("pipeline"))
    assert result.console == "pipeline: 200 words through 3 stages on 2 cores\n"
    dispatches = result.events[result.events["kind"] == TraceKind.DISPATCH]
    tasks = {core: set(dispatches["a"][dispatches["core"] == core].tolist()) for core in (0, 1)}
    assert {0, 2} <= tasks[0]
    assert 1 in tasks[1]


def test_the_kinds_are_not_equally_fast() -> None:
    """A multiplication takes three cycles on `small`, one on `main`. Core 0, `main` in both, shares
    the memory with the other core, which still boots: fetches may double its time."""
    kinds = build.application(KINDS)
    mixed, equal = (cycles(run_program(config.find(n), kinds)) for n in (NAME, "hwrtos-2"))
    assert 64 <= equal[1] < 64 + 8
    assert 3 * 64 <= mixed[1] < 3 * 64 + 8
    assert max(mixed[0], equal[0]) < 2 * (64 + 8)


def test_a_program_for_the_larger_core_fails_on_the_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The flags are needed: with those of `main`, core 1 meets an instruction that it has not."""
    monkeypatch.setitem(linkage.ISA, "small", linkage.ISA["main"])
    with pytest.raises(RunError, match=r"illegal instruction"):
        run_program(config.find(NAME), build.application("pipeline"))
