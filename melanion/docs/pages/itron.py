# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/itron.md: the service calls, from the facts that its test asserts."""

from __future__ import annotations

from typing import Any

from mel_gen import KERNELS

from melanion import config
from melanion.build import freertos
from melanion.docs.pages.interfaces import below, calls_of, facts, groups
from melanion.docs.table import NONE, codes, table

OBJECTS = ("semaphores", "event_flags", "mutexes", "queues", "timers")


def _status(name: str) -> str:
    return {"value": "a number", "none": NONE}.get(name, name)


def _lacking(kernel: str) -> dict[str, str]:
    """Calls of the layer → the first call of Melanion under it that the kernel lacks."""
    names = {
        "mel_" + word.removesuffix("_state") + "_query" * word.endswith("_state")
        for word in KERNELS[kernel].lacks
    }
    missing = {
        call: [name for name in row["over"] if name in names]
        for call, row in calls_of("itron").items()
    }
    return {call: found[0] for call, found in missing.items() if found}


def _without(kernel: str) -> list[str]:
    """Objects of which the system that is named like the kernel has none."""
    found = [name for name in config.names() if name == kernel or name.startswith(f"{kernel}-")]
    sizes = config.find(found[0]).parameters
    return [name.replace("_", " ") for name in OBJECTS if getattr(sizes, name) == 0]


def kernels() -> str:
    """The kernels that carry the layer, and those that carry a part of it or refuse it."""
    others, whole = [], []
    for kernel, info in KERNELS.items():
        lacking, without = _lacking(kernel), _without(kernel)
        if info.of == freertos.KERNEL:
            others.append(f"`{kernel}` refuses a program for µITRON when it is built.")
        elif lacking:
            others.append(
                f"`{kernel}` lacks calls under {', '.join(codes(lacking))}: a row of such an object"
                " ends the boot with a sentence."
            )
        elif without:
            others.append(
                f"The system `{kernel}` has no {', no '.join(without)}: rows that need them do not"
                " build."
            )
        else:
            whole.append(f"`{kernel}`")
    return f"All calls work on the kernels {', '.join(whole)}.\n" + "\n".join(others) + "\n"


def calls() -> str:
    """A table per kind of object: each call, what it stands over, its statuses."""
    return groups("itron", ("call", "over", "returns", ""), _rows)


def _rows(members: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            f"`{name}`",
            below(row["over"]),
            ", ".join(map(_status, row["statuses"])),
            row.get("text", ""),
        )
        for name, row in members.items()
    ]


def absent() -> str:
    """Parts of the standard that the layer lacks, each with the reason."""
    return table("l", ("left out", "because"), facts("itron")["absent"].items())


def count() -> str:
    """Numbers of calls and statuses."""
    rows = calls_of("itron").values()
    pairs = sum(len(row["statuses"]) for row in rows)
    return f"{len(rows)} calls, {pairs} pairs of a call and a status.\n"
