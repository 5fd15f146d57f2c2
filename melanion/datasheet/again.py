# SPDX-License-Identifier: Apache-2.0
"""Loops in which a call asks the unit again (kernel/unit/unit.h), and what a longest path takes of
them.

A command that is answered E_BUSY is asked again until what an earlier deletion or end left is
cleared away. How often is not counted: the path goes on behind the first answer. An answer that is
`unsettled` is loaded again until the chain of owners ends that the command has begun; that is
counted (`Unit.settling`), and one round more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from melanion.datasheet.core import BRANCHES, LOADS, PLAIN
from melanion.datasheet.graph import Graph, Node, Place

Edge = tuple[Node, Place]
BACK = "beq"  # asks again when the answer is equal
DECIDES = PLAIN | BRANCHES | {"j"}


@dataclass(frozen=True)
class Again:
    """Loops of this form; what they compare and load is looked at by Measure. `branches`: their way
    back is left out; `loads`: each is the only access of its loop, with the edges of a round."""

    branches: frozenset[Node]
    loads: dict[Node, frozenset[Edge]]


def opened(graph: Graph) -> tuple[Graph, Again]:
    """The graph without these loops; others stay."""
    branches = frozenset(node for node in graph.waiting() if _goes_back(graph, node))
    graph = _without(graph, {(b, place) for b in branches for place in _backs(graph, b)})
    loads = {node: edges for node in graph.waiting() if (edges := _round(graph, node))}
    closing: set[Edge] = {edge for edges in loads.values() for edge in edges if edge[1] in loads}
    return _without(graph, closing), Again(branches, loads)


def _without(graph: Graph, edges: set[Edge]) -> Graph:
    left = {
        node: tuple(place for place in places if (node, place) not in edges)
        for node, places in graph.edges.items()
    }
    return replace(graph, edges=left)


def _backs(graph: Graph, node: Node) -> Iterator[Place]:
    """Earlier instructions to which it leads."""
    for place in graph.edges[node]:
        if isinstance(place, Node) and place.address <= node.address:
            yield place


def _goes_back(graph: Graph, node: Node) -> bool:
    """A branch that closes a loop."""
    if graph.instruction(node).mnemonic != BACK:
        return False
    return any(node in _behind(graph, place) for place in _backs(graph, node))


def _round(graph: Graph, load: Node) -> frozenset[Edge]:
    """Edges of the loop through a load that has no other access; else none."""
    behind = _behind(graph, load)
    if graph.instruction(load).mnemonic not in LOADS or load not in behind:
        return frozenset()
    inside = {node for node in behind if load in _behind(graph, node)}
    if any(graph.instruction(node).mnemonic not in DECIDES for node in inside - {load}):
        return frozenset()
    return frozenset(
        (node, place) for node in inside for place in graph.edges[node] if place in inside
    )


def _behind(graph: Graph, place: Place) -> set[Node]:
    """Nodes that follow a place, itself only in a loop."""
    seen: set[Node] = set()
    todo = [place]
    while todo:
        node = todo.pop()
        if isinstance(node, Node):
            found = [n for n in graph.edges[node] if isinstance(n, Node) and n not in seen]
            seen.update(found)
            todo += found
    return seen
