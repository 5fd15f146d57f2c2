# SPDX-License-Identifier: Apache-2.0
"""A stored run, repeated: its provenance has what decides it, and the digest of its events, so
another run can be compared with it bit for bit. The trace itself may be kept beside the store."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from melanion.results.errors import ResultsError
from melanion.results.unit import Unit
from melanion.run import RunResult
from melanion.trace import Events

KEY = "repeat"  # in the provenance of a unit
EVENTS = "events"  # in an archive of a run, beside the file of its trace
# Not compared: where and when a run was made, and tools, whose work the two keys stand for.
_APART = {KEY, "commit", "checkout", "melanion", "tools", "kernel_origin", "spec_hash"}
_WORDS = {
    "program_key": "the program (its sources, or its compiler)",
    "hardware_key": "the simulation (the hardware, or its tools)",
    "system": "the system",
}


@dataclass(frozen=True)
class Repeat:
    """`program`, `system`: as a command line names them, the folder of a program absolute;
    `events`: SHA-256 of the events."""

    program: str
    system: str
    freertos: bool
    events: str


def digest(events: Events) -> str:
    """SHA-256 of events, in hexadecimal digits."""
    return hashlib.sha256(np.ascontiguousarray(events).view(np.uint8).data).hexdigest()


def repeatable(found: RunResult, program: str, system: str, *, freertos: bool) -> dict[str, Any]:
    """Entry of the provenance of a run's unit."""
    return {KEY: asdict(Repeat(program, system, freertos, digest(found.events)))}


def of_unit(unit: Unit) -> Repeat | None:
    """None: it is no run, or one that was stored without it."""
    found = unit.provenance.get(KEY)
    return None if found is None else Repeat(**found)


def differences(unit: Unit, provenance: Mapping[str, Any]) -> list[str]:
    """Words for what decides another run otherwise."""
    before, now = (
        json.loads(json.dumps(each, default=str)) for each in (unit.provenance, provenance)
    )
    keys = [key for key in {**before, **now} if key not in _APART]
    return [_WORDS.get(key, key) for key in keys if before.get(key) != now.get(key)]


def compared(unit: Unit, found: RunResult) -> tuple[bool, str]:
    """Whether a run has the events that were stored, and a sentence. Raises ResultsError."""
    repeat = of_unit(unit)
    if repeat is None:
        raise ResultsError(f"{unit.experiment} on {unit.kernel} was stored without its events.")
    if digest(found.events) == repeat.events:
        count = len(found.events)
        return True, f"run again: all {count} events are those that were stored, bit for bit."
    others = differences(unit, found.provenance)
    why = "nothing that decides them has changed; please report it"
    if others:
        what = " and ".join(others)
        why = f"{what} changed since commit {unit.commit}; take that back to repeat the run"
    return False, f"run again: the events are others than those that were stored; {why}."


def archive(file: Path, unit: Unit) -> Path:
    """Place of a run's trace beside the store `file`; it need not be there."""
    return file.parent / f"{file.name}.runs" / f"{unit.digest}.zip"


def keep_files(file: Path, unit: Unit, files: Mapping[str, bytes]) -> None:
    """Keep the trace of a run with what belongs to it, all or nothing. Raises ResultsError."""
    place = archive(file, unit)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as folder:
            made = Path(folder) / place.name
            with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as content:
                for name, data in files.items():
                    content.writestr(name, data)
            made.replace(place)
    except OSError as error:
        raise ResultsError(
            f"{place}: the trace cannot be kept ({error.strerror}); free space, or name another"
            " store in MELANION_RESULTS."
        ) from error


def kept_files(file: Path, unit: Unit) -> dict[str, bytes] | None:
    """Files of a run, whose events are those that were stored; None: there are none, or they are
    damaged."""
    repeat = of_unit(unit)
    try:
        with zipfile.ZipFile(archive(file, unit)) as content:
            found = {name: content.read(name) for name in content.namelist()}
    except (OSError, zipfile.BadZipFile, zlib.error):
        return None
    stored = hashlib.sha256(found.get(EVENTS, b"")).hexdigest()
    return found if repeat is not None and stored == repeat.events else None
