# SPDX-License-Identifier: Apache-2.0
"""Additions to a netlist that leave no single bit flip unnoticed.

A register gets a shadow with the same inputs, and the two are compared in every cycle. A row of a
memory gets a parity bit over its data and its address, which is written with it and compared
whenever the row is read. What differs raises a bit of `fault_o` at the next edge of the clock, for
ever: `fault_o` has a bit for each group of state (Protection.groups). `suspect_o` is high at once
when one of the registers differs from which outputs come in the same cycle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from melanion.protect.netlist import Bit, Cell, Netlist, ProtectError, number

REGISTER = "dff"  # in the type of every cell of registers; memories are `$mem_v2`
MEMORY = "$mem_v2"
FAULT = "fault_o"

Part = Literal["registers", "memories"]


@dataclass(frozen=True)
class Design:
    """`clock` and `reset`, active low, of the alarms; `group`: of state with a name; `is_observer`:
    no output of the function depends on state with this name, which stays as it is; `parts`: what
    is protected."""

    clock: str
    reset: str
    group: Callable[[str], str]
    is_observer: Callable[[str], bool]
    parts: tuple[Part, ...] = ("registers", "memories")


@dataclass(frozen=True)
class Protection:
    """`groups`: names of the bits of `fault_o`, the lowest first; `register_bits`: registers that
    have a second one; `memories`: name → rows, each with a parity bit, and the width they had."""

    groups: tuple[str, ...]
    register_bits: int
    memories: dict[str, tuple[int, int]]


def protected(netlist: Netlist, design: Design) -> Protection:
    """Change a module. Raises ProtectError: a memory has rows that are written in parts."""
    wrong: dict[str, list[Bit]] = defaultdict(list)
    doubled: dict[str, list[tuple[Bit, Bit]]] = defaultdict(list)
    if "registers" in design.parts:
        for cell in list(_of(netlist, REGISTER)):
            name = netlist.name(cell["connections"]["Q"])
            if not design.is_observer(name):
                doubled[design.group(name)] += _shadow(netlist, cell, name)
    memories = {}
    if "memories" in design.parts:
        for cell in list(_of(netlist, MEMORY)):
            memory = _Memory(netlist, cell)
            memories[memory.name] = (memory.rows, memory.width)
            wrong[design.group(memory.name)] += memory.protect()
    suspects: dict[Bit, Bit] = {}
    for group, pairs in doubled.items():
        found = _compared(netlist, pairs)
        wrong[group] += dict.fromkeys(found.values())
        suspects |= found
    groups = tuple(sorted(wrong))
    _alarms(netlist, design, [wrong[group] for group in groups])
    _suspect(netlist, suspects)
    return Protection(groups, len(suspects), memories)


def _of(netlist: Netlist, kind: str) -> Iterator[Cell]:
    return (cell for cell in netlist.cells.values() if kind in cell["type"])


def _shadow(netlist: Netlist, cell: Cell, name: str) -> list[tuple[Bit, Bit]]:
    """Add a second register with the inputs of a first one: the bits of both."""
    first = cell["connections"]["Q"]
    second = netlist.net(len(first))
    netlist.wire(f"{name}.shadow{second[0]}", second)
    # Tools merge equal cells unless neither may go.
    cell["attributes"]["keep"] = number(1)
    netlist.add(
        cell["type"], {**cell["connections"], "Q": second}, "Q", cell["parameters"], keep=True
    )
    return list(zip(first, second, strict=True))


def _compared(netlist: Netlist, pairs: Sequence[tuple[Bit, Bit]]) -> dict[Bit, Bit]:
    """First bit of each pair → whether the pair, or the one beside it, differs. Two pairs are one
    LUT4: what they say has a name that stays, or else tools take the logic apart again and need
    twice as many."""
    found: dict[Bit, Bit] = {}
    for at in range(0, len(pairs), 2):
        first, second = zip(*pairs[at : at + 2], strict=True)
        differs = netlist.differs(first, second)
        netlist.wire(f"differs{differs}", [differs], keep=True)
        found |= dict.fromkeys(first, differs)
    return found


class _Memory:
    """A memory cell. `name`: of a table that yosys made of a case statement, that of what
    it says."""

    def __init__(self, netlist: Netlist, cell: Cell) -> None:
        self._netlist, self._cell = netlist, cell
        self._ports: dict[str, list[Bit]] = cell["connections"]
        name = cell["parameters"]["MEMID"].removeprefix("\\")
        self.name = netlist.name(self._ports["RD_DATA"]) if name.startswith("$") else name
        self.width, self.rows = self._size("WIDTH"), self._size("SIZE")
        self._address = self._size("ABITS")

    def _size(self, name: str) -> int:
        return int(self._cell["parameters"][name], 2)

    def protect(self) -> list[Bit]:
        """Widen every row by its parity: for each read port, whether what it read is wrong."""
        parameters = self._cell["parameters"]
        data: list[Bit] = []
        enables: list[Bit] = []
        for at in range(self._size("WR_PORTS")):
            word = self._part("WR_DATA", at, self.width)
            enable = self._part("WR_EN", at, self.width)
            if len(set(enable)) != 1:
                raise ProtectError(
                    f"{self.name}: its rows are written in parts, and parity needs whole rows;"
                    " write whole rows, or split the memory."
                )
            address = self._part("WR_ADDR", at, self._address)
            data += [*word, self._netlist.reduced("$reduce_xor", word + address)]
            enables += [*enable, enable[0]]
        if data:
            self._ports |= {"WR_DATA": data, "WR_EN": enables}
        read: list[Bit] = []
        wrong = []
        for at in range(self._size("RD_PORTS")):
            word = self._part("RD_DATA", at, self.width)
            parity = self._netlist.net()
            read += word + parity
            wrong.append(self._checked(at, word + parity))
        self._ports["RD_DATA"] = read
        parameters["INIT"] = self._initial()
        parameters["WIDTH"] = number(self.width + 1)
        for name in ("RD_INIT_VALUE", "RD_ARST_VALUE", "RD_SRST_VALUE"):
            words = [
                parameters[name][at : at + self.width]
                for at in range(0, len(parameters[name]), self.width)
            ]
            parameters[name] = "".join(f"x{word}" for word in words)
        return wrong

    def _part(self, port: str, at: int, width: int) -> list[Bit]:
        return self._ports[port][at * width : (at + 1) * width]

    def _checked(self, at: int, row: list[Bit]) -> Bit:
        """Compare a row that is read with its address, which a port with a register had before."""
        netlist = self._netlist
        address = self._part("RD_ADDR", at, self._address)
        beyond = self._beyond(address)
        if self._cell["parameters"]["RD_CLK_ENABLE"][::-1][at] != "1":
            return self._unless(netlist.reduced("$reduce_xor", row + address), beyond)
        clock, enable = self._ports["RD_CLK"][at], self._ports["RD_EN"][at]
        parity = netlist.reduced("$reduce_xor", address)
        (right,) = netlist.register(clock, [parity], enable=enable)
        wrong = netlist.reduced("$reduce_xor", [*row, right])
        others = [*beyond, *self._collisions(at, address), *self._resets(at)]
        if not others:
            return wrong
        if enable != "1":
            enable = netlist.any_of([enable, *self._resets(at)])
        return self._unless(wrong, netlist.register(clock, [netlist.any_of(others)], enable=enable))

    def _unless(self, wrong: Bit, others: Sequence[Bit]) -> Bit:
        for other in others:
            wrong = self._netlist.both(wrong, self._netlist.inverted(other))
        return wrong

    def _beyond(self, address: list[Bit]) -> list[Bit]:
        """Reads of rows that there are not."""
        if self.rows == 1 << len(address):
            return []
        return [self._netlist.at_least(address, self.rows)]

    def _resets(self, at: int) -> list[Bit]:
        """Bits that make a port read none of the rows. Raises ProtectError."""
        if self._ports["RD_ARST"][at] != "0":
            raise ProtectError(
                f"{self.name}: what is read is cleared by an asynchronous reset, and parity needs a"
                " row; take the reset away."
            )
        reset = self._ports["RD_SRST"][at]
        return [] if reset == "0" else [reset]

    def _collisions(self, at: int, address: list[Bit]) -> Iterator[Bit]:
        """Writes of the row that is read in the same cycle, which make what is read anything."""
        ports = self._size("WR_PORTS")
        mask = self._cell["parameters"]["RD_COLLISION_X_MASK"][::-1]
        for write in range(ports):
            if mask[at * ports + write] == "1":
                same = self._netlist.inverted(
                    self._netlist.differs(address, self._part("WR_ADDR", write, self._address))
                )
                yield self._netlist.both(same, self._part("WR_EN", write, self.width + 1)[0])

    def _initial(self) -> str:
        """Contents at the start: what had none is zero, and right."""
        text = self._cell["parameters"]["INIT"].replace("x", "0")
        text = text.rjust(self.rows * self.width, "0")
        rows = [text[at : at + self.width] for at in range(0, len(text), self.width)]
        return "".join(
            str((row.count("1") + (self.rows - 1 - place).bit_count()) % 2) + row
            for place, row in enumerate(rows)
        )


def _alarms(netlist: Netlist, design: Design, wrong: Sequence[Sequence[Bit]]) -> None:
    """`fault_o`: a register for each group, which stays set."""
    ports = netlist.module["ports"]
    clock, reset = (ports[name]["bits"][0] for name in (design.clock, design.reset))
    faults = netlist.net(len(wrong))
    for fault, bits in zip(faults, wrong, strict=True):
        now = netlist.any_of([*bits, fault])
        netlist.add(
            "$adff",
            {"CLK": [clock], "ARST": [reset], "D": [now], "Q": [fault]},
            "Q",
            {
                "WIDTH": number(1),
                "CLK_POLARITY": number(1),
                "ARST_POLARITY": number(0),
                "ARST_VALUE": "0",
            },
        )
    netlist.port(FAULT, "output", faults)


def _suspect(netlist: Netlist, differing: Mapping[Bit, Bit]) -> None:
    """`suspect_o`: of the registers that outputs depend on in the same cycle; `differing`: what
    tells of each."""
    drivers = netlist.drivers()
    seen: set[Bit] = set()
    waiting = [
        bit
        for name, port in netlist.module["ports"].items()
        if port["direction"] == "output" and name != FAULT
        for bit in port["bits"]
    ]
    while waiting:
        bit = waiting.pop()
        if bit in seen or bit in differing or bit not in drivers:
            seen.add(bit)
            continue
        seen.add(bit)
        cell = drivers[bit]
        if REGISTER in cell["type"] or "1" in cell["parameters"].get("RD_CLK_ENABLE", ""):
            continue
        for port, direction in cell["port_directions"].items():
            if direction == "input":
                waiting += cell["connections"][port]
    found = sorted({differing[bit] for bit in seen if bit in differing}, key=str)
    netlist.port("suspect_o", "output", [netlist.any_of(found) if found else "0"])
