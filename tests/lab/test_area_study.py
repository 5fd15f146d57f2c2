# SPDX-License-Identifier: Apache-2.0
"""The measurements behind docs/explanation/area.md: which designs, and the tables, the CSV and the
picture that `python -m melanion.docs area` makes of their rows. Figures here are invented, nothing
is synthesized.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from melanion import config, paths
from melanion.area import components, contexts, locks
from melanion.area.design import OBJECTS, Design
from melanion.area.errors import AreaError
from melanion.area.measure import GateRow, Row
from melanion.area.netlist import Cells, Placed
from melanion.area.study import TARGETS, Study, grid, single_kinds, unit
from melanion.docs import blocks, engine_area, synthesis
from melanion.docs.errors import DocsError

ROOT = paths.data_root()


def row(design: Design) -> Row:
    """1000 cells for a core, 10 for a task, 2 for a semaphore, 5 for any other object."""
    others = design.objects - design.size("semaphores")
    comb = 1000 * design.size("cores") + 10 * design.size("tasks") + 2 * design.size("semaphores")
    used = {"comb": comb + 5 * others, "ff": 1, "bram": 2, "dsp": 0}
    return Row(
        design, comb // 2, tuple(Placed(speed, used, {}, ()) for speed in (70.0, 75.0, 80.0))
    )


def rows() -> list[Row]:
    return [row(design) for design in (*grid(), *single_kinds())]


@pytest.fixture(scope="module")
def study() -> Study:
    gates = [GateRow(design, Cells(1.0, 1, 1), 7.0 * design.size("tasks")) for design in grid()]
    return Study(rows(), gates)


def test_the_designs_reach_the_limits_and_are_measured_once() -> None:
    found = [*grid(), *single_kinds()]
    assert len(set(found)) == len(found)
    assert {design.size("tasks") for design in found} == {4, 16, 64, 256}
    assert {design.size("cores") for design in found} == {1, 2, 4}
    for kind in OBJECTS:
        assert {0, 16, 128} <= {design.size(kind) for design in found}
    assert {unit(tasks, objects, cores) for tasks, objects, cores, *_ in TARGETS} <= set(found)


def test_sizes_are_in_order_with_clock_and_gates(study: Study) -> None:
    table = study.sizes()
    assert table.heads[-3:] == ("MHz", "range", "NAND2")
    assert table.rows[0] == (
        "1 core", "4", "0", "520", "1040", "1", "2", "75.0", "70–80", "28"
    )  # fmt: skip
    assert [line[0] for line in table.rows[-2:]] == ["2 cores", "4 cores"]
    assert Study(rows()).sizes().heads[-1] == "range"


def test_a_kind_costs_its_first_objects_and_each_more(study: Study) -> None:
    assert study.kinds().rows[:2] == (
        ("semaphores", "32", "224", "2.0"),
        ("event flags", "80", "560", "5.0"),
    )


def test_a_target_is_reached_when_it_is(study: Study) -> None:
    lines = study.targets().rows
    assert lines[0] == ("16 tasks, 64 objects, 1 core", "< 4000 cells", "1432", "yes")
    assert lines[2] == ("64 tasks, 256 objects, 1 core", "≥ 75 MHz", "75", "yes")
    worse = Study([Row(r.design, 0, (Placed(74.9, {"comb": 5000}, {}, ()),)) for r in rows()])
    assert [line[-1] for line in worse.targets().rows] == ["no", "no", "no", "yes", "yes"]


def test_every_design_has_a_line_of_csv(study: Study) -> None:
    lines = list(csv.DictReader(io.StringIO(study.csv())))
    assert len(lines) == len(rows())
    assert lines[-1]["nand2"] == ""
    assert (lines[0]["tasks"], lines[0]["comb"], lines[0]["fmax"], lines[0]["nand2"]) == (
        "4", "1040", "75", "28"
    )  # fmt: skip


def test_the_picture_is_one_whole_file(study: Study) -> None:
    picture = ElementTree.fromstring(study.picture())
    assert len(picture.findall("{*}svg")) == 3
    assert "Cells over objects: 64 tasks" in picture.attrib["aria-label"]


def test_a_design_that_is_missing_is_named() -> None:
    with pytest.raises(AreaError) as error:
        Study([row(unit(4, 0))]).kinds()
    assert error.value.message.startswith("the unit of 64 tasks, ")
    assert error.value.message.endswith(
        " was not measured; measure all of grid() and single_kinds()."
    )


def test_the_page_has_every_block_once(study: Study) -> None:
    text = (ROOT / "docs" / "explanation" / "area.md").read_text(encoding="utf-8")
    names = re.findall(r"<!-- area: (\w+) -->", text)
    assert sorted(name for name in names if name != "end") == [
        "kinds", "picture", "sizes", "targets"
    ]  # fmt: skip
    new = blocks.rewritten(text, synthesis.KIND, synthesis.of_study(study))
    assert "| semaphores | 32 | 224 | 2.0 |" in new and "](../area.svg)" in new
    assert blocks.rewritten(new, synthesis.KIND, synthesis.of_study(study)) == new


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<!-- area: size -->\n<!-- area: end -->",
            "`area: size` is no block; there are picture, sizes, kinds, targets.",
        ),
        ("", "docs/area.md has no block `<!-- area: NAME -->`."),
    ],
)
def test_a_page_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, study: Study, text: str, message: str
) -> None:
    monkeypatch.setattr(synthesis, "ROOT", tmp_path)
    page = tmp_path / "docs" / "area.md"
    page.parent.mkdir()
    page.write_text(text, encoding="utf-8")
    with pytest.raises(DocsError) as error:
        synthesis.rewritten(page, synthesis.of_study(study))
    assert error.value.message == message


# ---- contexts ------------------------------------------------------------------------------------


def context_values() -> dict[Design, dict[str, float]]:
    return {
        design: {
            **{"comb": 1000 + 10 * number, "ff": 100 + number},
            **{"bram": number, "fmax": 40.0 + number},
        }
        for number, design in enumerate([*contexts.cores(), *contexts.others()])
    }


def test_every_number_of_tasks_has_a_line() -> None:
    values = context_values()
    assert len(values) == len([*contexts.cores(), *contexts.others()])
    rows = contexts.registers(values).rows
    assert [line[:2] for line in rows] == [
        ("none", ""), ("16", "4"), ("64", "4"), ("64", "8"), ("128", "4"), ("256", "4"),
    ]  # fmt: skip
    assert rows[0] == ("none", "", "1000", "100", "0", "40.0")
    assert rows[3] == ("64", "8", "1030", "103", "3", "43.0")


def test_every_coupling_has_a_line() -> None:
    rows = contexts.couplings(context_values()).rows
    assert [line[0] for line in rows] == [
        "`mel_context_store`, 1 core", "`mel_context_store`, one of several",
        "`mel_context_exchange`, 2 cores", "`mel_context_exchange`, 4 cores",
        "`mel_bank_switch`", "`mel_bank_fetch`", "`mel_bank_ask`", "`mel_port`",
    ]  # fmt: skip
    assert rows[4] == ("`mel_bank_switch`", "1100", "110", "10")


def test_the_page_of_the_contexts_has_both_blocks() -> None:
    text = (ROOT / "docs" / "explanation" / "banked.md").read_text(encoding="utf-8")
    names = re.findall(r"<!-- area: (\w+) -->", text)
    assert [name for name in names if name != "end"] == ["registers", "couplings"]


def test_a_store_is_a_part_of_a_core() -> None:
    plain, many = contexts.core(0), contexts.core(128)
    assert plain.name == "ibex"
    assert many.name == "mel_core_ibex_banked, 128 Tasks, 4 Resident"
    assert many.parameters == {"Tasks": 128, "Resident": 4}
    assert not many.unit and plain.parameters == {}


# ---- the lock cache ------------------------------------------------------------------------------


def test_every_lock_cache_has_a_line() -> None:
    placed = {
        design: {"comb": 100.0 + number, "ff": 10.0, "fmax": 50.0}
        for number, design in enumerate(locks.designs())
    }
    gates = {
        design: {"nand2": 1000.0 + number, "memory_bits": 7.0}
        for number, design in enumerate([*locks.designs(), *locks.in_flip_flops()])
    }
    count = len(locks.SIZES)
    rows = locks.table(placed, gates).rows
    assert len(rows) == count
    assert rows[0] == (
        "64 + 64",
        "3",
        "all told",
        "100",
        "10",
        "50",
        "1000",
        "7",
        f"{1000 + count}",
    )
    assert locks.table(placed, None).rows[-1] == (
        "64 + 64", "4", "handed over", f"{99 + count}", "10", "50",
    )  # fmt: skip


def test_the_page_of_the_lock_cache_has_its_block() -> None:
    text = (ROOT / "docs" / "explanation" / "lock-cache.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- area: (\w+) -->", text) == ["locks", "end"]


def test_the_lock_cache_is_synthesized_from_its_list() -> None:
    names = [file.name for file in locks.designs()[0].sources().files]
    assert names[0] == "mel_lock_pkg.sv"
    assert names[-1] == "mel_lock_cache.sv"


# ---- the deadlock detection unit -----------------------------------------------------------------


# Component → a size, and how its table names that.
COMPONENTS = {"deadlock": (16, "16 × 16"), "dmmu": (64, "64"), "ethernet": (4, "4")}


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_line_for_each_size_of_a_component(name: str) -> None:
    chosen, (_, label) = components.COMPONENTS[name], COMPONENTS[name]
    placed = {
        design: {"comb": 10.0 * number, "ff": 2.0, "fmax": 50.0}
        for number, design in enumerate(chosen.designs())
    }
    digests = dict.fromkeys(placed, "abc")
    rows = chosen.table(placed, digests).rows
    assert rows[1] == (label, "10", "2", "50", "abc")
    assert len(rows) == len(chosen.sizes)


def stale_sizes(name: str, text: str) -> list[int]:
    """Sizes of a component of which its page shows no row of present sources."""
    chosen = components.COMPONENTS[name]
    digests = {size: engine_area.digest(chosen.design(size)) for size in chosen.sizes}
    return [size for size, digest in digests.items() if f"| {digest} |" not in text]


@pytest.mark.parametrize("name", COMPONENTS)
def test_the_page_of_a_component_is_of_the_present_sources(name: str) -> None:
    chosen, (size, _) = components.COMPONENTS[name], COMPONENTS[name]
    text = synthesis.component_page(name).read_text(encoding="utf-8")
    assert re.findall(r"<!-- area: (\w+) -->", text) == [name, "end"]
    assert stale_sizes(name, text) == []
    digest = engine_area.digest(chosen.design(size))
    assert stale_sizes(name, text.replace(digest, "0" * 16)) == [size]


def test_every_component_has_a_page() -> None:
    assert set(COMPONENTS) == set(components.COMPONENTS) == set(config.Components.model_fields)
