# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiment `interference`: an interrupt at every cycle of every call.

The program is apps/benchmarks/interference; its definition, with the edges in words,
experiments/interference.yaml. A phase is one state of one call, its parameter says which (SWITCHES,
MANY, EDGE): the call is made again and again, and the line rises one cycle later each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.experiments.calls import MEASURED, OTHER
from melanion.measure.recording import Phase, Recording, pairs
from melanion.measure.registry import register
from melanion.measure.rows import Found, Samples

# Bits of a parameter: the call ends in another task; the state has many of something; the edge.
SWITCHES, MANY, EDGE = 1, 2, 4
EDGES = ("handler", "task")
LOADS = ("few", "many")
TOTALS = {f"irq_to_{edge}": edge for edge in EDGES}


@dataclass(frozen=True)
class Sweep:
    """One state of a call and one edge. `length` of the call in cycles, when the interrupt comes
    behind it; the cycle of the call in which each one came, and after how many it was served."""

    call: str
    edge: str
    load: str
    length: int
    offsets: Samples
    cycles: Samples

    @property
    def worst(self) -> tuple[int, int]:
        """The most cycles, and the first cycle of the call that has them."""
        place = int(np.argmax(self.cycles))
        return int(self.cycles[place]), int(self.offsets[place])


def sweeps(recording: Recording, name: str) -> Iterator[Sweep]:
    """Those of a call, state after state in the order of the program. Raises ExperimentError: a
    cycle of the call was left out."""
    for phase in recording.phases(name):
        yield _sweep(recording, phase)


def metric(name: str) -> Callable[[Recording], Found]:
    """The metric of a call, or of all calls together (TOTALS)."""
    return _total(TOTALS[name]) if name in TOTALS else _of_call(name)


def _of_call(name: str) -> Callable[[Recording], Found]:
    def measured(recording: Recording) -> Found:
        found = list(sweeps(recording, name))
        for edge in EDGES:
            if cycles := [each.cycles for each in found if each.edge == edge]:
                yield {"edge": edge}, np.concatenate(cycles)

    return measured


def _total(edge: str) -> Callable[[Recording], Found]:
    def measured(recording: Recording) -> Found:
        found = [
            each
            for name in recording.definition.phases
            if name in recording.names
            for each in sweeps(recording, name)
            if each.edge == edge
        ]
        for load in LOADS:
            yield {"load": load}, np.concatenate([e.cycles for e in found if e.load == load])

    return measured


def _sweep(recording: Recording, phase: Phase) -> Sweep:
    numbers, parameter = recording.definition, phase.parameter
    edge = EDGES[parameter // EDGE]
    starts, ends = _spans(recording, phase)
    wires = phase.wire(numbers.lines[edge])
    cycles, rises, _ = pairs(phase, wires, phase.tracepoint(numbers.tracepoints[edge]), "interrupt")
    if len(cycles) != len(starts):
        raise ExperimentError(
            f"{phase.label}: {len(starts)} calls and {len(cycles)} interrupts; each call needs its"
            " own, so nothing was measured."
        )
    offsets = rises["cycle"].astype(np.int64) - starts
    after = offsets >= ends - starts
    if not after.any():
        raise ExperimentError(
            f"{phase.label}: in each of {len(starts)} calls the interrupt came before its end; the"
            " last must come after it."
        )
    # One that came before a call may have changed what the call met.
    length = int((ends - starts)[after].min())
    missed = np.setdiff1d(np.arange(length), offsets)
    if len(missed):
        raise ExperimentError(
            f"{phase.label}: no interrupt came in {len(missed)} of the {length} cycles of the call,"
            f" the first of them cycle {missed[0]}; each must be met."
        )
    inside = (offsets >= 0) & ~after
    return Sweep(
        phase.name,
        edge,
        LOADS[bool(parameter & MANY)],
        length,
        offsets[inside],
        cycles[inside],
    )


def _spans(recording: Recording, phase: Phase) -> tuple[Samples, Samples]:
    """Cycles in which the measured calls start and end. Raises ExperimentError: one did not end
    before the next began."""
    tracepoints = phase.kind(TraceKind.TRACEPOINT)
    ender = OTHER if phase.parameter & SWITCHES else MEASURED
    numbers = recording.definition.tracepoints
    start = (tracepoints["a"] == numbers["start"]) & (tracepoints["b"] == MEASURED)
    starts = tracepoints["cycle"][start].astype(np.int64)
    end = (tracepoints["a"] == numbers["end"]) & (tracepoints["b"] == ender)
    ends = tracepoints["cycle"][end].astype(np.int64)
    after = np.searchsorted(ends, starts)
    if len(starts) and after[-1] < len(ends) and (ends[after][:-1] <= starts[1:]).all():
        return starts, ends[after]
    raise ExperimentError(
        f"{phase.label}: {len(starts)} calls were started, and not each of them ended"
        f" {'in another task' if phase.parameter & SWITCHES else 'in its caller'} before the next"
        " one."
    )


register("interference", by=metric)
