# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiments `calls` and `calls-booster`: one per kernel call, each with the
rows `without` and `with` a switch, `with_many` and `irq_off`.

The program is apps/benchmarks/calls; its definition, with the edges in words,
experiments/calls.yaml. A phase is one state of one call, its parameter the row; but for the first
row the call ends in another task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.recording import Phase, Recording
from melanion.measure.registry import register
from melanion.measure.rows import Found, Samples
from melanion.measure.spans import TIMER_TRAP, irq_off_within

OTHER, MEASURED = 0, 1  # second field of a tracepoint: who passes it
ROWS = ("without", "with", "with_many")


@dataclass(frozen=True)
class Measured:
    """One state of a call, in one environment: its row, and two samples of each call."""

    row: str
    cycles: Samples
    irq_off: Samples


def states(recording: Recording, name: str) -> Iterator[Measured]:
    """The states of a call, in the order in which the program measures them. Raises
    ExperimentError."""
    for phase in recording.phases(name):
        starts, ends = spans(recording, phase, switches=bool(phase.parameter))
        cycles = phase.cycles[ends] - phase.cycles[starts]
        yield Measured(
            ROWS[phase.parameter],
            cycles,
            irq_off_within(phase, phase.cycles[starts], phase.cycles[ends]),
        )


def metric(name: str) -> Callable[[Recording], Found]:
    """The metric of the call with this name."""

    def measured(recording: Recording) -> Found:
        found = list(states(recording, name))
        for row in ROWS:
            if cycles := [each.cycles for each in found if each.row == row]:
                yield {"row": row}, np.concatenate(cycles)
        yield {"row": "irq_off"}, np.concatenate([each.irq_off for each in found])

    return measured


def spans(recording: Recording, phase: Phase, *, switches: bool) -> tuple[Samples, Samples]:
    """Places of the events in which the measured calls start and end, without those that a timer's
    trap interrupted. `switches`: the calls end in another task. Raises ExperimentError: a call that
    did not end, or not where it should."""
    numbers, events = recording.definition.tracepoints, phase.events
    tracepoint = events["kind"] == TraceKind.TRACEPOINT
    ender = OTHER if switches else MEASURED
    starts = np.flatnonzero(
        tracepoint & (events["a"] == numbers["start"]) & (events["b"] == MEASURED)
    )
    ends = np.flatnonzero(tracepoint & (events["a"] == numbers["end"]) & (events["b"] == ender))
    after = np.searchsorted(ends, starts)
    bounds = np.append(starts[1:], len(events))
    if not len(starts) or after[-1] == len(ends) or (ends[after] > bounds).any():
        raise ExperimentError(
            f"{phase.label}: {len(starts)} calls were started, and not each of them ended"
            f" {'in another task' if switches else 'in its caller'} before the next one."
        )
    ends = ends[after]
    whole = np.array(
        [
            _whole(phase, *span, switches=switches)
            for span in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
    )
    return starts[whole], ends[whole]


def _whole(phase: Phase, start: int, end: int, *, switches: bool) -> bool:
    """No tick of a software kernel interrupted the call. Raises ExperimentError: it switched and
    should not, or the reverse."""
    events = phase.events[start:end]
    switched = (events["kind"] == TraceKind.DISPATCH) & (events["a"] != events["b"])
    if switched.any() != switches:
        raise ExperimentError(
            f"{phase.label}: between the start of the call at cycle {events['cycle'][0]} and its"
            f" end tasks were switched {np.count_nonzero(switched)} times."
        )
    return not ((events["kind"] == TraceKind.TRAP) & (events["a"] == TIMER_TRAP)).any()


register("calls", "calls-booster", by=metric)
