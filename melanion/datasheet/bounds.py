# SPDX-License-Identifier: Apache-2.0
"""The bounds of every call of a system, counted on the longest path of its compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mel_gen import Command

from melanion.datasheet.accesses import Access, Kind
from melanion.datasheet.graph import GOES_ON, VECTORS, Exit, Explorer, NoBoundError, Node
from melanion.datasheet.path import Earlier, Length, Longest, Measure, Values, saved
from melanion.datasheet.program import Program, State
from melanion.datasheet.unit import Unit

DISPATCH_VECTOR = 3  # in words from the first
# From the cycle in which the unit asks for another task to the vector's first instruction in ID:
# what is under way ends, the core takes the interrupt, the vector is fetched.
INTERRUPT_ENTRY = 6
# Commands whose released tasks may start later: when the unit asks for it by its interrupt, behind
# the call.
RELEASES_LATER = frozenset(
    {Command.SEMAPHORE_DELETE, Command.EVENT_FLAGS_DELETE, Command.MUTEX_DELETE}
    | {Command.QUEUE_DELETE, Command.TASK_TERMINATE, Command.TASK_EXIT, Command.IRQ_RAISE}
)
# A kernel in software serves in the call what this one raises, handler and all.
RAISES, RAISED = "irq_raise", "no bound: serves the interrupt that it raises"
RELEASES = RELEASES_LATER | {Command.EVENT_FLAGS_SET}  # they may release several tasks
WITHOUT, WITH, MASKED = "without", "with", "irq_off"


@dataclass(frozen=True)
class Bound:
    """A bound in cycles; or why there is none: then `missing` says it."""

    length: Length | None
    missing: str = ""


@dataclass(frozen=True)
class Bounds:
    """Bounds of one call, by row: WITHOUT, WITH a switch, MASKED (the longest span with interrupts
    disabled). `commands`: commands that the call may give to the unit."""

    rows: dict[str, Bound]
    commands: frozenset[Command]


@dataclass(frozen=True)
class Arrival:
    """Way of the core from the unit's request for another task to that task. `held`: the longest
    time for which it takes no interrupt; `switch`: from there to the task's first instruction, or
    to the end of the call that it was left in. `without`: calls whose spans have no bound."""

    held: Length
    switch: Bound
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Shot:
    """One place that makes a call: up to the exits of its own, and what follows a switch there
    (None: it never leaves the core); or why there is no bound of that."""

    functions: frozenset[str]
    before: Longest | str
    after: Longest | str | None

    @property
    def without(self) -> Length | None:
        """The caller goes on; a call that always leaves the core comes back to itself."""
        assert isinstance(self.before, Longest)
        if Exit.END in self.before.exits or not isinstance(self.after, Longest):
            return self.before.exits.get(Exit.END)
        left, back = self.before.exits.get(Exit.CALL), self.after.exits.get(Exit.END)
        return left + back if left and back else None


@dataclass(frozen=True)
class _Switch:
    """Common part of the ends of all switches. `tail`: the longest way from a switch to the end of
    any call that a task may have been left in; `vector`: the interrupt by which the unit asks for
    another task, `entry`: the time before its first instruction; None: there is no unit."""

    tail: Length | str
    vector: Longest | None
    entry: Length
    unit: Unit | None


def bounds(program: Program, measure: Measure) -> dict[str, Bounds]:
    """By call, in the order of the program."""
    return counted(program, measure)[0]


def counted(program: Program, measure: Measure) -> tuple[dict[str, Bounds], Arrival | None]:
    """Bounds by call, in the order of the program; and, with a unit, what an interrupt of it takes
    on the core."""
    explorer = Explorer(program.code, program.ends)
    shots = {start: _shot(explorer, measure, start) for start in program.starts}
    switch = _switch(explorer, measure, shots.values())
    starts: dict[str, set[int]] = {}
    for state in program.states:
        starts.setdefault(state.call, set()).update(_starts(program, shots, state))
    found = {
        call: _bounds([shots[start] for start in sorted(places)], switch)
        for call, places in starts.items()
    }
    if measure.unit is None and RAISES in found:
        found[RAISES] = _none(RAISED)
    return found, _arrival(measure, switch, found)


def _arrival(measure: Measure, switch: _Switch, found: Mapping[str, Bounds]) -> Arrival | None:
    """When the unit is free, the core computes with interrupts enabled; else it may be in the
    longest span without, in an access, or in a switch."""
    unit, vector = switch.unit, switch.vector
    if unit is None or vector is None:
        return None
    division, without = Length(measure.core.divide), []
    held = [division]
    if not unit.free:
        wait = unit.longest_access + measure.slow
        held += [Length(wait, wait, 1), switch.entry + vector.masked]
        for call, each in found.items():
            span = each.rows[MASKED]
            held += [span.length] if span.length else []
            without += [call] if span.missing else []
    way = _with([(switch.entry, vector)], switch.tail)
    return Arrival(max(held, key=lambda each: each.cycles), way, tuple(without))


def _starts(program: Program, shots: Mapping[int, _Shot], state: State) -> list[int]:
    """Addresses that make the call of a row: its own, or all places from which its function is
    called."""
    start = program.start(state)
    if start is not None:
        return [start]
    return [s for s, shot in shots.items() if f"mel_{state.call}" in shot.functions]


def _shot(explorer: Explorer, measure: Measure, start: int) -> _Shot:
    """Explore a place that makes a call; paths without a bound give the reason."""
    try:
        graph = explorer.explore([Node(start)])
    except NoBoundError as error:
        return _Shot(frozenset(), f"no bound: {error}", f"no bound: {error}")
    functions = frozenset(graph.instruction(node).function for node in graph.edges)
    before: Longest | str
    after: Longest | str | None = None
    seeds: dict[Node, Values] = {node: {} for node in graph.resumed}
    served: dict[Node, Earlier] = {}
    kept: dict[Node, Values] = {}
    try:
        before = measure.longest(graph)
        kept = {
            behind: saved(before.values[call])
            for behind, call in graph.called.items()
            if call in before.values
        }
        seeds = {n: {**before.values[m], **kept.get(n, {})} for n, m in graph.resumed.items()}
        served = {node: before.earlier[left] for node, left in graph.resumed.items()}
    except NoBoundError as error:
        before = f"no bound: {error}"
    if seeds:
        try:
            after = _rest(explorer, measure, seeds, served, kept)
        except NoBoundError as error:
            after = f"no bound: {error}"
    return _Shot(functions, before, after)


def _rest(
    explorer: Explorer,
    measure: Measure,
    seeds: dict[Node, Values],
    served: dict[Node, Earlier],
    kept: dict[Node, Values],
) -> Longest:
    """Longest path after a switch to the end of the call that was left; it may be empty. `kept`:
    registers that a function keeps, behind each call that was left."""
    inside = {n: v for n, v in seeds.items() if n.returns or n.address not in explorer.ends}
    found = measure.longest(
        explorer.explore(inside), inside, {n: e for n, e in served.items() if n in inside}, kept
    )
    if len(inside) == len(seeds):
        return found
    return replace(found, exits={Exit.END: Length(), **found.exits})


def _switch(explorer: Explorer, measure: Measure, shots: Iterable[_Shot]) -> _Switch:
    tail = _tail([shot.after for shot in shots if shot.after is not None])
    if measure.unit is None:
        return _Switch(tail, None, Length(), None)
    vector = Node(explorer.labels[VECTORS] + 4 * DISPATCH_VECTOR)
    # With a store of contexts the fetch of the vector is the dispatch.
    fetch = Length()
    if GOES_ON in explorer.code[vector.address].operands:
        waits = measure.unit.waits(Access(Kind.SWITCH))
        fetch = Length(waits, waits, 1)
    longest = measure.longest(explorer.explore([vector]), trap=True)
    return _Switch(tail, longest, Length(INTERRUPT_ENTRY) + fetch, measure.unit)


def _tail(rests: list[Longest | str]) -> Length | str:
    found = [Length()]
    for rest in rests:
        if isinstance(rest, str):
            return rest
        found += [rest.exits[Exit.END]] if Exit.END in rest.exits else []
    return _most(found) or Length()


def _none(why: str) -> Bounds:
    return Bounds(dict.fromkeys((WITHOUT, WITH, MASKED), Bound(None, why)), frozenset())


def _bounds(shots: list[_Shot], switch: _Switch) -> Bounds:
    masked: list[Length] = []
    for part in [part for shot in shots for part in (shot.before, shot.after)]:
        if isinstance(part, str):
            return _none(part)
        masked += [part.masked] if part else []
    befores = [shot.before for shot in shots if isinstance(shot.before, Longest)]
    commands = frozenset(command for each in befores for command in each.commands)
    without = _most(each for each in (shot.without for shot in shots) if each)
    ways = [(Length(), before) for before in befores]
    later = commands & RELEASES_LATER
    if switch.vector is not None and switch.unit is not None and later:
        rest, release = switch.unit.rest(later), switch.unit.release(later)
        masked.append(Length(rest, rest) + switch.entry + switch.vector.masked)
        begin = (without or Length()) + Length(release, release, 1)
        ways.append((begin + switch.entry, switch.vector))
    rows = {WITHOUT: Bound(without), WITH: _with(ways, switch.tail), MASKED: Bound(_most(masked))}
    return Bounds(rows, commands)


def _with(ways: list[tuple[Length, Longest]], tail: Length | str) -> Bound:
    """The longest of several ways to another task. One that was left in a call ends it; any other
    has its first instruction."""
    found = []
    for before, longest in ways:
        for kind, length in longest.exits.items():
            if kind == Exit.CALL:
                if isinstance(tail, str):
                    return Bound(None, tail)
                found.append(before + length + tail)
            elif kind != Exit.END:
                found.append(before + length)
    return Bound(_most(found))


def _most(lengths: Iterable[Length]) -> Length | None:
    return max(lengths, key=lambda each: each.cycles, default=None)
