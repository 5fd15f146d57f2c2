# SPDX-License-Identifier: Apache-2.0
"""Rows that tests assert to the cycle, measured anew, so that no asserted figure is typed by hand:
tests/asserted/<experiment>_cycles.csv of every experiment, and tests/asserted/rtu-area_gates.csv.

What the build cache holds is not measured again; without it the whole takes about an hour of
processor time. `interference` has more files: melanion/docs/sweep.py measures those. What decided
the rows is recorded with them (melanion/docs/sources.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from melanion import area
from melanion.claims.execute import outcome
from melanion.docs import rows, sources
from melanion.docs.rows import AREA, Line, lines, lines_of, text_of
from melanion.measure.rows import Row
from melanion.report.export import csv_rows

KEY = ("kernel", "metric", "parameters")


def measure(experiment: str, kernel: str) -> list[Row]:
    """The rows of one system. Raises MelanionError."""
    if experiment == AREA:
        found = area.execute(AREA, kernel, command="python -m melanion.docs asserted").measurements
    else:
        found = outcome(experiment, kernel, lambda _: None).measurements
    return [each.row for each in found]


def renewed(experiment: str, old: Sequence[Line], kernels: Iterable[str]) -> list[Line]:
    """The lines of a file with those of these systems measured anew."""
    found = {kernel: lines_of(csv_rows(measure(experiment, kernel))) for kernel in kernels}
    order = dict.fromkeys(line["kernel"] for line in old)
    kept = {name: [line for line in old if line["kernel"] == name] for name in order}
    return [line for name in order for line in found.get(name, kept[name])]


def moved(old: Sequence[Line], new: Sequence[Line]) -> list[str]:
    """A sentence for each row that differs."""
    before, after = ({tuple(line[k] for k in KEY): line for line in each} for each in (old, new))
    sentences = []
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key, {}), after.get(key, {})
        names = [name for name in (was or now) if was.get(name) != now.get(name)]
        if not was or not now:
            sentences.append(f"{' '.join(filter(None, key))}: {'new' if now else 'gone'}")
        elif names:
            changes = (f"{name} {was[name]} → {now[name]}" for name in names)
            sentences.append(f"{' '.join(filter(None, key))}: {', '.join(changes)}")
    return sentences


def renew(
    experiment: str, kernels: Sequence[str], report: Callable[[str], None], *, check: bool
) -> int:
    """Measure one file anew, of these systems alone (none: of all), and report each row that moved;
    `check`: write nothing. Returns how many moved. Raises MelanionError."""
    path = rows.FILES[experiment]
    old = lines(path)
    there = dict.fromkeys(line["kernel"] for line in old)
    chosen = [name for name in there if not kernels or name in kernels]
    new = renewed(experiment, old, chosen)
    sentences = moved(old, new)
    for sentence in sentences:
        report(f"{experiment} {sentence}")
    if sentences and not check:
        path.write_text(text_of(new), encoding="utf-8")
    if experiment != AREA and not check:
        sources.write(sources.present(experiment, chosen))
    report(f"{path.name}: {len(new)} rows, {len(sentences)} moved")
    return len(sentences)
