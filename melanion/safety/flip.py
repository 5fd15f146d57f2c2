# SPDX-License-Identifier: Apache-2.0
"""Theorems about a protected netlist: any single flip, of any bit, in any cycle, is told of, and no
output differs before. Each is a module of logic whose output `bad_o` is never high.

Of each memory, for any row, any contents, and whatever the rest of the unit does:

* written: a row that is written has an even sum of its bits and of those of its address (the rows
  of the start are counted);
* read: when a port shows a row, any bit of which has flipped, an alarm is set by the next edge;
* kept: what the alarm compares stays as it is while a port shows the same row.

Of the registers, in any state: when any bit has flipped, an alarm is set by the next edge, and in
this cycle no output differs, or `suspect_o` is high. Of memories: no output differs.

As structure.py, this knows nothing of the room that protects, only yosys' cells. What a theorem
does not follow may be anything, so that it holds for more than the unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from melanion.errors import MelanionError
from melanion.protect import Netlist
from melanion.protect.netlist import CONSTANTS, Bit, Bits, Cell, number

BAD = "bad_o"
MEMORY, REGISTERS = "$mem_v2", ("$dff", "$dffe")  # registers whose next value is followed
ALARMS, AT_ONCE = "fault_o", "suspect_o"


class FlipError(MelanionError):
    """A netlist about which nothing can be proved."""


@dataclass(frozen=True)
class Theorem:
    """`module`: of a JSON document; its inputs may be anything."""

    name: str
    module: Mapping[str, Any]


class Unit:
    """A protected netlist. `is_observer`: ports and registers with this name are none of the
    function; `is_own`: registers with this name are the protection's. Raises FlipError: it has more
    than one clock."""

    def __init__(
        self,
        names: Netlist,
        is_observer: Callable[[str], bool],
        is_own: Callable[[str], bool],
    ) -> None:
        self._names = names
        self._is_observer, self._is_own = is_observer, is_own
        self.cells = names.cells
        self.drivers = names.drivers()
        self.reads_at_once = dict(self._reads_at_once())
        self._readers = self._all_readers()
        self.clock = self._one_clock()
        self.suspects: Bits = self._port(AT_ONCE)
        faults = self._port(ALARMS)
        self.alarms = [bit for fault in faults for bit in self.drivers[fault]["connections"]["D"]]

    def of_memories(self) -> Iterator[Theorem]:
        for cell in self.cells.values():
            if cell["type"] == MEMORY:
                yield from _Memory(self, cell).theorems()

    def of_registers(self) -> Theorem:
        return _of_registers(self)

    def _port(self, name: str) -> Bits:
        return list(self._names.module["ports"][name]["bits"])

    def _one_clock(self) -> Bit:
        cells = (cell for cell in self.cells.values() if "dff" in cell["type"])
        clocks: set[Bit] = {cell["connections"]["CLK"][0] for cell in cells}
        if len(clocks) != 1:
            raise FlipError(f"the netlist has {len(clocks)} clocks; theorems are about one.")
        return clocks.pop()

    def results(self) -> Bits:
        """Outputs of the function."""
        return [
            bit
            for name, port in self._names.module["ports"].items()
            if port["direction"] == "output" and name not in (ALARMS, AT_ONCE)
            if not self._is_observer(name)
            for bit in port["bits"]
            if bit not in CONSTANTS
        ]

    def registers(self) -> Iterator[Cell]:
        """Those of the function."""
        for cell in self.cells.values():
            if "dff" in cell["type"]:
                name = self._names.name(cell["connections"]["Q"])
                if not self._is_observer(name) and not self._is_own(name):
                    yield cell

    def _reads_at_once(self) -> Iterator[tuple[Bit, tuple[Bits, Bits]]]:
        """Bit that a memory gives in the cycle of its address → address and data of the port."""
        for cell in self.cells.values():
            if cell["type"] == MEMORY:
                addresses, words = parts(cell, "RD_ADDR", "ABITS"), parts(cell, "RD_DATA", "WIDTH")
                clocked = flags(cell, "RD_CLK_ENABLE")
                for address, word, has_register in zip(addresses, words, clocked, strict=True):
                    if not has_register:
                        yield from ((bit, (address, word)) for bit in word)

    def _all_readers(self) -> Mapping[Bit, list[Bits]]:
        """Net → what depends on it in the same cycle."""
        found: dict[Bit, list[Bits]] = {}
        for cell in self.cells.values():
            if is_logic(cell):
                outputs = list(pins(cell, "output"))
                for bit in pins(cell, "input"):
                    found.setdefault(bit, []).append(outputs)
        for read, (address, _) in self.reads_at_once.items():
            for bit in address:
                found.setdefault(bit, []).append([read])
        return found

    def influenced(self, by: Iterable[Bit]) -> set[Bit]:
        """Nets that depend on others in the same cycle, and those."""
        found = set(by)
        waiting = list(found)
        while waiting:
            for outputs in self._readers.get(waiting.pop(), ()):
                fresh = set(outputs) - found
                found |= fresh
                waiting += fresh
        return found


# ---- cells ---------------------------------------------------------------------------------------


def pins(cell: Cell, direction: str) -> Iterator[Bit]:
    """Bits of all inputs, or of all outputs."""
    for port, its in cell["port_directions"].items():
        if its == direction:
            yield from cell["connections"][port]


def is_logic(cell: Cell) -> bool:
    """Its outputs depend on its inputs of the same cycle alone."""
    return "dff" not in cell["type"] and cell["type"] != MEMORY


def size(memory: Cell, name: str) -> int:
    return int(memory["parameters"][name], 2)


def flags(memory: Cell, name: str) -> list[bool]:
    """A parameter with a bit for each port, or each pair of ports, the first one first."""
    return [letter == "1" for letter in reversed(memory["parameters"][name])]


def parts(memory: Cell, port: str, width: str) -> list[Bits]:
    """Bits of RD_ or WR_... of a memory, one list for each port; `width`: parameter with theirs."""
    bits, each = memory["connections"][port], size(memory, width)
    return [bits[at * each : (at + 1) * each] for at in range(size(memory, f"{port[:2]}_PORTS"))]


# ---- logic of one cycle --------------------------------------------------------------------------


class _Proof:
    """The module of a theorem: logic of one cycle or two. `follows`: nets whose logic is copied; a
    net that is none of them may be anything."""

    def __init__(self, unit: Unit, follows: Callable[[Bit], bool]) -> None:
        self.unit, self.follows = unit, follows
        self.new = Netlist({"attributes": {}, "ports": {}, "cells": {}, "netnames": {}})
        self._inputs: Bits = []
        self._bad: Bits = []

    def anything(self, width: int = 1) -> Bits:
        """New inputs."""
        bits = self.new.net(width)
        self._inputs += bits
        return bits

    def claim(self, *, never: Bit, provided: Iterable[Bit] = ()) -> None:
        """A net is never high where some others are."""
        self._bad.append(self.new.reduced("$reduce_and", [never, *provided]))

    def theorem(self, name: str) -> Theorem:
        self.new.port("any_i", "input", self._inputs)
        self.new.port(BAD, "output", [self.new.any_of(self._bad)])
        return Theorem(name, self.new.module)


class _Cycle:
    """Nets of the unit in one cycle: `known` are given. `before`: the cycle that ends where this
    one begins. `alike`: one in which everything that is not known here is the same."""

    def __init__(
        self,
        proof: _Proof,
        known: Mapping[Bit, Bit],
        *,
        before: _Cycle | None = None,
        alike: _Cycle | None = None,
    ) -> None:
        self._proof, self._unit, self._new = proof, proof.unit, proof.new
        self._before, self._alike = before, alike
        self._nets: dict[Bit, Bit] = dict(known)
        self._free: dict[Bit, Bit] = alike._free if alike else {}
        self._after: dict[Bit, Bit] = {}

    def of(self, bit: Bit) -> Bit:
        """Value of a net of the unit in this cycle."""
        if bit in CONSTANTS:
            return "1" if bit == "1" else "0"
        if bit not in self._nets:
            self._nets[bit] = self._made(bit)
        return self._nets[bit]

    def all(self, bits: Iterable[Bit]) -> Bits:
        return [self.of(bit) for bit in bits]

    def after(self, cell: Cell, bit: Bit) -> Bit:
        """Value of a register when this cycle has ended."""
        if bit not in self._after:
            ports = cell["connections"]
            value = self.of(ports["D"][ports["Q"].index(bit)])
            if "EN" in ports:
                enable = self.of(ports["EN"][0])
                if cell["parameters"]["EN_POLARITY"][-1] == "0":
                    enable = self._new.inverted(enable)
                value = self._chosen(enable, value, self.of(bit))
            self._after[bit] = value
        return self._after[bit]

    @property
    def followed(self) -> tuple[Bit, ...]:
        """Registers of which somebody asked what they are after this cycle."""
        return tuple(self._after)

    def _made(self, bit: Bit) -> Bit:
        cell = self._unit.drivers.get(bit)
        if cell is not None and self._proof.follows(bit):
            if is_logic(cell):
                return self._copied(cell, bit)
            if bit in self._unit.reads_at_once and self._alike:
                return self._read(bit, self._alike)
            if self._before and cell["type"] in REGISTERS:
                return self._before.after(cell, bit)
        if bit not in self._free:
            (self._free[bit],) = self._proof.anything()
        return self._free[bit]

    def _copied(self, cell: Cell, bit: Bit) -> Bit:
        """Copy a cell with all its outputs."""
        connections: dict[str, Bits] = {}
        outputs: dict[Bit, Bit] = {}
        last = ""
        for port, direction in cell["port_directions"].items():
            bits = cell["connections"][port]
            if direction == "input":
                connections[port] = self.all(bits)
            else:
                connections[port], last = self._new.net(len(bits)), port
                outputs |= zip(bits, connections[port], strict=True)
        self._new.add(cell["type"], connections, last, cell["parameters"])
        self._nets = {**outputs, **self._nets}
        return self._nets[bit]

    def _read(self, bit: Bit, alike: _Cycle) -> Bit:
        """A bit of a memory of which nothing is known but that the same address has the same."""
        address, _ = self._unit.reads_at_once[bit]
        differs = self._new.differs(self.all(address), alike.all(address))
        (other,) = self._proof.anything()
        return self._chosen(differs, other, alike.of(bit))

    def _chosen(self, which: Bit, there: Bit, otherwise: Bit) -> Bit:
        (out,) = self._new.net()
        ports: dict[str, Bits] = {"A": [otherwise], "B": [there], "S": [which], "Y": [out]}
        self._new.add("$mux", ports, "Y", {"WIDTH": number(1)})
        return out


# ---- theorems ------------------------------------------------------------------------------------


class _Memory:
    """Theorems about a memory. Its inputs may be anything, but for columns of a row that are made
    of the others and of the address, as parity is."""

    def __init__(self, unit: Unit, cell: Cell) -> None:
        self._unit, self._cell = unit, cell
        self._ports: Mapping[str, Bits] = cell["connections"]
        self._name = cell["parameters"]["MEMID"].removeprefix("\\")
        self._width, self._rows = size(cell, "WIDTH"), size(cell, "SIZE")
        inputs = set(pins(cell, "input")).difference(CONSTANTS)
        made = {
            bit
            for bit in self._ports["WR_DATA"]
            if bit in unit.drivers
            and is_logic(unit.drivers[bit])
            and inputs.issuperset(set(pins(unit.drivers[bit], "input")).difference(CONSTANTS))
        }
        self._free = inputs - made
        self._decided: dict[int, bool] = {}  # by id of the cell

    def _proof(self, seen: Set[Bit] = frozenset()) -> _Proof:
        """`seen`: nets that a flip reaches in its cycle. What other ports show may be anything."""

        def follows(bit: Bit) -> bool:
            if bit in self._free:
                return False
            return bit in seen or self._is_decided(self._unit.drivers[bit])

        return _Proof(self._unit, follows)

    def _is_decided(self, cell: Cell) -> bool:
        """It depends on nothing but the clock and inputs of the memory, now or before."""
        if id(cell) not in self._decided:
            self._decided[id(cell)] = False  # a loop depends on more
            inputs = set(pins(cell, "input")).difference(CONSTANTS, self._free, [self._unit.clock])
            drivers = [self._unit.drivers.get(bit) for bit in inputs]
            self._decided[id(cell)] = cell["type"] != MEMORY and all(
                each is not None and self._is_decided(each) for each in drivers
            )
        return self._decided[id(cell)]

    def theorems(self) -> Iterator[Theorem]:
        yield self._written()
        for at in range(size(self._cell, "RD_PORTS")):
            yield from self._read(at)

    def _written(self) -> Theorem:
        """Rows are right at the start, and when they are written."""
        proof = self._proof()
        proof.claim(never="1" if self._is_wrong_at_the_start() else "0")
        addresses = parts(self._cell, "WR_ADDR", "ABITS")
        words = parts(self._cell, "WR_DATA", "WIDTH")
        for address, word in zip(addresses, words, strict=True):
            row = proof.anything(len(address))
            known, provided = self._at(proof, address, row)
            sums = [*_Cycle(proof, known).all(word), *row]
            proof.claim(never=proof.new.reduced("$reduce_xor", sums), provided=provided)
        return proof.theorem(f"{self._name}: written")

    def _is_wrong_at_the_start(self) -> bool:
        text = self._cell["parameters"]["INIT"]
        rows = [text[at : at + self._width] for at in range(0, len(text), self._width)]
        sums = [row.count("1") + (len(rows) - 1 - at).bit_count() for at, row in enumerate(rows)]
        return len(rows) != self._rows or "x" in text or any(count % 2 for count in sums)

    def _at(self, proof: _Proof, address: Bits, row: Bits) -> tuple[dict[Bit, Bit], Bits]:
        """A port has the address of a row: nets of the unit that are known, and what must be so."""
        new = proof.new
        known: dict[Bit, Bit] = {}
        provided: Bits = []
        for bit, wanted in zip(address, row, strict=True):
            if bit in CONSTANTS:
                provided.append(wanted if bit == "1" else new.inverted(wanted))
            elif bit in known:
                provided.append(new.inverted(new.differs([known[bit]], [wanted])))
            else:
                known[bit] = wanted
        if self._rows < 1 << len(row):
            provided.append(new.inverted(new.at_least(row, self._rows)))
        return known, provided

    def _read(self, at: int) -> Iterator[Theorem]:
        """A port shows a row with a flip."""
        shown = parts(self._cell, "RD_DATA", "WIDTH")[at]
        seen = self._unit.influenced(shown)
        proof = self._proof(seen)
        new = proof.new
        row = proof.anything(size(self._cell, "ABITS"))
        data = proof.anything(self._width - 1)
        word = [*data, new.reduced("$reduce_xor", [*data, *row])]
        known, provided = self._at(proof, parts(self._cell, "RD_ADDR", "ABITS")[at], row)
        before = None
        if flags(self._cell, "RD_CLK_ENABLE")[at]:
            before = _Cycle(proof, known | self._controls(at, enable="1"))
            provided += self._no_write(proof, before, at, row)
            known = {}
        clean = _Cycle(proof, known | dict(zip(shown, word, strict=True)), before=before)
        results = [bit for bit in self._unit.results() if bit in seen]
        alarms = [bit for bit in self._unit.alarms if bit in seen]
        for place in range(self._width):
            flipped = [new.inverted(bit) if n == place else bit for n, bit in enumerate(word)]
            cycle = _Cycle(
                proof,
                known | dict(zip(shown, flipped, strict=True)),
                before=before,
                alike=clean,
            )
            told = new.any_of(cycle.all(alarms)) if alarms else "0"
            proof.claim(never=new.inverted(told), provided=provided)
            if results:
                differs = new.differs(cycle.all(results), clean.all(results))
                proof.claim(never=differs, provided=provided)
        yield proof.theorem(f"{self._name}: read {at}")
        if before and self._ports["RD_EN"][at] != "1":
            yield self._kept(at, before.followed)

    def _controls(self, at: int, *, enable: Bit) -> dict[Bit, Bit]:
        """Enable and reset of a read port."""
        bits = (self._ports["RD_EN"][at], enable), (self._ports["RD_SRST"][at], "0")
        return {bit: value for bit, value in bits if bit not in CONSTANTS}

    def _no_write(self, proof: _Proof, cycle: _Cycle, at: int, row: Bits) -> Iterator[Bit]:
        """The row is not written in a cycle in which a read would show none: anything, or what is
        written."""
        writes = size(self._cell, "WR_PORTS")
        masks = [flags(self._cell, f"RD_{name}_MASK") for name in ("COLLISION_X", "TRANSPARENCY")]
        addresses = parts(self._cell, "WR_ADDR", "ABITS")
        enables = parts(self._cell, "WR_EN", "WIDTH")
        for write in range(writes):
            if any(mask[at * writes + write] for mask in masks):
                other = proof.new.differs(cycle.all(addresses[write]), row)
                enable = cycle.of(enables[write][0])
                yield proof.new.any_of([other, proof.new.inverted(enable)])

    def _kept(self, at: int, registers: Iterable[Bit]) -> Theorem:
        """A port goes on to show its row."""
        proof = self._proof()
        cycle = _Cycle(proof, self._controls(at, enable="0"))
        for bit in registers:
            after = cycle.after(self._unit.drivers[bit], bit)
            proof.claim(never=proof.new.differs([after], [cycle.of(bit)]))
        return proof.theorem(f"{self._name}: kept {at}")


def _of_registers(unit: Unit) -> Theorem:
    """Any bit of any register, in any state of the unit. Without a flip, registers with the same
    inputs hold the same."""
    cells = list(unit.registers())
    seen = list(dict.fromkeys(bit for cell in cells for bit in cell["connections"]["Q"]))
    proof = _Proof(unit, unit.influenced(seen).__contains__)
    new = proof.new
    holds: dict[str, Bits] = {}
    clean: dict[Bit, Bit] = {}
    for cell in cells:
        inputs = {port: bits for port, bits in cell["connections"].items() if port != "Q"}
        kind = str((cell["type"], inputs, sorted(cell["parameters"].items())))
        mine = cell["connections"]["Q"]
        if kind not in holds:
            holds[kind] = proof.anything(len(mine))
        clean |= zip(mine, holds[kind], strict=True)
    place = proof.anything(len(seen).bit_length())
    flipped = {}
    for at, bit in enumerate(seen):
        is_it = new.inverted(new.differs(place, [*format(at, f"0{len(place)}b")[::-1]]))
        flipped[bit] = new.differs([clean[bit]], [is_it])
    provided = [new.inverted(new.at_least(place, len(seen)))]
    without = _Cycle(proof, clean)
    cycle = _Cycle(proof, flipped, alike=without)
    proof.claim(never=new.inverted(new.any_of(cycle.all(unit.alarms))), provided=provided)
    results = unit.results()
    differs = new.differs(cycle.all(results), without.all(results))
    provided.append(new.inverted(new.any_of(cycle.all(unit.suspects))))
    proof.claim(never=differs, provided=provided)
    return proof.theorem("registers")
