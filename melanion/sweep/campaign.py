# SPDX-License-Identifier: Apache-2.0
"""Runs a sweep: takes from the results store what it holds, gives the rest to workers, and keeps
each outcome as soon as it comes, a failure as well. Whatever ends it, the same command goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Protocol

from mel_gen import SPEC_HASH

import melanion.sweep.digest as digest
from melanion import __version__, config
from melanion.area.recorded import recorded
from melanion.claims.execute import configuration
from melanion.config import System
from melanion.errors import MelanionError
from melanion.measure.rows import Measurement, Row
from melanion.results import Store, Unit
from melanion.run.provenance import origin
from melanion.sweep.evaluate import Outcome
from melanion.sweep.front import Answer
from melanion.sweep.plan import Plan, Point, Quantity
from melanion.sweep.pool import Workers
from melanion.sweep.search import search

CHUNK = 32  # points looked up before the first of them is begun
WORST, ROM, RAM = "worst", "rom", "ram"  # metrics of a unit


class Told(Protocol):
    """Progress."""

    def begun(self, point: Point) -> None: ...

    def ended(self, answer: Answer) -> None: ...


class Campaign:
    """One run of a sweep."""

    def __init__(self, plan: Plan, store: Store, workers: Workers, command: str, told: Told):
        self._answers: dict[Point, Answer] = {}
        self._order: dict[Point, int] = {}
        self._plan, self._store, self._workers = plan, store, workers
        self._told = told
        self._command = command
        self._number = 0
        self._kept: dict[tuple[str, str], Unit] = {}  # system, digest → unit
        self._digests: dict[Point, str] = {}

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Answers so far, also of an interrupted run, in the order in which they were asked for."""
        order = self._order
        return tuple(sorted(self._answers.values(), key=lambda each: order[each.point]))

    def run(self) -> None:
        """Raises SweepError: the workers are gone. What came before is kept."""
        self._number = self._store.begin(self._command, [])
        for quantity in self._plan.quantities:
            for unit in self._store.measured(experiment(quantity)):
                self._kept[unit.kernel, unit.definition] = unit
        if self._plan.search is None:
            self.settle(self._plan.grid())
        else:
            search(self._plan, self.settle)
        self._store.end(self._number)

    def settle(self, points: Iterable[Point]) -> list[Answer]:
        """Answers of points, in their order."""
        every = list(points)
        for point in every:
            self._order.setdefault(point, len(self._order))
        rest, queue, under_way = iter(every), deque[Point](), 0
        while True:
            while self._workers.free > 0:
                while not queue and (some := list(islice(rest, CHUNK))):
                    queue.extend(self._known(some))
                    self._store.want(self._number, [names(point) for point in queue])
                if not queue:
                    break
                begun = queue.popleft()
                self._told.begun(begun)
                self._workers.begin(begun, digest.sources(begun.quantity.kind))
                under_way += 1
            if under_way == 0:
                return [self._answers[point] for point in every]
            for outcome in self._workers.ended():
                under_way -= 1
                self._keep(outcome)

    def _known(self, points: Iterable[Point]) -> list[Point]:
        """Answer what needs no worker; the other points."""
        rest, found = [], []
        for point in points:
            try:
                system = config.find(point.system)
            except MelanionError as error:
                cause = error.message.splitlines()[0]
                self._answer(Answer(point, "refused", failure=cause))
                continue
            self._digests[point] = digest.of_point(point)
            unit = self._kept.get((point.system, self._digests[point]))
            if unit is None or unit.provenance.get("final") is False:
                rest.append(point)
            else:
                found.append(unit)
                self._answer(answer_of(point, system, unit, found=True))
        self._store.add_all(self._number, found)
        return rest

    def _keep(self, outcome: Outcome) -> None:
        point = outcome.point
        system = config.find(point.system)
        unit = unit_of(outcome, system, self._digests[point])
        self._store.add(self._number, unit, outcome.seconds)
        self._answer(answer_of(point, system, unit, seconds=outcome.seconds))

    def _answer(self, answer: Answer) -> None:
        self._answers[answer.point] = answer
        self._told.ended(answer)


def experiment(quantity: Quantity) -> str:
    """Name of a quantity's units in the results store."""
    return f"sweep {quantity.label}"


def names(point: Point) -> tuple[str, str]:
    """Experiment and system of a point's unit."""
    return experiment(point.quantity), point.system


def unit_of(outcome: Outcome, system: System, definition: str) -> Unit:
    """The unit to keep; of a failure one without figures, whose provenance has the cause."""
    name, kernel = names(outcome.point)
    values = {WORST: outcome.worst, ROM: outcome.rom, RAM: outcome.ram}
    rows = [
        Row(name, kernel, metric, {}, "cycles" if metric == WORST else "bytes", 1, *([value] * 4))
        for metric, value in values.items()
        if value is not None
    ]
    provenance = outcome.provenance or {
        "melanion": __version__,
        **origin(),
        "spec_hash": SPEC_HASH[:8],
        "tools": {},
    }
    if outcome.failure:
        provenance = {
            **provenance,
            "failure": outcome.failure,
            "evidence": list(outcome.evidence),
            "final": outcome.final,
        }
    computed = "computed" if outcome.point.quantity.kind == "bound" else "golden model"
    if computed == "golden model" and not system.kernel_info.replayed:
        computed = "self-checks"
    return Unit(
        experiment=name,
        kernel=kernel,
        definition=definition,
        judged="nobody" if outcome.failure else computed,  # type: ignore[arg-type]
        provenance=provenance,
        configuration=configuration(system, provenance) if "flags" in provenance else {},
        measurements=tuple(Measurement(row, ((row.max, 1),)) for row in rows),
    )


def answer_of(
    point: Point, system: System, unit: Unit, *, seconds: float = 0.0, found: bool = False
) -> Answer:
    """A unit as it is shown."""
    values = {each.row.metric: each.row.max for each in unit.measurements}
    failure = str(unit.provenance.get("failure", ""))
    return Answer(
        point=point,
        state="failed" if failure else "done",
        area=recorded(system),
        worst=values.get(WORST),
        rom=values.get(ROM),
        ram=values.get(RAM),
        seconds=seconds,
        found=found,
        failure=failure,
        evidence=tuple(unit.provenance.get("evidence", ())),
        provenance=unit.provenance,
    )
