# SPDX-License-Identifier: Apache-2.0
"""A run in a folder: its events, and what is needed to say what they mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from melanion import trace
from melanion.config import System
from melanion.run.errors import RunError
from melanion.run.result import RunResult
from melanion.trace import Events

EVENTS, RECORD = "events", "run.json"


@dataclass(frozen=True)
class Saved:
    """`names`: of tasks. A system of several kinds of cores is one of as many cores of the least
    kind: for whom the kernel is the same."""

    app: str
    system: System
    names: dict[int, str]
    events: Events

    @property
    def cycles(self) -> int:
        """Length of the run in cycles."""
        return int(self.events["cycle"][-1])


def save(result: RunResult, folder: Path) -> None:
    """Into a folder, which is made; a run that is there is replaced. Raises RunError."""
    system = result.system.model_dump(mode="json")
    system["core"].pop("kinds", None)
    record = {
        "schema": 1,
        "app": result.program.app.name,
        "system": system,
        "names": dict(result.names),
        "result": result.as_json(),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / EVENTS).write_bytes(result.events.tobytes())
        text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
        (folder / RECORD).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(
            f"{folder}: the run cannot be saved here ({error.strerror}); name another folder."
        ) from error


def load(folder: Path) -> Saved:
    """Read the files that `save` wrote. Raises RunError."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        names = {int(number): str(name) for number, name in record["names"].items()}
        system = System.model_validate(record["system"])
        events = trace.read(folder / EVENTS)
        return Saved(str(record["app"]), system, names, events)
    except OSError as error:
        raise RunError(
            f"{folder}: this is no saved run ({RECORD}: {error.strerror}); make one with `melanion"
            f" run APP --save {folder}`.",
            2,
        ) from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise RunError(
            f"{folder / RECORD}: this file is damaged, or of another Melanion; save the run again.",
            2,
        ) from error


def until(saved: Saved, cycle: int | None) -> Events:
    """The events up to a cycle, that one included; None: all. Raises RunError."""
    if cycle is None:
        return saved.events
    if cycle > saved.cycles:
        raise RunError(
            f"cycle {cycle}: {saved.app} ended in cycle {saved.cycles}; name one of 0 …"
            f" {saved.cycles}.",
            2,
        )
    return saved.events[saved.events["cycle"] <= cycle]
