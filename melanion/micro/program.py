# SPDX-License-Identifier: Apache-2.0
"""The assembled program, and `assemble`, which makes it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from melanion import paths
from melanion.micro.checks import check
from melanion.micro.effects import apply
from melanion.micro.errors import Place, Problems
from melanion.micro.graph import Graph
from melanion.micro.lean import lean
from melanion.micro.placement import Placement
from melanion.micro.source import Segment, parse
from melanion.micro.tables import FOLDER, Tables, load_tables
from melanion.micro.word import Word
from melanion.spec import Spec, load
from melanion.spec.own import OwnCommands


@dataclass(frozen=True)
class Program:
    """`words`: written ones, by address. `symbols`: addresses of labels and slots. `size`: words of
    its store. `slots`: where requests begin; None: at all that are written. `features`: of the
    units that execute it."""

    tables: Tables
    words: dict[int, Word]
    symbols: dict[str, int]
    size: int
    slots: frozenset[str] | None = None
    features: frozenset[str] = frozenset()

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.tables, self.words, self.slots)

    @property
    def missing(self) -> list[str]:
        """Slots and entries that nothing is written for."""
        return [name for name, at in self.tables.slots.items() if at not in self.words]

    @cached_property
    def values(self) -> list[int]:
        """All words of the store. Unwritten commands and accesses answer E_SYS; other words end the
        step."""
        ending, refusing = _filler(self.tables, "end"), _filler(self.tables, "done E_SYS")
        found = [ending] * self.size
        for name, address in self.tables.slots.items():
            if " " in name and not name.startswith("job"):
                found[address] = refusing
        for address, word in self.words.items():
            found[address] = word.encode()
        return found


def assemble(
    folder: Path | None = None,
    spec: Spec | None = None,
    own: OwnCommands | None = None,
    features: Collection[str] = (),
) -> Program:
    """Assemble all `.mu` files of a folder (by default hw/micro), and those of a user behind them,
    for units with these features. Raises MicroError."""
    sources, tables = _read(folder, spec, own)
    program = assemble_texts(sources, tables, _texts(own) if own else {}, features)
    if own:
        _refuse_missing(program, own)
    return program


def assemble_lean(
    folder: Path | None = None, spec: Spec | None = None, own: OwnCommands | None = None
) -> Program:
    """Assemble the lean program (lean.py) likewise. Raises MicroError."""
    sources, tables = _read(folder, spec, own)
    return assemble_lean_texts(sources, tables, _texts(own) if own else {})


def assemble_lanes(
    folder: Path | None = None, spec: Spec | None = None, own: OwnCommands | None = None
) -> Program:
    """Assemble the program of units with lanes for event flags (mel_flag_lanes) likewise. Raises
    MicroError."""
    return assemble(folder, spec, own, ("flag_lanes",))


def _read(
    folder: Path | None, spec: Spec | None, own: OwnCommands | None
) -> tuple[dict[str, str], Tables]:
    folder = folder or paths.data_root() / FOLDER
    facts = spec or load()
    tables = load_tables(folder, own.added_to(facts) if own else facts)
    names = sorted(folder.glob("*.mu"))
    return {path.name: path.read_text(encoding="utf-8") for path in names}, tables


def assemble_texts(
    sources: dict[str, str],
    tables: Tables,
    own: dict[str, str] | None = None,
    features: Collection[str] = (),
) -> Program:
    """Assemble texts by file name; `own`: of a user, by what messages call the file. Raises
    MicroError."""
    problems = Problems()
    segments = _segments(sources, tables, problems, own or {}, features)
    placement = Placement(tables, problems)
    placement.place(segments)
    problems.stop()
    size, of = tables.machine.words, frozenset(features)
    return _checked(Program(tables, placement.words, placement.symbols, size, features=of))


def assemble_lean_texts(
    sources: dict[str, str], tables: Tables, own: dict[str, str] | None = None
) -> Program:
    """Assemble the lean program of texts by file name likewise. Raises MicroError."""
    whole = assemble_texts(sources, tables, own)
    segments = _segments(sources, tables, Problems(), own or {})
    words, symbols, slots = lean(segments, whole.words, tables)
    return _checked(Program(tables, words, symbols, tables.lean_words, slots))


def _segments(
    sources: dict[str, str],
    tables: Tables,
    problems: Problems,
    own: dict[str, str],
    features: Collection[str] = (),
) -> list[Segment]:
    segments: list[Segment] = []
    for name, text in sources.items():
        segments += parse(text, f"{FOLDER}/{name}", tables, problems, features)
    ours = len(segments)
    for name, text in own.items():
        segments += parse(text, name, tables, problems, features)
    for segment in segments[ours:]:
        segment.own = True
    problems.stop()
    return segments


def _checked(program: Program) -> Program:
    problems = Problems()
    check(program.graph, problems)
    problems.stop()
    return program


def _texts(own: OwnCommands) -> dict[str, str]:
    return {own.place(path): path.read_text(encoding="utf-8") for path in own.programs}


def _refuse_missing(program: Program, own: OwnCommands) -> None:
    """A command of a user without words would answer E_SYS."""
    problems = Problems()
    for name in own.rows:
        if f"command {name}" in program.missing:
            files = ", ".join(map(own.place, own.programs))
            problems.add(
                Place(own.name, own.lines[name]),
                f"commands.{name} has no program; write `at command {name}:` in {files}",
            )
    problems.stop()


def _filler(tables: Tables, text: str) -> int:
    word = Word(tables, Place(FOLDER, 0), text)
    apply(word, text)
    return word.encode()
