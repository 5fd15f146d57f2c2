# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/itron-calls.md: the cycles of every service call of µITRON and of the
kernel's own calls, from the file that its test asserts, and the states over which they are taken,
from the tables of the program."""

from __future__ import annotations

import re
from functools import partial

from melanion import paths
from melanion.docs.conditions import conditions
from melanion.docs.pages.interfaces import calls_of, facts
from melanion.docs.rows import FILES, KERNELS, lines
from melanion.docs.table import NONE, codes, number, repeated, sections, table
from melanion.measure.experiments.itron_calls import KINDS

EXPERIMENT = "itron-calls"
PROGRAM = paths.data_root() / "apps" / "benchmarks" / "itron_calls"

# A macro of several rows, and a row: its kind, whether the kernel has no counterpart, call, state.
DEFINITION = re.compile(r"#define (\w+)\(call, shot\)((?:[^\n]*\\\n)*[^\n]*)\n")
ROW = re.compile(r'\b(ONLY_)?(STAYS|WAKES|LEAVES|WAITS|REFUSES)(?:_IN)?\(\s*(\w+),\s*"([^"]*)"')
KIND_OF = dict(zip(("STAYS", "WAKES", "LEAVES", "WAITS", "REFUSES"), (0, 1, 1, 1, 2), strict=True))
ALONE = "*"  # behind a state that the kernel has no call for

Key = tuple[str, str, str]  # kernel, call, row


def _values() -> dict[Key, tuple[int, int]]:
    """Median and most."""
    return {
        (r["kernel"], r["metric"], r["parameters"].removeprefix("row=")): (
            int(r["median"]),
            int(r["max"]),
        )
        for r in lines(FILES[EXPERIMENT])
    }


def cycles() -> str:
    """A table per kind of object: of each call a line per situation, with median and most on each
    kernel, and those of the kernel's own call."""
    found = _values()
    heads = ("cycles", "", *codes(KERNELS), *repeated(("the kernel's own",), KERNELS))
    parts = []
    for group, members in facts("itron")["calls"].items():
        rows = [row for call in members for row in _rows(found, call)]
        parts.append((f"{group[0].upper()}{group[1:]}", table("llr", heads, rows)))
    return f"{conditions(FILES[EXPERIMENT], KERNELS)}\n\n{sections(parts)}"


def _rows(found: dict[Key, tuple[int, int]], call: str) -> list[list[str]]:
    rows, title = [], f"`{call}`"
    for kind in KINDS:
        ours, native = (
            [found.get((kernel, call, row)) for kernel in KERNELS]
            for row in (kind, f"native_{kind}")
        )
        if any(ours):
            rows.append([title, kind, *map(_text, [*ours, *native])])
            title = ""
    return rows


def _text(value: tuple[int, int] | None) -> str:
    if value is None:
        return NONE
    median, most = map(number, value)
    return median if median == most else f"{median} … {most}"


def added() -> dict[str, list[tuple[int, int, str, str]]]:
    """Kernel → rows with a counterpart, ascending: what the layer adds to the least and to the
    largest value, call, situation. Not to medians: those are over states that differ by more than
    the layer adds, and a sample more of one moves them."""
    every = lines(FILES[EXPERIMENT])
    found = {(r["kernel"], r["metric"], r["parameters"].removeprefix("row=")): r for r in every}
    result: dict[str, list[tuple[int, int, str, str]]] = {kernel: [] for kernel in KERNELS}
    for (kernel, call, row), ours in found.items():
        if native := found.get((kernel, call, f"native_{row}")):
            least, most = (int(ours[key]) - int(native[key]) for key in ("min", "max"))
            result[kernel].append((least, most, call, row))
    return {kernel: sorted(rows) for kernel, rows in result.items()}


def overhead() -> str:
    """A line per kernel and situation: what the layer adds."""
    rows = []
    for kernel, every in added().items():
        for kind in KINDS:
            some = [row for row in every if row[3] == kind]
            worst, least, largest = some[-1], some[0], max(some, key=lambda row: row[1])
            rows.append(
                [
                    f"`{kernel}`",
                    kind,
                    number(len(some)),
                    f"{worst[0]} (`{worst[2]}`)",
                    number(some[(len(some) - 1) // 2][0]),
                    f"{least[0]} (`{least[2]}`)",
                    f"{largest[1]} (`{largest[2]}`)",
                ]
            )
    heads = ("kernel", "", "calls", "to the least: most", "median", "least", "to the largest: most")
    return table("llr", heads, rows)


def states() -> dict[str, tuple[list[str], list[str], list[str]]]:
    """States of each call, by situation, in the order of the facts."""
    found: dict[str, tuple[list[str], list[str], list[str]]] = {
        name: ([], [], []) for name in calls_of("itron")
    }
    shared = DEFINITION.findall((PROGRAM / "itron_calls.h").read_text(encoding="utf-8"))
    for path in sorted(PROGRAM.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        own = DEFINITION.findall(text)
        text = DEFINITION.sub("", text)
        for name, body in [*own, *shared]:  # the own ones use the shared ones
            text = re.sub(rf"\b{name}\((\w+), \w+\)", partial(_expanded, body), text)
        for alone, kind, call, state in ROW.findall(text):
            chosen = found[call][KIND_OF[kind]]
            if state not in {each.removesuffix(ALONE) for each in chosen}:
                chosen.append(state + (ALONE if alone else ""))
    return found


def _expanded(body: str, use: re.Match[str]) -> str:
    return re.sub(r"\bcall\b", use[1], body)


def states_table() -> str:
    """States of each call."""
    rows = [(f"`{call}`", *("; ".join(each) for each in kinds)) for call, kinds in states().items()]
    return table("l", ("call", *KINDS), rows)
