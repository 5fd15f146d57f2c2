# SPDX-License-Identifier: Apache-2.0
"""A sheet for people and programs: tables as text and Markdown, a page, JSON.

Columns that begin with *measured* hold what runs gave, all others what is computed or counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from melanion.area.present import Table
from melanion.datasheet.bounds import MASKED, Arrival, Bound
from melanion.datasheet.measured import BUSY, FREE, Largest
from melanion.datasheet.sheet import Cell, Row, Sheet
from melanion.datasheet.unit import Unit
from melanion.report.html import html
from melanion.report.svg import number

SCHEMA = 3
NONE = "–"
WORDS = re.compile(r"^[^\[]*[a-z]{2}")  # in a cell; the address of a link is none
ROWS = {"commit": "sources"}  # a key of the head → what its row is called
MICROPROGRAM = "microprogram.md"  # beside docs/reference/datasheet.md
COMMANDS, OTHERS = "commands-and-queries", "refusals-before-a-program-begins-interrupts-reset"
CLEARING = "no bound: waits for what is cleared away"


@dataclass(frozen=True)
class Section:
    """A heading, sentences, a table; the sentences may link (Markdown)."""

    title: str
    text: str
    table: Table | None = None

    @property
    def anchor(self) -> str:
        """Name of the section in a link."""
        return self.title.lower().replace(" ", "-")


def sections(sheet: Sheet) -> list[Section]:
    """The whole sheet. Links are relative to docs/reference."""
    return [*_about(sheet), *_calls(sheet), *_unit(sheet), *_sizes(sheet), *_area(sheet)]


def _about(sheet: Sheet) -> Iterator[Section]:
    rows = tuple((ROWS.get(key, key), text) for key, text in sheet.head.items())
    yield Section("What decides the figures", sheet.left_out, Table(("", ""), rows, left=2))


# ---- calls ---------------------------------------------------------------------------------------


def _calls(sheet: Sheet) -> Iterator[Section]:
    if not sheet.rows:
        return
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
            " object, the messages of a deleted queue, the mutexes of a task that ended) asks"
            " again until that is done. How often is not counted, so these values have no bound."
        )
        heads = ("call", "switch", "measured", "in the state")
        yield Section("While something is cleared away", text, Table(heads, tuple(lines), 2))


def _heads(sheet: Sheet) -> tuple[str, ...]:
    """The share is that of a bound with the unit free: in the other most is what others add."""
    if not sheet.measured:
        return ("counted, unit free", "counted") if sheet.unit else ("counted",)
    if sheet.unit:
        free = ("measured, unit free", "counted, unit free", "seen")
        return (*free, "measured", "counted", "state of the largest")
    return "measured", "counted", "seen", "state of the largest"


def _legend(sheet: Sheet) -> str:
    served, measured = "", bool(sheet.measured)
    if sheet.unit:
        served = (
            "\n\nEach access that the unit serves counts at the"
            f" [bound of its program]({MICROPROGRAM}), behind what it waits for."
            "\n\n*unit free*: nothing is under way when the call begins, and nothing but its own"
            " accesses asks for service. In the other columns whatever else asks comes first:"
            f" {_others(sheet.unit)}"
            "\n\nA command that is answered `E_BUSY`, which no call returns, is asked again; it"
            " counts as asked once. An answer that is unsettled is loaded until the chain of owners"
            f" ends that the command began: {number(sheet.unit.settling)} cycles, at most."
        )
    seen = "\n\n*seen*: how much of the counted value was measured."
    return (
        ("*measured*: the largest value of the experiment `calls`, with its state.\n\n" * measured)
        + "*counted*: the longest path through the compiled code, each instruction at its worst,"
        " without a loop and without an interrupt but the unit's own; *code + unit*: its two parts."
        + seen * measured
        + served
    )


def _others(unit: Unit) -> str:
    """Sentences about what comes before an access."""
    longest = max(unit.steps, key=lambda name: unit.steps[name]).rpartition(", ")[2]
    before = unit.before
    others = f"{before.cores} of other cores, " if before.cores else ""
    return (
        f"before each access come the step that is under way, up to {others}{before.interrupts} of"
        f" interrupts and {before.jobs} of jobs, and {number(before.ticks)} of a tick with"
        f" {number(before.found)} entries that end with it. Each counts as the longest of its kind."
        f" The longest of all is `{longest}`: {number(unit.longest)} cycles of the unit, with"
        f" {unit.chain} owners in a chain and {unit.tasks} waiters of event flags."
        " In all that is"
        f" {number(unit.served_cycles)} cycles of the core for an access, without its own step, and"
        f" {number(unit.plain_cycles)}"
        " when no step of others walks a chain of owners or looks at waiters of event flags."
        " Commands that wait while a set of event flags or a chain of owners goes on, and a"
        " dispatch in such a chain, count with one that has just begun; more may follow each other."
    )


def _lines(sheet: Sheet, rows: list[Row]) -> Iterator[tuple[str, ...]]:
    steps: dict[str, int] = {}
    for step in sheet.steps:
        steps[step.call] = max(steps.get(step.call, 0), step.cycles)
    before = ""
    for row in rows:
        new = row.call != before
        before = row.call
        unit = f"[{steps[row.call]}]({MICROPROGRAM}#{COMMANDS})" if row.call in steps else NONE
        name = f"`mel_{row.call}`" if new else ""
        yield name, row.row, unit if new else "", *_cells(sheet, row)


def _cells(sheet: Sheet, row: Row) -> Iterator[str]:
    if not sheet.measured:
        if sheet.unit:
            yield _total(row.free.bound) if row.free else NONE
        yield _counted(row.busy.bound)
        return
    if sheet.unit:
        yield _seen(row.free.measured if row.free else None)
        yield _total(row.free.bound) if row.free else NONE
        yield _share(row.free) if row.free else NONE
    yield _seen(row.busy.measured)
    yield _counted(row.busy.bound)
    if not sheet.unit:
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
    clock = "the clock of the core" if unit.ratio == 1 else "twice the clock of the core"
    text = (
        "Until a command that is chosen at once is answered: the longest path of"
        f" [its program]({MICROPROGRAM}#{COMMANDS}) for any content of memories, with"
        f" {unit.chain} owners in a chain and {unit.tasks} waiters of event flags, more than which"
        f" this system cannot have. In cycles of the core; the unit has {clock}. Computed, and held"
        " against random runs; what the program does is [proved for some of the"
        " commands](program-proofs.md)."
    )
    if not sheet.rows:
        text += f" Whatever else asks: {_others(unit)}"
    yield Section("In the unit", text, Table(("cycles, at most", "commands"), tuple(rows), 0))
    lines = [
        (f"`{action}`", number(alone), number(late))
        for action, (alone, late) in sorted(unit.interrupts().items(), key=lambda each: each[1])
    ]
    text = (
        "From the edge of an interrupt, the most urgent of those that are pending, until the unit"
        f" [has performed its action]({MICROPROGRAM}#{OTHERS}) and the core sees the line of it."
        " `irq_none`: a handler. Interrupts and cores are served in turn, so that one waits for no"
        " more steps than an access; this is counted, not proved. What the core then takes is not"
        " in it."
    )
    heads = ("action", "nothing else is served", "whatever else is")
    yield Section("Interrupts in the unit", text, Table(heads, tuple(lines)))
    yield from _arrivals(sheet, unit)


def _arrivals(sheet: Sheet, unit: Unit) -> Iterator[Section]:
    """From an edge to a task: what the unit takes, and the core behind it."""
    if sheet.arrivals is None:
        return
    lines = []
    for action, cycles in sorted(unit.releases().items(), key=lambda each: each[1]):
        parts = [_arrival(each, own) for each, own in zip(sheet.arrivals, cycles, strict=True)]
        lines.append((f"`{action}`", *parts))
    late = sheet.arrivals[1]
    without = ", ".join(f"`mel_{call}`" for call in late.without)
    text = (
        "Counted: from the edge of an interrupt, the most urgent of those that are pending, to the"
        " task that it releases, the most urgent of all: its first instruction, or the one behind"
        " the call in which it waited. The sum of three parts: the unit (above); the longest time"
        " for which the core takes no interrupt; the switch. When nothing else is served the core"
        " computes with interrupts enabled, and may have begun a division. Otherwise it may have"
        " begun the longest span with interrupts disabled of any call, a switch, or the longest"
        " access. What the program itself does with interrupts disabled comes to that, as do"
        " handlers. A set of event flags releases its waiters one by one, and has no row."
        + (f" Without {without}, which has no bound." if without else "")
    )
    heads = ("action", "nothing else is served", "whatever else is")
    yield Section("From an interrupt to its task", text, Table(heads, tuple(lines)))


def _arrival(arrival: Arrival, unit: int) -> str:
    """`168 = 18 + 37 + 113`: unit, until the core takes the interrupt, switch."""
    switch = arrival.switch.length
    if switch is None:
        return arrival.switch.missing or NONE
    parts = (unit, arrival.held.cycles, switch.cycles)
    return f"{number(sum(parts))} = {' + '.join(map(number, parts))}"


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
    return as_markdown(sections(sheet))


def as_markdown(found: Sequence[Section]) -> str:
    """Sections with headings of the third level."""
    parts = []
    for section in found:
        parts += [f"### {section.title}\n", f"{section.text}\n" if section.text else ""]
        parts.append(section.table.markdown() if section.table else "")
    return "\n".join(part for part in parts if part)


def page(sheet: Sheet) -> str:
    """One file, no script; links lead to the repository's pages by name alone."""
    name = sheet.system.name
    return as_page(f"Data sheet of {name}", hero(sheet), tightness(sheet), sections(sheet))


def as_page(title: str, hero: str, soft: str, found: Sequence[Section]) -> str:
    """`hero`: the sentence that is read first, `soft`: the one below it."""
    return html(
        "melanion.datasheet",
        "datasheet.html.j2",
        {"plain": plain, "together": together, "worded": worded, "texts": texts},
        title=title,
        hero=hero,
        soft=soft,
        sections=found,
    )


def texts(table: Table) -> list[bool]:
    """The columns whose cells are words for the most part: they are wrapped, others are aligned."""
    columns = list(zip(*table.rows, strict=True))
    return [2 * sum(map(worded, column)) > sum(map(bool, column)) for column in columns]


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


def together(cell: str) -> str:
    """A sum of two parts breaks before its `=` alone."""
    if cell.count(" + ") != 1:
        return cell
    return cell.replace("= ", "=\u00a0").replace(" + ", "\u00a0+\u00a0")


def seen(sheet: Sheet) -> str:
    """Summary, in words, of the measured share of the bounds."""
    words = []
    for name, said in (
        (FREE, "when the unit is idle"),
        (BUSY, "when everything else asks at once"),
    ):
        if shares := sheet.shares[name]:
            when = f" {said}" if sheet.unit else ""
            words.append(
                f"{shares[0]:.0%} … {shares[-1]:.0%} of the bound{when}"
                f" (median {median(shares):.0%}, {len(shares)} bounds)"
            )
    return ", ".join(words) or "without a bound"


def tightness(sheet: Sheet) -> str:
    """Sentence about the measured share of the bounds."""
    if not sheet.measured:
        return sheet.left_out or "Nothing was measured."
    return f"Measured values are {seen(sheet)}. None is above its bound."


def hero(sheet: Sheet) -> str:
    """The two figures that are asked for first, in a sentence: the slowest call, the longest span
    with interrupts off."""
    words = []
    for masked, said in ((False, "slowest call"), (True, "longest span with interrupts off")):
        found = [
            (row.busy.measured.cycles, row.call)
            for row in sheet.rows
            if (row.row == MASKED) == masked and row.busy.measured
        ]
        if found:
            cycles, call = max(found, key=lambda each: each[0])
            words.append(f"the {said} {number(cycles)} cycles (mel_{call})")
    return f"Measured: {', '.join(words)}." if words else "Nothing was measured."


def json_text(sheet: Sheet) -> str:
    """Every row; `measured` and `bound` are never one number."""
    document = {
        "schema": SCHEMA,
        "head": sheet.head,
        "left_out": sheet.left_out,
        "unit": _served(sheet.unit) if sheet.unit else None,
        "to_task": _to_task(sheet),
        "rows": [_row(row) for row in sheet.rows],
        "steps": [
            {"call": s.call, "command": s.command.name.lower(), "bound": s.cycles}
            for s in sheet.steps
        ],
        "sizes": asdict(sheet.sizes),
        "area": asdict(sheet.area) if sheet.area else None,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _served(unit: Unit) -> dict[str, Any]:
    """Waits of an access: in cycles of the unit by step, and in those of a core."""
    return {
        "ratio": unit.ratio,
        "before": asdict(unit.before),
        "steps": unit.steps,
        "served_cycles": unit.served_cycles,
        "plain_cycles": unit.plain_cycles,
        "interrupts": {name: list(cycles) for name, cycles in unit.interrupts().items()},
    }


def _to_task(sheet: Sheet) -> dict[str, Any] | None:
    """From an interrupt to its task; parts of both conditions."""
    if sheet.arrivals is None or sheet.unit is None:
        return None
    kept = {
        name: {"held": arrival.held.cycles, "switch": _bound(arrival.switch)}
        for name, arrival in zip((FREE, BUSY), sheet.arrivals, strict=True)
    }
    unit = {name: list(cycles) for name, cycles in sheet.unit.releases().items()}
    return {"unit": unit, **kept, "without": list(sheet.arrivals[1].without)}


def _row(row: Row) -> dict[str, Any]:
    return {
        "call": row.call,
        "row": row.row,
        "free": _cell(row.free) if row.free else None,
        "busy": _cell(row.busy),
        "clearing": asdict(row.clearing) if row.clearing else None,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "measured": asdict(cell.measured) if cell.measured else None,
        "bound": _bound(cell.bound),
    }


def _bound(bound: Bound) -> dict[str, Any]:
    return {**asdict(bound.length), "missing": ""} if bound.length else {"missing": bound.missing}
