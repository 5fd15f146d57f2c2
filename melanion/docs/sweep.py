# SPDX-License-Identifier: Apache-2.0
"""The experiment `interference` measured: an interrupt at every cycle of every call (a quarter of
an hour, most of it for `sw`), and its files:

    docs/interference.csv                   of every state of every call the largest value,
                                            and where
    docs/interference_histogram.csv         how often each value came, over all calls
    tests/asserted/interference_cycles.csv  the rows, which tests/lab/test_interference_cycles.py
                                            asserts

melanion/docs/pages/interference.py shows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import melanion.measure as measurement
from melanion import config, paths
from melanion.claims import load
from melanion.datasheet import program
from melanion.docs.errors import DocsError
from melanion.docs.rows import FILES, KERNELS, lines, text_of
from melanion.measure import Measurement, Row
from melanion.measure.experiments import interference
from melanion.measure.experiments.interference import EDGES, Sweep
from melanion.measure.recording import Recording
from melanion.measure.work import SEED, applications
from melanion.report.export import csv_rows
from melanion.run import Settings, run_program

EXPERIMENT = "interference"
DOCS = paths.data_root() / "docs"
WORST = DOCS / "interference.csv"
HISTOGRAM = DOCS / "interference_histogram.csv"
CYCLES = FILES[EXPERIMENT]


@dataclass(frozen=True)
class Worst:
    """One state of a call and one edge: the call's own length, the most cycles that an interrupt in
    it took, and the first cycle of the call in which such a one came."""

    kernel: str
    edge: str
    call: str
    load: str
    state: str
    length: int
    cycles: int
    cycle: int


@dataclass(frozen=True)
class Count:
    """So many interrupts took so many cycles."""

    kernel: str
    edge: str
    cycles: int
    samples: int


@dataclass(frozen=True)
class Found:
    """Results of one kernel."""

    rows: list[Row]
    worst: list[Worst]
    counts: list[Count]


# ---- measuring -----------------------------------------------------------------------------------


def measure(kernel: str) -> Found:
    """Run, replay, measure. Raises MelanionError."""
    definition = load(EXPERIMENT)
    system, (app,) = config.find(kernel), applications(definition)
    run = run_program(system, app, Settings(seed=SEED, max_cycles=definition.max_cycles))
    lacks = system.kernel_info.lacks
    measured = measurement.measure(EXPERIMENT, kernel, definition, run.events, lacks)
    recording = Recording(definition, run.events)
    sweeps = {
        call: list(interference.sweeps(recording, call))
        for call in definition.phases
        if call in recording.names
    }
    built = program.Program(run.program.elf, run.program.tracepoints, definition)
    return found(kernel, measured, sweeps, built.states)


def found(
    kernel: str,
    measured: Sequence[Measurement],
    sweeps: Mapping[str, Sequence[Sweep]],
    states: Iterable[program.State],
) -> Found:
    """`states`: of all calls, in the order of the program. Raises DocsError."""
    words: dict[str, list[str]] = {}
    for state in states:
        words.setdefault(state.call, []).append(state.words)
    worst = []
    for call, of_call in sweeps.items():
        for edge in EDGES:
            own = [each for each in of_call if each.edge == edge]
            if own and len(own) != len(words[call]):
                raise DocsError(
                    f"{call} was swept in {len(own)} states, the program has {len(words[call])};"
                    " make melanion/docs/sweep.py and apps/benchmarks/interference agree."
                )
            worst += [
                Worst(kernel, edge, call, each.load, text, each.length, *each.worst)
                for each, text in zip(own, words[call], strict=False)
            ]
    return Found([each.row for each in measured], worst, list(_counts(kernel, measured)))


def _counts(kernel: str, measured: Sequence[Measurement]) -> Iterable[Count]:
    """Over all loads."""
    for name, edge in interference.TOTALS.items():
        total: Counter[int] = Counter()
        for each in measured:
            if each.row.metric == name:
                total.update(dict(each.histogram))
        for cycles, samples in sorted(total.items()):
            yield Count(kernel, edge, cycles, samples)


# ---- files ---------------------------------------------------------------------------------------


def text(rows: Sequence[Worst] | Sequence[Count]) -> str:
    """A file of rows, at least one."""
    return text_of([{name: str(value) for name, value in asdict(row).items()} for row in rows])


def read_worst(path: Path = WORST) -> list[Worst]:
    """Rows of docs/interference.csv."""
    return [
        Worst(
            *(line["kernel"], line["edge"], line["call"], line["load"], line["state"]),
            *(int(line["length"]), int(line["cycles"]), int(line["cycle"])),
        )
        for line in lines(path)
    ]


def read_counts(path: Path = HISTOGRAM) -> list[Count]:
    """Rows of docs/interference_histogram.csv."""
    return [
        Count(line["kernel"], line["edge"], int(line["cycles"]), int(line["samples"]))
        for line in lines(path)
    ]


def kernels() -> list[str]:
    """Kernels in the files."""
    have = {each.kernel for each in read_worst()}
    return [kernel for kernel in KERNELS if kernel in have]


def merged(old: str, new: str, kernels: Sequence[str]) -> str:
    """The lines of `new`, which are of `kernels`, and those of `old` of others; in the order of
    KERNELS. Both begin with a line of names that has `kernel` in it."""
    head, *fresh = new.splitlines()
    place = head.split(",").index("kernel")
    kept = [line for line in old.splitlines()[1:] if line.split(",")[place] not in kernels]
    ordered = sorted([*kept, *fresh], key=lambda line: KERNELS.index(line.split(",")[place]))
    return "\n".join([head, *ordered]) + "\n"


def write(results: Mapping[str, Found]) -> None:
    """Replace the lines of these kernels in all files; those of the others stay."""
    for path, new in (
        (WORST, text([each for one in results.values() for each in one.worst])),
        (HISTOGRAM, text([each for one in results.values() for each in one.counts])),
        (CYCLES, csv_rows([each for one in results.values() for each in one.rows])),
    ):
        old = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(merged(old, new, list(results)), encoding="utf-8")
