# SPDX-License-Identifier: Apache-2.0
"""Paths through a placed program: one node per word and way in which it executes.

A word executes by itself, or as the slot of a taken branch: then the target comes behind it, and it
is annulled unless the branch says `after next`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from melanion.micro.source import leaves
from melanion.micro.tables import TABLE, Tables
from melanion.micro.word import Word


@dataclass(frozen=True)
class Node:
    """`branch`: address of the taken branch whose slot this is."""

    address: int
    branch: int | None = None
    annulled: bool = False


class Graph:
    """`entries`: written entries and slots by name, of these when `slots` names some. `idle` has no
    successors here: every entry begins a path of its own."""

    def __init__(
        self, tables: Tables, words: Mapping[int, Word], slots: Collection[str] | None = None
    ) -> None:
        self.tables, self.words = tables, words
        named = {n: at for n, at in tables.slots.items() if slots is None or n in slots}
        self.entries = {n: at for n, at in named.items() if at in words and n != "idle"}
        self.idle, self._irq_end = (tables.slots.get(name, -1) for name in ("idle", "irq_end"))

    def successors(self, node: Node, *, irq: bool | None = None) -> list[Node]:
        """Nodes that come next; `irq`: an interrupt is served, or not (None: both)."""
        if node.branch is not None:
            targets = self.targets(self.words[node.branch], irq)
            return [Node(address) for address in targets]
        word = self.words.get(node.address)
        if word is None:
            return []
        found = []
        if branches(word):
            found.append(Node(node.address + 1, node.address, bool(word.get("annul"))))
        if not leaves(word):
            found.append(Node(node.address + 1))
        return found

    def targets(self, word: Word, irq: bool | None = None) -> list[int]:
        """Targets of a taken branch; nowhere for `idle`."""
        if word.has("branch", "idle"):
            return []
        if word.get("finish_to"):
            idle, irq_end = self.idle, self._irq_end
            ends = {True: [irq_end], False: [idle], None: [idle, irq_end]}
            return [at for at in ends[irq] if at in self.words]
        if word.has("branch", "case"):
            return [word.get("next") + number for number in range(TABLE)]
        return [word.get("next")]

    def reached(self, starts: Iterable[Node], *, irq: bool | None = None) -> dict[Node, list[Node]]:
        """Nodes that paths from here reach, with the nodes before them."""
        before: dict[Node, list[Node]] = {node: [] for node in starts}
        waiting = list(before)
        while waiting:
            node = waiting.pop()
            for successor in self.successors(node, irq=irq):
                if successor not in before:
                    before[successor] = []
                    waiting.append(successor)
                before[successor].append(node)
        return before

    @cached_property
    def starts(self) -> list[Node]:
        """First nodes of all paths."""
        idle = [Node(self.idle)] if self.idle in self.words else []
        return idle + [Node(address) for address in self.entries.values()]

    @cached_property
    def idle_slot(self) -> Node | None:
        """The node behind `idle`, before every entry."""
        word = self.words.get(self.idle)
        if word is None or not word.has("branch", "idle"):
            return None
        return Node(self.idle + 1, self.idle, bool(word.get("annul")))


def branches(word: Word) -> bool:
    """Its branch may be taken."""
    return bool(word.get("branch")) and (not word.get("predicate") or bool(word.get("finish_to")))


def longest(graph: Graph) -> dict[str, int]:
    """Words of the longest path from each entry to `idle`, that and its slot included. A loop
    counts as one round of all its words."""
    found: dict[str, int] = {}
    for irq in (False, True):
        starts = {n: Node(at) for n, at in graph.entries.items() if (n == "irq") == irq}

        def following(node: Node, irq: bool = irq) -> list[Node]:
            return [n for n in graph.successors(node, irq=irq) if n.address != graph.idle]

        lengths: dict[Node, int] = {}
        for loop in components(starts.values(), following):
            members = set(loop)
            behind = [n for node in loop for n in following(node) if n not in members]
            length = len(loop) + max((lengths[node] for node in behind), default=0)
            lengths.update(dict.fromkeys(loop, length))
        found |= {name: lengths[node] + 2 for name, node in starts.items()}
    return found


def loops(graph: Graph) -> list[list[Node]]:
    """Sets of words that can follow themselves without `idle`."""

    def following(node: Node) -> list[Node]:
        return [n for n in graph.successors(node) if n.address != graph.idle]

    starts = [Node(address) for address in graph.entries.values()]
    return [loop for loop in components(starts, following) if len(loop) > 1]


def components(starts: Iterable[Node], following: Callable[[Node], list[Node]]) -> list[list[Node]]:
    """Strongly connected components, those behind before those that lead to them (Tarjan)."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    standing: set[Node] = set()
    found: list[list[Node]] = []
    for start in starts:
        work = [] if start in order else [(start, iter(following(start)))]
        if work:
            order[start] = low[start] = len(order)
            stack.append(start)
            standing.add(start)
        while work:
            node, successors = work[-1]
            successor = next(successors, None)
            if successor is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    place = stack.index(node)
                    found.append(stack[place:])
                    standing.difference_update(stack[place:])
                    del stack[place:]
            elif successor not in order:
                order[successor] = low[successor] = len(order)
                stack.append(successor)
                standing.add(successor)
                work.append((successor, iter(following(successor))))
            elif successor in standing:
                low[node] = min(low[node], order[successor])
    return found
