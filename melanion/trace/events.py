# SPDX-License-Identifier: Apache-2.0
"""The trace file as a numpy array: one record of spec/trace.yaml per event."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from melanion.errors import MelanionError

EVENT = np.dtype(
    [
        ("cycle", "<u8"),
        ("kind", "u1"),
        ("core", "u1"),
        ("a", "<u2"),
        ("b", "<u4"),
        ("c", "<u4"),
        ("d", "<u4"),
    ]
)

# Tracepoints from here on are of interfaces (kernel/compat), not of programs.
INTERFACE_TRACEPOINT = 0xFFF0

Events = NDArray[Any]
"""Structured array of EVENT, in order of cycle."""


class TraceError(MelanionError):
    """A trace file is missing or damaged."""


def events_of(records: Iterable[tuple[int, ...]]) -> Events:
    """From tuples in the order of EVENT."""
    return np.array(list(records), dtype=EVENT)


def read(path: Path) -> Events:
    """The events of a file, by cycle; those of one cycle in the order in which they took effect.

    The simulation reports a tracepoint when its instruction retires, stamped with the cycle in
    which it was first in the ID stage, so the file itself is not quite in order. Raises TraceError.
    """
    try:
        size = path.stat().st_size
        if size % EVENT.itemsize:
            raise TraceError(
                f"{path}: the trace has {size} bytes, no multiple of {EVENT.itemsize}: it is cut"
                " off; run the program again."
            )
        events = np.fromfile(path, dtype=EVENT)
    except OSError as error:
        raise TraceError(
            f"{path}: the trace cannot be read ({error.strerror}); run the program again."
        ) from error
    cycles = events["cycle"]
    if np.all(cycles[1:] >= cycles[:-1]):
        return events
    return events[np.argsort(cycles, kind="stable")]
