# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/calls.md: the cycles of every call, from the file that its test asserts,
and the states over which they are taken, from the tables of the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from melanion import paths
from melanion.docs.conditions import conditions
from melanion.docs.rows import FILES, KERNELS, lines
from melanion.docs.table import NONE, codes, number, repeated, sections, table

CYCLES = FILES["calls"]  # asserted by tests/lab/test_calls.py
BOOSTER, ONE = "calls-booster", ("booster",)  # tests/lab/test_calls_booster.py
PROGRAM = paths.data_root() / "apps" / "benchmarks" / "calls"

# Calls in the order of the definition, by the beginnings of their names.
GROUPS = {
    "Tasks": ("task", "time", "tick"),
    "Semaphores": ("sem",),
    "Event flags": ("flags",),
    "Mutexes": ("mutex",),
    "Message queues": ("queue",),
    "Notifications": ("notification",),
    "Interrupts, timers, dispatch": ("irq", "timer", "dispatch", "core"),
    "Memory pools": ("pool",),
    "Time policies, monitor": ("claim", "quantum", "deadline", "budget", "report", "monitor"),
}
ROWS = {"without": "without", "with": "with", "with_many": "with, many"}

# A macro of several rows, of the call that is its first argument.
DEFINITION = re.compile(r"#define (\w+)\(call,[^\n]*\\\n((?:[^\n]*\\\n)*[^\n]*)\n")
ROW = re.compile(r'(STAYS|WAKES|WAITS|LEAVES)\(\s*CALL_(\w+),\s*"([^"]*)"')

Values = dict[tuple[str, str, str], tuple[int, int]]


def group_of(call: str) -> str:
    """The heading under which a call stands."""
    return next(name for name, heads in GROUPS.items() if call.split("_")[0] in heads)


def cycles() -> str:
    """A table per group: of each call the rows without and with a switch, and the longest spans
    with interrupts off."""
    rows = lines(CYCLES)
    calls = dict.fromkeys(r["metric"] for k in KERNELS for r in rows if r["kernel"] == k)
    names = list(states())  # in the order of the definition, whatever a kernel lacks
    parts = [
        (group, measured(members))
        for group, members in groupby(sorted(calls, key=names.index), key=group_of)
    ]
    return f"{conditions(CYCLES, KERNELS)}\n\n{sections(parts)}"


def measured(calls: Iterable[str]) -> str:
    """The table of some calls, named without `mel_`; empty when none of them was measured."""
    found = _values()
    shown = [row for call in calls for row in _rows(found, call)]
    heads = ("cycles", "switch", *codes(KERNELS), *repeated(("interrupts off",), KERNELS))
    return table("llr", heads, shown) if shown else ""


def booster() -> str:
    """A table per group of the calls of the booster, from a file of its own."""
    path = FILES[BOOSTER]
    found = _values(path)
    names = [call for call in states() if any(call == metric for _, metric, _ in found)]
    heads = ("cycles", "switch", "`booster`", "interrupts off")
    parts = [
        (group, table("llr", heads, [row for call in calls for row in _rows(found, call, ONE)]))
        for group, calls in groupby(sorted(names, key=list(states()).index), key=group_of)
    ]
    text = "\n".join(f"### {title} of the booster\n\n{text}" for title, text in parts)
    return f"{conditions(path, ONE)}\n\n{text}"


def _values(path: Path = CYCLES) -> Values:
    return {
        (r["kernel"], r["metric"], r["parameters"].removeprefix("row=")): (
            int(r["min"]),
            int(r["max"]),
        )
        for r in lines(path)
    }


def _rows(found: Values, call: str, kernels: Sequence[str] = KERNELS) -> list[list[str]]:
    """The rows of one call; spans stand in the first."""
    rows = []
    title, spans = f"`mel_{call}`", [_most(found.get((k, call, "irq_off"))) for k in kernels]
    for row, name in ROWS.items():
        values = [found.get((kernel, call, row)) for kernel in kernels]
        if any(values):
            rows.append([title, name, *map(_range, values), *spans])
            title, spans = "", [""] * len(kernels)
    return rows


def _range(value: tuple[int, int] | None) -> str:
    if value is None:
        return NONE
    least, most = map(number, value)
    return least if least == most else f"{least} … {most}"


def _most(value: tuple[int, int] | None) -> str:
    return NONE if value is None else number(value[1])


def states() -> dict[str, tuple[list[str], list[str]]]:
    """States of each call, without and with a switch, in the order of the program's numbers."""
    header = (PROGRAM / "calls.h").read_text(encoding="utf-8")
    names = [name.lower() for name in re.findall(r"\bCALL_([A-Z_]+)", header)]
    found: dict[str, tuple[list[str], list[str]]] = {name: ([], []) for name in names}
    shared = DEFINITION.findall(header)
    for path in sorted(PROGRAM.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        own = DEFINITION.findall(text)
        text = DEFINITION.sub("", text)
        for name, body in [*own, *shared]:  # the own ones use the shared ones
            text = re.sub(rf"\b{name}\((CALL_\w+)", partial(_expanded, body), text)
        for kind, call, state in ROW.findall(text):
            chosen = found[call.lower()][kind != "STAYS"]
            if state not in chosen:
                chosen.append(state)
    return found


def _expanded(body: str, use: re.Match[str]) -> str:
    return re.sub(r"\bcall\b", use[1], body)


def states_table() -> str:
    """States of each call."""
    rows = [
        (f"`mel_{call}`", "; ".join(without), "; ".join(with_))
        for call, (without, with_) in states().items()
    ]
    return table("l", ("call", "without", "with"), rows)
