# SPDX-License-Identifier: Apache-2.0
"""A campaign: flips in batches, each outcome kept in the results store, so that whatever ends a
campaign, the same command goes on where it was."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from mel_gen import ExitReason

import melanion.run.names as names
import melanion.run.replaying as replaying
from melanion import build
from melanion.build import App, Hardware, Program, Report
from melanion.claims.execute import configuration
from melanion.config import System
from melanion.errors import MelanionError
from melanion.inject.errors import InjectError
from melanion.inject.flips import Flip, Plan, draw
from melanion.inject.harness import Ended, Harness
from melanion.inject.outcome import Class, Objection, Seen, judged
from melanion.inject.quiet import Quiet
from melanion.inject.space import Space, space
from melanion.model.replay import ReplayError
from melanion.results import Store, Unit
from melanion.results.unit import digest
from melanion.run import RunResult, Settings
from melanion.run.provenance import provenance
from melanion.run.settings import Decided
from melanion.run.simulation import scratch
from melanion.run.tasks import task_names
from melanion.soc import Purpose

BATCH = 100  # flips that one process of the simulation serves
KEPT_EVERY = 20.0  # seconds after which the outcomes of a batch that goes on are kept
# A run with a flip may take that much longer than the one without: then it counts as a hang.
LONGER, LEAST_LONGER = 1, 10_000
# Modules that decide a class.
OWN = ("flips.py", "harness.py", "outcome.py", "quiet.py", "space.py")


@dataclass(frozen=True)
class Record:
    """A flip and what it led to. `cycle`: of the flip, `latency`: cycles until it was noticed.
    `hit`: address or variable; `nothing`: there was no context to hit. `left`: the state at the end
    is not that of the run without a flip. `teller`: number of the flip that told the class, so that
    this one was not run (quiet.py); None: it was."""

    number: int
    cycle: int
    kind: str
    module: str
    variable: str
    index: int
    bit: int
    name: Class
    latency: int | None
    hit: str
    left: bool
    early: bool
    evidence: str = ""
    teller: int | None = None


@dataclass(frozen=True)
class Campaign:
    """Request for flips. `only`: a kind or module of state; empty: all."""

    system: System
    app: App
    seed: int
    flips: int
    only: str = ""


@dataclass(frozen=True)
class Prepared:
    """Common to all flips of a campaign: simulation, program, space, run without a flip."""

    campaign: Campaign
    hardware: Hardware
    program: Program
    decided: Decided
    space: Space
    reference: Seen
    plan: Plan

    @property
    def limit(self) -> int:
        """Cycles that a run with a flip may take."""
        cycles = self.reference.cycles
        return cycles + max(LONGER * cycles, LEAST_LONGER)

    @property
    def key(self) -> str:
        """Digest of all that decides what each flip leads to."""
        campaign = self.campaign
        parts: list[Any] = [campaign.system.model_dump(mode="json")]
        parts += [self.hardware.key, self.program.key]
        parts += [campaign.seed, campaign.only, self.decided.provenance, self.limit]
        return digest([*parts, _rules()])

    @property
    def provenance(self) -> dict[str, Any]:
        found = provenance(
            self.campaign.system, self.hardware, self.program, self.decided.provenance
        )
        return {
            **found,
            "injection_seed": self.campaign.seed,
            "only": self.campaign.only,
            "bits": {kind: self.space.size(kind) for kind in self.space.kinds},
            "cycles": self.reference.cycles,
            "limit": self.limit,
        }

    def flip(self, number: int) -> Flip:
        return draw(self.campaign.seed, number, self.space, self.reference.cycles)


@cache
def _rules() -> str:
    """Digest of the modules that decide a class, the golden model among them."""
    package = Path(__file__).resolve().parent.parent
    files = [package / "inject" / name for name in OWN]
    files += [*sorted((package / "model").rglob("*.py")), package / "run" / "replaying.py"]
    found = hashlib.sha256()
    for path in files:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


@contextmanager
def prepared(
    campaign: Campaign, settings: Settings, report: Report
) -> Iterator[tuple[Prepared, Harness]]:
    """Build what is missing, and run the program without a flip. Raises MelanionError."""
    if campaign.flips < 1:
        raise InjectError(
            f"{campaign.flips} flips: a campaign has 1 or more; write such a number.", 2
        )
    system, app = campaign.system, campaign.app
    program = build.program(system, app, defines=settings.defines, report=report)
    hardware = build.hardware(system, Purpose.INJECT, report=report)
    decided = settings.decide(system, app)
    with scratch() as folder:
        harness = Harness(system, hardware, program, decided, folder)
        report(f"running {app.name} on {system.name} without a flip")
        reference = harness.reference()
        _expect_success(campaign, reference, program)
        found = space(system, program, harness.state)
        if campaign.only:
            found = found.only(campaign.only)
        plan = Plan(found, reference.events)
        yield Prepared(campaign, hardware, program, decided, found, reference, plan), harness


def _expect_success(campaign: Campaign, seen: Seen, program: Program) -> None:
    """A run that fails by itself shows nothing of a flip. Raises InjectError."""
    name, system = campaign.app.name, campaign.system
    remedy = f"`melanion run {name} --kernel {system.name}` says more; correct that first."
    if (seen.reason, seen.code) != (ExitReason.PROGRAM, 0):
        how = f"exit code {seen.code}"
        if seen.reason != ExitReason.PROGRAM:
            how = seen.reason.name.lower().replace("_", " ")
        raise InjectError(f"{name} fails on {system.name} without a flip ({how}); {remedy}")
    objection = _objection(system, program, seen) if system.kernel_info.replayed else None
    if objection is not None:
        raise InjectError(
            f"{name}: the golden model rejects its run on {system.name} without a flip"
            f" ({objection.sentence}); {remedy}"
        )


def _objection(system: System, program: Program, seen: Seen) -> Objection | None:
    """Replay a run; None: the golden model agrees. A trace without sense is an objection, too."""
    try:
        replaying.compared(system, program, seen.events)
    except ReplayError as error:
        words = (line.strip() for line in error.message.splitlines()[:3])
        return Objection(" ".join(words), error.cycle)
    except (LookupError, ValueError, MelanionError) as error:
        return Objection(f"its events make no sense ({error})", seen.cycles)
    return None


Told = Callable[[Record], None]


def run(
    ready: Prepared,
    harness: Harness,
    store: Store,
    command: str,
    jobs: int,
    told: Told = lambda _: None,
) -> list[Record]:
    """The outcomes of all flips, in their order; what the store holds is not run again. Raises
    MelanionError."""
    records: dict[int, Record] = {}
    number = store.begin(command, [])
    key = ready.key
    quiet = Quiet(ready.campaign.system, ready.space.fields)
    for first in range(0, ready.campaign.flips, BATCH):
        wanted = range(first, min(first + BATCH, ready.campaign.flips))
        known = {each.number: each for each in _known(store, ready, key, first)}
        records.update({n: known[n] for n in wanted if n in known})
        batch = _Batch(ready, store, number, key, first, known)
        try:
            for record in _ended(
                ready, harness, quiet, [n for n in wanted if n not in known], jobs
            ):
                batch.add(record)
                records[record.number] = record
                told(record)
        finally:
            batch.keep()
        quiet.learn(records[n] for n in wanted)
    store.end(number)
    return [records[n] for n in range(ready.campaign.flips)]


def single(ready: Prepared, harness: Harness, number: int) -> tuple[Record, Ended]:
    """One flip again, with all that was seen of it, to the end of its program."""
    line = ready.plan.line(ready.flip(number))
    for ended in harness.run(line, 1, ready.limit, early=False):
        return record(ready, ended), ended
    raise InjectError(f"flip {number}: the simulation ended without it; run it again.")


def as_run(ready: Prepared, ended: Ended) -> RunResult:
    """A run with a flip as one of `melanion run`, for those who show and save runs."""
    seen = ended.seen
    events, told = names.split(seen.events)
    return RunResult(
        system=ready.campaign.system,
        program=ready.program,
        console=seen.console,
        events=events,
        reason=seen.reason,
        code=seen.code,
        cycles=seen.cycles,
        instructions=0,
        seconds=0.0,
        replay_seconds=0.0,
        untraced_seconds=None,
        replay=None,
        provenance=ready.provenance,
        failure="a bit was flipped",
        names={**task_names(ready.program), **told},
    )


def _ended(
    ready: Prepared, harness: Harness, quiet: Quiet, numbers: Sequence[int], jobs: int
) -> Iterator[Record]:
    """The outcomes of some flips: of those that others tell, then of those that are run."""
    tellers = {n: quiet.teller(ready.flip(n)) for n in numbers}
    for number, teller in tellers.items():
        if teller is not None:
            yield _told(ready.flip(number), teller)
    yield from _outcomes(ready, harness, [n for n in numbers if tellers[n] is None], jobs)


def _told(flip: Flip, teller: int) -> Record:
    """A flip that is not run."""
    field = flip.field
    return _of(
        flip,
        name="masked",
        latency=None,
        hit=f"{field.scope}.{field.name}[{flip.element}]",
        left=True,
        early=False,
        evidence=f"the row is not read any more: flip {teller}",
        teller=teller,
    )


def _of(flip: Flip, **outcome: Any) -> Record:
    """The record of a flip with its outcome."""
    field = flip.field
    return Record(
        number=flip.number,
        cycle=flip.cycle,
        kind=field.kind,
        module=field.module,
        variable=field.name,
        index=flip.element,
        bit=flip.bit,
        **outcome,
    )


def _outcomes(
    ready: Prepared, harness: Harness, numbers: Iterable[int], jobs: int
) -> Iterator[Record]:
    flips = sorted((ready.flip(n) for n in numbers), key=lambda flip: (flip.cycle, flip.number))
    if not flips:
        return
    plan = "".join(ready.plan.line(flip) for flip in flips)
    for ended in harness.run(plan, jobs, ready.limit):
        yield record(ready, ended)


def record(ready: Prepared, ended: Ended) -> Record:
    """A flip with its class."""
    flip, system = ready.flip(ended.number), ready.campaign.system
    seen = ended.seen

    def model() -> Objection | None:
        return _objection(system, ready.program, seen)

    asked = model if system.kernel_info.replayed else None
    verdict = judged(seen, ready.reference, flip.cycle, asked)
    if ended.strange and verdict.name == "silent":
        verdict = replace(verdict, evidence=ended.strange)
    return _of(
        flip,
        name=verdict.name,
        latency=None if verdict.cycle is None else verdict.cycle - flip.cycle,
        hit=ended.hit,
        left=ended.left,
        early=ended.early,
        evidence=verdict.evidence,
    )


class _Batch:
    """Outcomes of a batch in the results store: one unit, which grows."""

    def __init__(
        self,
        ready: Prepared,
        store: Store,
        number: int,
        key: str,
        first: int,
        known: dict[int, Record],
    ) -> None:
        self._ready, self._store, self._number = ready, store, number
        self._key, self._first = key, first
        self._records = dict(known)
        self._kept, self._at, self._began = len(known), time.monotonic(), time.monotonic()

    def add(self, found: Record) -> None:
        self._records[found.number] = found
        if time.monotonic() - self._at > KEPT_EVERY:
            self.keep()

    def keep(self) -> None:
        self._at = time.monotonic()
        if len(self._records) == self._kept:
            return
        self._kept = len(self._records)
        ready = self._ready
        found = ready.provenance
        listed = [asdict(self._records[n]) for n in sorted(self._records)]
        judge = "golden model" if ready.campaign.system.kernel_info.replayed else "self-checks"
        unit = Unit(
            experiment=_name(ready, self._first),
            kernel=ready.campaign.system.name,
            definition=self._key,
            judged=judge,  # type: ignore[arg-type]
            provenance={**found, "flips": listed},
            configuration=configuration(ready.campaign.system, found),
            measurements=(),
        )
        self._store.add(self._number, unit, self._at - self._began)


def _name(ready: Prepared, first: int) -> str:
    campaign = ready.campaign
    return f"inject {campaign.app.name} seed {campaign.seed} from {first}"


def _known(store: Store, ready: Prepared, key: str, first: int) -> Iterator[Record]:
    for unit in store.measured(_name(ready, first)):
        if unit.kernel == ready.campaign.system.name and unit.definition == key:
            yield from (Record(**each) for each in unit.provenance["flips"])
