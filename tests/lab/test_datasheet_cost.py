# SPDX-License-Identifier: Apache-2.0
"""The cost table of the data sheet against runs on RTL: no instruction of a call takes longer than
the table says, but for accesses of the unit; each kind of instruction reaches its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from melanion import config
from melanion.build.listing import Instruction
from melanion.datasheet.core import CORES, LOADS, STORES, Core
from melanion.datasheet.path import Measure
from melanion.datasheet.unit import unit
from melanion.docs.largest import UNITS
from tests.lab.datasheet_run import Edge, Walk

SYSTEMS = [(system, core) for system in UNITS for core in CORES]
NOW = {
    ("hwrtos", "main"),
    ("banked", "small"),
}  # the table is of the core: each variant once


def too_slow(core: Core, edges: Iterable[Edge], walk: Walk) -> Counter[str]:
    """By mnemonic, how often an instruction of a call took longer than the table says. What waits
    for the unit is not in the table: an access of it, and the instruction behind."""
    found: Counter[str] = Counter()
    for edge in edges:
        if edge.instruction.address not in walk.of_calls:
            continue
        if walk.of_unit & {edge.before.address, edge.instruction.address}:
            continue
        if edge.cycles > bound(core, edge):
            found[edge.instruction.mnemonic] += 1
    return found


def bound(core: Core, edge: Edge) -> int:
    """An edge, and what the instruction waits for the load before it."""
    own = core.cycles(edge.instruction, edge.following)
    return own + core.stall(edge.before, edge.instruction)


@pytest.mark.parametrize(
    ("name", "variant"),
    [pytest.param(*system, marks=[] if system in NOW else pytest.mark.soak) for system in SYSTEMS],
)
def test_no_instruction_is_slower_than_the_table(name: str, variant: str, tmp_path: Path) -> None:
    """And a table that says less of any kind of instruction is noticed."""
    system = config.find(name)
    system = system.model_copy(update={"core": system.core.model_copy(update={"variant": variant})})
    core = CORES[variant]
    walk = Walk(system, Measure(core, unit(system)), tmp_path)
    edges = walk.edges()
    assert len({e.instruction.address for e in edges} & walk.of_calls) > len(walk.of_calls) / 3
    assert too_slow(core, edges, walk) == {}
    for field, mnemonics in PLANTED.items():
        if field in ONLY_MAIN and variant != "main":
            continue
        wrong = replace(core, **{field: getattr(core, field) - 1})
        if getattr(wrong, field) >= 0:
            noticed = too_slow(wrong, edges, walk)
            assert noticed.keys() & mnemonics, field


ONLY_MAIN = {"rotate"}  # the other variant has no such instruction
# A field that says one cycle less → mnemonics of which one must be found too slow. A division is in
# no call.
PLANTED: dict[str, frozenset[str]] = {
    "load": LOADS,
    "load_use": frozenset({"bnez", "beqz", "and", "sw", "add", "sll", "bne", "csrs", "ret"}),
    "store": STORES,
    "taken": frozenset({"bnez", "beqz", "bltu", "bgeu", "blez", "bgtz", "bgez"}),
    "jump": frozenset({"jal", "ret", "j"}),
    "not_taken": frozenset({"bnez", "beqz", "bltu", "bgeu", "blez", "bgtz", "bltz"}),
    "flush": frozenset({"csrs"}),
    "rotate": frozenset({"ror"}),
    "csr": frozenset({"csrc", "csrrc", "csrr"}),
    "unaligned": frozenset({"jal", "j", "ret", "bnez", "bgtz", "bgeu"}),
}


def instruction(
    mnemonic: str, *operands: str, size: int = 4, target: int | None = None
) -> Instruction:
    return Instruction(0x1000_0000, size, "f", mnemonic, operands, target)


def test_a_load_is_waited_for_by_whoever_reads_it() -> None:
    core, load = CORES["main"], instruction("lw", "a0", "0(a1)")
    reads = [("add", "a2", "a0", "a3"), ("bnez", "a0", "10000000"), ("sw", "a0", "0(a2)"),
             ("lw", "a0", "4(a0)"), ("jr", "a0"), ("csrw", "mepc", "a0")]  # fmt: skip
    others = [("add", "a0", "a1", "a2"), ("lw", "a0", "4(a1)"), ("li", "a0", "1"), ("ret",)]
    assert [core.stall(load, instruction(*each)) for each in reads] == [1] * 6
    assert [core.stall(load, instruction(*each)) for each in others] == [0] * 4
    assert core.stall(instruction("lw", "ra", "12(sp)"), instruction("ret")) == 1
    assert CORES["small"].stall(load, instruction(*reads[0])) == 0
