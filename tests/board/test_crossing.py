# SPDX-License-Identifier: Apache-2.0
"""Paths from the unit to its cores: those that have half a cycle are told from those that have a
whole one, by the delays of nextpnr's SDF file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from melanion import board, config
from melanion.board import BoardError, crossing, delays, flow
from melanion.board.delays import Route
from melanion.board.design import Design, design

ULX3S = board.find("ulx3s_85f")
CORE, UNIT = "\\$gbuf$clk", "\\$gbuf\\$u_pll.clk_fast_o"
EDGE = "u_top.u_unit.u_clock_edge.gen_twice.last_q"
RATIO = "u_top.u_unit.gen_core[0].u_clock_ratio.gen_twice"


def of(system: str) -> Design:
    return design(ULX3S, config.find(system))


class Files:
    """A netlist of flip-flops, and its SDF file: `wire` has a delay from pin to pin."""

    def __init__(self) -> None:
        self.cells: dict[str, dict[str, object]] = {}
        self.names: dict[str, dict[str, list[int]]] = {}
        self.wires: list[str] = []
        self.text: list[str] = []

    def register(self, cell: str, clock: str, name: str = "", bits: int = 1) -> None:
        """`bits` flip-flops, `cell` and others with a number, 0.5 ns from the clock, 0.2 ns before
        it."""
        found = []
        for i in range(bits):
            each = f"{cell}_{i}" if i else cell
            found.append(len(self.cells) + 2)
            self.cells[each] = {"type": "TRELLIS_FF", "connections": {"Q": found[-1:]}}
            self.wires.append(f"(INTERCONNECT {clock}/CLKO {each}/CLK (0:0:0) (0:0:0))")
            self._cell("TRELLIS_FF", each, "(IOPATH CLK Q (400:450:500) (1:1:1))")
            self.text[-1] += (
                "\n(TIMINGCHECK\n(SETUPHOLD (posedge DI) (posedge CLK) (100:150:200) (0:0:0))\n"
                "(SETUPHOLD (negedge DI) (posedge CLK) (900:900:900) (0:0:0))\n))"
            )
        self.names[name or cell] = {"bits": found}

    def logic(self, cell: str, ps: int) -> None:
        self._cell("TRELLIS_COMB", cell, f"(IOPATH A F ({ps - 1}:{ps}:{ps}) (1:1:1))")

    def wire(self, source: str, target: str, ps: int) -> None:
        self.wires.append(f"(INTERCONNECT {source} {target} (1:1:{ps}) (1:1:1))")

    def _cell(self, kind: str, cell: str, path: str) -> None:
        self.text.append(
            f'(CELL\n(CELLTYPE "{kind}")\n(INSTANCE {cell})\n(DELAY\n(ABSOLUTE\n{path}\n)\n)\n)'
        )

    def write(self, folder: Path) -> tuple[Path, Path]:
        modules = {"top": {"cells": self.cells, "netnames": self.names}, "PLL": {"cells": {}}}
        (folder / "netlist.json").write_text(json.dumps({"modules": modules}), encoding="utf-8")
        lines = ['(DELAYFILE\n(CELL\n(CELLTYPE "top")\n(INSTANCE )', *self.wires, ")", *self.text]
        (folder / "board.sdf").write_text("\n".join([*lines, ")"]), encoding="utf-8")
        return folder / "netlist.json", folder / "board.sdf"


def files(banked: bool = False) -> Files:
    """What a core sees of the unit, through the multiplexer of mel_clock_ratio: from a register of
    the unit in 9.7 ns, of mel_clock_ratio in 4.7 ns, of mel_clock_edge in 5.7 ns."""
    made = Files()
    made.register("edge", UNIT, EDGE)
    for name, bits in {"ready": 1, "rsp_valid": 1, "irq_handler": 1, "irq_dispatch": 1}.items():
        made.register(name, UNIT, f"{RATIO}.{name}_q", bits)
    made.register("data", UNIT, f"{RATIO}.rsp_rdata_q", 32)
    made.register("engine", UNIT)
    made.register("pc", CORE)
    made.logic("multiplexer", 1000)
    made.wire("engine/Q", "multiplexer/A", 6000)
    made.wire("data_31/Q", "multiplexer/A", 1000)
    made.wire("edge/Q", "multiplexer/A", 2000)
    made.wire("multiplexer/F", "pc/DI", 2000)
    made.wire("pc/Q", "engine/DI", 9000)
    if banked:
        for name, bits in {"dispatch": 1, "running": 9, "answer": 32}.items():
            made.register(name, UNIT, f"{RATIO}.{name}_q", bits)
        made.register("next", CORE, "u_top.u_tile.u_core.u_context_store.next_q", 9)
        made.wire("engine/Q", "next_3/DI", 7000)
    return made


def test_a_path_has_half_a_cycle_where_its_register_changes_between_edges(tmp_path: Path) -> None:
    netlist, sdf = files().write(tmp_path)
    found = crossing.longest(of("hwrtos"), netlist, sdf, 9.7)
    assert found == Route(delay=5.7, wires=4.0, start="edge", end="pc")


def test_a_core_looks_at_the_next_task_itself(tmp_path: Path) -> None:
    netlist, sdf = files(banked=True).write(tmp_path)
    found = crossing.longest(of("banked"), netlist, sdf, 9.7)
    assert found == Route(delay=7.7, wires=7.0, start="engine", end="next_3")


def test_a_register_that_is_not_found_is_an_error(tmp_path: Path) -> None:
    made = files()
    del made.names[f"{RATIO}.ready_q"]
    with pytest.raises(BoardError) as caught:
        crossing.longest(of("hwrtos"), *made.write(tmp_path), 9.7)
    assert caught.value.message == (
        "hwrtos on ulx3s_85f: the netlist has 5 of 6 registers of mel_clock_edge and"
        " mel_clock_ratio, so paths from the unit to a core cannot be judged; name them in"
        " melanion/board/crossing.py as in hw/engine."
    )


def test_delays_that_are_not_those_of_the_report_are_an_error(tmp_path: Path) -> None:
    netlist, sdf = files().write(tmp_path)
    with pytest.raises(BoardError) as caught:
        crossing.longest(of("hwrtos"), netlist, sdf, 9.8)
    assert caught.value.message == (
        "hwrtos on ulx3s_85f: the longest path from the unit to a core takes 9.70 ns by the delays"
        " of board.sdf, 9.80 ns by nextpnr's report; read the file anew (melanion/board/delays.py)."
    )


@pytest.mark.parametrize("system", ["port-vexriscv", "sw"])
def test_one_clock_has_no_such_path(system: str, tmp_path: Path) -> None:
    made = of(system)
    assert crossing.longest(made, tmp_path / "none", tmp_path / "none", 0) is None
    assert not [line for line in flow.commands(made) if line.startswith("setattr -set keep")]


def test_with_a_trace_every_path_has_half_a_cycle(tmp_path: Path) -> None:
    made = replace(of("hwrtos"), trace="lossless")
    assert crossing.longest(made, tmp_path / "none", tmp_path / "none", 0) is None


def test_names_of_registers_stay_in_the_netlist() -> None:
    (kept,) = [line for line in flow.commands(of("banked")) if line.startswith("setattr -set keep")]
    assert "mel_clock_edge*/w:*last_q" in kept
    assert "mel_context_store*/w:next_q" in kept
    (kept,) = [line for line in flow.commands(of("hwrtos")) if line.startswith("setattr -set keep")]
    assert "mel_context_store" not in kept


def test_the_longest_of_two_ways_counts(tmp_path: Path) -> None:
    """… also when the other is found first, and has more parts."""
    made = files()
    made.logic("slow", 3000)
    made.wire("edge/Q", "slow/A", 1)
    made.wire("slow/F", "multiplexer/A", 1)
    read = delays.read(made.write(tmp_path)[1])
    found = read.longest(lambda cell, _: cell == "edge", lambda cell, _: cell == "pc")
    assert found == Route(delay=6.702, wires=2.002, start="edge", end="pc")
    assert read.longest(lambda cell, _: cell == "pc", lambda cell, _: cell == "pc") is None
