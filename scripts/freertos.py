# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/freertos.md: the names of the FreeRTOS interface, from the facts that
its test asserts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from interfaces import below, facts


def calls(_: object) -> str:
    """A table per kind of object: names that are alike share a row."""
    lines: list[str] = []
    for group, members in facts("freertos")["calls"].items():
        lines += [f"### {group[0].upper()}{group[1:]}", ""]
        lines += ["| names | | over | |", "|---|---|---|---|"]
        rows: list[tuple[list[str], dict[str, Any]]] = []
        for name, row in members.items():
            before = rows[-1][1] if rows else {}
            alike = {**row, "text": before.get("text")} == {**before, "text": before.get("text")}
            if alike and "text" not in row:
                rows[-1][0].append(name)
            else:
                rows.append(([name], row))
        for names, row in rows:
            over = below(row["over"])
            shown = ", ".join(f"`{name}`" for name in names)
            lines.append(f"| {shown} | {row['by']} | {over} | {row.get('text', '')} |")
        lines.append("")
    return "\n".join(lines)


def absent(_: object) -> str:
    """Names of FreeRTOS that the layer lacks, each with the advice for a program that uses it."""
    together: dict[str, list[str]] = {}
    for name, instead in facts("freertos")["missing"].items():
        together.setdefault(instead, []).append(f"`{name}`")
    rows = [f"| {', '.join(names)} | {instead} |" for instead, names in together.items()]
    return "\n".join(["| not yet | instead |", "|---|---|", *rows]) + "\n"


def uncalled(_: object) -> str:
    """Functions that a program may define for FreeRTOS and that nobody calls here."""
    rows = [f"| `{name}` | {why} |" for name, why in facts("freertos")["uncalled"].items()]
    return "\n".join(["| not called | why |", "|---|---|", *rows]) + "\n"


def count(_: object) -> str:
    """Numbers of names: in hardware, in software, missing."""
    found = facts("freertos")
    by = Counter(row["by"] for members in found["calls"].values() for row in members.values())
    return (
        f"{by.total()} names: {by['hardware']} hardware, {by['software']} software;"
        f" {len(found['missing'])} not yet.\n"
    )
