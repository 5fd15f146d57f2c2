# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiment `itron-calls`: one per service call of µITRON, each with the rows
`stays`, `switches` and `refuses`, and the same of the kernel's own call in the same states.

The program is apps/benchmarks/itron_calls; its definition, with the edges in words,
experiments/itron-calls.yaml. A phase is one state of one call, its parameter the row.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from melanion.measure.experiments.calls import spans
from melanion.measure.recording import Recording
from melanion.measure.registry import register
from melanion.measure.rows import Found, Samples

KINDS = ("stays", "switches", "refuses")
ROWS = (*KINDS, *(f"native_{kind}" for kind in KINDS))


def metric(name: str) -> Callable[[Recording], Found]:
    """The metric of the call with this name."""

    def measured(recording: Recording) -> Found:
        found: dict[str, list[Samples]] = {}
        for phase in recording.phases(name):
            row = ROWS[phase.parameter]
            starts, ends = spans(recording, phase, switches=row.endswith("switches"))
            found.setdefault(row, []).append(phase.cycles[ends] - phase.cycles[starts])
        for row in ROWS:
            if row in found:
                yield {"row": row}, np.concatenate(found[row])

    return measured


register("itron-calls", by=metric)
