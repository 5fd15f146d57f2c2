# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiment `latency`: edges in a recording → samples in cycles.

The program is apps/benchmarks/latency; its definition, with the edges in words,
experiments/latency.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.recording import Phase, Recording, pairs
from melanion.measure.registry import register
from melanion.measure.rows import Found, Parameters, Samples
from melanion.measure.spans import boundaries, lost_per_tick
from melanion.trace import Events

LOADS = ("idle", "calls", "divide")
# Line and tracepoint of a metric, by their names in the definition.
INTERRUPTS = {"irq_to_handler": ("handler", "handler"), "irq_to_task": ("task", "end")}
# Tasks of apps/benchmarks/latency/interrupts.c, as a timeline names them.
TASKS = {0: "main", 1: "woken", 2: "background", 3: "partner", 4: "moved"}


def _switch(recording: Recording, name: str) -> Found:
    """From a tracepoint of one task to a tracepoint of another."""
    samples = []
    for phase in recording.phases(name):
        times, starts, ends = pairs(phase, *_start_end(recording, phase), name)
        same = np.flatnonzero(starts["b"] == ends["b"])
        if len(same):
            raise ExperimentError(
                f"{phase.label}: task {starts['b'][same[0]]} both starts and ends a span at cycle"
                f" {starts['cycle'][same[0]]}; a switch to another task was to be measured."
            )
        samples.append(times)
    yield {}, np.concatenate(samples)


def _start_end(recording: Recording, phase: Phase) -> tuple[Events, Events]:
    tracepoints = recording.definition.tracepoints
    return phase.tracepoint(tracepoints["start"]), phase.tracepoint(tracepoints["end"])


def yield_(recording: Recording) -> Found:
    return _switch(recording, "yield")


def sem_give_switch(recording: Recording) -> Found:
    return _switch(recording, "sem_give_switch")


def sem_give_take(recording: Recording) -> Found:
    """Both tracepoints in one task, no dispatch between them."""
    for phase in recording.phases("sem_give_take"):
        times, _, _ = pairs(phase, *_start_end(recording, phase), "sem_give_take")
        yield {}, times


def _irq(recording: Recording, metric: str) -> Iterator[tuple[Phase, Samples, Events]]:
    """Times of each phase from the edge of a line to a tracepoint, and the edges."""
    line, tracepoint = INTERRUPTS[metric]
    numbers = recording.definition
    for phase in recording.phases(metric):
        wires = phase.wire(numbers.lines[line])
        times, _, _ = pairs(
            phase, wires, phase.tracepoint(numbers.tracepoints[tracepoint]), "interrupt"
        )
        yield phase, times, wires


def irq_to_handler(recording: Recording) -> Found:
    for phase, times, _ in _irq(recording, "irq_to_handler"):
        yield {"load": LOADS[phase.parameter]}, times


def irq_to_task(recording: Recording) -> Found:
    for phase, times, _ in _irq(recording, "irq_to_task"):
        yield {"load": LOADS[phase.parameter]}, times


@dataclass(frozen=True)
class Worst:
    """The first of the largest values of a metric: its row, the phase, its edges (cycles of the
    run)."""

    metric: str
    parameters: Parameters
    phase: Phase
    begin: int
    end: int


def worst_interrupt(recording: Recording) -> Worst:
    """From interrupt to task, under any load."""
    found: list[Worst] = []
    for phase, times, wires in _irq(recording, "irq_to_task"):
        place = int(times.argmax())
        begin = int(wires["cycle"][place])
        row: Parameters = {"load": LOADS[phase.parameter]}
        found.append(Worst("irq_to_task", row, phase, begin, begin + int(times[place])))
    return max(found, key=lambda each: each.end - each.begin)


def tick_idle(recording: Recording) -> Found:
    """Cycles by which the turns of a loop of constant length are longer than undisturbed, per
    tick."""
    for phase in recording.phases("tick_idle"):
        yield {}, lost_per_tick(phase, recording.definition.tracepoints["loop"])[0]


def tick_wake(recording: Recording) -> Found:
    """Each phase is one tick in which `parameter` tasks end their delay."""
    first: dict[int, list[int]] = {}
    last: dict[int, list[int]] = {}
    for phase in recording.phases("tick_wake"):
        boundary, woken = _woken(recording, phase)
        first.setdefault(phase.parameter, []).append(int(woken.min()) - boundary)
        last.setdefault(phase.parameter, []).append(int(woken.max()) - boundary)
    for n in first:
        yield {"n": n, "which": "first"}, np.array(first[n], dtype=np.int64)
        yield {"n": n, "which": "last"}, np.array(last[n], dtype=np.int64)


def _woken(recording: Recording, phase: Phase) -> tuple[int, Samples]:
    """The tick's boundary, and the cycle in which each task ran on. Where the kernel does not
    report time-outs these cycles stand for them: all tasks then run on before the next tick."""
    ends = phase.tracepoint(recording.definition.tracepoints["end"])
    timeouts = phase.kind(TraceKind.TIMEOUT) if recording.reported else ends
    ticks = boundaries(phase.events)
    n = phase.parameter
    if len(ends) != n or len(np.unique(ends["b"])) != n or len(timeouts) != n:
        raise ExperimentError(
            f"{phase.label} has {len(timeouts)} timeouts and {len(ends)} tasks that ran on, {n} of"
            f" each were to be"
            " measured: the delays did not end in one tick, or the phase is too short."
        )
    woken = ends["cycle"].astype(np.int64)
    if (
        not len(ticks)
        or woken.min() < ticks[0]
        or (len(ticks) > 1 and timeouts["cycle"].max() > ticks[1])
    ):
        raise ExperimentError(
            f"{phase.label}: the delays did not end in the first tick of the phase."
        )
    return int(ticks[0]), woken


def irq_off_max(recording: Recording) -> Found:
    """Lengths of the spans with interrupts disabled that ended in a phase."""

    def spans(events: Events) -> Samples:
        lengths: Samples = events["b"][events["kind"] == TraceKind.IRQ_OFF].astype(np.int64)
        return lengths

    yield {}, spans(recording.measured())
    for phase in recording.phases("irq_off"):
        yield {"tasks": phase.parameter}, spans(phase.events)


METRICS: dict[str, Callable[[Recording], Found]] = {
    "yield": yield_,
    "sem_give_take": sem_give_take,
    "sem_give_switch": sem_give_switch,
    "irq_to_handler": irq_to_handler,
    "irq_to_task": irq_to_task,
    "tick_idle": tick_idle,
    "tick_wake": tick_wake,
    "irq_off_max": irq_off_max,
}


register("latency", by=METRICS.__getitem__)
