"""Rows that come from synthesis (experiments/rtu-area.yaml): which designs, which figures, and the
asserted gates."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import pytest

from melanion import area, paths
from melanion.area import experiment, tools
from melanion.area.design import Design
from melanion.area.measure import GateRow, Result
from melanion.area.netlist import Cells
from melanion.experiments import ExperimentError, load

EXPERIMENT = "rtu-area"
GATES = paths.data_root() / "tests" / "rtu-area_gates.csv"
INSTALLED = tools.LIBERTY.is_file()


def invented(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[Design]:
    """Every design has 1000 gates for each of its cores; in flip-flops twice as many. The list
    that is returned grows with what is synthesized."""
    library = tmp_path / "cells.lib"
    library.write_text("cell (NAND2X1) { area : 2; }", encoding="utf-8")
    monkeypatch.setattr("melanion.area.tools.LIBERTY", library)
    seen: list[Design] = []

    def measure(designs: Sequence[Design], **given: Any) -> Result:
        assert given["library"].nand2 == 2 and given["seeds"] == 1
        seen.extend(designs)
        rows = []
        for each in designs:
            cores = dict(each.sizes).get("Cores") or dict(each.sizes)["cores"]
            given["progress"](each, "mapping")
            bits = 0 if each.flip_flops else 64
            rows.append(GateRow(each, Cells(1.0, 7, bits), 1000.0 * cores * (1 + each.flip_flops)))
        words = {"melanion": "0", "commit": "c", "tools": {"pyosys": "1"}}
        return Result("nand2", tuple(rows), words)

    monkeypatch.setattr(experiment, "measure", measure)
    return seen


def test_each_design_has_its_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    seen = invented(monkeypatch, tmp_path)
    told: set[str] = set()
    found = area.execute(
        EXPERIMENT,
        ["lockcache-3", "rtu-3"],
        command="c",
        progress=lambda name, text: told.add(name),
    )
    assert [(each.top, each.flip_flops) for each in seen] == [
        ("mel_lock_cache", False),
        ("mel_unit", False),
        ("mel_lock_cache", True),
    ]
    assert told == {"lockcache-3", "rtu-3"}
    assert seen[0].size("ShortLocks") == seen[0].size("LongLocks") == 64
    assert (seen[1].size("cores"), seen[1].size("mutexes")) == (3, 0)
    rows = {(m.row.kernel, m.row.metric): (m.row.max, m.row.unit) for m in found.measurements}
    assert rows == {
        ("lockcache-3", "logic"): (3000, "NAND2"),
        ("lockcache-3", "flip_flops"): (7, "flip-flops"),
        ("lockcache-3", "memory_bits"): (64, "bits"),
        ("lockcache-3", "whole"): (6000, "NAND2"),
        ("rtu-3", "logic"): (3000, "NAND2"),
        ("rtu-3", "flip_flops"): (7, "flip-flops"),
        ("rtu-3", "memory_bits"): (64, "bits"),
    }
    assert found.provenance["systems"]["rtu-3"]["library"] == "standard cells, NAND2X1 2"


def test_only_what_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    seen = invented(monkeypatch, tmp_path)
    area.execute(EXPERIMENT, ["rtu-3"], command="c")
    assert [each.top for each in seen] == ["mel_unit"]


def test_figure_that_synthesis_has_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    invented(monkeypatch, tmp_path)
    definition = load(EXPERIMENT)
    wrong = definition.model_copy(update={"metrics": {"lut4": definition.metrics["logic"]}})
    monkeypatch.setattr(experiment, "load", lambda _: wrong)
    with pytest.raises(ExperimentError) as caught:
        area.execute(EXPERIMENT, ["rtu-3"], command="c")
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
    found = area.execute(EXPERIMENT, names, command="c").measurements
    assert {(each.row.kernel, each.row.metric): each.row.max for each in found} == expected
