# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/calls.md: the cycles of every call, from the file that its test asserts,
and the states over which they are taken, from the tables of the program."""

from __future__ import annotations

import csv
import re
import subprocess
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from melanion import config, paths

ROOT = paths.data_root()
CYCLES = ROOT / "tests" / "calls_cycles.csv"  # asserted by tests/test_calls.py
PROGRAM = ROOT / "apps" / "benchmarks" / "calls"
KERNELS = ("sw", "hwrtos", "port", "banked")

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
    rows = list(csv.DictReader(CYCLES.open(newline="", encoding="utf-8")))
    found: Values = {
        (r["kernel"], r["metric"], r["parameters"].removeprefix("row=")): (
            int(r["min"]),
            int(r["max"]),
        )
        for r in rows
    }
    calls = dict.fromkeys(r["metric"] for k in KERNELS for r in rows if r["kernel"] == k)
    names = list(states())  # in the order of the definition, whatever a kernel lacks
    lines = [conditions(), ""]
    for group, members in groupby(sorted(calls, key=names.index), key=group_of):
        head = " | ".join(f"`{kernel}`" for kernel in KERNELS)
        lines += [f"### {group}", "", f"| cycles | switch | {head} | interrupts off: {head} |"]
        lines.append(f"|---|---|{'--:|' * 2 * len(KERNELS)}")
        for call in members:
            lines += _lines(found, call)
        lines.append("")
    return "\n".join(lines)


def _lines(found: Values, call: str) -> list[str]:
    """The rows of one call; spans stand in the first."""
    lines = []
    title, spans = f"`mel_{call}`", [_most(found.get((k, call, "irq_off"))) for k in KERNELS]
    for row, name in ROWS.items():
        values = [found.get((kernel, call, row)) for kernel in KERNELS]
        if any(values):
            cells = " | ".join([*map(_range, values), *spans])
            lines.append(f"| {title} | {name} | {cells} |")
            title, spans = "", [""] * len(KERNELS)
    return lines


def _range(value: tuple[int, int] | None) -> str:
    if value is None:
        return "–"
    least, most = (f"{each:_}".replace("_", " ") for each in value)
    return least if least == most else f"{least} … {most}"


def _most(value: tuple[int, int] | None) -> str:
    return "–" if value is None else f"{value[1]:_}".replace("_", " ")


def conditions(cycles: Path = CYCLES, kernels: Sequence[str] = KERNELS) -> str:
    """Conditions of the figures: commit of the file, systems."""
    systems = [config.find(kernel) for kernel in kernels]
    # As text in the kernels' order; what several share stands once.
    words = dict.fromkeys(
        f"{s.core.count} × {s.core.type} {s.core.variant}, {s.memory.kib} KiB of memory with"
        f" {s.memory.speed}, {s.parameters.tasks} tasks, {s.parameters.priorities} priorities"
        + (f", a {s.bridge.text(s.clock_mhz)} (`{s.name}`)" if s.bridge else "")
        for s in systems
    )
    return f"{asserted(cycles)}; every system: {', '.join(words)}."


def asserted(rows: Path) -> str:
    """Since which commit a file of rows is as it is."""
    log = ["git", "-C", str(ROOT), "log", "-1", "--format=%h", "--abbrev=12", "--", str(rows)]
    commit = subprocess.run(log, capture_output=True, text=True, check=False).stdout.strip()
    return f"Asserted since commit `{commit or 'unknown'}`"


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
    lines = ["| call | without | with |", "|---|---|---|"]
    for call, (without, with_) in states().items():
        lines.append(f"| `mel_{call}` | {'; '.join(without)} | {'; '.join(with_)} |")
    return "\n".join(lines) + "\n"
