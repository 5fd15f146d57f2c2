# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/white-paper.md, thread-metric.md, rtu.md, booster.md, aquila.md and
docs/explanation/lock-cache.md: the verdicts about a document's claims, and the curves or rows
behind them, from the files of cycles that tests assert."""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path

import calls

from melanion import paths
from melanion.experiments.definition import load_with_origin
from melanion.experiments.result import Result
from melanion.experiments.rows import Measurement, Parameters, Row
from melanion.experiments.seed import load_seeds
from melanion.experiments.verdict import Verdict
from melanion.report.reproduction import (
    Reproduction,
    ours_text,
    paper_text,
    ratio_text,
    series_of,
)
from melanion.report.tally import tally, verdict_text

ROOT = paths.data_root()
CYCLES = {  # experiment → its asserted rows
    "calls": ROOT / "tests" / "calls_cycles.csv",  # tests/test_calls.py
    "waits": ROOT / "tests" / "waits_cycles.csv",  # tests/test_waits.py
    "thread-metric": ROOT / "tests" / "thread-metric_cycles.csv",  # tests/test_thread_metric.py
    "thread-metric-entry": ROOT / "tests" / "thread-metric-entry_cycles.csv",  # …_metric_trap.py
    "database": ROOT / "tests" / "database_cycles.csv",  # tests/test_database.py
    "ring": ROOT / "tests" / "ring_cycles.csv",  # tests/test_ring.py
    "memories": ROOT / "tests" / "memories_cycles.csv",  # tests/test_ring.py
    "place": ROOT / "tests" / "place_cycles.csv",  # tests/test_ring.py
    "aquila-switch": ROOT / "tests" / "aquila-switch_cycles.csv",  # tests/test_aquila.py
    "aquila-sync": ROOT / "tests" / "aquila-sync_cycles.csv",  # tests/test_aquila.py
    "rtu-wait": ROOT / "tests" / "rtu-wait_cycles.csv",  # tests/test_database.py
    "rtu-shared": ROOT / "tests" / "rtu-shared_cycles.csv",  # tests/test_database.py
    "rtu-area": ROOT / "tests" / "rtu-area_gates.csv",  # tests/test_area.py
}
# Document → the experiment that decides its conditions; without one each of its experiments has
# systems of its own.
MAIN = {"white-paper": "waits", "thread-metric": "thread-metric"}
# Kernels that docs/explanation/lock-cache.md compares, and the compared rows of experiments.
HANDED_OVER = ("sw-poll-3", "sw-3", "lockcache-3", "lockcache-given-3", "rtu-3")
HANDED_OVER_ROWS = (
    ("rtu-db", "total"),
    ("rtu-db", "communication"),
    ("rtu-db", "communication_slow"),
    ("rtu-wait", "called"),
    ("rtu-wait", "computation"),
    ("rtu-wait", "short_locks"),
)


def result(experiment: str, kernels: list[str] | None = None) -> Result:
    """The asserted rows of an experiment as a result without provenance."""
    definition, origin = load_with_origin(experiment)
    asserted = read_rows(CYCLES[origin])
    there = {row.kernel for row in asserted}
    named = [each for each in definition.kernels if kernels is None or each in kernels]
    chosen = [each for each in named if each in there]
    rows = [row for row in asserted if row.kernel in chosen]
    measured = tuple(Measurement(row, ((row.max, row.n),)) for row in rows)
    return Result(experiment, definition, tuple(chosen), measured, {})


def without_rows(found: Result) -> list[str]:
    """The kernels that exist and whose rows nobody has asserted yet."""
    return [each for each in found.definition.kernels if each not in found.kernels]


def read_rows(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as stream:
        return [
            Row(
                experiment=line["experiment"],
                kernel=line["kernel"],
                metric=line["metric"],
                parameters=_parameters(line["parameters"]),
                unit=line["unit"],
                **{key: int(line[key]) for key in ("n", "min", "median", "p99", "max")},
            )
            for line in csv.DictReader(stream)
        ]


def _parameters(text: str) -> Parameters:
    """`n=8 which=first`."""
    found: Parameters = {}
    for word in text.split():
        key, _, value = word.partition("=")
        found[key] = int(value) if value.isdecimal() else value
    return found


def reproduction(name: str) -> Reproduction:
    (seed,) = load_seeds(name)
    return Reproduction(seed, tuple(result(each) for each in seed.experiments))


def verdicts(name: str) -> str:
    """A table per experiment: a line for each claim and kernel."""
    found = reproduction(name)
    lines = [f"{tally(found.verdicts)}.", "", *_conditions(name), ""]
    for each in found.results:
        lines += [f"### {each.definition.title}", ""]
        lines += [f"`{each.experiment}`: {each.definition.source}", ""]
        if without := without_rows(each):
            names = ", ".join(f"`{kernel}`" for kernel in without)
            lines += [f"Not asserted yet, so no verdict: {names}.", ""]
        lines += ["| claim | kernel | paper | ours | ratio | verdict | measured |"]
        lines += ["|---|---|--:|--:|--:|---|---|"]
        for _, group in groupby(found.of(each), key=lambda verdict: id(verdict.claim)):
            lines += [_line(verdict, i == 0) for i, verdict in enumerate(group)]
        lines.append("")
    return "\n".join(lines)


def _line(verdict: Verdict, first: bool) -> str:
    claim = verdict.claim
    whose = "ours" if claim.by == "ours" else claim.source
    word = verdict_text(verdict)
    cells = (
        f"{claim.says} ({whose})" if first else "",
        f"`{verdict.kernel}`",
        paper_text(verdict),
        ours_text(verdict),
        ratio_text(verdict),
        f"**{word}**" if verdict.word in ("partly", "not", "broken") else word,
        "; ".join(verdict.why),
    )
    return f"| {' | '.join(cells)} |"


def _conditions(name: str) -> list[str]:
    if name in MAIN:
        return [calls.conditions(CYCLES[MAIN[name]])]
    (seed,) = load_seeds(name)
    origins = dict.fromkeys(load_with_origin(each)[1] for each in seed.experiments)
    return [f"* {_condition(origin)}" for origin in origins]


def _condition(experiment: str) -> str:
    definition, _ = load_with_origin(experiment)
    if definition.designs:
        return f"`{experiment}`: gates of osu018. {calls.asserted(CYCLES[experiment])}."
    words = calls.conditions(CYCLES[experiment], definition.kernels)
    return f"`{experiment}`: {words}"


def curves(name: str) -> str:
    """The values behind each figure: a row per point, a column per curve."""
    lines = []
    for each in reproduction(name).results:
        for figure in each.definition.figures:
            series = series_of(each, figure)
            unit = next(m.row.unit for m in each.measurements if m.row.metric == figure.metric)
            heads = " | ".join(one.name for one in series)
            lines += [f"### {figure.title}", ""]
            lines += [f"| {unit}, by {figure.axis} | {heads} |", f"|--:|{'--:|' * len(series)}"]
            for i, (x, _) in enumerate(series[0].points):
                values = " | ".join(f"{one.points[i][1]:_}".replace("_", " ") for one in series)
                lines.append(f"| {x:_} | {values} |".replace("_", " "))
            lines.append("")
    return "\n".join(lines)


def hand_over() -> str:
    """The database application with each way of handing on a lock: a row per metric and number of
    tasks or wait states, a column per kernel, medians."""
    lines = [
        f"| median | {' | '.join(f'`{kernel}`' for kernel in HANDED_OVER)} |",
        f"|---|{'--:|' * len(HANDED_OVER)}",
    ]
    for experiment, name in HANDED_OVER_ROWS:
        found = result(experiment, list(HANDED_OVER))
        metric = found.definition.metrics[name]
        for parameters in metric.combinations:
            cells = []
            for kernel in HANDED_OVER:
                one = found.find(kernel, name, parameters)
                cells.append(f"{one.row.median:_}".replace("_", " ") if one else "–")
            ((key, value),) = parameters.items()
            unit = metric.unit or "cycles"
            head = f"{metric.title.partition(':')[0]}, {unit} ({key} {value})"
            lines.append(f"| {head} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
