# SPDX-License-Identifier: Apache-2.0
"""The lateness of the control task of the experiment `network`; its other metrics are readings.

The program is apps/benchmarks/network; its definition, with the edges in words,
experiments/network.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from melanion.measure.definition import ExperimentError
from melanion.measure.extractors import decoded
from melanion.measure.recording import Phase, Recording
from melanion.measure.registry import register
from melanion.measure.rows import Found, Parameters, Samples
from melanion.measure.spans import boundaries

TICK = 10_000  # cycles: TICK_CYCLES of network.h


def late(ticks: Samples, runs: Samples) -> Samples:
    """Cycles from the beginning of its tick to each run. `ticks`: when the kernel noticed each;
    they begin at a fixed distance, and the earliest notice tells when: a kernel that notices one
    late is not favoured by it."""
    first = int(ticks[0])
    places = np.round((ticks - first) / TICK).astype(np.int64)
    begin = first + int((ticks - first - places * TICK).min())
    found: Samples = (runs - begin) % TICK
    return found


def _of(recording: Recording, phase: Phase) -> Samples:
    """Raises ExperimentError: a tick has no run of its own."""
    runs = phase.tracepoint(recording.definition.tracepoints["control"])["cycle"].astype(np.int64)
    ticks = boundaries(phase.events)
    if len(ticks) == 0 or abs(len(runs) - len(ticks)) > 1:
        raise ExperimentError(
            f"{phase.label}: the control task ran {len(runs)} times in {len(ticks)} ticks; it must"
            " run once in each."
        )
    return late(ticks, runs)


def lateness(recording: Recording) -> Found:
    """A row for each load."""
    metric = recording.definition.metrics["lateness"]
    rows: Iterable[tuple[Parameters, Samples]] = (
        (decoded(metric, phase), _of(recording, phase)) for phase in recording.phases("load")
    )
    wanted = {tuple(each.values()): place for place, each in enumerate(metric.combinations)}
    yield from sorted(rows, key=lambda row: wanted.get(tuple(row[0].values()), len(wanted)))


METRICS = {"lateness": lateness}


register("network", by=METRICS.__getitem__)
