# SPDX-License-Identifier: Apache-2.0
"""One point evaluated: what a worker does, on this machine or in a cluster. It never raises: a
point that fails leaves its cause in one sentence, and the evidence of its run."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from elftools.elf.elffile import ELFFile
from mel_gen import SPEC_HASH

from melanion import __version__, build, config
from melanion.build import Program
from melanion.build.footprint import ALLOCATED, WRITABLE
from melanion.claims.reader import load_with_origin
from melanion.config import System
from melanion.datasheet.unit import unit
from melanion.errors import MelanionError
from melanion.measure.work import applications, work
from melanion.run import Settings, run_program
from melanion.run.evidence import shown
from melanion.run.provenance import origin
from melanion.sweep.digest import sources
from melanion.sweep.errors import SweepError
from melanion.sweep.plan import Point

LOG = "MELANION_SWEEP_LOG"  # a file: a line for each evaluation that begins, for tests

STRANGER = (
    "this worker has other sources or tools than the machine that asks; bring its checkout to the"
    " same state, and run the command again."
)

Report = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """`worst`: of the quantity, in cycles; `rom`, `ram`: bytes of the program, None: there is none.
    `failure`: the cause, in one sentence; then `evidence` is what the run left, in lines, and
    `final`: a run of the same would fail in the same way."""

    point: Point
    seconds: float
    worst: int | None = None
    rom: int | None = None
    ram: int | None = None
    provenance: dict[str, Any] | None = None
    failure: str = ""
    evidence: tuple[str, ...] = ()
    final: bool = False


def evaluate(point: Point, expected: str, report: Report = lambda _: None) -> Outcome:
    """`expected`: digest of the sources of the machine that asks."""
    begin = time.monotonic()
    _note(point)
    computed = point.quantity.kind == "bound"

    def failed(cause: str, evidence: list[str], final: bool) -> Outcome:
        seconds = time.monotonic() - begin
        return Outcome(point, seconds, failure=cause, evidence=tuple(evidence), final=final)

    try:
        if sources(point.quantity.kind) != expected:
            return failed(STRANGER, [], False)
        worst, rom, ram, provenance = _measured(point, report)
    except MelanionError as error:
        *evidence, cause = error.message.splitlines()
        # A run that left evidence, and a computation, would fail again; a build or a disk may not.
        return failed(cause, evidence, bool(evidence) or computed)
    except Exception as error:
        cause = f"internal error, {type(error).__name__}: {error}; please report it."
        return failed(cause, traceback.format_exc().splitlines(), False)
    return Outcome(point, time.monotonic() - begin, worst, rom, ram, provenance)


def _note(point: Point) -> None:
    if log := os.environ.get(LOG):
        with open(log, "a", encoding="utf-8") as file:  # noqa: PTH123 - one write, which is whole
            file.write(f"{os.getpid()} {point.name}\n")


def _measured(point: Point, report: Report) -> tuple[int, int | None, int | None, dict[str, Any]]:
    system, quantity = config.find(point.system), point.quantity
    if quantity.kind == "bound":
        return _bound(system, quantity.name), None, None, _computed(system)
    if quantity.kind == "program":
        app = build.application(quantity.name)
        with shown() as failed:
            run = run_program(system, app, Settings(), report=report, failed=failed)
        return run.cycles, *_bytes(run.program), run.provenance
    definition, name = load_with_origin(quantity.name)
    outcome = work(name, definition, point.system, report)
    rows = [each.row for each in outcome.measurements if each.row.metric == quantity.metric]
    if not rows:
        needs = definition.metrics[quantity.metric].needs
        raise SweepError(f"{point.system} has no rows of {quantity.metric}: it lacks {needs}.")
    programs = [_bytes(build.program(system, app)) for app in applications(definition)]
    rom, ram = (max(sizes) for sizes in zip(*programs, strict=True))
    return max(row.max for row in rows), rom, ram, outcome.provenance


def _bound(system: System, action: str) -> int:
    if not system.unit:
        raise SweepError(
            f"{system.kernel} has no hardware unit, of which bounds are computed; measure an"
            " experiment, or take a kernel with the unit."
        )
    return unit(system).interrupts()[action][1]


def _computed(system: System) -> dict[str, Any]:
    return {
        "melanion": __version__,
        **origin(),
        "spec_hash": SPEC_HASH[:8],
        "system": system.model_dump(mode="json"),
        "tools": {},
    }


def _bytes(program: Program) -> tuple[int, int]:
    """Bytes of code and constants, and of data, initialized or not, stacks among it."""
    with program.elf.open("rb") as file:
        sections = [(s["sh_flags"], s["sh_size"]) for s in ELFFile(file).iter_sections()]
    kept = [(flags, size) for flags, size in sections if flags & ALLOCATED]
    ram = sum(size for flags, size in kept if flags & WRITABLE)
    return sum(size for _, size in kept) - ram, ram
