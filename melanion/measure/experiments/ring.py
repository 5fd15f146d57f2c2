# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiment `ring`: how soon the rings have done their work, what ticks take
from the idle process, and what the calls take.

The program is apps/benchmarks/ring; its definition, with the edges in words, experiments/ring.yaml.
The parameters of a phase are coded as melanion/measure/extractors says.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.extractors import MILLION, decoded
from melanion.measure.recording import Phase, Recording
from melanion.measure.registry import register
from melanion.measure.rows import Found, Samples

# At least this share of the idle process's turns must take the same time, else what it counts to
# without ticks is not known.
UNDISTURBED = 0.5
# Turns of it that are left out first: another core may still use the memory, to suspend the last
# process.
SETTLING = 16


def _cycles(recording: Recording, phase: Phase, *names: str) -> Samples:
    """When any of these tracepoints was passed."""
    numbers = [recording.definition.tracepoints[name] for name in names]
    tracepoints = phase.kind(TraceKind.TRACEPOINT)
    found: Samples = tracepoints["cycle"][np.isin(tracepoints["a"], numbers)].astype(np.int64)
    return found


def response(recording: Recording, phase: Phase) -> Samples:
    """From the start of the rings to the first turn of the idle process behind the end of their
    last process."""
    (start,) = _cycles(recording, phase, "start")
    ended = _cycles(recording, phase, "done").max(initial=start)
    turns = _cycles(recording, phase, "idle", "count")
    return np.array([turns[turns > ended].min() - start], dtype=np.int64)


def administration(recording: Recording, phase: Phase) -> Samples:
    """Share of the idle process's counting time lost to ticks, in millionths. A turn without a tick
    takes the most frequent length; the first turns are left out."""
    turns = np.diff(_cycles(recording, phase, "count"))[SETTLING:]
    lengths, counts = np.unique(turns, return_counts=True)
    usual = int(lengths[counts.argmax()])
    share = float(counts.max() / len(turns))
    if share < UNDISTURBED:
        raise ExperimentError(
            f"{phase.label}: only {100 * share:.0f} % of the turns of the idle process take its"
            f" usual time of {usual} cycles; at least {100 * UNDISTURBED:.0f} % must, else what it"
            " counts to without ticks is not known."
        )
    interval = int(turns.sum())
    lost = interval - usual * len(turns)
    return np.array([round(lost * MILLION / interval)], dtype=np.int64)


def call(start: str, end: str) -> Callable[[Recording, Phase], Samples]:
    """Cycles of each call of a kind in which no task was switched on the caller's core."""

    def measured(recording: Recording, phase: Phase) -> Samples:
        tracepoints = recording.definition.tracepoints
        began: dict[int, tuple[int, int]] = {}
        samples = []
        switches = {
            core: _switches(phase, core) for core in np.unique(phase.events["core"]).tolist()
        }
        for tracepoint in phase.kind(TraceKind.TRACEPOINT):
            cycle, task, core = (
                int(tracepoint["cycle"]),
                int(tracepoint["b"]),
                int(tracepoint["core"]),
            )
            if tracepoint["a"] == tracepoints[start]:
                began[task] = (cycle, core)
            elif tracepoint["a"] == tracepoints[end]:
                first, there = began.pop(task)
                own = switches[core]
                inside = np.searchsorted(own, cycle) - np.searchsorted(own, first)
                if there == core and inside == 0:
                    samples.append(cycle - first)
        return np.array(samples, dtype=np.int64)

    return measured


def _switches(phase: Phase, core: int) -> Samples:
    dispatches = phase.kind(TraceKind.DISPATCH)
    meant = (dispatches["core"] == core) & (dispatches["a"] != dispatches["b"])
    found: Samples = dispatches["cycle"][meant].astype(np.int64)
    return found


def _metric(
    name: str, phase: str, measure: Callable[[Recording, Phase], Samples]
) -> Callable[[Recording], Found]:
    def found(recording: Recording) -> Found:
        metric = recording.definition.metrics[name]
        rows = {
            tuple(decoded(metric, each).values()): (decoded(metric, each), each)
            for each in recording.phases(phase)
        }
        wanted = {tuple(each.values()): place for place, each in enumerate(metric.combinations)}
        for key in sorted(rows, key=lambda key: wanted.get(key, len(wanted))):
            parameters, each = rows[key]
            yield parameters, measure(recording, each)

    return found


METRICS: dict[str, Callable[[Recording], Found]] = {
    "response": _metric("response", "response", response),
    "administration": _metric("administration", "idle", administration),
    "alloc": _metric("alloc", "calls", call("alloc", "allocated")),
    "send": _metric("send", "calls", call("send", "sent")),
    "receive": _metric("receive", "calls", call("receive", "received")),
    "free": _metric("free", "calls", call("free", "freed")),
}


register("memories", "place", "ring", by=METRICS.__getitem__)
