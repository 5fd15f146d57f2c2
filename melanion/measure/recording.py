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

from melanion.measure.definition import Definition, ExperimentError
from melanion.measure.rows import Samples
from melanion.trace import Events


@dataclass(frozen=True)
class Phase:
    """Events between two markers."""

    name: str
    parameter: int
    events: Events

    @property
    def label(self) -> str:
        return f"phase {self.name} (parameter {self.parameter})"

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
            yield Phase(names[value & 0xFF], value >> 8, events[opened[0] + 1 : index])
            opened = None
        elif mark in (begin, end):
            raise ExperimentError(
                f"marker {mark} with value {value} at cycle {events['cycle'][index]} does not pair"
                f" with the"
                " marker before it: phases must begin and end in turn."
            )
    if opened is not None:
        raise ExperimentError(
            f"the phase {opened[1] & 0xFF} never ended: the run stopped at cycle"
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
