# SPDX-License-Identifier: Apache-2.0
"""Names of tasks that a program for FreeRTOS makes while it runs: tracepoints of the layer
(kernel/compat/freertos/task.c) tell each character, with its address, and each task's number."""

from __future__ import annotations

import numpy as np
from mel_gen import TraceKind

from melanion.trace import Events
from melanion.trace.events import INTERFACE_TRACEPOINT

_CHARACTER, _NUMBER = INTERFACE_TRACEPOINT, INTERFACE_TRACEPOINT + 1
_SEVERAL = "/"


def split(events: Events) -> tuple[Events, dict[int, str]]:
    """Events without those of interfaces, and number → name; of tasks that had a number one after
    another, all names."""
    own = (events["kind"] == TraceKind.TRACEPOINT) & (events["a"] >= INTERFACE_TRACEPOINT)
    if not own.any():
        return events, {}
    written: dict[int, str] = {}
    found: dict[int, list[str]] = {}
    for kind, address, value, offset in events[own][["a", "b", "c", "d"]].tolist():
        if kind == _CHARACTER:
            written[address] = chr(value & 0xFF)
        elif kind == _NUMBER:
            name, place = "", address + offset
            while place in written:
                name += written.pop(place)
                place += 1
            found.setdefault(value, []).append(name)
    told = {
        number: _SEVERAL.join(dict.fromkeys(filter(None, each))) for number, each in found.items()
    }
    return events[np.logical_not(own)], {number: name for number, name in told.items() if name}
