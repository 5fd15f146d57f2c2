# SPDX-License-Identifier: Apache-2.0
"""The synthesized unit against the golden model: the same random scripts as the RTL."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.common.verilated import BenchError
from tests.random import bench, netlist
from tests.random.campaign import SIZES, CaseError, cases, run_case

pytestmark = pytest.mark.soak

COMMANDS = 1000
SEEDS = range(1, 9)  # until a wrong gate is noticed
FLIPS = 4
GATE = re.compile(r"^  assign \S+ = \S+ (&) \S+;$", re.MULTILINE)


def build(size: str, made: Path) -> Path:
    return bench.build(SIZES[size], netlist=made)


def flipped(text: str, place: int) -> str:
    """The AND at this place becomes an OR."""
    return f"{text[:place]}|{text[place + 1 :]}"


def noticed(wrong: Path, size: str) -> bool:
    """A script of the campaign finds the wrong gate."""
    program = build(size, wrong)
    try:
        for case in cases([size], SEEDS, COMMANDS):
            run_case(case, program)
    except (CaseError, BenchError):
        return True
    return False


@pytest.mark.parametrize("size", ["small", "two"])
def test_netlist_agrees_with_the_model(size: str) -> None:
    program = build(size, netlist.make(SIZES[size]))
    results = [run_case(case, program) for case in cases([size], range(1, 3), COMMANDS)]
    print(f"{size}: {sum(result.commands for result in results)} commands on the netlist")


def test_a_wrong_gate_is_noticed(tmp_path: Path) -> None:
    """Three of four: whether a gate is redundant is not asked, since its stores are memories."""
    text = netlist.make(SIZES["small"]).read_text(encoding="utf-8")
    gates = [gate.start(1) for gate in GATE.finditer(text)]
    found = 0
    for number, place in enumerate(gates[:: len(gates) // FLIPS][:FLIPS]):
        wrong = tmp_path / f"{number}.v"
        wrong.write_text(flipped(text, place), encoding="utf-8")
        found += noticed(wrong, "small")
    assert found >= FLIPS - 1
