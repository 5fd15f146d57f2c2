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
FLIPS = 8
TRIES = 4  # gates that are redundant as they stand, one behind the other
GATE = re.compile(r"^  assign \S+ = \S+ (&) \S+;$", re.MULTILINE)


@pytest.mark.parametrize("size", ["small", "two"])
def test_netlist_agrees_with_the_model(size: str) -> None:
    program = bench.build(SIZES[size], netlist=netlist.make(SIZES[size]))
    results = [run_case(case, program) for case in cases([size], range(1, 3), COMMANDS)]
    print(f"{size}: {sum(result.commands for result in results)} commands on the netlist")


def test_a_wrong_gate_is_noticed(tmp_path: Path) -> None:
    """An AND becomes an OR, here and there; some matter rarely, one may matter in no script."""
    right = netlist.make(SIZES["tiny"])
    text = right.read_text(encoding="utf-8")
    gates = [gate.start(1) for gate in GATE.finditer(text)]
    noticed = 0
    for first in range(0, len(gates), len(gates) // FLIPS)[:FLIPS]:
        wrong = tmp_path / f"{first}.v"
        for place in gates[first : first + TRIES]:
            wrong.write_text(f"{text[:place]}|{text[place + 1 :]}", encoding="utf-8")
            if not netlist.equal(right, wrong):
                break
        else:
            pytest.fail(f"{TRIES} gates from number {first} on: none changes a function")
        program = bench.build(SIZES["tiny"], netlist=wrong)
        try:
            for case in cases(["tiny"], SEEDS, COMMANDS):
                run_case(case, program)
        except (CaseError, BenchError):
            noticed += 1
    assert noticed >= FLIPS - 1


def test_a_netlist_equals_itself() -> None:
    """Control of the choice above: what it leaves out changes nothing."""
    right = netlist.make(SIZES["tiny"])
    assert netlist.equal(right, right)
