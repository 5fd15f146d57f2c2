# SPDX-License-Identifier: Apache-2.0
"""Values that words further on still need: a path forgets the others, so that paths meet again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from melanion.micro.graph import Graph, Node
from melanion.micro.meaning import Meaning


class Liveness:
    """`before`: names of values that are needed before each word, as it executes; for `counted`
    words their numbers there."""

    def __init__(
        self, graph: Graph, meanings: Mapping[int, Meaning], counted: Mapping[int, int]
    ) -> None:
        self.graph, self._meanings, self._counted = graph, meanings, counted

    @cached_property
    def before(self) -> dict[Node, frozenset[str | int]]:
        """Least fixpoint over all paths."""
        reached = self.graph.reached(self.graph.starts)
        found: dict[Node, frozenset[str | int]] = dict.fromkeys(reached, frozenset())
        waiting = set(reached)
        while waiting:
            node = waiting.pop()
            behind = [found[n] for n in self.graph.successors(node) if n in found]
            needed = self._needed(node, frozenset().union(*behind))
            if needed != found[node]:
                found[node] = needed
                waiting.update(reached[node])
        return found

    def _needed(self, node: Node, behind: frozenset[str | int]) -> frozenset[str | int]:
        word = self._meanings.get(node.address)
        if word is not None and word.branch == "idle":
            return frozenset()
        needed = set(behind - {"memory", "coming", "last"})
        if "memory" in behind or ("coming" in behind and not (word and word.read)):
            needed.add("coming")
        if word is None:  # nothing is written there: it is annulled
            return frozenset(needed)
        if not node.annulled and word.target and not word.predicate:
            needed.discard(word.target)
        if not node.annulled:
            needed.update(word.uses())
            needed.update({self._counted[n] for n in (node.address,) if n in self._counted})
        if word.tests_last:
            needed.add("last")
        if word.tests_memory:
            needed.add("memory")
        if word.test == "no_argument":
            needed.add("argument")
        return frozenset(needed)
