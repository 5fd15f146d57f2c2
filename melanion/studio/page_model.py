# SPDX-License-Identifier: Apache-2.0
"""The golden model in the page: judges the trace of a run, in Pyodide.

The page holds this file beside `melanion.model` and `mel_gen`, and nothing else of Melanion: no
package but Python's own is there.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator

from mel_gen import KERNELS

from melanion.model.owed import Patience
from melanion.model.replay import Event, ReplayError, replay
from melanion.model.state import Limits

RECORD = struct.Struct("<QBBHIII")  # spec/trace.yaml


def verdict(trace: bytes, model: str, tasks: str) -> str:
    """The verdict on a trace, as the page reads it. `model`: of melanion/studio/programs.py;
    `tasks`: number → name; both as JSON."""
    given, names = json.loads(model), {int(n): name for n, name in json.loads(tasks).items()}
    try:
        report = replay(
            events(trace),
            Limits(**given["limits"]),
            KERNELS[given["kernel"]],
            patience=Patience(*given["patience"]),
            names=names,
        )
    except ReplayError as error:
        return json.dumps({"kind": "differs", "message": error.message})
    return json.dumps({"kind": "agrees", "events": report.events})


def events(trace: bytes) -> Iterator[Event]:
    """The events of a trace by cycle; those of one cycle in the order of reporting."""
    return iter(sorted(RECORD.iter_unpack(trace), key=lambda event: event[0]))
