# SPDX-License-Identifier: Apache-2.0
"""The code of a call as a graph: every path from its first instruction to the one behind it.

A node is an instruction with the return addresses above it, so each call of a function has nodes of
its own and paths that return elsewhere do not exist. A path ends behind the call, or where the core
is left to another task (`Exit`); what follows there is a graph of its own.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from melanion.build.listing import Instruction
from melanion.datasheet.core import BRANCHES, RETURN

# The code that continues with a context that the kernel chose: what `ret`, `mret` and a jump
# through a register mean there (RESUME in kernel/arch/riscv/frame.h).
RESUMES = frozenset({"unit_run", "mel_vector_software", "mel_context_leave"})
# With a store of contexts x3 is where a task goes on.
GOES_ON = "gp"
VECTORS = "mel_vectors"
NEVER = frozenset({"unimp", "ebreak", "wfi", "ecall"})


class Exit(enum.Enum):
    """Ways in which a path can end."""

    END = "the instruction behind the call"
    CALL = "a task that was left in a call"
    PREEMPTED = "a task that was interrupted"
    START = "a task that starts"


class NoBoundError(Exception):
    """Why there is no longest path: a sentence without its end."""


class Node(NamedTuple):
    """An instruction in a call of a call …: `returns`, the innermost last."""

    address: int
    returns: tuple[int, ...] = ()


Place = Node | Exit


@dataclass
class Graph:
    """Nodes and edges that lead to an exit. `resumed`: where calls of this graph go on after a
    switch; `called`: by the node after a call's return, the node of the call."""

    code: Mapping[int, Instruction]
    starts: tuple[Node, ...]
    edges: dict[Node, tuple[Place, ...]] = field(default_factory=dict)
    resumed: dict[Node, Node] = field(default_factory=dict)
    called: dict[Node, Node] = field(default_factory=dict)

    def instruction(self, node: Node) -> Instruction:
        return self.code[node.address]

    def ordered(self) -> list[Node]:
        """Every node before those that follow it. Raises NoBoundError: there is a loop."""
        found, left = self._sorted()
        if left:
            inside = self._inner(left)
            raise NoBoundError(f"loop at {self.instruction(inside).function}")
        return found

    def waiting(self) -> set[Node]:
        """Nodes of loops, and all that follow them."""
        return self._sorted()[1]

    def _sorted(self) -> tuple[list[Node], set[Node]]:
        """Nodes in order, as many as have one; the others."""
        waiting = dict.fromkeys(self.edges, 0)
        for followers in self.edges.values():
            for place in followers:
                if isinstance(place, Node):
                    waiting[place] += 1
        ready = [node for node, count in waiting.items() if count == 0]
        found = []
        while ready:
            node = ready.pop()
            found.append(node)
            for place in self.edges[node]:
                if isinstance(place, Node):
                    waiting[place] -= 1
                    if waiting[place] == 0:
                        ready.append(place)
        return found, {node for node, count in waiting.items() if count}

    def _inner(self, nodes: set[Node]) -> Node:
        """One node of a loop, of those that wait for one: from the first, always back to one that
        it waits for."""
        before: dict[Place, Node] = {}
        for node in nodes:
            before.update(dict.fromkeys(self.edges[node], node))
        node = min(nodes, key=lambda each: (len(each.returns), each.address))
        seen: set[Node] = set()
        while node not in seen:
            seen.add(node)
            node = before[node]
        return node


class Explorer:
    """Makes graphs of a program. `ends`: the instructions behind calls."""

    def __init__(self, code: Mapping[int, Instruction], ends: Iterable[int]) -> None:
        self.code, self.ends = code, frozenset(ends)
        self.labels: dict[str, int] = {}
        for address in sorted(code):
            self.labels.setdefault(code[address].function, address)

    def explore(self, starts: Iterable[Node]) -> Graph:
        """Everything between these nodes and the exits. Raises NoBoundError: an indirect jump."""
        graph = Graph(self.code, tuple(starts))
        todo, followers = list(graph.starts), {}
        while todo:
            node = todo.pop()
            if node in followers:
                continue
            followers[node] = tuple(map(self._stop, dict.fromkeys(self._followers(graph, node))))
            todo += [place for place in followers[node] if isinstance(place, Node)]
        self._keep_what_ends(graph, followers)
        return graph

    @staticmethod
    def _keep_what_ends(graph: Graph, followers: dict[Node, tuple[Place, ...]]) -> None:
        """Paths into the refusal of a panic end nowhere, and are none of a call's."""
        before: defaultdict[Place, list[Node]] = defaultdict(list)
        for node, places in followers.items():
            for place in places:
                before[place].append(node)
        kept: set[Place] = set()
        todo: list[Place] = list(Exit)
        while todo:
            place = todo.pop()
            if place not in kept:
                kept.add(place)
                todo += before[place]
        graph.edges = {
            node: tuple(place for place in places if place in kept)
            for node, places in followers.items()
            if node in kept
        }
        graph.resumed = {k: v for k, v in graph.resumed.items() if v in kept}

    def _followers(self, graph: Graph, node: Node) -> Iterator[Place]:
        """Places to which an instruction may lead."""
        instruction, returns = self.code[node.address], node.returns
        name = instruction.mnemonic
        if name in BRANCHES:
            yield self._at(instruction.after, returns)
            yield self._at(instruction.target, returns)
        elif name in ("ret", "jr", "jalr", RETURN) and instruction.target is None:
            yield from self._indirect(graph, node)
        elif name in ("j", "jr"):
            yield self._at(instruction.target, returns)
        elif name in ("jal", "jalr"):
            behind = Node(instruction.after, returns)
            graph.called[behind] = node
            yield self._at(instruction.target, (*returns, instruction.after))
        elif name not in NEVER:
            yield self._at(instruction.after, returns)

    def _indirect(self, graph: Graph, node: Node) -> Iterator[Place]:
        instruction, returns = self.code[node.address], node.returns
        name = instruction.mnemonic
        if name == "jr" and instruction.operands == (GOES_ON,):
            graph.resumed[self._at(instruction.after, returns)] = node
            yield from (Exit.CALL, Exit.PREEMPTED)
        elif name == RETURN and instruction.function == VECTORS:
            yield from (Exit.CALL, Exit.PREEMPTED)
        elif instruction.function in RESUMES:
            kind = {"ret": Exit.CALL, RETURN: Exit.PREEMPTED, "jr": Exit.START}[name]
            if kind == Exit.CALL and returns:
                graph.resumed[Node(returns[-1], returns[:-1])] = node
            yield kind
        elif name == "ret":
            if returns:
                yield Node(returns[-1], returns[:-1])
        else:
            raise NoBoundError(f"indirect jump at {instruction.function}")

    def _stop(self, place: Place) -> Place:
        """The instruction behind the call is no part of it."""
        ends = isinstance(place, Node) and not place.returns and place.address in self.ends
        return Exit.END if ends else place

    def _at(self, address: int | None, returns: tuple[int, ...]) -> Node:
        assert address is not None
        return Node(address, returns)
