# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/decisions/0035: the experiment `latency` on the unit that the microprogrammed one
replaced, and on this at the clock of the cores and at twice that. The rows are those that
tests/lab/test_sources.py asserts, and recorded ones; nothing is measured here."""

from __future__ import annotations

from pathlib import Path

from melanion.claims import load
from melanion.docs.rows import FILES, REPLACED, lines
from melanion.docs.table import number, table

SYSTEMS = ("hwrtos", "port", "banked")
EXPERIMENT = "latency"
SINGLE = "-single"  # behind the name of a system: its unit has the clock of the cores

Label = tuple[str, str]  # metric, parameters
Largest = dict[str, dict[Label, int]]  # by system


def largest(path: Path) -> Largest:
    """Largest value of every row of a file, by system."""
    found: Largest = {}
    for line in lines(path):
        if line["experiment"] == EXPERIMENT:
            label = line["metric"], line["parameters"]
            found.setdefault(line["kernel"], {})[label] = int(line["max"])
    return found


def now() -> Largest:
    return largest(FILES[EXPERIMENT])


def before() -> Largest:
    """On the unit that was replaced."""
    return largest(REPLACED)


def late(by: int = 1) -> list[tuple[str, Label, int]]:
    """Rows that are slower than on the unit before by more cycles of the core: system, row,
    difference."""
    found, old = now(), before()
    return [
        (system, label, most - old[system][label])
        for system in SYSTEMS
        for label, most in found[system].items()
        if most - old[system][label] > by
    ]


def _words(label: Label) -> str:
    metric, parameters = label
    title = load(EXPERIMENT).metrics[metric].title
    return title + (f" ({parameters.replace(' ', ', ')})" if parameters else "")


def cycles() -> str:
    """All rows: on the unit before, at the clock of the cores where it is measured, at twice it."""
    found, old = now(), before()
    columns = []
    for system in SYSTEMS:
        columns.append((f"`{system}` before", old[system]))
        if system + SINGLE in found:
            columns.append((f"`{system}{SINGLE}`", found[system + SINGLE]))
        columns.append((f"`{system}`", found[system]))
    shown = [
        (_words(label), *(number(rows[label]) for _, rows in columns)) for label in old[SYSTEMS[0]]
    ]
    return table("lr", ("cycles, at most", *(name for name, _ in columns)), shown)


def missed() -> str:
    """The rows that are slower by more than a cycle."""
    found = late()
    if not found:
        return "No row is slower than on the unit before by more than one cycle of the core.\n"
    shown = [(f"`{system}`", _words(label), number(more)) for system, label, more in found]
    return table("llr", ("on", "row", "cycles more"), shown)
