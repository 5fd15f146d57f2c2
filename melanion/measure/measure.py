# SPDX-License-Identifier: Apache-2.0
"""A recording → the rows that a definition promises: every row, none else, with enough samples in
each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import melanion.measure.experiments  # noqa: F401 - registers extractors
import melanion.measure.extractors as extractors
from melanion.measure.definition import Definition, ExperimentError, Metric, agrees
from melanion.measure.recording import Recording
from melanion.measure.registry import extractor
from melanion.measure.rows import Found, Measurement, Parameters, Row, measurement
from melanion.trace import Events

SHOWN = 4  # rows that a sentence lists


def measure(
    experiment: str,
    kernel: str,
    definition: Definition,
    events: Events,
    lacks: Set[str] = frozenset(),
    sizes: Mapping[str, int] | None = None,
    reported: bool = True,
    instructions: Sequence[int] = (),
    misses: Sequence[Mapping[str, int]] = (),
) -> list[Measurement]:
    """`lacks`: what the system does not have; metrics that need it have no rows. The rest:
    recording.py.

    Raises ExperimentError when a row is missing, unknown or has too few samples, or edges do not
    pair."""
    recording = Recording(
        definition, events, sizes or {}, reported, tuple(instructions), tuple(misses)
    )
    result = []
    for name, metric in definition.metrics.items():
        if metric.needs in lacks:
            continue
        try:
            found = list(_take(experiment, name, metric, recording))
        except ExperimentError as error:
            raise ExperimentError(f"{experiment} on {kernel}: {name}: {error.message}") from None
        measured = [parameters for parameters, _ in found]
        if measured != metric.combinations:
            differ = _difference(measured, metric.combinations)
            raise ExperimentError(
                f"{experiment} on {kernel}: {name}: {differ}; make program and definition agree."
            )
        for parameters, samples in found:
            if len(samples) < metric.samples:
                raise ExperimentError(
                    f"{experiment} on {kernel}: {name}{_text(parameters)} has {len(samples)}"
                    f" samples, and its definition wants at least {metric.samples}; measure it"
                    " more often, or want fewer."
                )
            unit = extractors.unit(metric)
            result.append(measurement(experiment, kernel, name, parameters, samples, unit))
    return result


def _take(experiment: str, name: str, metric: Metric, recording: Recording) -> Found:
    if metric.extractor is not None:
        return extractors.take(recording, metric)
    return extractor(experiment, name)(recording)


def broken_targets(definition: Definition, rows: list[Row]) -> list[str]:
    """One sentence per promise of the definition that the rows do not keep."""
    return [
        sentence
        for name, metric in definition.metrics.items()
        for sentence in _broken(name, metric, [row for row in rows if row.metric == name])
    ]


def _broken(name: str, metric: Metric, rows: list[Row]) -> list[str]:
    broken = []
    for target in metric.targets:
        meant = [
            row
            for row in rows
            if row.kernel == target.kernel and agrees(row.parameters, target.where)
        ]
        if target.statistic == "spread":
            worst = [row.max for row in meant if row.parameters]
            values = [(name, max(worst) - min(worst))] if worst else []
        elif target.statistic == "jitter":
            values = [(row.label, row.max - row.min) for row in meant]
        else:
            values = [(row.label, int(getattr(row, target.statistic))) for row in meant]
        broken += [
            f"{label} on {target.kernel}: {target.statistic} is {value} cycles, the target is at"
            f" most"
            f" {target.at_most}."
            for label, value in values
            if value > target.at_most
        ]
    return broken


def _difference(measured: list[Parameters], wanted: list[Parameters]) -> str:
    """Rows that only one of program and definition has, in words."""
    lacking = [_listed(each) for each in wanted if each not in measured]
    more = [_listed(each) for each in measured if each not in wanted]
    said = [f"{_some(lacking)} {_are(lacking)} never marked"] if lacking else []
    if more:
        said.append(f"{_some(more)} {_are(more)} marked, and not in the definition")
    return ", and ".join(said) or "its rows come twice, or in another order than in the definition"


def _are(rows: list[str]) -> str:
    return "is" if len(rows) == 1 else "are"


def _some(rows: list[str]) -> str:
    """The first ones, and how many others there are."""
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return f"{', '.join(rows[:SHOWN])}{more}"


def _listed(parameters: Parameters) -> str:
    return _text(parameters).strip() or "the row without parameters"


def _text(parameters: Parameters) -> str:
    return "".join(f" {key}={value}" for key, value in parameters.items())
