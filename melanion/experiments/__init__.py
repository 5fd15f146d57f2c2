# SPDX-License-Identifier: Apache-2.0
"""Experiments: definitions (`experiments/*.yaml`), metrics computed from the events of runs,
rows."""

from melanion.experiments.definition import Definition, ExperimentError
from melanion.experiments.measure import broken_targets, measure
from melanion.experiments.reader import load, names
from melanion.experiments.rows import Measurement, Row, as_json

__all__ = [
    "Definition",
    "ExperimentError",
    "Measurement",
    "Row",
    "as_json",
    "broken_targets",
    "load",
    "measure",
    "names",
]
