# SPDX-License-Identifier: Apache-2.0
"""The lean program: that of units without objects to wait for. It has no word that such a unit
never reaches, and so fits into half the store.

Commands about semaphores, event flags, queues and mutexes are refused before their first word. A
word that says `objects only` ends the step there; all that only such words and commands lead to is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from melanion.micro.effects import apply
from melanion.micro.errors import Place, Problems
from melanion.micro.graph import Graph, Node
from melanion.micro.placement import Placement
from melanion.micro.source import Label, Segment, labels
from melanion.micro.tables import Tables
from melanion.micro.word import Word

KINDS = ("semaphore", "event_flags", "queue", "mutex")  # kinds of spec/commands.yaml

# Words by address; addresses of labels and slots; slots where requests begin.
Words = tuple[dict[int, Word], dict[str, int], frozenset[str]]


def lean(segments: Iterable[Segment], words: Mapping[int, Word], tables: Tables) -> Words:
    """The lean program, in `lean_words` of machine.yaml. `segments`: of the whole program, freshly
    parsed; `words`: the whole program. Raises MicroError."""
    reached = {(word.place, word.text) for word in _reached(words, tables)}
    machine = tables.machine.model_copy(update={"words": tables.lean_words})
    problems = Problems()
    placement = Placement(replace(tables, machine=machine), problems, whole=False)
    runs = [run for segment in segments for run in _runs(segment, reached)]
    placement.place(runs)
    problems.stop()
    slots = frozenset(label.name for label, _ in labels(runs) if label.slot)
    return placement.words, placement.symbols, slots


def _reached(words: Mapping[int, Word], tables: Tables) -> list[Word]:
    """Words that a unit without objects reaches."""
    graph = Graph(tables, {at: _ended(word) for at, word in words.items()})
    refused = {f"command {name}" for name, kind in _kinds(tables).items() if kind in KINDS}
    starts = [Node(at) for name, at in graph.entries.items() if name not in refused]
    found = graph.reached([Node(graph.idle), *starts])
    return [
        words[node.address]
        for node in found
        # A word that is fetched behind a branch by accident has no effect.
        if node.address in words and (not node.annulled or words[node.address].slot)
    ]


def _kinds(tables: Tables) -> dict[str, str]:
    """Kind of the number of every command and query."""
    commands, queries = tables.spec.commands.commands, tables.spec.registers.queries
    kinds: dict[str, str] = {name: row.id for name, row in commands.items()}
    return kinds | {name: row.id for name, row in queries.items()}


def _ended(word: Word) -> Word:
    """The word, or the end of the step."""
    if not word.objects_only:
        return word
    end = Word(word.tables, word.place, word.text, word.comment)
    apply(end, "end")
    return end


def _runs(segment: Segment, reached: set[tuple[Place, str]]) -> list[Segment]:
    """The stretches of a segment that are reached. Only the first words of it keep an address."""
    runs: list[Segment] = []
    last = -2
    for index, word in enumerate(segment.words):
        if (word.place, word.text) not in reached:
            continue
        if index != last + 1:
            first = index == 0
            runs.append(
                Segment(
                    word.place,
                    segment.address if first else None,
                    segment.what if first else "",
                    segment.table and first,
                    own=segment.own,
                )
            )
        last = index
        run = runs[-1]
        for label in segment.labels:
            if label.index == index:
                run.labels.append(Label(label.name, label.place, len(run.words), label.slot))
        run.words.append(_ended(word))
    return runs
