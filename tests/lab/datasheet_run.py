# SPDX-License-Identifier: Apache-2.0
"""A short run of the benchmark `calls` in which every instruction reports itself."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from mel_gen import TraceKind

from melanion import build, paths, trace
from melanion.build import tools
from melanion.build.listing import Instruction
from melanion.claims import load
from melanion.config import System
from melanion.datasheet.graph import Explorer, Graph, NoBoundError, Node
from melanion.datasheet.path import Longest, Measure
from melanion.datasheet.program import Program

SOURCE = paths.data_root() / "apps" / "benchmarks" / "calls"
PROBED = 0xFFFF  # the tracepoint that stands for "this instruction is first in the ID stage"
SHORT = (
    (
        "ROUNDS_QUIET = 26, ROUNDS = 10, ROUNDS_MANY = 4",
        "ROUNDS_QUIET = 1, ROUNDS = 1, ROUNDS_MANY = 1",
    ),
    ("environment < ENVIRONMENTS; environment++", "environment <= QUIET; environment++"),
)
CYCLES = 3_000_000  # more than the short program takes


@dataclass(frozen=True)
class Edge:
    """An instruction behind another and before a third, and for how many cycles it was the last
    that had entered the ID stage."""

    before: Instruction
    instruction: Instruction
    following: Instruction
    cycles: int


class Walk:
    """The run, and what the data sheet knows of its calls."""

    def __init__(self, system: System, measure: Measure, folder: Path) -> None:
        self.system, self.measure = system, measure
        for path in SOURCE.iterdir():
            text = path.read_text(encoding="utf-8")
            for old, new in SHORT if path.name == "main.c" else ():
                assert text.count(old) == 1, old
                text = text.replace(old, new)
            (folder / path.name).write_text(text, encoding="utf-8")
        self.built = build.program(system, build.application(folder))
        definition = load("calls")
        self.program = Program(self.built.elf, self.built.tracepoints, definition)

    @cached_property
    def graphs(self) -> list[tuple[Graph, Longest]]:
        """Those of all calls that have a bound, and of their ends."""
        explorer = Explorer(self.program.code, self.program.ends)
        found = []
        for start in self.program.starts:
            try:
                graph = explorer.explore([Node(start)])
                longest = self.measure.longest(graph)
                found.append((graph, longest))
                rest = {n: longest.values[left] for n, left in graph.resumed.items()}
                if inside := {n: v for n, v in rest.items() if n.returns}:
                    graph = explorer.explore(inside)
                    found.append((graph, self.measure.longest(graph, inside)))
            except NoBoundError:
                continue
        return found

    @cached_property
    def of_calls(self) -> set[int]:
        """The addresses of their instructions."""
        return {node.address for graph, _ in self.graphs for node in graph.edges}

    @cached_property
    def of_unit(self) -> set[int]:
        """Addresses of the instructions that may access the unit."""
        return {
            node.address
            for graph, longest in self.graphs
            for node in graph.edges
            for access in self.measure.accesses(graph.instruction(node), longest.values[node])
            if access.kind.unit
        }

    def edges(self) -> list[Edge]:
        """All different ones, but those that an interrupt cut."""
        events = self._events()
        probed = np.flatnonzero((events["kind"] == TraceKind.TRACEPOINT) & (events["a"] == PROBED))
        traps = np.cumsum(np.isin(events["kind"], [TraceKind.TRAP, TraceKind.MRET]))[probed]
        cycles, address = events["cycle"][probed].astype(np.int64), events["b"][probed]
        whole = traps[2:] == traps[:-2]
        table = np.stack([address[:-2], address[1:-1], address[2:], np.diff(cycles)[1:]], axis=1)
        code = self.program.code
        return [
            Edge(code[before], code[here], code[after], cycles)
            for before, here, after, cycles in np.unique(table[whole], axis=0).tolist()
        ]

    def _events(self) -> trace.Events:
        tracepoints = self.built.tracepoints.read_text(encoding="ascii")
        tracepoints += "".join(
            f"{address:x} {TraceKind.TRACEPOINT:d} i{PROBED} i{address} i0 i0\n"
            for address in self.program.code
        )
        simulator = build.hardware(self.system).simulator
        with tempfile.TemporaryDirectory(prefix="melanion-") as name:
            work = Path(name)
            (work / "tracepoints").write_text(tracepoints, encoding="ascii")
            words = [simulator, "--image", self.built.image, "--tracepoints", work / "tracepoints"]
            words += ["--trace", work / "trace", "--console", work / "console"]
            done = tools.run([*map(str, words), "--max-cycles", str(CYCLES)])
            assert done.status == 0, done.output
            return trace.read(work / "trace")
