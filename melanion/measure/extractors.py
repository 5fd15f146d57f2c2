# SPDX-License-Identifier: Apache-2.0
"""Metrics that a definition measures by itself, without Python of its own: it names a kind.

A phase of the program is one state; its marker's parameter says which row that is: the 24 bits are
shared equally among the metric's parameters, the first one lowest. A number stands for itself, a
word for its place in the definition's list.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError, Extractor, Metric
from melanion.measure.recording import Phase, Recording, numbers, pairs
from melanion.measure.rows import Found, Parameters, Samples
from melanion.measure.spans import boundaries, irq_off_within, lost_per_tick

MILLION = 1_000_000


def take(recording: Recording, metric: Metric) -> Found:
    """Parameters and samples of each row, in the order of the definition; rows that it does not
    have come last, so that they are refused."""
    extractor = metric.extractor
    assert extractor is not None
    found: dict[tuple[int | str, ...], tuple[Parameters, list[Samples]]] = {}
    for phase in recording.phases(extractor.phase):
        parameters = decoded(metric, phase)
        _, samples = found.setdefault(tuple(parameters.values()), (parameters, []))
        samples.append(KINDS[extractor.kind](recording, phase, extractor))
    wanted = {tuple(each.values()): place for place, each in enumerate(metric.combinations)}
    order = sorted(found, key=lambda row: wanted.get(row, len(wanted)))
    for row in order:
        parameters, parts = found[row]
        yield parameters, np.concatenate(parts)


def decoded(metric: Metric, phase: Phase) -> Parameters:
    """The row that a phase measures. Raises ExperimentError: a word's place is out of its list."""
    parameters: Parameters = {}
    for key, number in numbers(metric, phase.parameter).items():
        values = metric.parameters[key]
        if all(isinstance(value, int) for value in values):
            parameters[key] = number
        elif number < len(values):
            parameters[key] = values[number]
        else:
            raise ExperimentError(
                f"{phase.label}: {key} is the place {number} of a list of {len(values)} words;"
                " correct the program or the definition."
            )
    return parameters


def unit(metric: Metric) -> str:
    """Unit of the metric's values."""
    if metric.unit is not None:
        return metric.unit
    return "ppm" if metric.extractor and metric.extractor.kind == "tick_share" else "cycles"


# ---- kinds ---------------------------------------------------------------------------------------


def span(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """Cycles from each start to its end."""
    return _spans(recording, phase, extractor)[0]


def irq_off(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """Longest time with interrupts disabled that begins in each span; 0: none does."""
    _, starts, ends = _spans(recording, phase, extractor)
    return irq_off_within(phase, starts, ends)


def tick_wake(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """From the boundary of the one tick that ends waits to the first end."""
    boundary, end = _tick(recording, phase, extractor)
    return np.array([end - boundary], dtype=np.int64)


def tick_irq_off(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """The longest time with interrupts disabled that overlaps with that; 0: none does."""
    boundary, end = _tick(recording, phase, extractor)
    spans = phase.kind(TraceKind.IRQ_OFF)
    ends, lengths = spans["cycle"].astype(np.int64), spans["b"].astype(np.int64)
    meant = (ends > boundary) & (ends - lengths < end)
    return np.array([lengths[meant].max(initial=0)], dtype=np.int64)


def tick_share(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """Share of each tick's cycles that a computing task loses, in millionths."""
    lost, length = lost_per_tick(phase, recording.definition.tracepoints[extractor.start])
    return np.round(lost * MILLION / length).astype(np.int64)


def period(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """Cycles of an iteration. Threads pass the tracepoint in turn, each with a number of its own:
    from one pass with the lowest number to the next, shared among all the passes between,
    rounded."""
    tracepoints = phase.tracepoint(recording.definition.tracepoints[extractor.start])
    turns = np.flatnonzero(tracepoints["b"] == tracepoints["b"].min(initial=0))
    cycles = tracepoints["cycle"].astype(np.int64)[turns]
    return np.round(np.diff(cycles) / np.diff(turns)).astype(np.int64)


def reading(recording: Recording, phase: Phase, extractor: Extractor) -> Samples:
    """The number that each pass of the end carries: what the program itself counted."""
    passes = phase.tracepoint(recording.definition.tracepoints[extractor.end])
    return passes["b"].astype(np.int64)


KINDS: dict[str, Callable[[Recording, Phase, Extractor], Samples]] = {
    "span": span,
    "irq_off": irq_off,
    "tick_wake": tick_wake,
    "tick_irq_off": tick_irq_off,
    "tick_share": tick_share,
    "period": period,
    "reading": reading,
}


# ---- edges ---------------------------------------------------------------------------------------


def _spans(
    recording: Recording, phase: Phase, extractor: Extractor
) -> tuple[Samples, Samples, Samples]:
    """Lengths, cycles of starts and of ends. Raises ExperimentError: they do not pair, or tasks
    were switched between them and should not be, or the reverse."""
    tracepoints = recording.definition.tracepoints
    lengths, first, last = pairs(
        phase,
        phase.tracepoint(tracepoints[extractor.start]),
        phase.tracepoint(tracepoints[extractor.end]),
        extractor.phase,
    )
    starts, ends = first["cycle"].astype(np.int64), last["cycle"].astype(np.int64)
    if extractor.switch is not None:
        dispatches = phase.kind(TraceKind.DISPATCH)
        changes = dispatches["cycle"][dispatches["a"] != dispatches["b"]].astype(np.int64)
        inside = np.searchsorted(changes, ends) - np.searchsorted(changes, starts)
        wrong = np.flatnonzero((inside > 0) != extractor.switch)
        if len(wrong):
            raise ExperimentError(
                f"{phase.label}: between the tracepoints at cycles {starts[wrong[0]]} and"
                f" {ends[wrong[0]]} tasks were switched {inside[wrong[0]]} times;"
                f" {'a switch' if extractor.switch else 'no switch'} was to be measured."
            )
    return lengths, starts, ends


def _tick(recording: Recording, phase: Phase, extractor: Extractor) -> tuple[int, int]:
    """The boundary of the tick in which all waits of a phase end, and the first end after it."""
    ends = phase.tracepoint(recording.definition.tracepoints[extractor.end])["cycle"].astype(
        np.int64
    )
    timeouts = phase.kind(TraceKind.TIMEOUT)["cycle"].astype(np.int64)
    if not recording.reported:  # each task runs on once; whether in time, the first one shows
        timeouts = np.full(len(ends), ends.min(initial=0))
    ticks = boundaries(phase.events)
    if not len(ticks) or not len(ends) or len(timeouts) != phase.parameter:
        raise ExperimentError(
            f"{phase.label} has {len(ticks)} ticks, {len(timeouts)} timeouts and {len(ends)} tasks"
            f" that ran on; {phase.parameter} timeouts in one tick were to be measured."
        )
    if ends.min() < ticks[0] or (len(ticks) > 1 and timeouts.max() > ticks[1]):
        raise ExperimentError(f"{phase.label}: the waits did not end in the first tick of it.")
    return int(ticks[0]), int(ends.min())
