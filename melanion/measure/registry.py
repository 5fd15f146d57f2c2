# SPDX-License-Identifier: Apache-2.0
"""Extractors of experiments: who takes the samples of a metric from a recording.

A module of melanion/measure/experiments registers those of its experiments when it is imported; a
metric with a `extractor` in its definition needs none (extractors.py).
"""

from __future__ import annotations

from collections.abc import Callable

from melanion.measure.definition import ExperimentError
from melanion.measure.recording import Recording
from melanion.measure.rows import Found

Extractor = Callable[[Recording], Found]
ByMetric = Callable[[str], Extractor]

_extractors: dict[str, ByMetric] = {}


def register(*experiments: str, by: ByMetric) -> None:
    """`by` gives the extractor of a metric of these experiments, by the metric's name."""
    for name in experiments:
        assert name not in _extractors, f"{name} is registered twice"
        _extractors[name] = by


def extractor(experiment: str, metric: str) -> Extractor:
    """Extractor of one metric. Raises ExperimentError: no module registered the experiment."""
    if experiment not in _extractors:
        raise ExperimentError(
            f"it has no extractor and melanion/measure/experiments no {experiment}; give it an"
            f" extractor in experiments/{experiment}.yaml."
        )
    return _extractors[experiment](metric)
