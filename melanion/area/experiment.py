# SPDX-License-Identifier: Apache-2.0
"""Experiments whose rows come from synthesis: gates of the designs that a definition names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from mel_gen import SPEC_HASH

import melanion.area.design as design
import melanion.area.locks as locks
from melanion import __version__
from melanion.area.design import Design
from melanion.area.errors import AreaError
from melanion.area.measure import mapped
from melanion.area.tools import NAND2, Liberty, liberty, versions
from melanion.build.cache import Report
from melanion.claims import load
from melanion.claims.result import Result
from melanion.measure import ExperimentError
from melanion.measure.definition import DesignOf
from melanion.measure.rows import measurement
from melanion.run.provenance import origin

# Metric → figure. `whole` is of the design with its memories in flip-flops, and only of designs
# that ask for it; the others are without memories.
METRICS = {"whole": "nand2", "logic": "nand2", "flip_flops": "ff", "memory_bits": "memory_bits"}
WHOLE = "whole"


def missing(file: Path | None = None) -> str | None:
    """Why gates cannot be counted here; None: they can."""
    try:
        versions()
        liberty(file)
    except AreaError as error:
        return error.message
    return None


def execute(
    experiment: str,
    name: str,
    *,
    command: str,
    file: Path | None = None,
    report: Report = lambda _: None,
) -> Result:
    """Synthesize one of an experiment's designs, or take what the cache holds. `command` is what
    the user typed; `file`: another standard-cell library. Raises MelanionError."""
    definition = load(experiment)
    unknown = [metric for metric in definition.metrics if metric not in METRICS]
    if unknown:
        raise ExperimentError(
            f"experiments/{experiment}.yaml: synthesis has no metric {unknown[0]}; it has"
            f" {', '.join(METRICS)}; correct the name."
        )
    library = liberty(file)
    meant = definition.designs[name]
    logic = _design(meant)
    values = mapped(logic, library, report).values
    figures = {metric: values[figure] for metric, figure in METRICS.items() if metric != WHOLE}
    if meant.whole:
        whole = mapped(replace(logic, flip_flops=True), library, report)
        figures[WHOLE] = whole.values[METRICS[WHOLE]]
    measured = [
        measurement(
            experiment,
            name,
            metric,
            {},
            np.array([figures[metric]], dtype=np.int64),
            info.unit or NAND2,
        )
        for metric, info in definition.metrics.items()
        if metric in figures
    ]
    provenance = {
        "command": command,
        "version": __version__,
        **origin(),
        "spec_hash": SPEC_HASH[:8],
        "tools": versions(),
        "systems": {name: {"design": logic.name, "library": _library(library)}},
    }
    return Result(experiment, definition, (name,), tuple(measured), provenance)


def _design(meant: DesignOf) -> Design:
    if meant.locks is not None:
        return locks.design(meant.locks, meant.cores, False)
    (found,) = design.designs([str(meant.system)], {})
    return found


def _library(library: Liberty) -> str:
    return f"standard cells, {NAND2} {library.nand2:g}"
