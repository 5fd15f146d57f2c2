# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/freertos.md: the names of the FreeRTOS interface, from the facts that
its test asserts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from melanion import paths
from melanion.docs import rows
from melanion.docs.pages.interfaces import below, calls_of, facts, groups
from melanion.docs.table import codes, table

COSTS = paths.data_root() / "tests" / "asserted" / "freertos_costs.csv"


def recorded() -> dict[str, dict[str, int]]:
    """Cycles of operations that switch to no other task: kernel → operation → cycles."""
    found: dict[str, dict[str, int]] = {}
    for row in rows.lines(COSTS):
        found.setdefault(row["kernel"], {})[row["operation"]] = int(row["cycles"])
    return found


def costs() -> str:
    """The table of them; bold: not more than FreeRTOS itself."""
    every = recorded()
    original = every["freertos"]
    lines = [
        (f"`{name}`", *(_cost(costs[name], original[name]) for costs in every.values()))
        for name in original
    ]
    return table("lr", ("cycles", *codes(every)), lines)


def _cost(cycles: int, original: int) -> str:
    return f"**{cycles}**" if cycles <= original else str(cycles)


def calls() -> str:
    """A table per kind of object: names that are alike share a row."""
    return groups("freertos", ("names", "", "over", ""), _rows)


def _rows(members: dict[str, Any]) -> list[tuple[str, ...]]:
    alike_rows: list[tuple[list[str], dict[str, Any]]] = []
    for name, row in members.items():
        before = alike_rows[-1][1] if alike_rows else {}
        alike = {**row, "text": before.get("text")} == {**before, "text": before.get("text")}
        if alike and "text" not in row:
            alike_rows[-1][0].append(name)
        else:
            alike_rows.append(([name], row))
    return [
        (", ".join(codes(names)), row["by"], below(row["over"]), row.get("text", ""))
        for names, row in alike_rows
    ]


def absent() -> str:
    """Names of FreeRTOS that the layer lacks, each with the advice for a program that uses it."""
    together: dict[str, list[str]] = {}
    for name, instead in facts("freertos")["missing"].items():
        together.setdefault(instead, []).append(name)
    lines = [(", ".join(codes(names)), instead) for instead, names in together.items()]
    return table("l", ("not yet", "instead"), lines)


def uncalled() -> str:
    """Functions that a program may define for FreeRTOS and that nobody calls here."""
    lines = [(f"`{name}`", why) for name, why in facts("freertos")["uncalled"].items()]
    return table("l", ("not called", "why"), lines)


def count() -> str:
    """Numbers of names: in hardware, in software, missing."""
    by = Counter(row["by"] for row in calls_of("freertos").values())
    return (
        f"{by.total()} names: {by['hardware']} hardware, {by['software']} software;"
        f" {len(facts('freertos')['missing'])} not yet.\n"
    )
