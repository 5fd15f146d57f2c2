# SPDX-License-Identifier: Apache-2.0
"""A sheet for people and programs: tables as text and Markdown, a page, JSON.

Columns that begin with *measured* hold what runs gave, all others what is proved or counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from melanion.area.present import Table
from melanion.datasheet.bounds import MASKED, Bound
from melanion.datasheet.measured import BUSY, FREE, Largest
from melanion.datasheet.sheet import Cell, Row, Sheet
from melanion.report.html import html
from melanion.report.svg import number

SCHEMA = 1
NONE = "–"
WORDS = re.compile(r"^[^\[]*[a-z]{2}")  # in a cell; the address of a link is none
PROOFS = "proofs.md"  # beside docs/reference/datasheet.md
SEQUENCER, PORT = "mel_sequencer", "mel_command"
CLEARING = "no bound: waits for what is cleared away"


@dataclass(frozen=True)
class Section:
    """A heading, sentences, a table; the sentences may link (Markdown)."""

    title: str
    text: str
    table: Table | None = None


def sections(sheet: Sheet) -> list[Section]:
    """The whole sheet. Links are relative to docs/reference."""
    return [*_about(sheet), *_calls(sheet), *_unit(sheet), *_sizes(sheet), *_area(sheet)]


def _about(sheet: Sheet) -> Iterator[Section]:
    rows = tuple(sheet.head.items())
    yield Section("What decides the figures", "", Table(("", ""), rows, left=2))


# ---- calls ---------------------------------------------------------------------------------------


def _calls(sheet: Sheet) -> Iterator[Section]:
    switches = [row for row in sheet.rows if row.row != MASKED]
    spans = [row for row in sheet.rows if row.row == MASKED]
    heads = ("call", "switch", "in the unit", *_heads(sheet))
    yield Section(
        "Cycles of a call", _legend(sheet), Table(heads, tuple(_lines(sheet, switches)), 2)
    )
    masked = tuple((f"`mel_{row.call}`", *_cells(sheet, row)) for row in spans if _any(row))
    text = (
        "The longest span with interrupts disabled that begins in the call, or in the interrupt by"
        " which the unit then asks for another task. Calls that are not here disable nothing."
    )
    yield Section("Interrupts disabled", text, Table(("call", *_heads(sheet)), masked))
    lines = [
        (f"`mel_{row.call}`", row.row, number(seen.cycles), f"{seen.state}; {seen.environment}")
        for row in switches
        for seen in (row.clearing,)
        if seen
    ]
    if lines:
        text = (
            "A call that meets something that is still being cleared away (the waiters of a deleted"
            " object, the messages of a deleted queue, the mutexes of a task that ended) waits"
            " until that is done. How long is not proved, so these values have no bound."
        )
        heads = ("call", "switch", "measured", "in the state")
        yield Section("Behind what is cleared away", text, Table(heads, tuple(lines), 2))


def _heads(sheet: Sheet) -> tuple[str, ...]:
    free = ("measured, unit free", "counted, unit free") if sheet.unit else ()
    return (*free, "measured", "counted", "seen", "state of the largest")


def _legend(sheet: Sheet) -> str:
    served = ""
    if sheet.unit:
        chain = sheet.unit.chain_cycles
        served = (
            " Each access that the unit serves counts at its bound there,"
            f" [{sheet.unit.served_cycles} cycles]({PROOFS}#{SEQUENCER}) whatever else asks for"
            " service; *unit free*: nothing else does. A step of others along a chain of owners,"
            f" which the theorem leaves out, takes at most {chain} cycles more; at most"
            f" {1 + sheet.unit.access_wait} come before an access."
        )
    return (
        "*measured*: the largest value of the experiment `calls`, with its state. *counted*: the"
        " longest path through the compiled code, each instruction at its worst, without a loop and"
        " without an interrupt but the unit's own; *code + unit*: its two parts. *seen*: how much"
        " of the counted value was measured." + served
    )


def _lines(sheet: Sheet, rows: list[Row]) -> Iterator[tuple[str, ...]]:
    steps: dict[str, int] = {}
    for step in sheet.steps:
        steps[step.call] = max(steps.get(step.call, 0), step.cycles)
    before = ""
    for row in rows:
        new = row.call != before
        before = row.call
        unit = f"[{steps[row.call]}]({PROOFS}#{SEQUENCER})" if row.call in steps else NONE
        name = f"`mel_{row.call}`" if new else ""
        yield name, row.row, unit if new else "", *_cells(sheet, row)


def _cells(sheet: Sheet, row: Row) -> Iterator[str]:
    if sheet.unit:
        yield _seen(row.free.measured if row.free else None)
        yield _total(row.free.bound) if row.free else NONE
    yield _seen(row.busy.measured)
    yield _counted(row.busy.bound)
    yield _share(row.busy)
    seen = row.busy.measured
    yield f"{seen.state}; {seen.environment}" if seen and seen.cycles else NONE


def _any(row: Row) -> bool:
    length = row.busy.bound.length
    measured = row.busy.measured
    return bool(
        (measured and measured.cycles) or (length and length.cycles) or row.busy.bound.missing
    )


def _seen(value: Largest | None) -> str:
    return NONE if value is None else number(value.cycles)


def _total(bound: Bound) -> str:
    return bound.missing or (NONE if bound.length is None else number(bound.length.cycles))


def _counted(bound: Bound) -> str:
    """`59 = 15 + 44`: code, unit."""
    length = bound.length
    if length is None or not length.unit:
        return _total(bound)
    code = number(length.cycles - length.unit)
    return f"{number(length.cycles)} = {code} + {number(length.unit)}"


def _share(cell: Cell) -> str:
    return NONE if not cell.share else f"{cell.share:.0%}"


# ---- the rest ------------------------------------------------------------------------------------


def _unit(sheet: Sheet) -> Iterator[Section]:
    if sheet.unit is None:
        return
    unit = sheet.unit
    commands = {step.command.name.lower(): step.cycles for step in sheet.steps}
    groups: dict[int, list[str]] = {}
    for name, cycles in commands.items():
        groups.setdefault(cycles, []).append(f"`{name}`")
    rows = [(number(cycles), ", ".join(sorted(names))) for cycles, names in sorted(groups.items())]
    text = (
        f"A command's own step, proved at full size for any content of memories"
        f" ([{SEQUENCER}]({PROOFS}#{SEQUENCER})); with inheritance along {unit.chain} owners, more"
        " than which this system cannot have. An access is served"
        f" within {unit.served_cycles} cycles, its own step included, and answered in the next one"
        f" ([{PORT}]({PROOFS}#{PORT})). What each command takes in each case is stated in"
        " [constant time](../explanation/constant-time.md#how-many-cycles), and measured, not"
        " proved."
    )
    yield Section("In the unit", text, Table(("cycles, at most", "commands"), tuple(rows), 0))


def _sizes(sheet: Sheet) -> Iterator[Section]:
    parts = sheet.sizes.parts
    rows = [(p.name, *map(number, (p.code, p.constants, p.ram))) for p in parts]
    rows.append(("all", *(number(sum(x)) for x in _columns(sheet))))
    text = "Source files of the kernel, in bytes, in a program that makes every call."
    heads = ("part", "code", "constants", "RAM")
    yield Section("Code", text, Table(heads, tuple(rows)))
    each = [(name, number(value)) for name, value in sheet.sizes.each.items()]
    text = (
        "What one more takes in the core's memory, in bytes; the stack of a task is the program's."
    )
    yield Section("RAM", text, Table(("one of", "bytes"), tuple(each)))


def _columns(sheet: Sheet) -> tuple[list[int], ...]:
    parts = sheet.sizes.parts
    return [p.code for p in parts], [p.constants for p in parts], [p.ram for p in parts]


def _area(sheet: Sheet) -> Iterator[Section]:
    if sheet.area is None:
        return
    sizes = ", ".join(f"{value} {name}" for name, value in sheet.area.sizes.items())
    text = (
        f"Measured, of the {'same' if sheet.area.same else 'nearest measured'} design ({sizes});"
        " ECP5-85k, out of context ([what is counted](../explanation/area.md#what-is-counted))."
    )
    names = {"comb": "cells", "ff": "flip-flops", "bram": "block RAMs", "fmax": "MHz"}
    names |= {"nand2": "NAND2, without memories"}
    figures = sheet.area.figures
    heads = tuple(names[name] for name in figures)
    row = tuple(
        f"{value:.1f}" if name == "fmax" else number(value) for name, value in figures.items()
    )
    yield Section("Area and clock of the unit", text, Table(heads, (row,), 0))


# ---- forms ---------------------------------------------------------------------------------------


def markdown(sheet: Sheet) -> str:
    """For docs/reference, headings of the third level."""
    parts = []
    for section in sections(sheet):
        parts += [f"### {section.title}\n", f"{section.text}\n" if section.text else ""]
        parts.append(section.table.markdown() if section.table else "")
    return "\n".join(part for part in parts if part)


def page(sheet: Sheet) -> str:
    """One file, no script; links lead to the repository's pages by name alone."""
    return html(
        "melanion.datasheet",
        "datasheet.html.j2",
        {"plain": plain, "worded": worded, "texts": texts},
        name=sheet.system.name,
        sections=sections(sheet),
        tightness=tightness(sheet),
    )


def texts(table: Table) -> list[bool]:
    """The columns whose cells are words for the most part: they are wrapped, others are aligned."""
    columns = list(zip(*table.rows, strict=True))
    return [2 * sum(map(worded, column)) > len(column) for column in columns]


def worded(cell: str) -> bool:
    """It holds words, and no figures alone."""
    return WORDS.search(cell) is not None


def plain(text: str) -> str:
    """Without the marks of Markdown; a link is its words."""
    words, rest = "", text
    while "](" in rest:
        before, _, behind = rest.partition("](")
        head, _, name = before.rpartition("[")
        words, rest = words + head + name, behind.partition(")")[2]
    return (words + rest).replace("`", "").replace("*", "")


def seen(sheet: Sheet) -> str:
    """Summary, in words, of the measured share of the bounds."""
    words = []
    for name, said in ((FREE, "with the unit free"), (BUSY, "whatever else asks")):
        if shares := sheet.shares[name]:
            words.append(
                f"{said}: {shares[0]:.0%} … {shares[-1]:.0%}, median {median(shares):.0%}"
                f" of {len(shares)} bounds"
            )
    return "; ".join(words) or "there are no bounds"


def tightness(sheet: Sheet) -> str:
    """Sentence about the measured share of the bounds."""
    return f"Measured of counted, {seen(sheet)}. No measured value is above its bound."


def json_text(sheet: Sheet) -> str:
    """Every row; `measured` and `bound` are never one number."""
    document = {
        "schema": SCHEMA,
        "head": sheet.head,
        "served_cycles": sheet.unit.served_cycles if sheet.unit else None,
        "rows": [_row(row) for row in sheet.rows],
        "steps": [
            {"call": s.call, "command": s.command.name.lower(), "proved": s.cycles}
            for s in sheet.steps
        ],
        "sizes": asdict(sheet.sizes),
        "area": asdict(sheet.area) if sheet.area else None,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _row(row: Row) -> dict[str, Any]:
    return {
        "call": row.call,
        "row": row.row,
        "free": _cell(row.free) if row.free else None,
        "busy": _cell(row.busy),
        "clearing": asdict(row.clearing) if row.clearing else None,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    length = cell.bound.length
    return {
        "measured": asdict(cell.measured) if cell.measured else None,
        "bound": {**asdict(length), "missing": ""} if length else {"missing": cell.bound.missing},
    }
