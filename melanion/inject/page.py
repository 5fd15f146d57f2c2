# SPDX-License-Identifier: Apache-2.0
"""The page of a campaign."""

from __future__ import annotations

from typing import Any

import melanion.inject.present as present
from melanion.inject.campaign import Record
from melanion.inject.outcome import CLASSES, TITLES
from melanion.inject.present import Line, Result
from melanion.inject.space import MEANINGS
from melanion.report.html import html
from melanion.report.svg import number

HEADS = ("bits", "flips", *CLASSES, "silent at most")
SHOWN = 200  # silent flips; the files have the rest


def page(done: Result) -> str:
    """The page as text."""
    return html(
        "melanion.inject",
        "inject.html.j2",
        done=done,
        heads=HEADS,
        kinds=[_cells(line) for line in done.kinds],
        modules=[_cells(line) for line in done.modules],
        meanings={line.kind: MEANINGS[line.kind] for line in done.kinds},  # type: ignore[index]
        titles=TITLES,
        silent=[_silent(done, each) for each in done.silent[:SHOWN]],
        left=max(len(done.silent) - SHOWN, 0),
        summary=present.summary(done),
        protection=done.protection,
        tools=done.provenance["tools"],
    )


def _cells(line: Line) -> list[str]:
    name = f"{line.kind}: {line.module}" if line.module else line.kind
    counts = [number(line.counts[each]) for each in CLASSES]
    return [name, number(line.bits), number(line.flips), *counts, present.percent(line.bound)]


def _silent(done: Result, record: Record) -> dict[str, Any]:
    return {
        "number": record.number,
        "cycle": number(record.cycle),
        "where": present.where(record),
        "name": record.name,
        "latency": "–" if record.latency is None else number(record.latency),
        "evidence": record.evidence,
        "repeats": present.repeats(done, record),
    }
