# SPDX-License-Identifier: Apache-2.0
"""Rows that come from synthesis (experiments/rtu-area.yaml): which designs, which figures, and the
asserted gates."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import pytest

from melanion import area, paths
from melanion.area import experiment, tools
from melanion.area.design import Design
from melanion.area.measure import GateRow
from melanion.area.netlist import Cells
from melanion.area.tools import Liberty
from melanion.claims import load
from melanion.measure import ExperimentError

EXPERIMENT = "rtu-area"
GATES = paths.data_root() / "tests" / "asserted" / "rtu-area_gates.csv"
INSTALLED = tools.LIBERTY.is_file()


def invented(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[Design]:
    """Every design has 1000 gates for each of its cores; in flip-flops twice as many. The list
    that is returned grows with what is synthesized."""
    library = tmp_path / "cells.lib"
    library.write_text("cell (NAND2X1) { area : 2; }", encoding="utf-8")
    monkeypatch.setattr("melanion.area.tools.LIBERTY", library)
    seen: list[Design] = []

    def mapped(design: Design, library: Liberty, report: Callable[[str], None]) -> GateRow:
        assert library.nand2 == 2
        seen.append(design)
        report("mapping")
        cores = dict(design.sizes).get("Cores") or dict(design.sizes)["cores"]
        bits = 0 if design.flip_flops else 64
        return GateRow(design, Cells(1.0, 7, bits), 1000.0 * cores * (1 + design.flip_flops))

    monkeypatch.setattr(experiment, "mapped", mapped)
    monkeypatch.setattr(experiment, "versions", lambda: {"pyosys": "1"})
    return seen


def test_each_design_has_its_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    seen = invented(monkeypatch, tmp_path)
    told: list[str] = []
    found = [
        area.execute(EXPERIMENT, name, command="c", report=told.append)
        for name in ("lockcache-3", "rtu-3")
    ]
    assert [(each.top, each.flip_flops) for each in seen] == [
        ("mel_lock_cache", False),
        ("mel_lock_cache", True),
        ("mel_unit", False),
    ]
    assert told == ["mapping"] * 3
    assert seen[0].size("ShortLocks") == seen[0].size("LongLocks") == 64
    assert (seen[2].size("cores"), seen[2].size("mutexes")) == (3, 0)
    rows = {
        (m.row.kernel, m.row.metric): (m.row.max, m.row.unit)
        for each in found
        for m in each.measurements
    }
    assert rows == {
        ("lockcache-3", "logic"): (3000, "NAND2"),
        ("lockcache-3", "flip_flops"): (7, "flip-flops"),
        ("lockcache-3", "memory_bits"): (64, "bits"),
        ("lockcache-3", "whole"): (6000, "NAND2"),
        ("rtu-3", "logic"): (3000, "NAND2"),
        ("rtu-3", "flip_flops"): (7, "flip-flops"),
        ("rtu-3", "memory_bits"): (64, "bits"),
    }
    assert found[1].provenance["systems"]["rtu-3"]["library"] == "standard cells, NAND2X1 2"


def test_only_what_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    seen = invented(monkeypatch, tmp_path)
    area.execute(EXPERIMENT, "rtu-3", command="c")
    assert [each.top for each in seen] == ["mel_unit"]


def test_figure_that_synthesis_has_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    invented(monkeypatch, tmp_path)
    definition = load(EXPERIMENT)
    wrong = definition.model_copy(update={"metrics": {"lut4": definition.metrics["logic"]}})
    monkeypatch.setattr(experiment, "load", lambda _: wrong)
    with pytest.raises(ExperimentError) as caught:
        area.execute(EXPERIMENT, "rtu-3", command="c")
    assert caught.value.message == (
        "experiments/rtu-area.yaml: synthesis has no metric lut4; it has whole, logic, flip_flops,"
        " memory_bits; correct the name."
    )


@pytest.mark.soak
@pytest.mark.skipif(not INSTALLED, reason=f"{tools.LIBERTY_PACKAGE} is not installed")
def test_exact_gates() -> None:
    """Minutes."""
    rows = list(csv.DictReader(GATES.open(newline="", encoding="utf-8")))
    expected = {(row["kernel"], row["metric"]): int(row["max"]) for row in rows}
    names = list(dict.fromkeys(row["kernel"] for row in rows))
    found = [
        each for name in names for each in area.execute(EXPERIMENT, name, command="c").measurements
    ]
    assert {(each.row.kernel, each.row.metric): each.row.max for each in found} == expected
