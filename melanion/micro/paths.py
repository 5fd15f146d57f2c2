# SPDX-License-Identifier: Apache-2.0
"""Every path that a step may take through the program, with its cycles.

A state is the word that executes next, how long both list engines are still busy, and what the
path knows of values that later words test. All contents are free: a test that the path knows
nothing of goes both ways. Timing: heads of hw/engine/mel_engine.sv and mel_lists.sv.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from melanion.micro.branches import CASE_BIT
from melanion.micro.errors import Place as SourcePlace
from melanion.micro.graph import Graph, Node
from melanion.micro.liveness import Liveness
from melanion.micro.meaning import CARRY_16, OF_MEMORY, Meaning, meaning
from melanion.micro.tables import TABLE
from melanion.micro.values import (
    FULL,
    Source,
    Sources,
    Value,
    add,
    bitwise,
    by_lanes,
    constant,
    of_source,
    outcomes,
    resolve,
)
from melanion.micro.word import Word

FREE = Value()
ARGUMENT, RECORD = 0, 1  # sources at the first word of a step
HELD = 0x6000_0000  # due, suspended
DUE = 0x4000_0000
CASE = 0x0700_0000
REFUSAL = Value(1 << 31, 1 << 31)  # a status below 0 in the highest byte

# Cycles behind the word whose operation an engine accepts: those in which it is busy, and those
# before its outcome is known (mel_lists: idle_o, outcome_o).
BUSY = {"tail": 2, "head": 2, "remove": 5, "walk": 5, "first": 2}
OUTCOME = {"tail": 1, "head": 1, "remove": 4, "first": 2}
SEARCH = 16  # likewise, of a search of mel_flag_lanes among the most tasks that it has
RESTS = 1  # cycles more before the ready lists let `idle` end (mel_unit, ready_rests_q)
SETTLES = 2  # cycles more before `idle` ends with several cores: the best task of each follows


class Place(NamedTuple):
    """A word. `target`: it is behind a taken branch, and this follows it."""

    address: int
    target: int | None = None
    annulled: bool = False


class State(NamedTuple):
    """Before a word. `flag`, `carry`: None unless the word looks at them. `waits`, `ready`,
    `outcome`, `search`: cycles for which the engines are busy. `left`: rounds that loops may still
    take."""

    place: Place
    flag: bool | None
    carry: bool | None
    waits: int
    ready: int
    outcome: int
    search: int
    known: tuple[tuple[str, Value], ...]
    sources: tuple[tuple[int, Source], ...]
    left: tuple[int, ...]


class Move(NamedTuple):
    """A word that executes: its cycles, how it answers the request, the operation that a list
    accepts, and the state behind it. None: the step has ended."""

    cycles: int
    answer: str | None
    removes: frozenset[str]
    state: State | None


@dataclass(frozen=True)
class _Fork:
    """A way in which a word executes. `values`: behind it; `memory` is still that before it."""

    sources: Sources
    values: dict[str, Value]
    busy: tuple[int, int, int, int]
    carry: int | None = None
    removes: frozenset[str] = frozenset()


class Paths:
    """`irq`: the step serves an interrupt. `counted`: words that loops are counted by, in the order
    of `State.left`."""

    def __init__(self, graph: Graph, counted: tuple[int, ...] = (), *, irq: bool = False) -> None:
        self.graph = graph
        self.counted = {address: index for index, address in enumerate(counted)}
        self.meanings = {at: meaning(word) for at, word in graph.words.items()}
        self._pass = meaning(Word(graph.tables, SourcePlace("", 0), "pass"))
        self._live = Liveness(graph, self.meanings, self.counted).before
        self._end = graph.tables.slots["irq_end"] if irq else graph.idle
        numbers = graph.tables.machine.device_reads
        self._refusals = {f"device {numbers[n].number}" for n in ("refusal",) if n in numbers}

    def begin(self, address: int, left: tuple[int, ...]) -> list[State]:
        """States in which a step begins at an entry."""
        values = {name: of_source(RECORD) for name in ("memory", "coming")}
        values |= {"argument": of_source(ARGUMENT), "zero": constant(0)}
        fork = _Fork({ARGUMENT: Source(), RECORD: Source()}, values, (0, 0, 0, 0))
        word = self.meanings[address]
        flags = [True, False] if word.looks == "flag" else [None]
        return [self._state(Place(address), fork, flag, None, left) for flag in flags]

    def moves(self, state: State) -> Iterator[Move]:
        """Ways in which the word of a state executes."""
        place = state.place
        if place.address == self.graph.idle:
            yield Move(max(state.waits, state.ready), None, frozenset(), None)
            return
        left = self._count(state)
        if left is None:
            return
        word = self.meanings.get(place.address, self._pass)
        stall = 0 if place.annulled else _stall(word, state)
        holds = _holds(word, state)
        active = not place.annulled and (holds or not word.predicate)
        taken = not place.annulled and holds and word.leaves
        for fork in self._execute(word, state, stall, active=active):
            answer = self._answer(word, fork) if active and word.done else None
            for following, forked in self._following(word, place, fork, taken=taken):
                for reached in self._tested(word, following, forked, left):
                    yield Move(stall + 1, answer, fork.removes, reached)

    def _count(self, state: State) -> tuple[int, ...] | None:
        """Rounds that are left behind the word; None: it begins one too many."""
        index = self.counted.get(state.place.address)
        if index is None or state.place.annulled:
            return state.left
        left = list(state.left)
        left[index] -= 1
        return tuple(left) if left[index] >= 0 else None

    # ---- one word --------------------------------------------------------------------------------

    def _execute(self, word: Meaning, state: State, stall: int, *, active: bool) -> Iterator[_Fork]:
        sources, values = dict(state.sources), dict(state.known)
        accepted = [(word.ready, sources)]
        if active and word.unless_held and word.ready != "none":
            held = outcomes(values.get("memory", FREE), HELD, 0, sources)
            accepted = [(word.ready if free else "none", facts) for free, facts in held]
            if word.or_due:
                accepted = list(self._or_due(word, values.get("memory", FREE), held))
        result, carry = self._result(word, values, sources)
        behind = {**values, "tested": values.get("last", FREE), "last": result}
        if active and word.target and word.target != "zero":
            behind[word.target] = result
        passed = stall + 1
        for ready, facts in accepted:
            before = (state.waits, state.ready, state.outcome, state.search)
            busy = [max(0, n - passed) for n in before]
            removes = []
            if active:
                busy[0] = BUSY.get(word.waits, busy[0])
                busy[1] = BUSY[ready] + RESTS if ready in BUSY else busy[1]
                busy[2] = OUTCOME.get(ready, busy[2])
                busy[3] = SEARCH if word.scans else busy[3]
                lists = ("waits", word.waits), ("due" if word.due else "ready", ready)
                removes = [f"{name}.remove" for name, op in lists if op == "remove"]
            engines = (busy[0], busy[1], busy[2], busy[3])
            yield _Fork(facts, behind, engines, carry, frozenset(removes))

    def _or_due(
        self, word: Meaning, memory: Value, held: list[tuple[bool, Sources]]
    ) -> Iterator[tuple[str, Sources]]:
        """The operation of `ready.tail(…) or due.remove`."""
        for free, facts in held:
            if free:
                yield word.ready, facts
            else:
                for due, known in outcomes(memory, DUE, DUE, facts):
                    yield "remove" if due else "none", known

    def _result(
        self, word: Meaning, values: dict[str, Value], sources: Sources
    ) -> tuple[Value, int | None]:
        a, b = (resolve(values.get(name, FREE), sources) for name in (word.a, word.b))
        if word.a in self._refusals:
            a = REFUSAL
        if word.b == "constant":
            b = constant(word.constant)
        if word.alu not in ("add", "sub"):
            return by_lanes(word.lanes, bitwise(word.alu, a, b), a), None
        total, carry = add(a, b, subtract=word.alu == "sub")
        return by_lanes(word.lanes, total, a), None if word.position >= CARRY_16 else carry

    def _answer(self, word: Meaning, fork: _Fork) -> str:
        """The kind of answer: `ok`, `waits`, `refused`."""
        if word.note and word.immediate >> self._waits & 1:
            return "waits"
        if not word.note and not word.status:
            return "refused" if word.immediate >> 7 else "ok"
        result = resolve(fork.values["last"], fork.sources)
        if not result.known >> 31:
            return "ok or refused"
        return "refused" if result.value >> 31 else "ok"

    @cached_property
    def _waits(self) -> int:
        return self.graph.tables.machine.note_flags["waits"]

    # ---- the word behind -------------------------------------------------------------------------

    def _following(
        self, word: Meaning, place: Place, fork: _Fork, *, taken: bool
    ) -> Iterator[tuple[Place, _Fork]]:
        if place.target is not None:
            yield Place(place.target), fork
        elif not taken:
            if not (word.leaves and word.always):
                yield Place(place.address + 1), fork
        elif word.branch == "case":
            memory = fork.values.get("memory", FREE)
            for number in range(TABLE):
                slot = Place(place.address + 1, word.next + number, word.annul)
                for equal, facts in outcomes(memory, CASE, number << CASE_BIT, fork.sources):
                    if equal:
                        yield slot, replace(fork, sources=facts)
        else:
            target = self._end if word.finish_to else word.next
            yield Place(place.address + 1, target, word.annul), fork

    def _tested(
        self, word: Meaning, following: Place, fork: _Fork, left: tuple[int, ...]
    ) -> Iterator[State]:
        """States behind a word: with what its test or carry is, when the next word looks at it."""
        behind = self.meanings.get(following.address)
        looks = behind.looks if behind and not following.annulled else None
        if looks == "carry":
            carries = [True, False] if fork.carry is None else [bool(fork.carry)]
            for carry in carries:
                yield self._state(following, fork, None, carry, left, word)
        elif looks == "flag":
            for flag, facts in self._test(word, fork):
                yield self._state(following, replace(fork, sources=facts), flag, None, left, word)
        else:
            yield self._state(following, fork, None, None, left, word)

    def _test(self, word: Meaning, fork: _Fork) -> list[tuple[bool, Sources]]:
        """The flag that a word makes, with what each says of values."""
        mask, number = FULL, 0
        value = fork.values.get("memory", FREE)
        if word.test == "bit":
            mask = number = 1 << word.position
        if word.tests_last:
            value = fork.values.get("tested", FREE)
        elif word.test == "no_argument":
            value = fork.values.get("argument", FREE)
        elif not word.tests_memory:
            return [(True, fork.sources), (False, fork.sources)]
        mask = OF_MEMORY.get(word.test, mask)
        found = outcomes(value, mask, number, fork.sources)
        if word.test in ("held", "wait"):  # bits that are not 0; `wait` asks for more
            found = [(not equal, facts) for equal, facts in found]
        if word.test == "wait" and (True, fork.sources) not in found:
            found.append((False, fork.sources))
        return found

    def _state(
        self,
        place: Place,
        fork: _Fork,
        flag: bool | None,
        carry: bool | None,
        left: tuple[int, ...],
        word: Meaning | None = None,
    ) -> State:
        """Forgets what no word behind needs, and numbers sources anew, so that paths meet."""
        values, sources = dict(fork.values), dict(fork.sources)
        if word is not None:
            values["memory"] = values.get("coming", FREE)
            if word.read:
                fresh = max(sources, default=0) + 1
                sources[fresh] = Source()
                values["coming"] = of_source(fresh)
        before = None if place.target is None else place.address - 1
        live = self._live.get(Node(place.address, before, place.annulled), frozenset())
        known: list[tuple[str, Value]] = []
        numbers: dict[int, int] = {}
        for name in sorted(name for name in values if name in live):
            value = resolve(values[name], sources)
            if value.source >= 0:
                value = value._replace(source=numbers.setdefault(value.source, len(numbers)))
            if value != FREE:
                known.append((name, value))
        facts = tuple((new, sources[old]) for old, new in numbers.items())
        left = tuple(rounds if i in live else 0 for i, rounds in enumerate(left))
        return State(place, flag, carry, *fork.busy, tuple(known), facts, left)


def _stall(word: Meaning, state: State) -> int:
    """Cycles for which a word waits for list engines."""
    stall = 0
    if word.waits != "none" or word.test == "waiter":
        stall = state.waits
    if word.ready != "none":
        stall = max(stall, state.ready - RESTS)
    if word.matched:
        stall = max(stall, state.search)
    return max(stall, state.outcome) if word.done else stall


def _holds(word: Meaning, state: State) -> bool:
    if word.branch == "none":
        return False
    if word.looks is None:
        return True
    holds = state.flag if word.looks == "flag" else state.carry
    return bool(holds) != word.branch.startswith("not_")
