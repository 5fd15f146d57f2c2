# SPDX-License-Identifier: Apache-2.0
"""The netlist of the protected unit: every register is compared with a second one, every row of
every memory has its parity. melanion/safety/structure.py looks at it; changes of the protection
that leave a hole are noticed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from melanion import build, config
from melanion.build import protected
from melanion.build.errors import BuildError
from melanion.protect import Design, Netlist, ProtectError, protection
from melanion.protect import protected as add_protection
from melanion.safety.state import OWN
from melanion.safety.structure import Structure
from tests.protect import netlists
from tests.protect.netlists import Module, cells, module


def holes(found: Module) -> list[str]:
    """Names of registers and memories that no alarm watches."""
    structure, names = Structure(found), Netlist(found)
    registers = {names.name([bit]) for bit in structure.unwatched_registers()}
    function = {name for name in registers if name not in OWN and "trace" not in name}
    return sorted(function) + sorted(structure.unwatched_memories())


@pytest.mark.parametrize("system", ["hwrtos-protected", "hwrtos-protected-single-2"])
def test_every_register_and_every_row_is_watched(system: str) -> None:
    found = json.loads(module(system))
    assert holes(found) == []
    memories = [c for c in found["cells"].values() if c["type"] == "$mem_v2"]
    assert len(memories) > 15


def test_with_parity_alone_registers_are_not() -> None:
    found = holes(json.loads(module("hwrtos-parity")))
    assert "cycles_q" in found and not [name for name in found if "parity" in name or "row" in name]


# ---- what is noticed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plant", "hole"),
    [
        (netlists.a_shadow_is_gone, "cycles_q"),
        (netlists.a_shadow_has_another_enable, "argument_q"),
        (netlists.a_comparison_reaches_no_alarm, ""),
        (netlists.a_row_is_written_without_its_address, "a row is written without its parity"),
        (netlists.a_read_is_not_compared, "store: a row is read unseen"),
        (netlists.a_word_of_the_program_is_wrong, "program_mem: row 0 is wrong at the start"),
    ],
)
def test_a_hole_is_found(plant: Callable[[Module], None], hole: str) -> None:
    found = json.loads(module("hwrtos-protected"))
    plant(found)
    said = holes(found)
    assert said and any(hole in each for each in said), said


# ---- what is refused -----------------------------------------------------------------------------


def test_rows_that_are_written_in_parts_are_refused() -> None:
    found = json.loads(module("hwrtos-parity"))
    memory = next(c for c in cells(found, "$mem_v2") if c["connections"]["WR_EN"])
    memory["connections"]["WR_EN"][0] = "0"
    name = memory["parameters"]["MEMID"].removeprefix("\\")
    design = Design("clk_i", "rst_ni", lambda _: "unit", lambda _: False)
    with pytest.raises(ProtectError) as caught:
        add_protection(Netlist(found), design)
    assert caught.value.message == (
        f"{name}: its rows are written in parts, and parity needs whole rows; write whole rows, or"
        " split the memory."
    )


def test_without_yosys_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protected, "location", lambda: None)
    with pytest.raises(BuildError) as caught:
        build.hardware(config.find("hwrtos-protected"))
    assert caught.value.message == (
        "hwrtos-protected: unit_protection needs the Python package pyosys, which is not installed;"
        " run `pip install pyosys==0.70`, or `make setup-dev` in a checkout."
    )


def test_observers_stay_as_they_are() -> None:
    found = json.loads(module("hwrtos-protected"))
    shadows = [name for name in found["netnames"] if ".shadow" in name]
    assert len(shadows) > 250 and not [name for name in shadows if name.startswith("u_trace")]
    assert protection.FAULT in found["ports"]
