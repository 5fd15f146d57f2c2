# SPDX-License-Identifier: Apache-2.0
"""From units of the store to results: what tables and pages show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from melanion.claims.reader import load_with_origin, short
from melanion.claims.result import Result
from melanion.results.unit import Unit, definition_digest, origins

LACKING = "the results hold no figures"


@dataclass(frozen=True)
class Collection:
    """At most one unit of each experiment and system. `name`: what was asked for."""

    name: str
    units: Mapping[tuple[str, str], Unit]

    @property
    def commits(self) -> list[str]:
        """With the checkout of each, where they are of several."""
        return list(origins(self.units.values()))


def collect(name: str, units: Iterable[Unit]) -> Collection:
    """Collect units; the last one of an experiment and system counts."""
    return Collection(name, {(unit.experiment, unit.kernel): unit for unit in units})


def result(
    collection: Collection, experiment: str, kernels: Sequence[str] | None = None
) -> tuple[Result | None, dict[str, str]]:
    """An experiment's result on those of `kernels` (else on those of its definition, then on others
    that were measured) of which the collection has figures (None: on no one), and kernel → why the
    others have none. Raises ExperimentError."""
    definition, origin = load_with_origin(experiment)
    current = definition_digest(definition)
    found: dict[str, Unit] = {}
    missing: dict[str, str] = {}
    others = [kernel for name, kernel in collection.units if name == origin]
    own = definition.kernels
    for kernel in kernels or dict.fromkeys([*own, *(others if origin == experiment else [])]):
        unit = collection.units.get((origin, kernel))
        if unit is None:
            missing[kernel] = LACKING
        elif unit.definition != current:
            missing[kernel] = f"the figures are of another definition of {origin}"
        else:
            found[kernel] = unit
    if not found:
        return None, missing
    measured = tuple(
        replace(each, row=replace(each.row, experiment=short(each.row.experiment)))
        for unit in found.values()
        for each in unit.measurements
    )
    worst_cases = {
        kernel: unit.worst_case for kernel, unit in found.items() if unit.worst_case is not None
    }
    together = Result(
        short(experiment), definition, tuple(found), measured, provenance(found), worst_cases
    )
    return together, missing


def provenance(units: Mapping[str, Unit]) -> dict[str, Any]:
    """Provenance common to the units of an experiment, and the configuration of each system."""
    each = list(units.values())
    tools = {name: text for unit in each for name, text in unit.provenance["tools"].items()}
    return {
        "command": "; ".join(dict.fromkeys(unit.command for unit in each)),
        "version": each[0].provenance["melanion"],
        "commit": _origins(each),
        "spec_hash": each[0].provenance["spec_hash"],
        "tools": tools,
        "systems": {kernel: unit.configuration for kernel, unit in units.items()},
    }


def _origins(units: Sequence[Unit]) -> str:
    """The commit of all; of several the systems of each, and the checkouts, if they differ."""
    found = origins(units)
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(
        f"{name} ({', '.join(dict.fromkeys(unit.kernel for unit in of_it))})"
        for name, of_it in found.items()
    )
