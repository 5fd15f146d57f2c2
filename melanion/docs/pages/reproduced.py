# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/white-paper.md, thread-metric.md, rtu.md, booster.md, aquila.md and
docs/explanation/lock-cache.md: the verdicts about a document's claims, and the curves or rows
behind them, from the files of cycles that tests assert."""

from __future__ import annotations

from itertools import groupby

from melanion.claims.reader import load_with_origin
from melanion.claims.reference import load_references
from melanion.claims.result import Result
from melanion.claims.verdict import Verdict
from melanion.docs.conditions import asserted, conditions
from melanion.docs.rows import FILES, KERNELS, read
from melanion.docs.table import NONE, codes, number, sections, table
from melanion.measure.rows import Measurement
from melanion.report.declared import series_of
from melanion.report.reproduction import (
    Reproduction,
    ours_text,
    paper_text,
    ratio_text,
    slack_text,
)
from melanion.report.tally import tally, verdict_text

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
    every = read(FILES[origin])
    there = {row.kernel for row in every}
    named = [each for each in definition.kernels if kernels is None or each in kernels]
    chosen = [each for each in named if each in there]
    rows = [row for row in every if row.kernel in chosen]
    measured = tuple(Measurement(row, ((row.max, row.n),)) for row in rows)
    return Result(experiment, definition, tuple(chosen), measured, {})


def without_rows(found: Result) -> list[str]:
    """The kernels that exist and whose rows nobody has asserted yet."""
    return [each for each in found.definition.kernels if each not in found.kernels]


def reproduction(name: str) -> Reproduction:
    (reference,) = load_references(name)
    return Reproduction(reference, tuple(result(each) for each in reference.experiments))


def verdicts(name: str) -> str:
    """A table per experiment: a line for each claim and kernel."""
    found = reproduction(name)
    parts = [(each.definition.title, _verdicts(found, each)) for each in found.results]
    return "\n".join([f"{tally(found.verdicts)}.", "", *_conditions(name), "", sections(parts)])


def _verdicts(found: Reproduction, each: Result) -> str:
    source = f"`{each.experiment}`: {each.definition.source}\n\n"
    if without := without_rows(each):
        source += f"Not asserted yet, so no verdict: {', '.join(codes(without))}.\n\n"
    rows = [
        _row(verdict, place == 0)
        for _, group in groupby(found.of(each), key=lambda verdict: id(verdict.claim))
        for place, verdict in enumerate(group)
    ]
    heads = ("claim", "kernel", "paper", "ours", "ratio", "verdict", "slack", "measured")
    return source + table("llrrrlrl", heads, rows)


def _row(verdict: Verdict, first: bool) -> list[str]:
    return [
        says(verdict) if first else "",
        f"`{verdict.kernel}`",
        paper_text(verdict),
        ours_text(verdict),
        ratio_text(verdict),
        word(verdict),
        slack_text(verdict),
        "; ".join(verdict.why),
    ]


def says(verdict: Verdict) -> str:
    """A claim and its source."""
    claim = verdict.claim
    return f"{claim.says} ({'ours' if claim.by == 'ours' else claim.source})"


def word(verdict: Verdict) -> str:
    """A verdict, bold when it is less than met."""
    text = verdict_text(verdict)
    return f"**{text}**" if verdict.word in ("partly", "not", "broken") else text


def _conditions(name: str) -> list[str]:
    if name in MAIN:
        return [conditions(FILES[MAIN[name]], KERNELS)]
    (reference,) = load_references(name)
    origins = dict.fromkeys(load_with_origin(each)[1] for each in reference.experiments)
    return [f"* {_condition(origin)}" for origin in origins]


def _condition(experiment: str) -> str:
    definition, _ = load_with_origin(experiment)
    if definition.designs:
        return f"`{experiment}`: gates of osu018. {asserted(FILES[experiment])}."
    return f"`{experiment}`: {conditions(FILES[experiment], definition.kernels)}"


def curves(name: str) -> str:
    """The values behind each figure: a row per point, a column per curve."""
    parts = []
    for each in reproduction(name).results:
        for figure in each.definition.figures:
            series = series_of(each, figure)
            unit = next(m.row.unit for m in each.measurements if m.row.metric == figure.metric)
            heads = (f"{unit}, by {figure.axis}", *(one.name for one in series))
            rows = [
                (number(x), *(number(one.points[i][1]) for one in series))
                for i, (x, _) in enumerate(series[0].points)
            ]
            parts.append((figure.title, table("r", heads, rows)))
    return sections(parts)


def hand_over() -> str:
    """The database application with each way of handing on a lock: a row per metric and number of
    tasks or wait states, a column per kernel, medians."""
    rows = []
    for experiment, name in HANDED_OVER_ROWS:
        found = result(experiment, list(HANDED_OVER))
        metric = found.definition.metrics[name]
        for parameters in metric.combinations:
            ((key, value),) = parameters.items()
            unit = metric.unit or "cycles"
            cells = [f"{metric.title.partition(':')[0]}, {unit} ({key} {value})"]
            for kernel in HANDED_OVER:
                one = found.find(kernel, name, parameters)
                cells.append(number(one.row.median) if one else NONE)
            rows.append(cells)
    return table("lr", ("median", *codes(HANDED_OVER)), rows)
