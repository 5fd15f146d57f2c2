# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/itron.md: the service calls, from the facts that its test asserts."""

from __future__ import annotations

from interfaces import below, facts
from mel_gen import KERNELS

from melanion import config
from melanion.build import freertos

OBJECTS = ("semaphores", "event_flags", "mutexes", "queues", "timers")


def _status(name: str) -> str:
    return {"value": "a number", "none": "–"}.get(name, name)


def _lacking(kernel: str) -> dict[str, str]:
    """Calls of the layer → the first call of Melanion under it that the kernel lacks."""
    names = {
        "mel_" + word.removesuffix("_state") + "_query" * word.endswith("_state")
        for word in KERNELS[kernel].lacks
    }
    members = [row for group in facts("itron")["calls"].values() for row in group.items()]
    missing = {call: [name for name in row["over"] if name in names] for call, row in members}
    return {call: found[0] for call, found in missing.items() if found}


def _without(kernel: str) -> list[str]:
    """Objects of which the system that is named like the kernel has none."""
    found = [name for name in config.names() if name == kernel or name.startswith(f"{kernel}-")]
    sizes = config.find(found[0]).parameters
    return [name.replace("_", " ") for name in OBJECTS if getattr(sizes, name) == 0]


def kernels(_: object) -> str:
    """The kernels that carry the layer, and those that carry a part of it or refuse it."""
    others, whole = [], []
    for kernel, info in KERNELS.items():
        lacking, without = _lacking(kernel), _without(kernel)
        if info.parts.get("kernel") == freertos.PART:
            others.append(f"`{kernel}` refuses a program for µITRON when it is built.")
        elif lacking:
            calls = ", ".join(f"`{call}`" for call in lacking)
            others.append(
                f"`{kernel}` lacks calls under {calls}: a row of such an object ends the boot with"
                " a sentence."
            )
        elif without:
            others.append(
                f"The system `{kernel}` has no {', no '.join(without)}: rows that need them do not"
                " build."
            )
        else:
            whole.append(f"`{kernel}`")
    return f"All calls work on the kernels {', '.join(whole)}.\n" + "\n".join(others) + "\n"


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
    """Parts of the standard that the layer lacks, each with the reason."""
    rows = [f"| {name} | {why} |" for name, why in facts("itron")["absent"].items()]
    return "\n".join(["| left out | because |", "|---|---|", *rows]) + "\n"


def count(_: object) -> str:
    """Numbers of calls and statuses."""
    rows = [row for members in facts("itron")["calls"].values() for row in members.values()]
    pairs = sum(len(row["statuses"]) for row in rows)
    return f"{len(rows)} calls, {pairs} pairs of a call and a status.\n"
