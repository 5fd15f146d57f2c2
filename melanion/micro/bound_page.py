# SPDX-License-Identifier: Apache-2.0
"""The page of bounds: docs/reference/microprogram.md, made whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from melanion.micro.bounds import Bound, Bounds, Formula, Verdict
from melanion.micro.paths import SETTLES

PAGE = "docs/reference/microprogram.md"
KINDS = {
    "command": "Commands and queries",
    "load": "Loads of registers",
    "store": "Stores to registers",
    "job": "Work in the background",
}
OTHERS = "Refusals before a program begins, interrupts, reset"
NOTE = "Made by `python -m melanion.micro bounds --write` from hw/micro; do not edit it."
HEAD = """# Bounds of the microprogrammed unit

{note}

This page bounds the steps of the microprogrammed unit, in cycles of the unit's clock.
Each bound is computed: the longest path through the words, plus the waits for the list engines.
The bounds hold for any number of tasks and any contents of lists and state store.
Loops add cycles for each round.
Random runs of the RTL check every step against its bound; most bounds are reached exactly.
[0034](../decisions/0034-a-microprogrammed-unit.md) describes the unit.

* **answer**: U, the cycle in which the unit answers the request; it chooses the request in cycle 1.
* **step**: cycles from that choice to the next possible one; meanwhile no other request is served.
* **after**: cycles after the answer in which the unit chooses no request.
  With several cores, **step** and **after** are at most {settles} cycles longer, because the next
  choice waits until the best task of each core is known.
* **outcome**: `ok`, `refused`, or `waits`: the caller now waits.
  A step without an outcome gives no answer, or its request is tried again later.
"""

MISSED = "Missed limits are design goals, not errors; the bounds above hold."


# Feature → its chapter: title, and what stands above its tables.
FEATURES = {
    "flag_lanes": (
        "With lanes for event flags",
        "`flag_lanes: 4` ([0050](../decisions/0050-lanes-for-event-flags.md)), 64 tasks: the rows"
        " that differ, and limits of its own.\n",
    )
}


def page(bounds: Bounds, others: Iterable[Bounds] = ()) -> str:
    """The whole page; `others`: bounds of units with a feature, one each."""
    return "\n".join(
        [
            HEAD.format(note=NOTE, settles=SETTLES),
            *_counts(bounds),
            *_rows(bounds),
            *_limits(bounds),
            *(line for other in others for line in _feature(other, bounds)),
        ]
    )


def _feature(bounds: Bounds, plain: Bounds) -> Iterator[str]:
    (feature,) = bounds.program.features
    title, text = FEATURES[feature]
    rows = [row for row in bounds.rows if row not in plain.rows]
    yield from _table(
        title,
        ("request", "outcome", "answer", "step", "after"),
        ([_whole_name(row), row.outcome, *map(_cell, row[3:])] for row in rows),
        text,
    )
    names = {case.name for case in plain.tables.cases}
    own = [verdict for verdict in bounds.verdicts if verdict.case.name not in names]
    yield from _limit_rows("Limits with lanes for event flags", own)


def _counts(bounds: Bounds) -> Iterator[str]:
    yield "A term `n name` of a bound means n cycles for each item that the name counts:\n"
    for name, text in bounds.tables.counts.items():
        yield f"* **{name}**: {text}."
    yield ""


def _rows(bounds: Bounds) -> Iterator[str]:
    for kind, title in [*KINDS.items(), ("", OTHERS)]:
        rows = [row for row in bounds.rows if _kind(row) == kind]
        yield from _table(
            title,
            ("request", "outcome", "answer", "step", "after"),
            ([_name(row), row.outcome, *map(_cell, row[3:])] for row in rows),
        )


def _limits(bounds: Bounds) -> Iterator[str]:
    yield from _limit_rows("Limits that the unit is to keep", bounds.verdicts)


def _limit_rows(title: str, verdicts: Iterable[Verdict]) -> Iterator[str]:
    rows = (
        [case.name, str(found), str(case.limit), "" if found <= case.limit else "missed"]
        for case, found in verdicts
    )
    yield from _table(title, ("case", "cycles", "limit", ""), rows)
    yield f"{MISSED}\n"


def _table(
    title: str, columns: Iterable[str], rows: Iterable[list[str]], text: str = ""
) -> Iterator[str]:
    names = list(columns)
    yield f"## {title}\n"
    if text:
        yield text
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _kind(row: Bound) -> str:
    kind = row.request.partition(" ")[0]
    return kind if kind in KINDS else ""


def _name(row: Bound) -> str:
    kind = _kind(row)
    name = row.request.removeprefix(kind).strip()
    return f"`{name}`, `{row.way}`" if row.way else f"`{name}`"


def _whole_name(row: Bound) -> str:
    """With its kind, where rows of all kinds stand together."""
    return ", ".join(f"`{part}`" for part in (row.request, row.way) if part)


def _cell(value: object) -> str:
    return str(value) if isinstance(value, Formula) else ""
