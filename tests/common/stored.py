# SPDX-License-Identifier: Apache-2.0
"""A results store with known figures: the rows that other tests assert, each with the histogram of
its statistics. Nothing is simulated."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from melanion import config, paths
from melanion.claims import load
from melanion.claims.execute import configuration
from melanion.claims.reader import load_with_origin
from melanion.claims.reference import ALL, load_references
from melanion.docs.rows import FILES, read
from melanion.measure.definition import Definition
from melanion.measure.rows import Measurement, Row
from melanion.measure.worst_case import WORST_CASES, WorstCase
from melanion.report.costs import AREA, CELLS, COUNTED
from melanion.report.overview import KERNELS
from melanion.results import Collection, Store, Unit, collect
from melanion.results.unit import Judge, definition_digest
from melanion.trace.excerpt import Arrow, Excerpt, Instant, Slice

ROOT = paths.data_root()
COMMIT = "0123456789ab"
DECIDED = {"flags": "-O2", "seed": 1, "hardware_key": "a" * 32, "program_key": "b" * 32}
CELLS_OF = dict(zip(KERNELS, (0, 0, 7000, 14086, 14120, 16900), strict=True))


def measured(row: Row) -> Measurement:
    """The row with the fewest samples that have its statistics, as often as it says."""
    counts: dict[int, int] = {row.median: max(row.n - 2, 1)}
    for value in (row.min, row.max)[: max(row.n - 1, 0)]:
        counts[value] = counts.get(value, 0) + 1
    return Measurement(row, tuple(sorted(counts.items())))


@cache
def units() -> tuple[Unit, ...]:
    """Every experiment on every system of which a test asserts the rows, and areas."""
    reproduced = (name for document in load_references(ALL) for name in document.experiments)
    of_documents = (load_with_origin(name)[1] for name in reproduced)
    found = []
    for experiment in dict.fromkeys((*of_documents, "latency")):
        rows = read(FILES[experiment])
        definition = load(experiment)
        for kernel in dict.fromkeys(row.kernel for row in rows):
            own = [row for row in rows if row.kernel == kernel]
            found.append(unit(experiment, kernel, definition, own))
    return (*found, *(area(kernel, cells) for kernel, cells in CELLS_OF.items()))


def unit(experiment: str, kernel: str, definition: Definition, rows: list[Row]) -> Unit:
    judge: Judge = "synthesis"
    words = {"design": kernel, "library": "standard cells"}
    if not definition.designs:
        system = config.find(kernel)
        judge = "golden model" if system.kernel_info.replayed else "self-checks"
        words = configuration(system, DECIDED)
    measurements = tuple(map(measured, rows))
    digest = definition_digest(definition)
    kept = worst_case(rows) if experiment in WORST_CASES else None
    return Unit(experiment, kernel, digest, judge, provenance(), words, measurements, kept)


def worst_case(rows: list[Row]) -> WorstCase:
    """The slowest way from an interrupt to a task, as a run might have it."""
    worst = max((row for row in rows if row.metric == "irq_to_task"), key=lambda row: row.max)
    begin, length = 1_000_000, worst.max
    give, ready = begin + length // 4, begin + length // 2
    end, until = begin + length, begin + length + 10
    woken, background = "task 1 woken", "task 2 background"
    slices = (
        Slice(f"waits / {woken}", "semaphore 1", begin - 10, give, "interrupt 2"),
        Slice(f"tasks / {woken}", "semaphore_take(1)", begin - 10, give),
        Slice(f"tasks / {woken}", "ready", give, ready),
        Slice(f"tasks / {woken}", "running", ready, until),
        Slice(f"tasks / {background}", "running", begin - 10, ready),
        Slice(f"tasks / {background}", "preempted", ready, until),
        Slice(f"priorities / {background}", f"4 of {woken}", begin, ready),
        Slice("core 0 / trap", "external interrupt", give - 2, ready + 1),
        Slice("core 0 / interrupts off", "interrupts off", give - 1, ready + 2),
    )
    instants = (
        Instant("interrupt lines", "line 2", begin),
        Instant("kernel", "interrupt 2: semaphore_give", give),
        Instant("core 0 / tracepoints", "tracepoint 2", end),
    )
    arrows = (Arrow("kernel", give, f"tasks / {woken}", give),)
    kept = Excerpt(begin - 10, until, slices, instants, arrows)
    return WorstCase(worst.metric, worst.parameters, begin, end, kept)


def area(kernel: str, cells: int) -> Unit:
    row = Row(AREA, kernel, CELLS, {}, "cells", 1, cells, cells, cells, cells)
    words = {"counted": "+ mel_unit"}
    return Unit(AREA, kernel, COUNTED, "synthesis", provenance(), words, (measured(row),))


def provenance(commit: str = COMMIT) -> dict[str, Any]:
    tools = {"verilator": "5.48.0", "riscv64-unknown-elf-gcc": "12.2.0"}
    return {"melanion": "0.1.0", "commit": commit, "spec_hash": "01234567", "tools": tools}


def fill(file: Path) -> Store:
    """A store with one set of all units."""
    store = Store(file)
    store.keep("melanion reproduce all", units())
    return store


def collection(command: str = "melanion reproduce all") -> Collection:
    """All units, as if `command` had measured them."""
    when = "2026-01-01T00:00:00+00:00"
    return collect("set 1", (replace(one, command=command, measured=when) for one in units()))
