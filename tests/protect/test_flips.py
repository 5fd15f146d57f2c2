# SPDX-License-Identifier: Apache-2.0
"""Theorems about flips (melanion/safety/flip.py): they hold for protected units, and none holds for
a unit with a hole."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from melanion import config
from melanion.protect import Netlist
from melanion.safety import make, present
from melanion.safety.flip import FlipError, Theorem, Unit
from melanion.safety.proof import Proofs, prove, unproved
from melanion.safety.state import OWN, is_observer
from tests.protect import netlists
from tests.protect.netlists import Module, cells, module

SYSTEM = "hwrtos-protected"
REGISTERS = "registers"


def unit(found: Module) -> Unit:
    return Unit(Netlist(found), is_observer, OWN.__contains__)


def memory(found: Module, name: str) -> dict[str, Any]:
    (cell,) = (c for c in cells(found, "$mem_v2") if c["parameters"]["MEMID"] == f"\\{name}")
    return dict(cell)


# ---- they hold -----------------------------------------------------------------------------------


def test_a_flip_of_any_bit_of_a_memory_is_told_of() -> None:
    found = json.loads(module(SYSTEM))
    proofs = prove(found, registers=False)
    assert proofs.open == {}
    memories = cells(found, "$mem_v2")
    for what in ("written", "read 0"):
        assert sum(name.endswith(what) for name in proofs.theorems) == len(memories) > 15
    assert any("kept" in name for name in proofs.theorems)


@pytest.mark.soak
def test_a_flip_of_any_bit_of_a_register_is_told_of() -> None:
    proofs = prove(json.loads(module(SYSTEM)), registers=True)
    assert proofs.open == {} and REGISTERS in proofs.theorems


@pytest.mark.soak
@pytest.mark.parametrize("system", [SYSTEM, f"{SYSTEM}-4", f"{SYSTEM}-single-2", "hwrtos-parity"])
def test_in_whole_units(system: str) -> None:
    sheet = make(config.find(system), None, proves=True)
    assert sheet.proofs is not None and sheet.proofs.open == {}
    assert (REGISTERS in sheet.proofs.theorems) == (system != "hwrtos-parity")
    (said,) = (each.text for each in present.sections(sheet) if each.title == "What is proved")
    assert said.startswith(f"{len(sheet.proofs.theorems)} theorems, all proved.")


# ---- holes ---------------------------------------------------------------------------------------


def _the_comparison_of_the_store(found: Module) -> dict[str, Any]:
    """The cell that sums a row of the store as it is read."""
    read = set(memory(found, "u_datapath.store")["connections"]["RD_DATA"])
    return next(c for c in cells(found, "$reduce_xor") if read <= set(c["connections"]["A"]))


def _a_read_beside_any_write_is_not_compared(found: Module) -> None:
    """The exception of one row is made one of all."""
    wrong = _the_comparison_of_the_store(found)["connections"]["Y"][0]
    check = next(c for c in cells(found, "$reduce_and") if wrong in c["connections"]["A"])
    (allowed,) = set(check["connections"]["A"]) - {wrong}
    inverter = next(c for c in cells(found, "$not") if c["connections"]["Y"] == [allowed])
    excepted = inverter["connections"]["A"]
    register = next(c for c in cells(found, "dff") if c["connections"].get("Q") == excepted)
    register["connections"]["D"] = memory(found, "u_datapath.store")["connections"]["WR_EN"][:1]


def _the_address_of_a_read_is_forgotten(found: Module) -> None:
    """A sum follows the address also while nothing is read."""
    store = memory(found, "u_datapath.store")["connections"]
    sums = _the_comparison_of_the_store(found)["connections"]["A"]
    (right,) = set(sums) - set(store["RD_DATA"])
    register = next(c for c in cells(found, "dff") if c["connections"].get("Q") == [right])
    register["connections"]["EN"] = ["1"]


def _outputs_of_a_flip_are_not_withheld(found: Module) -> None:
    found["ports"]["suspect_o"]["bits"] = ["0"]


def _a_row_goes_straight_to_an_output(found: Module) -> None:
    row = memory(found, "u_datapath.store")["connections"]["RD_DATA"]
    found["ports"]["rsp_rdata_o"]["bits"][0] = row[0]


@pytest.mark.parametrize(
    ("plant", "broken"),
    [
        (netlists.a_row_is_written_without_its_address, "gen_results[0].result_mem: written"),
        (netlists.a_word_of_the_program_is_wrong, "u_engine.program_mem: written"),
        (netlists.a_read_is_not_compared, "u_datapath.store: read 0"),
        (_a_read_beside_any_write_is_not_compared, "u_datapath.store: read 0"),
        (_the_address_of_a_read_is_forgotten, "u_datapath.store: kept 0"),
        (_a_row_goes_straight_to_an_output, "u_datapath.store: read 0"),
        pytest.param(netlists.a_shadow_is_gone, REGISTERS, marks=pytest.mark.soak),
        pytest.param(netlists.a_shadow_has_another_enable, REGISTERS, marks=pytest.mark.soak),
        pytest.param(netlists.a_comparison_reaches_no_alarm, REGISTERS, marks=pytest.mark.soak),
        pytest.param(_outputs_of_a_flip_are_not_withheld, REGISTERS, marks=pytest.mark.soak),
    ],
)
def test_a_hole_breaks_a_theorem(plant: Callable[[Module], None], broken: str) -> None:
    """That one alone: others about the same memory go on to hold."""
    found = json.loads(module(SYSTEM))
    plant(found)
    of = unit(found)
    name = broken.partition(":")[0]
    chosen = [each for each in of.of_memories() if each.name.startswith(f"{name}: ")]
    assert unproved(chosen or [of.of_registers()]) == {broken: "SATISFIABLE"}


# ---- what is refused -----------------------------------------------------------------------------


def test_a_netlist_with_two_clocks_is_refused() -> None:
    found = json.loads(module(SYSTEM))
    cells(found, "dff")[0]["connections"]["CLK"] = [10_000_000]
    with pytest.raises(FlipError) as caught:
        unit(found)
    assert caught.value.message == "the netlist has 2 clocks; theorems are about one."


def test_what_is_not_proved_is_said() -> None:
    found = Proofs(("a: written", "b: read 0"), {"b: read 0": "UNDECIDED"})
    assert present._proved(found) == "1 of 2 theorems are NOT proved: b: read 0 (undecided)."


def test_a_theorem_that_cannot_fail_is_told_from_one_that_must() -> None:
    """Control of the prover: an output that is always low, and one that is always high."""
    ports = {"bad_o": {"direction": "output", "bits": ["0"]}}
    low = {"attributes": {}, "ports": ports, "cells": {}, "netnames": {}}
    high = {**low, "ports": {"bad_o": {"direction": "output", "bits": ["1"]}}}
    assert unproved([Theorem("low", low), Theorem("high", high)]) == {"high": "SATISFIABLE"}
