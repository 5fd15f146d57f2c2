# SPDX-License-Identifier: Apache-2.0
"""Systems of the studio: what a form may choose, with ranges from spec/ and the schema of
configurations; one that is composed or named, checked by `melanion.config`, and its price."""

from __future__ import annotations

import shlex
from functools import cache
from typing import Any

from annotated_types import Ge, Le
from mel_gen import KERNELS, PARAMETERS

from melanion import config
from melanion.area.recorded import recorded
from melanion.config import Core, Memory, System
from melanion.config.composed import systems as composed_systems
from melanion.config.name import Name, parse
from melanion.config.schema import COUPLINGS
from melanion.report.colours import slots
from melanion.spec.schema import Row
from melanion.studio.errors import StudioError
from melanion.studio.files import Folder
from melanion.studio.gallery import load
from melanion.studio.limits import SystemRequest

# Keys that a name may set beside the sizes of the kernel, and where they stand.
BESIDE: dict[str, tuple[type[Row], str]] = {
    "resident": (Core, "contexts at hand"),
    "kib": (Memory, "KiB of memory"),
    "clock_mhz": (System, "MHz of the cores"),
    "tick_us": (System, "µs a tick"),
}
NOT_SHOWN = ("cores", "time_reset")  # the first is chosen beside the kernel, the other for tests


def choices() -> dict[str, Any]:
    """Choices of the form of a system."""
    axes = composed_systems().axes
    return {
        "kernels": [
            {"name": name, "text": info.text, "bus": info.unit and info.coupling == "bus"}
            for name, info in KERNELS.items()
        ],
        "axes": [
            {"name": axis.replace("_", " "), "words": list(words)} for axis, words in axes.items()
        ],
        "places": sorted(config.units()),
        "memories": sorted(config.memories()),
        "sizes": [*_of_kernel(), *_beside()],
    }


def named(text: str, folder: Folder | None) -> System:
    """A system by name, or by a file of the folder. Raises ConfigError, StudioError."""
    if text.endswith((".yaml", ".yml")) or "/" in text:
        if folder is None:
            raise StudioError(
                f"{text!r}: the studio was started without a folder, so it reads no files; write a"
                " name, or start it as `melanion studio FOLDER`.",
                2,
            )
        return config.load(folder.file(text.removeprefix("./")), text)
    return config.find(text)


def composed(wanted: SystemRequest) -> str:
    """The name of what a form says: sizes that are those of the kernel anyway are left out. Raises
    ConfigError."""
    name = "-".join([wanted.kernel, *wanted.words])
    usual = sizes(config.find(name))
    changed = [f"{k}={v}" for k, v in wanted.sizes.items() if usual.get(k) != v]
    name += f"@{wanted.place}" if wanted.place else ""
    name += f"[{','.join(changed)}]" if changed else ""
    return name + (f"+{wanted.memory}" if wanted.memory else "")


def described(text: str, system: System, beside: str = "") -> dict[str, Any]:
    """A system as the manifest has it (`System` of studio/src/contract.ts), with what the form
    shows of it."""
    row = load().systems.get(text)
    info, parts = system.kernel_info, _parts(text)
    waits = f":{parts.waits}" if parts and parts.waits else ""
    return {
        "name": text,
        "title": row.title if row else f"{info.name}, {system.core.text}",
        "text": row.text if row else info.text,
        "slot": _slot(text, beside),
        "unit": system.unit,
        "replayed": info.replayed,
        "idle": system.parameters.tasks,
        "cores": system.core.count,
        "shortest_tick": system.tick_cycles_minimum,
        "bytes": 0,
        "core": system.core.text,
        "sizes": sizes(system),
        "parts": parts
        and {
            "kernel": parts.kernel,
            "words": list(parts.words),
            "place": (parts.coupling or "") + waits,
            "memory": parts.memory or "",
            "sizes": {key: int(value) for key, value in parts.sizes},
        },
        "price": _price(system),
        "yaml": config.text(system),
        "command": f"melanion systems {shlex.quote(text)}",
    }


def _slot(text: str, beside: str) -> int:
    """Colour of a system, other than that of the one beside it."""
    return slots([beside, text] if beside and beside != text else [text])[text]


def _parts(text: str) -> Name | None:
    """Parts of a system's name; None: it is a file."""
    return parse(text, KERNELS, {*COUPLINGS, *(config.units() if "@" in text else ())})


def sizes(system: System) -> dict[str, int]:
    """Sizes of a system, by the names that a system's name knows them by."""
    own = {"resident": system.core.resident, "kib": system.memory.kib}
    own |= {"clock_mhz": system.clock_mhz, "tick_us": system.tick_us}
    return {**{row["name"]: getattr(system.parameters, row["name"]) for row in _of_kernel()}, **own}


def _price(system: System) -> dict[str, Any]:
    figure = recorded(system)
    return {
        "cells": figure.cells,
        "block_rams": figure.block_rams,
        "how": "unknown" if figure.how == "none" else figure.how,
        "reason": figure.reason,
    }


@cache
def _of_kernel() -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "name": name,
            "label": name.replace("_", " "),
            "title": info.unit,
            "minimum": info.minimum,
            "maximum": info.maximum,
        }
        for name, info in PARAMETERS.items()
        if name not in NOT_SHOWN
    )


@cache
def _beside() -> tuple[dict[str, Any], ...]:
    found = []
    for name, (model, title) in BESIDE.items():
        marks = model.model_fields[name].metadata
        [least] = [mark.ge for mark in marks if isinstance(mark, Ge)]
        [most] = [mark.le for mark in marks if isinstance(mark, Le)]
        words = {"name": name, "label": title, "title": f"{name}: {title}"}
        found.append({**words, "minimum": least, "maximum": most})
    return tuple(found)
