# SPDX-License-Identifier: Apache-2.0
"""Area that a kernel adds to its system, in cells: the designs counted, and the way of counting."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from melanion import area, config
from melanion.area import AreaError, synthesis, systems
from melanion.area.design import CORE, Design
from melanion.report.costs import AREA, CELLS, COUNTED


def tops(name: str) -> list[str]:
    return [f"{each.times:+d} {each.design.top}" for each in systems.terms(config.find(name))]


def test_what_is_counted() -> None:
    assert tops("sw") == tops("freertos") == []
    assert tops("hwrtos") == tops("booster") == ["+1 mel_unit"]
    assert tops("port") == ["+1 mel_unit", "+1 mel_port"]
    assert tops("hwrtos-parity") == ["+1 mel_unit", "+1 mel_guard"]
    assert systems.terms(config.find("hwrtos-parity"))[0].design.protection == "memories"
    banked = tops("banked")
    assert banked[0] == "+1 mel_unit" and banked[-2:] == [
        *("+1 mel_core_ibex_banked", "-1 mel_core_ibex"),
    ]
    assert {"+1 mel_bank_ask", "+1 mel_port"} <= set(banked)


def test_a_booster_is_counted_without_the_objects_that_it_keeps_in_c() -> None:
    (booster,), (hwrtos,) = (systems.terms(config.find(name)) for name in ("booster", "hwrtos"))
    assert booster.design.size("semaphores") == 0 < hwrtos.design.size("semaphores")
    assert booster.design.size("tasks") == hwrtos.design.size("tasks")


@pytest.mark.parametrize("name", ["hwrtos-2", "hwrtos-vexriscv"])
def test_systems_whose_area_cannot_be_told(name: str) -> None:
    with pytest.raises(AreaError) as caught:
        systems.terms(config.find(name))
    assert caught.value.message == (
        f"{name}: area needs a system with one Ibex core; name another."
    )


def test_cells_are_counted_as_the_placer_packs_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With known netlists: what is left out is taken away."""
    asked: list[Design] = []

    def netlist_of(design: Design, report: Callable[[str], None]) -> tuple[str, Path]:
        asked.append(design)
        report("synthesizing")
        core = design == CORE
        found = {"LUT4": 100 if core else 1000, "CCU2C": 10, "TRELLIS_DPR16X4": 3}
        found |= {"TRELLIS_FF": 7 if core else 50, "DP16KD": 2, "EHXPLLL": 9}
        (tmp_path / "counts.json").write_text(json.dumps(found))
        return "key", tmp_path

    monkeypatch.setattr(synthesis, "netlist_of", netlist_of)
    told: list[str] = []
    names = ("sw", "hwrtos", "banked")
    units = {name: area.unit(name, command="x", report=told.append) for name in names}
    each = 1000 + 2 * 10 + 6 * 3
    figures = {
        name: {m.row.metric: m.row.max for m in unit.measurements} for name, unit in units.items()
    }
    assert figures["sw"] == {CELLS: 0, "flip_flops": 0, "block_rams": 0}
    assert figures["hwrtos"] == {CELLS: each, "flip_flops": 50, "block_rams": 2}
    parts = len(systems.terms(config.find("banked"))) - 1
    assert figures["banked"][CELLS] == parts * each - (100 + 2 * 10 + 6 * 3)
    assert figures["banked"]["flip_flops"] == parts * 50 - 7
    assert len(asked) == 1 + parts + 1, "the unit of hwrtos; the parts of banked, and its core"
    assert "synthesizing mel_bank_ask" in told
    unit = units["hwrtos"]
    assert (unit.experiment, unit.judged, unit.definition) == (AREA, "synthesis", COUNTED)
    assert unit.provenance["designs"][0][1] == "mel_unit"


def test_systems_that_share_designs_do_not_wait_for_each_other() -> None:
    names = ["sw", "hwrtos", "port", "booster", "banked"]
    assert area.in_turn(names) == (["banked", "booster"], ["port", "hwrtos", "sw"])
