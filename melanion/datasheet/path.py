# SPDX-License-Identifier: Apache-2.0
"""The longest path through a graph: each instruction at its worst, the unit at its bound.

Which access reaches the unit is read off the code: a register is known while it holds a constant
that the code made, or such a constant plus an object's number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mel_gen import Command, Status

from melanion.build.listing import Instruction
from melanion.datasheet.accesses import SERVED, Access, Kind, decode
from melanion.datasheet.again import Again, Edge, opened
from melanion.datasheet.core import CSR_FLUSHES, LOADS, READS_FIRST, RETURN, STORES, Core, CostError
from melanion.datasheet.graph import Exit, Graph, NoBoundError, Node, Place
from melanion.datasheet.unit import Unit

MASK = 0xFFFF_FFFF
DEVICES = 0x2000_0000  # addresses below are memory: nothing there has to be told apart
MSTATUS_MIE = 8
MRET_LATE = 2  # cycles from `mret` in the ID stage until interrupts are enabled
BUSY = frozenset({int(Status.E_BUSY) & MASK})
MIE = "mie"  # stands among the registers: MSTATUS_MIE when interrupts are enabled, else 0
ENABLED, DISABLED = frozenset({MSTATUS_MIE}), frozenset({0})
SAVED = ("sp", "s0", "s1", *(f"s{n}" for n in range(2, 12)))

_OFFSET = re.compile(r"(?P<offset>-?\d+)\((?P<base>\w+)\)")

Values = Mapping[str, frozenset[int]]
Earlier = frozenset[Access]  # accesses of which one may be the last that the unit has served

# Successor of the last instruction of a path when nothing more is known: 4 bytes, perhaps in two
# words.
ANYTHING = Instruction(0, 4, "", "nop", ())


@dataclass(frozen=True)
class Length:
    """The longest path to an exit. `cycles` in all; `unit` of them bounds of the unit, for
    `accesses` accesses that it serves."""

    cycles: int = 0
    unit: int = 0
    accesses: int = 0

    def __add__(self, other: Length) -> Length:
        return Length(
            self.cycles + other.cycles, self.unit + other.unit, self.accesses + other.accesses
        )


@dataclass(frozen=True)
class Longest:
    """Longest path of a graph to each of its exits. `values`: possible register values at each
    node; `earlier`: what the unit may have served last. `masked`: the longest span with interrupts
    disabled. `commands`: commands given to the unit."""

    exits: dict[Exit, Length]
    values: dict[Node, Values]
    earlier: dict[Node, Earlier]
    masked: Length
    commands: frozenset[Command]


class Measure:
    """Lengths on one core. `unit` None: there is none; `slow`: wait states of each access to it."""

    def __init__(self, core: Core, unit: Unit | None, slow: int = 0) -> None:
        self.core, self.unit, self.slow = core, unit, slow

    def longest(
        self,
        graph: Graph,
        seeds: Mapping[Node, Values] | None = None,
        served: Mapping[Node, Earlier] | None = None,
        kept: Mapping[Node, Values] | None = None,
        *,
        trap: bool = False,
    ) -> Longest:
        """`seeds`: what registers may hold at the starts; `served`: what the unit has served there;
        `kept`: SAVED, behind calls that began before. `trap`: interrupts are disabled there.

        Raises NoBoundError."""
        again = Again(frozenset(), {})
        if self.unit is not None:
            graph, again = opened(graph)
        order = graph.ordered()
        before = {MIE: DISABLED if trap else ENABLED}
        starts = {node: {**(seeds or {}).get(node, {}), **before} for node in graph.starts}
        values = self._values(graph, order, starts, kept or {})
        earlier = self._earlier(graph, order, values, served or {})
        self._refuse_others(graph, again, values)
        steps = self._steps(graph, order, values, earlier)
        for load, edges in again.loads.items():
            more = self._settled(graph, edges, values, earlier)
            steps |= {(load, place): steps[load, place] + more for place in graph.edges[load]}
        nodes = {node: Length() for node in graph.starts}
        exits: dict[Exit, Length] = {}
        for node in order:
            if node not in nodes:
                continue
            for place in graph.edges[node]:
                length = nodes[node] + steps[node, place]
                if isinstance(place, Exit):
                    exits[place] = max(exits.get(place, length), length, key=_cycles)
                else:
                    nodes[place] = max(nodes.get(place, length), length, key=_cycles)
        commands = {
            access.command
            for node in order
            for access in self.accesses(graph.instruction(node), values[node])
            if access.command is not None
        }
        masked = self._masked(graph, order, values, steps, graph.starts if trap else ())
        return Longest(exits, values, earlier, masked, frozenset(commands))

    def _refuse_others(self, graph: Graph, again: Again, values: Mapping[Node, Values]) -> None:
        """Loops that ask the unit again alone are left out: raises NoBoundError."""
        for node in again.branches:
            operands = graph.instruction(node).operands[:2]
            if BUSY not in [values[node].get(operand) for operand in operands]:
                raise NoBoundError(f"loop at {graph.instruction(node).function}")
        for node in again.loads:
            found = self.accesses(graph.instruction(node), values[node])
            if {access.kind for access in found} != {Kind.ANSWER}:
                raise NoBoundError(f"loop at {graph.instruction(node).function}")

    def _settled(
        self,
        graph: Graph,
        edges: frozenset[Edge],
        values: Mapping[Node, Values],
        earlier: Mapping[Node, Earlier],
    ) -> Length:
        """An answer that is loaded until it is settled, and the round that is under way then."""
        assert self.unit is not None
        longest: dict[Node, int] = {}
        for node, place in edges:
            cycles = self.step(graph, node, place, values[node], earlier[node]).cycles
            longest[node] = max(longest.get(node, 0), cycles)
        settling = self.unit.settling
        return Length(sum(longest.values()) + settling, settling)

    def _masked(
        self,
        graph: Graph,
        order: list[Node],
        values: Mapping[Node, Values],
        steps: Mapping[tuple[Node, Place], Length],
        begins: tuple[Node, ...],
    ) -> Length:
        """The longest way from an instruction that disables interrupts, or from these, to one that
        enables them. Sections nest: the end of an inner one restores that they are disabled."""
        since = {node: Length() for node in begins}
        longest = Length()
        for node in order:
            instruction = graph.instruction(node)
            if masks(instruction):
                since.setdefault(node, Length())
            if node not in since:
                continue
            if instruction.mnemonic == RETURN or unmasks(instruction, values[node]):
                late = MRET_LATE if instruction.mnemonic == RETURN else 0
                longest = max(longest, since[node] + Length(late), key=_cycles)
                continue
            for place in graph.edges[node]:
                length = since[node] + steps[node, place]
                if isinstance(place, Node):
                    since[place] = max(since.get(place, length), length, key=_cycles)
                else:
                    longest = max(longest, length, key=_cycles)
        return longest

    def _steps(
        self,
        graph: Graph,
        order: list[Node],
        values: Mapping[Node, Values],
        earlier: Mapping[Node, Earlier],
    ) -> dict[tuple[Node, Place], Length]:
        return {
            (node, place): self.step(graph, node, place, values[node], earlier[node])
            for node in order
            for place in graph.edges[node]
        }

    def step(
        self, graph: Graph, node: Node, place: Place, values: Values, earlier: Earlier
    ) -> Length:
        """One edge."""
        instruction = graph.instruction(node)
        following = graph.instruction(place) if isinstance(place, Node) else ANYTHING
        try:
            cycles = self.core.cycles(instruction, following)
            cycles += self.core.stall(instruction, following)
        except CostError as error:
            name = f"instruction {error} at {instruction.function}"
            raise NoBoundError(f"{name}, whose cycles are not known") from None
        accesses = self.accesses(instruction, values)
        waits = max((self._waits(each, earlier) for each in accesses), default=0)
        return Length(cycles + waits, waits, int(waits > 0))

    def accesses(self, instruction: Instruction, values: Values) -> list[Access]:
        """Accesses that a load or store may make; empty: another instruction, or there is no
        unit."""
        if self.unit is None or instruction.mnemonic not in LOADS | STORES:
            return []
        match = _OFFSET.fullmatch(instruction.operands[-1])
        assert match, instruction
        known = values.get(match["base"], frozenset())
        bases = frozenset({0}) if match["base"] == "zero" else known
        offset, store = int(match["offset"]), instruction.mnemonic in STORES
        found = [decode((base + offset) & MASK, self.unit.window, store=store) for base in bases]
        return found or [Access(Kind.MEMORY)]

    def _waits(self, access: Access, earlier: Earlier) -> int:
        if self.unit is None or not access.kind.unit:
            return 0
        return self.unit.waits(access, earlier) + self.slow

    def _earlier(
        self,
        graph: Graph,
        order: list[Node],
        values: Mapping[Node, Values],
        served: Mapping[Node, Earlier],
    ) -> dict[Node, Earlier]:
        """Accesses that may be the last served, at each node; none when all that is long over."""
        found = dict.fromkeys(order, Earlier()) | {**served}
        for node in order:
            accesses = self.accesses(graph.instruction(node), values[node])
            asked = Earlier(each for each in accesses if each.kind in SERVED)
            after = asked if asked and len(asked) == len(accesses) else asked | found[node]
            for place in graph.edges[node]:
                if isinstance(place, Node):
                    found[place] |= after
        return found

    def _values(
        self,
        graph: Graph,
        order: list[Node],
        seeds: Mapping[Node, Values],
        kept: Mapping[Node, Values],
    ) -> dict[Node, Values]:
        """Possible register values at each node."""
        found: dict[Node, Values] = dict(seeds)
        for node in order:
            after = transfer(graph.instruction(node), found.setdefault(node, {}))
            for place in graph.edges[node]:
                if not isinstance(place, Node):
                    continue
                brought = after
                if len(place.returns) < len(node.returns):
                    call = graph.called.get(place)
                    here = saved(found[call]) if call in found else {}
                    brought = {**after, **_join(here, kept.get(place, {}))}
                found[place] = _join(found[place], brought) if place in found else brought
        return found


def saved(values: Values) -> Values:
    """Registers that a function leaves as they are."""
    return {register: values[register] for register in SAVED if register in values}


def masks(instruction: Instruction) -> bool:
    """It disables interrupts."""
    return instruction.mnemonic in ("csrc", "csrrc") and "mstatus" in instruction.operands


def unmasks(instruction: Instruction, values: Values) -> bool:
    """It enables them, or restores what they were."""
    name, operands = instruction.mnemonic, instruction.operands
    if name not in CSR_FLUSHES or "mstatus" not in operands:
        return False
    source = operands[-1]
    held = values.get(source, frozenset()) if source in _REGISTERS else {int(source, 0)}
    return all(value & MSTATUS_MIE for value in held)


def _cycles(length: Length) -> int:
    return length.cycles


def _join(one: Values, other: Values) -> Values:
    """On either path: what is perhaps the unit's is not forgotten."""
    return {
        register: one.get(register, frozenset()) | other.get(register, frozenset())
        for register in {*one, *other}
    }


def transfer(instruction: Instruction, values: Values) -> Values:
    """Possible register values after an instruction."""
    name, operands = instruction.mnemonic, instruction.operands
    before = values.get(MIE, frozenset())
    if masks(instruction):
        values = {**values, MIE: DISABLED}
        if name == "csrrc":  # the key of the section
            return {**values, operands[0]: before}
    elif unmasks(instruction, values):
        values = {**values, MIE: ENABLED}
    if name in READS_FIRST or not operands or operands[0] not in _REGISTERS:
        return values
    result = _result(name, operands[1:], values)
    others = {register: held for register, held in values.items() if register != operands[0]}
    return {**others, operands[0]: result} if result else others


def _result(name: str, operands: tuple[str, ...], values: Values) -> frozenset[int]:
    """Possible results of the instruction; empty: unknown, and no address of a device."""
    held = [values.get(operand, frozenset()) for operand in operands]
    if name == "lui":
        return frozenset({int(operands[0], 16) << 12 & MASK})
    if name == "li":
        return frozenset({int(operands[0], 0) & MASK})
    if name == "mv":
        return held[0]
    if name == "sll" and operands[1] == "0x2":  # a number of an object, in words: it counts as 0
        return frozenset(value << 2 & MASK for value in held[0]) or frozenset({0})
    if name == "and" and operands[1] not in _REGISTERS:  # an offset of a region is left
        return frozenset(value & int(operands[1], 0) & MASK for value in held[0])
    if name == "add" and operands[1] not in _REGISTERS:
        return frozenset((value + int(operands[1], 0)) & MASK for value in held[0])
    if name == "add":
        return _sum(*held)
    if name in ("sh1add", "sh2add", "sh3add"):
        return frozenset(value for value in held[1] if value >= DEVICES)
    return frozenset()


def _sum(one: frozenset[int], other: frozenset[int]) -> frozenset[int]:
    """Possible sums of two registers. An unknown one holds the number of an object, or is no
    address of a device."""
    if one and other:
        return frozenset((a + b) & MASK for a in one for b in other)
    return frozenset(value for value in one | other if value >= DEVICES)


_REGISTERS = frozenset(
    {"ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "zero"}
    | {f"a{n}" for n in range(8)}
    | {f"s{n}" for n in range(2, 12)}
    | {f"t{n}" for n in range(3, 7)}
)
