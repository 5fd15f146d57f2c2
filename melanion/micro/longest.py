# SPDX-License-Identifier: Apache-2.0
"""Longest paths of steps: when a request is answered at the latest, and when the next is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from melanion.micro.paths import Move, Paths, State


class Longest(NamedTuple):
    """Cycles from a word on. `answer`: up to its answer; `step`: up to the next choice; `after`:
    from the answer up to there."""

    answer: int
    step: int
    after: int


# By the answer, None before it or without one, and the marked words that a path goes through.
Key = tuple[str | None, frozenset[str]]
Found = dict[Key, Longest]


class Search:
    """Longest paths, with memory. `marks`: names of words that rows distinguish; `removes`: lists
    from which a path removes that they do."""

    def __init__(self, paths: Paths, marks: Mapping[int, str], removes: frozenset[str]) -> None:
        self._paths, self._marks, self._wanted = paths, marks, removes
        self._found: dict[State, Found] = {}

    def longest(self, address: int, left: tuple[int, ...]) -> Found:
        """Longest paths of a step that begins at an entry, from its first word on."""
        found: Found = {}
        for state in self._paths.begin(address, left):
            self._visit(state)
            _merge(found, self._found[state])
        return found

    def _visit(self, start: State) -> None:
        """Depth first, without recursion: paths are long."""
        if start in self._found:
            return
        moves = {start: list(self._paths.moves(start))}
        work = [(start, iter(moves[start]))]
        while work:
            state, rest = work[-1]
            move = next(rest, None)
            if move is None:
                work.pop()
                self._found[state] = self._joined(state, moves.pop(state))
            elif move.state is not None and move.state not in self._found:
                if move.state in moves:
                    raise LoopError(move.state.place.address)
                moves[move.state] = list(self._paths.moves(move.state))
                work.append((move.state, iter(moves[move.state])))

    def _joined(self, state: State, moves: list[Move]) -> Found:
        found: Found = {}
        mark = None if state.place.annulled else self._marks.get(state.place.address)
        for move in moves:
            if move.state is None:
                _merge(found, {(None, frozenset()): Longest(0, move.cycles, 0)})
                continue
            own = self._wanted & move.removes | ({mark} if mark else frozenset())
            for (answer, marks), behind in self._found[move.state].items():
                through = marks | own
                step = move.cycles + behind.step
                if move.answer:
                    longest = Longest(move.cycles, step, behind.step)
                else:
                    longest = Longest(move.cycles + behind.answer, step, behind.after)
                _merge(found, {(move.answer or answer, through): longest})
        return found


class LoopError(Exception):
    """A path comes to a word again, and nothing counts how often."""

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.address = address


def _merge(found: Found, more: Found) -> None:
    for key, longest in more.items():
        other = found.get(key, longest)
        found[key] = Longest(*map(max, longest, other))
