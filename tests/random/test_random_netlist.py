# SPDX-License-Identifier: Apache-2.0
"""The synthesized unit against the golden model: the same random scripts as the RTL."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.common.verilated import ROOT, BenchError
from tests.random import bench, netlist
from tests.random.campaign import SIZES, CaseError, cases, run_case

pytestmark = pytest.mark.soak

COMMANDS = 1000
SEEDS = range(1, 9)  # until a wrong gate is noticed
FLIPS = 8
ENGINE_FLIPS = 4
TRIES = 4  # gates that are redundant as they stand, one behind the other
GATE = re.compile(r"^  assign \S+ = \S+ (&) \S+;$", re.MULTILINE)


def build(size: str, made: Path, unit: str) -> Path:
    return bench.build(SIZES[size], ROOT / "hw" / unit, netlist=made)


def flipped(text: str, place: int) -> str:
    """The AND at this place becomes an OR."""
    return f"{text[:place]}|{text[place + 1 :]}"


def noticed(wrong: Path, size: str, unit: str) -> bool:
    """A script of the campaign finds the wrong gate."""
    program = build(size, wrong, unit)
    try:
        for case in cases([size], SEEDS, COMMANDS, unit):
            run_case(case, program)
    except (CaseError, BenchError):
        return True
    return False


@pytest.mark.parametrize("unit", netlist.SYNTHESIS)
@pytest.mark.parametrize("size", ["small", "two"])
def test_netlist_agrees_with_the_model(size: str, unit: str) -> None:
    program = build(size, netlist.make(SIZES[size], unit), unit)
    results = [run_case(case, program) for case in cases([size], range(1, 3), COMMANDS, unit)]
    print(f"{size}: {sum(result.commands for result in results)} commands on the netlist")


def test_a_wrong_gate_is_noticed(tmp_path: Path) -> None:
    """An AND becomes an OR, here and there; some matter rarely, one may matter in no script."""
    right = netlist.make(SIZES["tiny"])
    text = right.read_text(encoding="utf-8")
    gates = [gate.start(1) for gate in GATE.finditer(text)]
    found = 0
    for first in range(0, len(gates), len(gates) // FLIPS)[:FLIPS]:
        wrong = tmp_path / f"{first}.v"
        for place in gates[first : first + TRIES]:
            wrong.write_text(flipped(text, place), encoding="utf-8")
            if not netlist.equal(right, wrong):
                break
        else:
            pytest.fail(f"{TRIES} gates from number {first} on: none changes a function")
        found += noticed(wrong, "tiny", "rtl")
    assert found >= FLIPS - 1


def test_a_wrong_gate_of_the_engine_is_noticed(tmp_path: Path) -> None:
    """Three of four: whether a gate is redundant is not asked, since its stores are memories."""
    text = netlist.make(SIZES["small"], "engine").read_text(encoding="utf-8")
    gates = [gate.start(1) for gate in GATE.finditer(text)]
    found = 0
    for number, place in enumerate(gates[:: len(gates) // ENGINE_FLIPS][:ENGINE_FLIPS]):
        wrong = tmp_path / f"{number}.v"
        wrong.write_text(flipped(text, place), encoding="utf-8")
        found += noticed(wrong, "small", "engine")
    assert found >= ENGINE_FLIPS - 1


def test_a_netlist_equals_itself() -> None:
    """Control of the choice above: what it leaves out changes nothing."""
    right = netlist.make(SIZES["tiny"])
    assert netlist.equal(right, right)
