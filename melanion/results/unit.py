# SPDX-License-Identifier: Apache-2.0
"""Content of the store: units (an experiment on a system) and sets (all units of one command)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from melanion import config
from melanion.claims.execute import configuration
from melanion.claims.reader import load_with_origin
from melanion.claims.result import Result
from melanion.measure.definition import Definition
from melanion.measure.regions import measure
from melanion.measure.rows import Measurement, Row, measurement
from melanion.measure.work import Outcome
from melanion.measure.worst_case import WorstCase
from melanion.run import RunResult

Judge = Literal["golden model", "self-checks", "synthesis", "computed", "nobody"]


@dataclass(frozen=True)
class Unit:
    """One experiment on one system, measured once.

    `definition`: digest of what decides the rows (a later definition makes the unit stale).
    `judged`: who found the run right; what is synthesized or computed runs nothing, and a run that
    failed has no figures (`nobody`). `provenance`: everything
    that was decided: commit, configuration, tool versions, seed, keys of hardware and program.
    `configuration`: the system in words, for pages. `worst_case`: an excerpt of the run. `command`,
    `measured` (UTC, ISO 8601): of the set in which it was last asked for.
    """

    experiment: str
    kernel: str
    definition: str
    judged: Judge
    provenance: dict[str, Any]
    configuration: dict[str, str]
    measurements: tuple[Measurement, ...]
    worst_case: WorstCase | None = None
    command: str = ""
    measured: str = ""

    @property
    def commit(self) -> str:
        return str(self.provenance["commit"])

    @property
    def checkout(self) -> str:
        """Empty: nobody noted it."""
        return str(self.provenance.get("checkout", ""))

    @property
    def rows_digest(self) -> str:
        """Digest of the figures alone: equal figures are stored once."""
        return digest([asdict(each) for each in self.measurements])

    @property
    def digest(self) -> str:
        """Digest of everything but the set."""
        head = [self.experiment, self.kernel, self.definition, self.judged, self.provenance]
        worst_case = [] if self.worst_case is None else [self.worst_case.as_json()]
        return digest([*head, self.configuration, self.rows_digest, *worst_case])


@dataclass(frozen=True)
class MeasuredSet:
    """Units requested by one command. `ended` empty: it was killed, or is still at work; `wanted`:
    number of units; `got`: number of those that it has. Fewer, and it ended: it failed."""

    number: int
    began: str
    ended: str
    command: str
    wanted: int
    got: int


def origins(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Commit → units of it; where they are of several checkouts, commit and checkout."""
    every = list(units)
    several = len({unit.checkout for unit in every}) > 1
    found: dict[str, list[Unit]] = {}
    for unit in every:
        where = f" in {unit.checkout or 'an unknown checkout'}" if several else ""
        found.setdefault(f"{unit.commit}{where}", []).append(unit)
    return found


def digest(value: object) -> str:
    """32 hexadecimal digits of a value as JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def definition_digest(definition: Definition) -> str:
    """Digest of the part of a definition that decides the rows; titles and claims do not count."""
    return digest(definition.measured)


def of_outcome(experiment: str, kernel: str, outcome: Outcome) -> Unit:
    """Unit measured by a program; for an experiment that reads another one's rows, that one's
    unit."""
    definition, origin = load_with_origin(experiment)
    system = config.find(kernel)
    return Unit(
        experiment=origin,
        kernel=kernel,
        definition=definition_digest(definition),
        judged="golden model" if system.kernel_info.replayed else "self-checks",
        provenance=outcome.provenance,
        configuration=configuration(system, outcome.provenance),
        measurements=outcome.measurements,
        worst_case=outcome.worst_case,
    )


def of_synthesis(result: Result) -> Unit:
    """Unit of one synthesized design."""
    (name,) = result.kernels
    common = {key: value for key, value in result.provenance.items() if key != "systems"}
    return Unit(
        experiment=result.experiment,
        kernel=name,
        definition=definition_digest(result.definition),
        judged="synthesis",
        provenance={**common, "melanion": common["version"]},
        configuration=result.provenance["systems"][name],
        measurements=result.measurements,
    )


def of_run(found: RunResult, repeat: Mapping[str, Any] | None = None) -> Unit:
    """One run of a program: its cycles from reset to its end, the instructions in them, and the
    latencies of the regions that it measures. `repeat`: an entry of the provenance that lets it be
    repeated (melanion/results/repeat.py)."""
    name, kernel = f"run {found.program.app.name}", found.system.name
    values = {"cycles": found.cycles, "instructions": found.instructions}
    rows = [
        Row(name, kernel, metric, {}, metric, 1, *([value] * 4)) for metric, value in values.items()
    ]
    latencies = [
        measurement(name, kernel, "latency", {"region": each.region.name}, lengths)
        for each in measure(found.events, found.program.content.regions, found.system.clock_mhz)
        if len(lengths := np.array([span.cycles for span in each.spans], dtype=np.int64))
    ]
    return Unit(
        experiment=name,
        kernel=kernel,
        definition="run",
        judged="self-checks" if found.replay is None else "golden model",
        provenance={**found.provenance, **(repeat or {})},
        configuration=configuration(found.system, found.provenance),
        measurements=(*(Measurement(row, ((row.max, 1),)) for row in rows), *latencies),
    )


def as_json(unit: Unit) -> dict[str, Any]:
    """A unit without an excerpt, for another process."""
    return {key: value for key, value in asdict(unit).items() if key != "worst_case"}


def of_json(content: Mapping[str, Any]) -> Unit:
    """A unit of `as_json`."""
    measurements = tuple(
        Measurement(Row(**each["row"]), tuple((value, count) for value, count in each["histogram"]))
        for each in content["measurements"]
    )
    return Unit(**{**content, "measurements": measurements})
