# SPDX-License-Identifier: Apache-2.0
"""Measurement: what decides the rows of an experiment, from its definition and the events of runs.

All of this folder enters the key of a kept outcome; what is said about rows is in melanion/claims.
"""

from melanion.measure.definition import Definition, ExperimentError
from melanion.measure.measure import broken_targets, measure
from melanion.measure.rows import Measurement, Row, as_json

__all__ = [
    "Definition",
    "ExperimentError",
    "Measurement",
    "Row",
    "as_json",
    "broken_targets",
    "measure",
]
