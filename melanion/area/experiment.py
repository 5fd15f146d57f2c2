"""Experiments whose rows come from synthesis: gates of the designs that a definition names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from mel_gen import SPEC_HASH

from melanion.area import design, locks
from melanion.area.design import Design
from melanion.area.errors import AreaError
from melanion.area.measure import measure
from melanion.area.tools import NAND2, Liberty, liberty, versions
from melanion.experiments import ExperimentError, load
from melanion.experiments.definition import DesignOf
from melanion.experiments.result import Result
from melanion.experiments.rows import Measurement, measurement
from melanion.run.parallel import Progress

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
    names: Sequence[str],
    *,
    command: str,
    file: Path | None = None,
    progress: Progress = lambda name, text: None,
) -> Result:
    """Synthesize the named designs, or take what the cache holds. `file`: another standard-cell
    library. Raises MelanionError."""
    definition = load(experiment)
    unknown = [name for name in definition.metrics if name not in METRICS]
    if unknown:
        raise ExperimentError(
            f"experiments/{experiment}.yaml: synthesis has no metric {unknown[0]}; it has"
            f" {', '.join(METRICS)}; correct the name."
        )
    library = liberty(file)
    wanted = {(name, False): _design(definition.designs[name]) for name in names}
    for name in names:
        if definition.designs[name].whole:
            wanted[name, True] = replace(wanted[name, False], flip_flops=True)
    title = {found: name for (name, _), found in wanted.items()}
    found = measure(
        list(wanted.values()),
        seeds=1,
        command=command,
        library=library,
        progress=lambda one, text: progress(title[one], text),
    )
    values = {key: row.values for key, row in zip(wanted, found.rows, strict=True)}
    measured: list[Measurement] = []
    for name in names:
        for metric, info in definition.metrics.items():
            key = name, metric == WHOLE
            if key in values:
                samples = np.array([values[key][METRICS[metric]]], dtype=np.int64)
                unit = info.unit or NAND2
                measured.append(measurement(experiment, name, metric, {}, samples, unit))
    provenance = {
        "command": command,
        "version": found.provenance["melanion"],
        "commit": found.provenance["commit"],
        "spec_hash": SPEC_HASH[:8],
        "tools": found.provenance["tools"],
        "systems": {
            name: {"design": wanted[name, False].name, "library": _library(library)}
            for name in names
        },
    }
    return Result(experiment, definition, tuple(names), tuple(measured), provenance)


def _design(meant: DesignOf) -> Design:
    if meant.locks is not None:
        return locks.design(meant.locks, meant.cores, False)
    (found,) = design.designs([str(meant.system)], {})
    return found


def _library(library: Liberty) -> str:
    return f"standard cells, {NAND2} {library.nand2:g}"
