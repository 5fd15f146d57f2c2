# SPDX-License-Identifier: Apache-2.0
"""The page of `melanion reproduce all` and `melanion report`: worst cases first, then how latencies
are distributed, what stays flat and what grows, where cycles go, what it costs in area, the
benchmark Thread-Metric, and each document's claims. One file without a script, from the results
store alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import melanion.report.finding as finding
import melanion.report.timeline as timeline
from melanion.claims.execute import chosen
from melanion.claims.reference import ReferenceDocument
from melanion.claims.result import Result, described
from melanion.report.collected import reproduction
from melanion.report.costs import areas, cycles_figure, pareto_figure, threads_figure
from melanion.report.export import csv_text, json_text, write_text
from melanion.report.footnote import tool
from melanion.report.html import html
from melanion.report.judged import sentence
from melanion.report.page import configurations, latency_figures, worst_lines
from melanion.report.reproduction import Reproduction, not_measured, on_systems, parts
from melanion.report.reproduction import missing_lines as missing_of
from melanion.report.tally import tally
from melanion.results import Collection, Unit, result
from melanion.results.assemble import LACKING

WORST = "latency"  # the experiment of the first table
KERNELS = ("sw", "freertos", "booster", "hwrtos", "port", "banked")  # systems of one core

# KERNELS with their worst case drawn: two in software, and the unit on the bus and in the core.
SLOWEST = ("freertos", "sw", "hwrtos", "banked")


@dataclass(frozen=True)
class Overview:
    """`latency`: None where nobody measured it; `area`: of the systems that have one."""

    collection: Collection
    latency: Result | None
    area: Mapping[str, Unit]
    documents: tuple[Reproduction, ...]
    missing: tuple[str, ...]

    def find(self, experiment: str) -> Result | None:
        """An experiment's result in whatever document it is."""
        found = [each for one in self.documents for each in one.results]
        return next((each for each in found if each.experiment == experiment), None)


def wanted(kernels: Sequence[str] | None) -> dict[str, list[str]]:
    """Units that the page needs beyond the documents, for its systems among `kernels`."""
    own = wanted_areas(kernels)
    return {WORST: own} if own else {}


def wanted_areas(kernels: Sequence[str] | None) -> list[str]:
    """The systems that the page shows, as far as they are among `kernels`."""
    return [kernel for kernel in KERNELS if kernels is None or kernel in kernels]


def collected(
    collection: Collection, references: Sequence[ReferenceDocument], why: Mapping[str, str] = {}
) -> Overview:
    """Overview of all systems that the definitions name; missing units are named on the page."""
    return of(
        collection,
        [
            reproduction(reference, chosen(reference, None), collection, why)
            for reference in references
        ],
    )


def of(collection: Collection, documents: Sequence[Reproduction]) -> Overview:
    """The page's content; `documents` come from the same collection. Raises ExperimentError."""
    latency, lacking = result(collection, WORST, KERNELS)
    area = areas(collection, KERNELS)
    missing = [
        f"{line}; `melanion compare {WORST} --kernels {','.join(lacking)}` measures that."
        for line in not_measured(on_systems(WORST, lacking))
    ]
    without = [kernel for kernel in KERNELS if kernel not in area]
    if without:
        (line,) = not_measured([(f"the area of {', '.join(without)}", LACKING)])
        missing.append(f"{line}; `melanion reproduce` measures that.")
    return Overview(collection, latency, area, tuple(documents), tuple(missing))


def missing_lines(overview: Overview) -> list[str]:
    """Lines about missing measurements; documents without any are named in one line."""
    empty = [
        one
        for one in overview.documents
        if not one.results and not one.refused and {why for _, why in one.missing} == {LACKING}
    ]
    lines = list(overview.missing)
    if len(empty) > 1:
        names = [one.reference.name for one in empty]
        (line,) = not_measured([(f"all of {', '.join(names)}", LACKING)])
        lines.append(f"{line}; `melanion reproduce {' '.join(names)}` measures that.")
    else:
        empty = []
    rest = [one for one in overview.documents if one not in empty]
    return [*lines, *(line for one in rest for line in missing_of(one))]


def page(overview: Overview) -> str:
    """The page as text."""
    results = [each for one in overview.documents for each in one.results]
    every = [*([overview.latency] if overview.latency else []), *results]
    return html(
        "melanion.report",
        "overview.html.j2",
        headline=finding.headline(overview.latency) if overview.latency else "",
        judged=sentence(dict.fromkeys(k for each in every for k in each.kernels)),
        latency=overview.latency,
        lines=worst_lines(overview.latency) if overview.latency else [],
        described=described(overview.latency.kernels if overview.latency else ()),
        worst_cases=timeline.figures(overview.latency, SLOWEST) if overview.latency else [],
        groups=_groups(overview),
        documents=[
            {
                "reference": each.reference,
                "tally": tally(each.verdicts),
                "parts": parts(each),
                "missing": missing_of(each),
            }
            for each in overview.documents
        ],
        missing=overview.missing,
        sources=_sources(overview.collection),
        configurations=configurations(overview.latency) if overview.latency else [],
    )


def write(overview: Overview, folder: Path) -> list[Path]:
    """`report.html`, and the rows of the first table as CSV and JSON, in a folder, which is made.
    Raises ReportError."""
    texts = {"report.html": page(overview)}
    if overview.latency is not None:
        texts[f"{WORST}.csv"] = csv_text(overview.latency)
        texts[f"{WORST}.json"] = json_text(overview.latency)
    return [write_text(folder / name, text) for name, text in texts.items()]


def _groups(overview: Overview) -> list[dict[str, Any]]:
    """Headings and their figures; a heading without figures is left out."""
    latency = overview.latency
    drawn = latency_figures(latency) if latency else ([], [])
    split, wait = overview.find("rtu-split"), overview.find("rtu-wait")
    threads = overview.find("thread-metric")
    groups: list[tuple[str, list[Any]]] = [
        ("How latency is distributed", drawn[0]),
        ("What stays flat, and what grows", drawn[1]),
        (
            "Where the cycles go, what it costs, and Thread-Metric",
            [
                cycles_figure(split, wait) if split else None,
                pareto_figure(latency, overview.area) if latency else None,
                threads_figure(threads) if threads else None,
            ],
        ),
    ]
    found = [(title, [each for each in figures if each]) for title, figures in groups]
    return [{"title": title, "figures": figures} for title, figures in found if figures]


def _sources(collection: Collection) -> list[tuple[str, str]]:
    """Provenance of all units together, for the footer."""
    units = collection.units.values()
    tools = {tool(n, text) for unit in units for n, text in unit.provenance["tools"].items()}
    times = sorted(unit.measured for unit in units)
    judges: dict[str, int] = {}
    for unit in units:
        judges[unit.judged] = judges.get(unit.judged, 0) + 1
    return [
        ("results", f"{collection.name}: {len(units)} experiments on systems"),
        ("commands", "; ".join(dict.fromkeys(unit.command for unit in units))),
        ("commits", ", ".join(collection.commits)),
        ("measured or confirmed", f"{times[0]} … {times[-1]}" if times else "–"),
        ("judged by", ", ".join(f"{judge}: {count}" for judge, count in judges.items())),
        ("tools", " · ".join(sorted(tools))),
    ]
