# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiment `cores`: wake-ups within a core and across cores.

The program is apps/benchmarks/cores; its definition, with the edges in words,
experiments/cores.yaml.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from melanion.measure.definition import ExperimentError
from melanion.measure.recording import Phase, Recording, pairs
from melanion.measure.registry import register
from melanion.measure.rows import Found, Samples
from melanion.trace import Events

GIVER_CORE = 0
LOADS = ("idle", "busy")


def _spans(recording: Recording, phase: Phase, end: str, core: int | None) -> Samples:
    """From the giver's tracepoints `start` to the tracepoints `end`, which lie on `core`; None: on
    any but the giver's."""
    numbers = recording.definition.tracepoints
    starts, ends = phase.tracepoint(numbers["start"]), phase.tracepoint(numbers[end])
    _check_core(phase, starts, starts["core"] == GIVER_CORE, f"to core {GIVER_CORE}")
    if core is None:
        _check_core(phase, ends, ends["core"] != GIVER_CORE, f"to another core than {GIVER_CORE}")
    else:
        _check_core(phase, ends, ends["core"] == core, f"to core {core}")
    return pairs(phase, starts, ends, "wake-up")[0]


def _check_core(phase: Phase, tracepoints: Events, right: np.ndarray, belongs: str) -> None:
    wrong = np.flatnonzero(~right)
    if len(wrong):
        first = tracepoints[wrong[0]]
        raise ExperimentError(
            f"{phase.label}: tracepoint {first['a']} at cycle {first['cycle']} was passed on core"
            f" {first['core']}; it belongs {belongs}."
        )


def wake_own(recording: Recording) -> Found:
    for phase in recording.phases("own"):
        yield {}, _spans(recording, phase, "end", GIVER_CORE)


def wake_other(recording: Recording) -> Found:
    for phase in recording.phases("other"):
        yield {"load": LOADS[phase.parameter]}, _spans(recording, phase, "end", 1)


def wake_moved(recording: Recording) -> Found:
    for phase in recording.phases("moved"):
        yield {}, _spans(recording, phase, "end", None)


def give_other(recording: Recording) -> Found:
    for phase in recording.phases("other"):
        yield {"load": LOADS[phase.parameter]}, _spans(recording, phase, "given", GIVER_CORE)


METRICS: dict[str, Callable[[Recording], Found]] = {
    "wake_own": wake_own,
    "wake_other": wake_other,
    "wake_moved": wake_moved,
    "give_other": give_other,
}


register("cores", by=METRICS.__getitem__)
