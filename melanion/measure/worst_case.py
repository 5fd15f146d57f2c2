# SPDX-License-Identifier: Apache-2.0
"""The worst case of a run, which the result page draws, with the events before it.

One for each run of an experiment in WORST_CASES. It is kept with the rows, because the page is made
from what is kept alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mel_gen import TraceKind

import melanion.measure.experiments.latency as latency
from melanion.config import System
from melanion.measure.definition import Definition
from melanion.measure.recording import Recording
from melanion.measure.rows import Parameters
from melanion.run.annotations import annotated
from melanion.trace import Events, perfetto
from melanion.trace.excerpt import Excerpt, excerpt, of_json

WORST_CASES: dict[str, Callable[[Recording], latency.Worst]] = {"latency": latency.worst_interrupt}
NAMES = {"latency": latency.TASKS}
MARGIN = 8  # an excerpt shows an eighth of the worst case's length before and after it, and
LEAST_MARGIN = 8  # cycles at least


@dataclass(frozen=True)
class WorstCase:
    """`metric`, `parameters`: the row whose largest value this is, `begin` and `end` (cycles of the
    run) its edges; `excerpt`: of the run's timeline."""

    metric: str
    parameters: Parameters
    begin: int
    end: int
    excerpt: Excerpt

    @property
    def cycles(self) -> int:
        return self.end - self.begin

    def as_json(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "parameters": self.parameters,
            "begin": self.begin,
            "end": self.end,
            "piece": self.excerpt.as_json(),  # the key in files of results, kept since version 2
        }


def worst_case_of_json(value: dict[str, Any]) -> WorstCase:
    """Parse the result of `as_json`."""
    kept = dict(value)
    return WorstCase(excerpt=of_json(kept.pop("piece")), **kept)


def worst_case(
    experiment: str, definition: Definition, system: System, events: Events
) -> WorstCase | None:
    """Find the worst case in the events of a run; None: the experiment has none. Raises
    ExperimentError, ReplayError."""
    if experiment not in WORST_CASES:
        return None
    worst = WORST_CASES[experiment](Recording(definition, events))
    margin = max((worst.end - worst.begin) // MARGIN, LEAST_MARGIN)
    begin, end = worst.begin - margin, worst.end + margin
    # From the phase's beginning on, so that it is known who waits and who runs when the excerpt
    # begins.
    since = int(worst.phase.events["cycle"][0])
    called, annotations = annotated(system, events, since, _closed(events, end))
    marks = perfetto.marks(called, system.parameters.tasks, annotations, NAMES[experiment])
    return WorstCase(
        worst.metric, worst.parameters, worst.begin, worst.end, excerpt(marks, begin, end)
    )


def _closed(events: Events, end: int) -> int:
    """Last cycle of the events needed: the first event after `end`, so that open slices do not end
    there, and the ends of spans with interrupts off that have begun, reported only then."""
    later = events[events["cycle"] > end]
    spans = later[later["kind"] == TraceKind.IRQ_OFF]
    spans = spans[spans["cycle"] - spans["b"] <= end]
    return max(map(int, [end, *later["cycle"][:1], *spans["cycle"]]))
