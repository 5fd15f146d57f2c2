# SPDX-License-Identifier: Apache-2.0
"""A run's events, cut into the phases that its program marked.

Events are records of `spec/trace.yaml` in a structured array (fields cycle kind core a b c d), in
order of time.
A phase is what lies between its two markers; their value is phase + 256 · parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import Definition, ExperimentError, Metric
from melanion.measure.rows import Samples
from melanion.trace import Events


@dataclass(frozen=True)
class Phase:
    """Events between two markers. `words`: what its parameter means, as far as the definition says
    that."""

    name: str
    parameter: int
    events: Events
    words: str = ""

    @property
    def label(self) -> str:
        return f"phase {self.name} ({self.words or f'parameter {self.parameter}'})"

    @cached_property
    def cycles(self) -> Samples:
        """The times of all events."""
        found: Samples = self.events["cycle"].astype(np.int64)
        return found

    def kind(self, kind: TraceKind) -> Events:
        found: Events = self.events[self.events["kind"] == kind]
        return found

    def tracepoint(self, number: int) -> Events:
        tracepoints = self.kind(TraceKind.TRACEPOINT)
        found: Events = tracepoints[tracepoints["a"] == number]
        return found

    def wire(self, line: int) -> Events:
        """Rising edges of one line of the interrupt generator."""
        wires = self.kind(TraceKind.IRQ_WIRE)
        found: Events = wires[wires["a"] == line]
        return found


@dataclass(frozen=True)
class Recording:
    """One measured run of an experiment's program. `sizes`: bytes of the kernel that is linked with
    it, as code and as data; `reported`: it holds what the kernel reports of itself, such as
    time-outs; where it does not, only tracepoints, markers, traps and switches can be checked.
    `instructions`: that retired in each of its runs, from reset to the end, one run a program;
    `misses`: in the same runs, of all cores' caches together, by port (`instructions`, `data`);
    nothing where the system has none."""

    definition: Definition
    events: Events
    sizes: Mapping[str, int] = field(default_factory=dict)
    reported: bool = True
    instructions: tuple[int, ...] = ()
    misses: tuple[Mapping[str, int], ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The phases that the run has."""
        return frozenset(phase.name for phase in self.all)

    def phases(self, name: str) -> list[Phase]:
        """The phases of one name, at least one. Raises ExperimentError."""
        found = [phase for phase in self.all if phase.name == name]
        if not found:
            raise ExperimentError(
                f"the run has no phase {name}: the program ended early or marks another number;"
                f" compare the phases of experiments/*.yaml with those of"
                f" apps/{self.definition.app}."
            )
        return found

    def measured(self) -> Events:
        """Everything from the first phase's beginning to the last one's end."""
        marks = np.flatnonzero(self.events["kind"] == TraceKind.MARKER)
        return self.events[marks[0] : marks[-1] + 1]

    @cached_property
    def all(self) -> list[Phase]:
        return list(_cut(self.definition, self.events))


PARAMETER_BITS = 24


def numbers(metric: Metric, parameter: int) -> dict[str, int]:
    """Number of each parameter of a metric in that of a phase: the bits are shared equally, the
    first one has the lowest."""
    width = PARAMETER_BITS // max(len(metric.parameters), 1)
    mask = (1 << width) - 1
    return {key: parameter >> i * width & mask for i, key in enumerate(metric.parameters)}


def meaning(definition: Definition, phase: str, parameter: int) -> str:
    """`order=same n=1`: the row that a phase's parameter names; empty: no metric says how."""
    found = (
        metric
        for metric in definition.metrics.values()
        if metric.parameters and metric.extractor and metric.extractor.phase == phase
    )
    metric = next(found, None)
    words = []
    for key, number in numbers(metric, parameter).items() if metric else ():
        values = metric.parameters[key] if metric else []
        is_place = not all(isinstance(value, int) for value in values) and number < len(values)
        words.append(f"{key}={values[number] if is_place else number}")
    return " ".join(words)


def _marked(definition: Definition, value: int) -> str:
    """A marker's value in words: `delete n=4`; a number that no phase has, as it is."""
    phase = {number: name for name, number in definition.phases.items()}.get(value & 0xFF)
    if phase is None:
        return f"phase {value & 0xFF}"
    words = meaning(definition, phase, value >> 8)
    return f"{phase} {words}" if words else f"{phase} (parameter {value >> 8})"


def _cut(definition: Definition, events: Events) -> Iterator[Phase]:
    names = {number: name for name, number in definition.phases.items()}
    begin, end = definition.marks["begin"], definition.marks["end"]
    opened: tuple[int, int] | None = None
    for index in np.flatnonzero(events["kind"] == TraceKind.MARKER):
        mark, value = int(events["a"][index]), int(events["b"][index])
        if mark == begin and opened is None:
            opened = (int(index), value)
        elif mark == end and opened is not None and opened[1] == value:
            if value & 0xFF not in names:
                raise ExperimentError(
                    f"the program marks the phase {value & 0xFF}, which its definition does not"
                    f" name;"
                    f" known are {sorted(names)}: correct one of the two."
                )
            name, parameter = names[value & 0xFF], value >> 8
            words = meaning(definition, name, parameter)
            yield Phase(name, parameter, events[opened[0] + 1 : index], words)
            opened = None
        elif mark in (begin, end):
            before = "no phase had begun" if opened is None else "the phase that had begun is"
            if opened is not None:
                before += f" {_marked(definition, opened[1])}"
            which = "begin" if mark == begin else "end"
            raise ExperimentError(
                f"the marker {which} of {_marked(definition, value)} at cycle"
                f" {events['cycle'][index]} does not pair with the marker before it ({before}):"
                " phases must begin and end in turn."
            )
    if opened is not None:
        raise ExperimentError(
            f"the phase {_marked(definition, opened[1])} never ended: the run stopped at cycle"
            f" {events['cycle'][-1]}."
        )


def pairs(phase: Phase, starts: Events, ends: Events, what: str) -> tuple[Samples, Events, Events]:
    """Times from each start to its end. Start and end must take turns: else an edge is wrong or was
    missed."""
    if len(starts) != len(ends):
        raise ExperimentError(
            f"{phase.label}: {len(starts)} starts and {len(ends)} ends of {what}; every start"
            f" needs its end,"
            " so nothing was measured."
        )
    start, end = starts["cycle"].astype(np.int64), ends["cycle"].astype(np.int64)
    wrong = np.flatnonzero((end < start) | np.append(start[1:] < end[:-1], False))
    if len(wrong):
        raise ExperimentError(
            f"{phase.label}: the {what} that starts at cycle {start[wrong[0]]} does not end before"
            f" the next one"
            " starts, so starts cannot be told apart; nothing was measured."
        )
    return end - start, starts, ends
