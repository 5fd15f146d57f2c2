# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiments `aquila-switch`, what one time quantum after another costs, and
`aquila-sync`, what a lock does.

The programs are apps/benchmarks/aquila; their definitions, with the edges in words,
experiments/aquila-*.yaml. Each run of aquila-switch is one phase. A switch is an interrupt in which
the running task changes: from its trap to the return from it. Instructions cannot be told apart by
events, so they are those that the run has more than the one whose tasks never lose their turn: the
same program, whose work, start and end are the same instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.extractors import decoded
from melanion.measure.recording import Phase, Recording, pairs
from melanion.measure.registry import register
from melanion.measure.rows import Found, Parameters, Samples

INTERRUPT = 1 << 15  # in the cause of a trap
IDLE_SHARE = 0.01  # share of the switches; at most so many interrupts may switch no task
PHASE, ALONE = "switch", "alone"


def switches(phase: Phase) -> tuple[Samples, int]:
    """Cycles of each switch that returns from its trap, at least one; and how many there are. A
    task that has not run yet, or that waits in a call, is not returned to by the trap. Raises
    ExperimentError: too many interrupts changed no task, so that instructions would be counted of
    more than switches; one may come while a task that has ended stops the ticks."""
    kinds = (TraceKind.TRAP, TraceKind.MRET, TraceKind.DISPATCH)
    events = phase.events[np.isin(phase.events["kind"], kinds)]
    columns = (events[key].tolist() for key in ("kind", "cycle", "a", "b"))
    found = []
    count = idle = 0
    start: int | None = None  # cycle of the interrupt that has not returned
    changed = False  # … and has changed the task
    for kind, cycle, a, b in zip(*columns, strict=True):
        if kind == TraceKind.TRAP:
            start, changed = (cycle if a & INTERRUPT else None), False
        elif kind == TraceKind.DISPATCH and a != b:
            start = None if changed else start  # a call of the next task
            count += start is not None
            changed = True
        elif kind == TraceKind.MRET and start is not None:
            if changed:
                found.append(cycle - start)
            else:
                idle += 1
            start = None
    if not found or idle > count * IDLE_SHARE:
        raise ExperimentError(
            f"{phase.label}: {count} interrupts switched tasks and returned {len(found)} times, and"
            f" {idle} switched none; at most one in {round(1 / IDLE_SHARE)} may."
        )
    return np.array(found, dtype=np.int64), count


def added(recording: Recording, at: int) -> int:
    """Instructions that run number `at` has more than the run without switches."""
    names = [phase.name for phase in recording.all]
    if len(names) != len(recording.instructions) or names.count(ALONE) != 1:
        raise ExperimentError(
            f"{len(recording.instructions)} runs have the phases {', '.join(names)}; each run has"
            f" one, and one of them is {ALONE}."
        )
    return recording.instructions[at] - recording.instructions[names.index(ALONE)]


def _each(
    name: str, value: Callable[[Recording, Phase, int], Samples]
) -> Callable[[Recording], Found]:
    def found(recording: Recording) -> Iterator[tuple[Parameters, Samples]]:
        metric = recording.definition.metrics[name]
        for at, phase in enumerate(recording.all):
            if phase.name == PHASE:
                yield decoded(metric, phase), value(recording, phase, at)

    return found


def _one(number: float) -> Samples:
    return np.array([round(number)], dtype=np.int64)


def _of(value: Callable[[Samples, int], float]) -> Callable[[Recording, Phase, int], Samples]:
    return lambda _, phase, at: _one(value(*switches(phase)))


def _length(_: Recording, phase: Phase, at: int) -> Samples:
    return _one(phase.cycles[-1] - phase.cycles[0])


METRICS: dict[str, Callable[[Recording], Found]] = {
    name: _each(name, value)
    for name, value in {
        "switch": lambda _, phase, at: switches(phase)[0],
        "count": _of(lambda cycles, count: count),
        "average": _of(lambda cycles, count: float(cycles.mean())),
        "instructions": lambda recording, phase, at: _one(
            added(recording, at) / switches(phase)[1]
        ),
        "total_instructions": lambda recording, phase, at: _one(recording.instructions[at]),
        "total_cycles": _length,
    }.items()
}


# ---- locks ---------------------------------------------------------------------------------------

STEPS = {
    "take": ("take", "taken"),
    "release": ("release", "released"),
}  # the tracepoints around a step


def _lock(name: str) -> Callable[[Recording], Found]:
    """Cycles of each take and each release of a lock; of `…_sum`, of all of them together."""
    phase_name, _, summed = name.partition("_")

    def found(recording: Recording) -> Iterator[tuple[Parameters, Samples]]:
        metric = recording.definition.metrics[name]
        tracepoints = recording.definition.tracepoints
        rows: dict[tuple[int | str, ...], tuple[Parameters, Samples]] = {}
        for phase in recording.phases(phase_name):
            if np.any(phase.kind(TraceKind.TRAP)["a"] & INTERRUPT):
                raise ExperimentError(
                    f"{phase.label}: an interrupt came, and the time of a lock alone was to be"
                    " measured."
                )
            given = {key: phase.parameter for key in metric.parameters if key != "step"}
            for step, (start, end) in STEPS.items():
                cycles, _, _ = pairs(
                    phase,
                    phase.tracepoint(tracepoints[start]),
                    phase.tracepoint(tracepoints[end]),
                    step,
                )
                parameters: Parameters = {**given, "step": step}
                samples = _one(cycles.sum()) if summed else cycles
                rows[tuple(parameters.values())] = parameters, samples
        wanted = {tuple(each.values()): place for place, each in enumerate(metric.combinations)}
        for key in sorted(rows, key=lambda key: wanted.get(key, len(wanted))):
            yield rows[key]

    return found


LOCKS = {
    name + end: _lock(name + end)
    for name in ("critical", "peterson", "amoswap", "filter", "semaphore", "mutex")
    for end in ("", "_sum")
}


register("aquila-switch", by=METRICS.__getitem__)
register("aquila-sync", by=LOCKS.__getitem__)
