"""What docs/reference/itron.md shows: the service calls, from the facts that its test asserts."""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML

from melanion import paths

FACTS = paths.data_root() / "kernel" / "compat" / "itron" / "calls.yaml"


def _facts() -> dict[str, Any]:
    facts: dict[str, Any] = YAML(typ="safe").load(FACTS.read_text(encoding="utf-8"))
    return facts


def _below(name: str) -> str:
    return "a step" if name == "step" else f"`{name}`"


def _status(name: str) -> str:
    return {"value": "a number", "none": "–"}.get(name, name)


def calls(_: object) -> str:
    """A table per kind of object: each call, what it stands over, its statuses."""
    lines: list[str] = []
    for group, members in _facts()["calls"].items():
        lines += [f"### {group[0].upper()}{group[1:]}", ""]
        lines += ["| call | over | returns | |", "|---|---|---|---|"]
        for name, row in members.items():
            over = ", ".join(map(_below, row["over"])) or "–"
            statuses = ", ".join(map(_status, row["statuses"]))
            lines.append(f"| `{name}` | {over} | {statuses} | {row.get('text', '')} |")
        lines.append("")
    return "\n".join(lines)


def absent(_: object) -> str:
    """What the standard has and the layer has not, and why."""
    rows = [f"| {name} | {why} |" for name, why in _facts()["absent"].items()]
    return "\n".join(["| left out | because |", "|---|---|", *rows]) + "\n"


def count(_: object) -> str:
    """How many calls and statuses there are."""
    rows = [row for members in _facts()["calls"].values() for row in members.values()]
    pairs = sum(len(row["statuses"]) for row in rows)
    return f"{len(rows)} calls, {pairs} pairs of a call and a status.\n"
