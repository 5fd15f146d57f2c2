# SPDX-License-Identifier: Apache-2.0
"""What docs/reference/itron.md shows: the service calls, from the facts that its test asserts."""

from __future__ import annotations

from interfaces import below, facts


def _status(name: str) -> str:
    return {"value": "a number", "none": "–"}.get(name, name)


def calls(_: object) -> str:
    """A table per kind of object: each call, what it stands over, its statuses."""
    lines: list[str] = []
    for group, members in facts("itron")["calls"].items():
        lines += [f"### {group[0].upper()}{group[1:]}", ""]
        lines += ["| call | over | returns | |", "|---|---|---|---|"]
        for name, row in members.items():
            over = below(row["over"])
            statuses = ", ".join(map(_status, row["statuses"]))
            lines.append(f"| `{name}` | {over} | {statuses} | {row.get('text', '')} |")
        lines.append("")
    return "\n".join(lines)


def absent(_: object) -> str:
    """What the standard has and the layer has not, and why."""
    rows = [f"| {name} | {why} |" for name, why in facts("itron")["absent"].items()]
    return "\n".join(["| left out | because |", "|---|---|", *rows]) + "\n"


def count(_: object) -> str:
    """How many calls and statuses there are."""
    rows = [row for members in facts("itron")["calls"].values() for row in members.values()]
    pairs = sum(len(row["statuses"]) for row in rows)
    return f"{len(rows)} calls, {pairs} pairs of a call and a status.\n"
