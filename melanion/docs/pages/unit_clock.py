# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/decisions/0035: the experiment `latency` on the unit of hw/rtl, on the
microprogrammed one, and on that at twice the clock of the cores. The rows are those that
tests/lab/test_sources.py asserts; nothing is measured here."""

from __future__ import annotations

from melanion.claims import load
from melanion.docs.rows import FILES, lines
from melanion.docs.table import codes, number, table

OLD = ("hwrtos", "port", "banked")
EXPERIMENT = "latency"
KINDS = ("", "-micro", "-micro-double")  # behind the name of an old one

Label = tuple[str, str]  # metric, parameters


def largest() -> dict[str, dict[Label, int]]:
    """Largest value of every row, by system."""
    found: dict[str, dict[Label, int]] = {}
    for line in lines(FILES[EXPERIMENT]):
        label = line["metric"], line["parameters"]
        found.setdefault(line["kernel"], {})[label] = int(line["max"])
    return found


def late(by: int = 1) -> list[tuple[str, Label, int]]:
    """Rows of a unit at twice the clock that are slower than on the old one by more cycles of the
    core: old system, row, difference."""
    values = largest()
    return [
        (old, label, twice - values[old][label])
        for old in OLD
        for label, twice in values.get(old + KINDS[2], {}).items()
        if twice - values[old][label] > by
    ]


def _words(label: Label) -> str:
    metric, parameters = label
    title = load(EXPERIMENT).metrics[metric].title
    return title + (f" ({parameters.replace(' ', ', ')})" if parameters else "")


def cycles() -> str:
    """All rows on the systems that have a unit at twice the clock beside them."""
    values = largest()
    beside = [old for old in OLD if old + KINDS[2] in values]
    systems = [old + kind for old in beside for kind in KINDS if old + kind in values]
    shown = [
        (_words(label), *(number(values[system][label]) for system in systems))
        for label in values[OLD[0]]
    ]
    return table("lr", ("cycles, at most", *codes(systems)), shown)


def missed() -> str:
    """The rows that are slower by more than a cycle."""
    found = late()
    if not found:
        return "No row is slower than on the old unit by more than one cycle of the core.\n"
    shown = [(f"`{old}`", _words(label), number(more)) for old, label, more in found]
    return table("llr", ("beside", "row", "cycles more"), shown)
