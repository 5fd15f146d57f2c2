# SPDX-License-Identifier: Apache-2.0
"""Read a protected netlist with other eyes: which registers and memories does no alarm watch?

It knows nothing of melanion.protect, only of yosys' cells: it follows nets from the alarm registers
backwards, and looks for what notices a flip of each bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Bit = int | str
Cell = Mapping[str, Any]
THROUGH = ("$reduce_or", "$or", "$reduce_and", "$and")  # an alarm may be made of these


class Structure:
    """`module`: of the JSON document."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.cells: dict[str, Cell] = module["cells"]
        self._driver: dict[Bit, Cell] = {}
        for cell in self.cells.values():
            for port, direction in cell["port_directions"].items():
                if direction == "output":
                    self._driver |= dict.fromkeys(cell["connections"][port], cell)
        self._faults = module["ports"]["fault_o"]["bits"]
        self.compared, self.summed = self._watched()

    def _watched(self) -> tuple[set[frozenset[Bit]], list[set[Bit]]]:
        """Pairs that are compared for an alarm, and sets of bits whose parity is."""
        waiting = [bit for fault in self._faults for bit in self._driver[fault]["connections"]["D"]]
        seen: set[Bit] = set()
        compared, summed = set(), []
        while waiting:
            bit = waiting.pop()
            if bit in seen or bit not in self._driver:
                continue
            seen.add(bit)
            cell = self._driver[bit]
            ports = cell["connections"]
            if cell["type"] == "$ne":
                compared |= {frozenset(pair) for pair in zip(ports["A"], ports["B"], strict=True)}
            elif cell["type"] == "$reduce_xor":
                summed.append(self._inputs(ports["A"]))
            elif cell["type"] in THROUGH:
                waiting += ports["A"] + ports.get("B", [])
        return compared, summed

    def _inputs(self, bits: list[Bit]) -> set[Bit]:
        """Bits of a sum, of sums before it, too."""
        found: set[Bit] = set()
        for bit in bits:
            cell = self._driver.get(bit)
            if cell is not None and cell["type"] == "$reduce_xor":
                found |= self._inputs(cell["connections"]["A"])
            else:
                found.add(bit)
        return found

    def unwatched_registers(self) -> Iterator[Bit]:
        """Bits of registers that are not compared with a register of the same inputs."""
        twins: dict[str, list[Cell]] = {}
        for cell in self.cells.values():
            if "dff" in cell["type"]:
                inputs = {k: v for k, v in cell["connections"].items() if k != "Q"}
                twins.setdefault(str((cell["type"], inputs, cell["parameters"])), []).append(cell)
        for cells in twins.values():
            for cell in cells:
                others = [each for each in cells if each is not cell]
                for place, bit in enumerate(cell["connections"]["Q"]):
                    pairs = (frozenset((bit, o["connections"]["Q"][place])) for o in others)
                    if not any(pair in self.compared for pair in pairs):
                        yield bit

    def unwatched_memories(self) -> Iterator[str]:
        """Memories with a row, or a read port, whose parity is in no sum."""
        for cell in self.cells.values():
            if cell["type"] == "$mem_v2" and (wrong := self._wrong(cell)):
                yield f"{cell['parameters']['MEMID']}: {wrong}"

    def _wrong(self, cell: Cell) -> str:
        ports, sizes = cell["connections"], cell["parameters"]
        width, bits = int(sizes["WIDTH"], 2), int(sizes["ABITS"], 2)
        for at in range(int(sizes["WR_PORTS"], 2)):
            word = ports["WR_DATA"][at * width : (at + 1) * width]
            address = ports["WR_ADDR"][at * bits : (at + 1) * bits]
            if self._inputs(word[-1:]) != {*word[:-1], *address}:
                return "a row is written without its parity"
        for at in range(int(sizes["RD_PORTS"], 2)):
            row = set(ports["RD_DATA"][at * width : (at + 1) * width])
            if not any(row <= sums for sums in self.summed):
                return "a row is read unseen"
        size, init = int(sizes["SIZE"], 2), sizes["INIT"]
        for number in range(size):
            end = len(init) - number * width
            if (init[end - width : end].count("1") + number.bit_count()) % 2:
                return f"row {number} is wrong at the start"
        return ""
