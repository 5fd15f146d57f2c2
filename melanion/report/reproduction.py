# SPDX-License-Identifier: Apache-2.0
"""Experiments of a reference document as people and programs read them: verdicts in a terminal, a
page with its figures redrawn, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

import melanion.report.declared as declared
from melanion.claims.reference import ReferenceDocument
from melanion.claims.result import Result
from melanion.claims.verdict import BROKEN, Verdict, judge, number_text, span_text
from melanion.report.export import csv_rows, write_text
from melanion.report.html import html
from melanion.report.judged import sentence
from melanion.report.page import STATISTICS, configurations, statistics
from melanion.report.tally import tally, verdict_text

COLUMNS = (
    "experiment",
    "source",
    "by",
    "says",
    "kernel",
    "paper",
    "low",
    "high",
    "unit",
    "ratio",
    "verdict",
    "slack",
    "decided_by",
    "why",
)
STYLES = {
    **dict.fromkeys(("reproduced", "holds"), "green"),
    **dict.fromkeys(("not", "broken"), "red"),
    "partly": "yellow",
}
CLASSES = {"green": "met", "red": "missed", "yellow": "part"}
SHAPE_ONLY = "shape"
SCHEMA = 1


@dataclass(frozen=True)
class Reproduction:
    """The results of a document's experiments, in its order. `missing`: experiments, perhaps on
    some systems, that were not measured, and why; `refused`: that cannot be measured here."""

    reference: ReferenceDocument
    results: tuple[Result, ...]
    missing: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[str, str], ...] = ()

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """Verdicts of all experiments. Raises ExperimentError: a claim has no rows."""
        return [verdict for result in self.results for verdict in judge(result)]

    def of(self, result: Result) -> list[Verdict]:
        return [each for each in self.verdicts if each.experiment == result.experiment]


def paper_text(verdict: Verdict) -> str:
    """The printed number; or that there is none."""
    claim = verdict.claim
    if claim.paper is not None:
        return number_text(claim.paper)
    return "–" if claim.by == "ours" else SHAPE_ONLY


def ours_text(verdict: Verdict) -> str:
    """The first quantity; of what unit it is, is said with what was measured."""
    return span_text(*verdict.ours) + (" %" if verdict.unit == "%" else "")


def ratio_text(verdict: Verdict) -> str:
    return "–" if verdict.ratio is None else number_text(verdict.ratio)


def slack_text(verdict: Verdict) -> str:
    """`+4.1 %`; `-20 %` beyond a limit."""
    percent = verdict.slack
    if percent == 0 or math.isinf(percent):
        return f"{number_text(percent)} %"
    digits = ".0f" if abs(percent) >= 100 else ".2g"
    return f"{percent:+{digits}} %"


WIDTHS = {
    "kernel": 15,
    "paper": 7,
    "ours": 14,
    "ratio": 5,
    "verdict": 26,
    "slack": 7,
}
RIGHT = ("paper", "ours", "ratio", "slack")


def verdict_tables(reproduction: Reproduction) -> Iterator[Text | Table]:
    """At most 80 columns: of each experiment its title, and of each claim its words, a line per
    kernel, and the rules that are broken. What a choice of ours decides is in the page alone."""
    for result in reproduction.results:
        counted = [each for each in reproduction.of(result) if each.decided_by != "choice"]
        if not counted:
            continue
        head = f"\n{result.definition.title} ({result.experiment}, {result.definition.source})"
        yield Text(head, style="bold")
        for _, verdicts in groupby(counted, key=lambda each: id(each.claim)):
            lines = list(verdicts)
            claim = lines[0].claim
            whose = "ours" if claim.by == "ours" else f"paper, {claim.source}"
            yield Text(f"{claim.says} ({whose})", style="italic")
            yield _lines_table(lines)
            for verdict in lines:
                for why in verdict.why:
                    if why.startswith(BROKEN):
                        yield Text(f"  {verdict.kernel}: {why}", style="dim")
    for line in missing_lines(reproduction):
        yield Text(f"\n{line}", style="yellow")


def notes(reference: ReferenceDocument) -> list[str]:
    """Contradictions and omissions of the document, a line each."""
    return [f"note on the paper: {note}" for note in reference.notes]


def missing_lines(reproduction: Reproduction) -> list[str]:
    """Missing measurements, a line for each reason, with the command that makes them."""
    remedy = f"; `melanion reproduce {reproduction.reference.name}` measures that."
    lines = [f"{line}{remedy}" for line in not_measured(reproduction.missing)]
    return [*lines, *not_measured(reproduction.refused)]


def on_systems(experiment: str, lacking: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Systems of an experiment without figures, by reason."""
    for reason in dict.fromkeys(lacking.values()):
        names = [kernel for kernel, each in lacking.items() if each == reason]
        yield f"{experiment} on {', '.join(names)}", reason


def not_measured(missing: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each reason, without a full stop unless the reason has one."""
    grouped: dict[str, list[str]] = {}
    for what, why in missing:
        grouped.setdefault(why, []).append(what)
    return [f"Not measured: {_listed(names)}: {why}" for why, names in grouped.items()]


def _listed(names: Sequence[str]) -> str:
    """Separated by semicolons where a name has commas."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _lines_table(verdicts: Sequence[Verdict]) -> Table:
    view = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for name, width in WIDTHS.items():
        side = "right" if name in RIGHT else "left"
        view.add_column(name, width=width, justify=side, overflow="fold")  # type: ignore[arg-type]
    for verdict in verdicts:
        word = Text(verdict_text(verdict), style=STYLES[verdict.word])
        numbers = (paper_text(verdict), ours_text(verdict), ratio_text(verdict))
        view.add_row(verdict.kernel, *numbers, word, slack_text(verdict))
    return view


def verdict_lines(reproduction: Reproduction) -> list[dict[str, Any]]:
    """One mapping per claim and kernel, with the keys COLUMNS."""
    return [
        {
            "experiment": verdict.experiment,
            "source": verdict.claim.source,
            "by": verdict.claim.by,
            "says": verdict.claim.says,
            "kernel": verdict.kernel,
            "paper": verdict.claim.paper,
            "low": round(verdict.ours[0], 3),
            "high": round(verdict.ours[1], 3),
            "unit": verdict.unit,
            "ratio": None if verdict.ratio is None else round(verdict.ratio, 3),
            "verdict": verdict.word,
            "slack": round(verdict.slack, 2) if math.isfinite(verdict.slack) else None,
            "decided_by": verdict.decided_by,
            "why": verdict.why,
        }
        for verdict in reproduction.verdicts
    ]


def verdicts_csv(reproduction: Reproduction) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for line in verdict_lines(reproduction):
        writer.writerow({**line, "why": "; ".join(line["why"])})
    return stream.getvalue()


def reproduction_json(reproduction: Reproduction) -> str:
    """Verdicts, the rows behind them, and where they come from."""
    document = {
        "schema": SCHEMA,
        "reference": asdict(reproduction.reference),
        "verdicts": verdict_lines(reproduction),
        "experiments": [
            {
                "experiment": result.experiment,
                "source": result.definition.source,
                "provenance": result.provenance,
                "rows": [asdict(each.row) for each in result.measurements],
            }
            for result in reproduction.results
        ],
        "not_measured": dict([*reproduction.missing, *reproduction.refused]),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write_reproduction(reproduction: Reproduction, folder: Path) -> list[Path]:
    """`report.html`, `verdicts.csv`, `<reference>.json` and the rows of each experiment as CSV in a
    folder, which is made. Raises ReportError."""
    texts = {
        "report.html": reproduction_page(reproduction),
        f"{reproduction.reference.name}.json": reproduction_json(reproduction),
        "verdicts.csv": verdicts_csv(reproduction),
    }
    for result in reproduction.results:
        rows = csv_rows([each.row for each in result.measurements])
        texts[f"{result.experiment}.csv"] = rows
    return [write_text(folder / name, text) for name, text in texts.items()]


# ---- page ----------------------------------------------------------------------------------------


def reproduction_page(reproduction: Reproduction) -> str:
    """One file without a script: verdicts and figures of each experiment."""
    return html(
        "melanion.report",
        "reproduction.html.j2",
        judged=sentence(dict.fromkeys(k for each in reproduction.results for k in each.kernels)),
        reference=reproduction.reference,
        parts=parts(reproduction),
        tally=tally(reproduction.verdicts),
        missing=missing_lines(reproduction),
        names=STATISTICS,
    )


def parts(reproduction: Reproduction) -> list[dict[str, Any]]:
    """Parts of the page, one per experiment: verdicts, figures, configuration."""
    return [
        {
            "result": result,
            "lines": [_line(verdict) for verdict in reproduction.of(result)],
            "figures": declared.figures(result),
            "configurations": configurations(result),
            "rows": statistics(result),
        }
        for result in reproduction.results
    ]


def _line(verdict: Verdict) -> dict[str, Any]:
    return {
        "claim": verdict.claim,
        "kernel": verdict.kernel,
        "paper": paper_text(verdict),
        "ours": ours_text(verdict),
        "ratio": ratio_text(verdict),
        "word": verdict_text(verdict),
        "slack": slack_text(verdict),
        "kind": CLASSES[STYLES[verdict.word]],
        "why": verdict.why,
    }
