# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/reference/interference.md shows: an interrupt at every cycle of every call.

`python scripts/interference.py` runs the experiment `interference` (a quarter of an hour, most of
it for `sw`) and writes

    docs/interference.csv            of every state of every call the largest value, and where
    docs/interference_histogram.csv  how often each value came, over all calls
    docs/interference_*.svg          the same as pictures, one for each edge
    tests/interference_cycles.csv    the rows, which tests/test_interference_cycles.py asserts

`--kernels LIST` measures these alone; the lines of the others stay. Then `python
scripts/documents.py` writes the page.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import groupby
from pathlib import Path

import calls

from melanion import config, experiments, paths
from melanion.datasheet import program
from melanion.errors import MelanionError
from melanion.experiments import Measurement, Row, interference
from melanion.experiments.definition import Target
from melanion.experiments.interference import EDGES, LOADS, Sweep
from melanion.experiments.recording import Recording
from melanion.experiments.work import SEED, applications
from melanion.report import chart, readme
from melanion.report.chart import Series
from melanion.report.export import csv_rows
from melanion.run import run_program

ROOT = paths.data_root()
EXPERIMENT = "interference"
WORST = ROOT / "docs" / "interference.csv"
HISTOGRAM = ROOT / "docs" / "interference_histogram.csv"
CYCLES = ROOT / "tests" / "interference_cycles.csv"
LATENCY = ROOT / "tests" / "latency_cycles.csv"  # asserted by tests/test_latency.py
KERNELS = ("sw", "hwrtos", "port", "banked")
PANELS = (KERNELS[:2], KERNELS[2:])  # pictures, each of two kernels
TITLES = {"handler": "Interrupt to handler", "task": "Interrupt to task"}
LOAD_WORDS = {"few": "up to 8", "many": "more"}


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
    definition = experiments.load(EXPERIMENT)
    system, (app,) = config.find(kernel), applications(definition)
    run = run_program(system, app, seed=SEED, max_cycles=definition.max_cycles)
    lacks = system.kernel_info.lacks
    measured = experiments.measure(EXPERIMENT, kernel, definition, run.events, lacks)
    recording = Recording(definition, run.events)
    sweeps = {
        call: list(interference.sweeps(recording, call))
        for call in definition.phases
        if call in recording.names
    }
    built = program.Program(run.program.elf, run.program.points, definition)
    return found(kernel, measured, sweeps, built.states)


def found(
    kernel: str,
    measured: Sequence[Measurement],
    sweeps: Mapping[str, Sequence[Sweep]],
    states: Iterable[program.State],
) -> Found:
    """`states`: of all calls, in the order of the program. Raises MelanionError."""
    words: dict[str, list[str]] = {}
    for state in states:
        words.setdefault(state.call, []).append(state.words)
    worst = []
    for call, of_call in sweeps.items():
        for edge in EDGES:
            own = [each for each in of_call if each.edge == edge]
            if own and len(own) != len(words[call]):
                raise MelanionError(
                    f"{call} was swept in {len(own)} states, the program has {len(words[call])};"
                    " make scripts/interference.py and apps/benchmarks/interference agree."
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
    stream = io.StringIO()
    names = [field.name for field in fields(rows[0])]
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return stream.getvalue()


def read_worst(path: Path = WORST) -> list[Worst]:
    return [
        Worst(
            line["kernel"],
            line["edge"],
            line["call"],
            line["load"],
            line["state"],
            int(line["length"]),
            int(line["cycles"]),
            int(line["cycle"]),
        )
        for line in _lines(path)
    ]


def read_counts(path: Path = HISTOGRAM) -> list[Count]:
    return [
        Count(line["kernel"], line["edge"], int(line["cycles"]), int(line["samples"]))
        for line in _lines(path)
    ]


def measured_kernels() -> list[str]:
    """Kernels in the files."""
    have = {each.kernel for each in read_worst()}
    return [kernel for kernel in KERNELS if kernel in have]


def _lines(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def merged(old: str, new: str, kernels: Sequence[str]) -> str:
    """The lines of `new`, which are of `kernels`, and those of `old` of others; in the order of
    KERNELS. Both begin with a line of names that has `kernel` in it."""
    head, *fresh = new.splitlines()
    place = head.split(",").index("kernel")
    kept = [line for line in old.splitlines()[1:] if line.split(",")[place] not in kernels]
    ordered = sorted([*kept, *fresh], key=lambda line: KERNELS.index(line.split(",")[place]))
    return "\n".join([head, *ordered]) + "\n"


def write(results: Mapping[str, Found]) -> None:
    """All files but the page."""
    kernels = list(results)
    for path, new in (
        (WORST, text([each for one in results.values() for each in one.worst])),
        (HISTOGRAM, text([each for one in results.values() for each in one.counts])),
        (CYCLES, csv_rows([each for one in results.values() for each in one.rows])),
    ):
        old = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(merged(old, new, kernels), encoding="utf-8")
    for edge in EDGES:
        picture_path(edge).write_text(picture(edge), encoding="utf-8")


def picture_path(edge: str) -> Path:
    return ROOT / "docs" / f"interference_{edge}.svg"


def picture(edge: str) -> str:
    """Histograms of one edge, two kernels in each."""
    counts = [each for each in read_counts() if each.edge == edge]
    panels = []
    for panel in PANELS:
        kernels = [kernel for kernel in panel if any(each.kernel == kernel for each in counts)]
        if not kernels:
            continue
        points = {
            k: [(each.cycles, each.samples) for each in counts if each.kernel == k] for k in kernels
        }
        series = [Series(k, slot, points[k]) for slot, k in enumerate(kernels)]
        most = {k: max(cycles for cycles, _ in points[k]) for k in kernels}
        ordered = sorted(kernels, key=most.__getitem__)
        words = ", ".join(f"{most[k]} with {k}" for k in ordered)
        panels.append((f"{TITLES[edge]}: at most {words}", chart.histogram(series, "cycles")))
    return readme.sheet(panels)


# ---- the page ------------------------------------------------------------------------------------


def worst_table() -> str:
    """Table of each kernel's worst call, by edge and load."""
    every = read_worst()
    lines = [
        f"{calls.conditions(CYCLES)}",
        "",
        "| cycles | tasks or objects | kernel | at most | call | state | cycle of the call |",
        "|---|---|---|--:|---|---|--:|",
    ]
    for edge in EDGES:
        title = TITLES[edge]
        for load in LOADS:
            words = LOAD_WORDS[load]
            for kernel in measured_kernels():
                meant = [e for e in every if (e.edge, e.load, e.kernel) == (edge, load, kernel)]
                most = max(meant, key=lambda each: each.cycles)
                cells = f"`{kernel}` | **{most.cycles}** | `mel_{most.call}` | {most.state}"
                lines.append(f"| {title} | {words} | {cells} | {most.cycle} of {most.length} |")
                title = words = ""
    return "\n".join(lines) + "\n"


def late(target: Target, metric: str) -> tuple[int, dict[str, int]]:
    """Calls on the target's kernel, under its load, and those in which the largest value is above
    it."""
    most: dict[str, int] = {}
    for each in read_worst():
        meant = target.where.get("load", each.load) == each.load
        if meant and each.kernel == target.kernel and each.edge == interference.TOTALS[metric]:
            most[each.call] = max(most.get(each.call, 0), each.cycles)
    return len(most), {call: value for call, value in most.items() if value > target.at_most}


def targets() -> str:
    """Calls that keep the promises of the definition, and those that do not."""
    lines = []
    for name, metric in experiments.load(EXPERIMENT).metrics.items():
        for target in metric.targets:
            calls_, above = late(target, name)
            words = ", ".join(f"`mel_{call}` {value}" for call, value in above.items())
            load = LOAD_WORDS[str(target.where["load"])]
            lines.append(
                f"* `{target.kernel}`, {TITLES[interference.TOTALS[name]].lower()}, {load} tasks or"
                f" objects: at most {target.at_most} cycles in {calls_ - len(above)} of {calls_}"
                f" calls; not in {words or 'none'}."
            )
    return "\n".join(lines) + "\n"


def random_table() -> str:
    """Largest values of random arrivals under kernel-call load beside those of the sweep."""
    random = {
        (line["kernel"], line["metric"]): int(line["max"])
        for line in _lines(LATENCY)
        if line["parameters"] == "load=calls"
    }
    swept: dict[tuple[str, str], list[str]] = {}
    for line in _lines(CYCLES):
        if line["metric"] in interference.TOTALS:
            swept.setdefault((line["kernel"], line["metric"]), []).append(line["max"])
    lines = ["| cycles, at most | kernel | random arrivals | every cycle: up to 8 | more |"]
    lines.append("|---|---|--:|--:|--:|")
    for name, edge in interference.TOTALS.items():
        for place, kernel in enumerate(measured_kernels()):
            title = "" if place else TITLES[edge]
            cells = " | ".join(swept[kernel, name])
            lines.append(f"| {title} | `{kernel}` | {random[kernel, name]} | {cells} |")
    return "\n".join(lines) + "\n"


def calls_table() -> str:
    """A table per group: of each call the largest values over all its states."""
    most: dict[tuple[str, str, str], int] = {}
    for each in read_worst():
        key = each.call, each.edge, each.kernel
        most[key] = max(most.get(key, 0), each.cycles)
    names = [name for name in calls.states() if any(call == name for call, _, _ in most)]
    kernels = measured_kernels()
    head = " | ".join(f"`{kernel}`" for kernel in kernels)
    lines = []
    for group, members in groupby(names, key=calls.group_of):
        lines += [f"### {group}", "", f"| cycles, at most | to handler: {head} | to task: {head} |"]
        lines.append(f"|---|{'--:|' * 2 * len(kernels)}")
        for call in members:
            keys = [(call, edge, kernel) for edge in EDGES for kernel in kernels]
            cells = " | ".join(str(most.get(key, "–")) for key in keys)
            lines.append(f"| `mel_{call}` | {cells} |")
        lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--kernels", default=",".join(KERNELS), help="some of them, as sw,hwrtos")
    kernels = parser.parse_args(arguments).kernels.split(",")
    if unknown := [kernel for kernel in kernels if kernel not in KERNELS]:
        words = ", ".join(KERNELS)
        print(f"interference: --kernels names {unknown[0]!r}; it knows {words}.", file=sys.stderr)
        return 2
    results = {}
    try:
        for kernel in kernels:
            print(kernel, file=sys.stderr)
            results[kernel] = measure(kernel)
    except MelanionError as error:
        print(f"interference: {error.message}", file=sys.stderr)
        return error.exit_code
    write(results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
