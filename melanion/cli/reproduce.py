# SPDX-License-Identifier: Apache-2.0
"""`melanion reproduce`: the measurements of a document on RTL: paper, ours, ratio, verdict."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

import melanion.cli.options as options
from melanion import area, report
from melanion.claims import load, thread_metric
from melanion.claims.execute import chosen
from melanion.claims.reference import ALL, ReferenceDocument, load_references
from melanion.cli.compare import split_kernels
from melanion.cli.measuring import measure
from melanion.measure.definition import ExperimentError
from melanion.report import overview, upstream
from melanion.report.reproduction import (
    Reproduction,
    notes,
    verdict_tables,
    write_reproduction,
)
from melanion.report.tally import tally

THREAD_METRIC = "thread-metric"


@click.command("reproduce")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@options.freertos_kernel
@click.option("--kernels", metavar="LIST", help="Measure only these kernels, such as sw,hwrtos.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of report.html, CSV and JSON, with a subfolder per document."
    "  [default: build/reproduce]",
)
@click.option(
    "--thread-metric-dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="For thread-metric: run the unmodified tests of this folder instead of ours.",
)
@click.option(
    "--thread-metric-code",
    type=click.Choice(thread_metric.CODES),
    help="Compile these tests with this option only.  [default: both; -O0 decides if a counter is"
    " not volatile]",
)
@click.option(
    "--liberty",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Standard-cell library for gate counts.  [default: that of Debian's package]",
)
def command(
    names: tuple[str, ...],
    kernels: str | None,
    out: Path | None,
    thread_metric_dir: Path | None,
    thread_metric_code: thread_metric.Code | None,
    liberty: Path | None,
) -> None:
    """Run the experiments of each document NAME (rtu booster; without one: all) and judge its
    claims.

    Each line has the paper's number, ours, their ratio, a verdict by the rules of
    experiments/*.yaml, and its slack, the distance to the nearest limit in percent. A verdict is a
    finding, not a failure: the exit code is 0 with any verdict.
    """
    names = names or (ALL,)
    references = list(
        dict.fromkeys(reference for name in names for reference in load_references(name))
    )
    if thread_metric_dir is not None:
        codes = [thread_metric_code] if thread_metric_code else list(thread_metric.CODES)
        _upstream(" ".join(names), kernels, thread_metric_dir, codes)
        return
    if thread_metric_code is not None:
        raise click.UsageError("--thread-metric-code belongs to --thread-metric-dir; add that.")
    wanted = split_kernels(kernels) if kernels is not None else None
    plans = _plans(references, wanted)
    folder = Path("build", "reproduce") if out is None else out
    pages = [folder / reference.name / "report.html" for reference in plans]
    whole = folder / "report.html" if ALL in names else None
    for page in [*pages, *([whole] if whole else [])]:
        report.check_writable(page)
    every = {experiment: own for plan in plans.values() for experiment, own in plan.items()}
    if whole:
        every |= overview.wanted(wanted)
    why = _unsynthesized(every, liberty)
    measured = {experiment: own for experiment, own in every.items() if experiment not in why}
    asked = [*names, *(["--kernels", kernels] if kernels is not None else [])]
    words = f"melanion reproduce {' '.join(asked)}"
    areas = overview.wanted_areas(wanted) if whole and area.missing_tools() is None else []
    collection = measure(measured, words, area_of=areas, liberty=liberty, lines=True)
    found = [
        report.reproduction(reference, plan, collection, why) for reference, plan in plans.items()
    ]
    for reproduction in found:
        _show(reproduction)
        files = write_reproduction(reproduction, folder / reproduction.reference.name)
        click.echo(f"page, CSV, JSON: {files[0]}")
    if len(found) > 1:  # again behind the last table, which fills many screens
        for reproduction in found:
            click.echo(f"{reproduction.reference.name}: {tally(reproduction.verdicts)}")
    if whole:
        files = overview.write(overview.of(collection, found), folder)
        click.echo(f"page: {files[0]}")


def _plans(
    references: list[ReferenceDocument], kernels: list[str] | None
) -> dict[ReferenceDocument, dict[str, list[str]]]:
    """Document → experiment → its kernels. Of several documents each is asked only for those of
    `kernels` that it has. Raises ExperimentError: one of them has no document."""
    if kernels is None or len(references) == 1:
        return {reference: chosen(reference, kernels) for reference in references}
    known = {
        reference: {k for own in chosen(reference, None).values() for k in own}
        for reference in references
    }
    every = sorted(set().union(*known.values()))
    for kernel in kernels:
        if kernel not in every:
            raise ExperimentError(
                f"--kernels names {kernel!r}; the documents are reproduced on {', '.join(every)}."
                " Name some of them.",
                2,
            )
    own = {
        reference: [kernel for kernel in kernels if kernel in known[reference]]
        for reference in references
    }
    return {reference: chosen(reference, names) for reference, names in own.items() if names}


def _unsynthesized(wanted: dict[str, list[str]], liberty: Path | None) -> dict[str, str]:
    """Experiment → why its gates cannot be counted here. Raises AreaError: `liberty` was named."""
    synthesized = [name for name in wanted if load(name).designs]
    why = area.missing(liberty) if synthesized else None
    if why is not None and liberty is not None:
        raise area.AreaError(why, 2)
    return {} if why is None else dict.fromkeys(synthesized, why)


def _upstream(
    name: str, kernels: str | None, folder: Path, codes: list[thread_metric.Code]
) -> None:
    """Raises ExperimentError: a test failed."""
    if name != THREAD_METRIC:
        raise click.UsageError(
            f"--thread-metric-dir belongs to the document {THREAD_METRIC}, not to {name}; write"
            f" `melanion reproduce {THREAD_METRIC} --thread-metric-dir {folder}`."
        )
    names = split_kernels(kernels) if kernels else list(load(THREAD_METRIC).kernels)
    found = []
    for run in thread_metric.upstream(folder, names, codes):
        found.append(run)
        lines = [line for line in run.console.splitlines() if line]
        click.echo("\n    ".join([upstream.head(run), *lines]))
    console = Console(width=None if sys.stdout.isatty() else 80)
    for part in upstream.tables(found):
        console.print(part, highlight=False)
    if failed := upstream.failures(found):
        raise ExperimentError("\n".join(failed))


def _show(reproduction: Reproduction) -> None:
    console = Console(width=None if sys.stdout.isatty() else 80)
    console.print(reproduction.reference.title, style="bold", highlight=False)
    for note in notes(reproduction.reference):
        console.print(note, style="yellow", highlight=False)
    for part in verdict_tables(reproduction):
        console.print(part, highlight=False)
    results = reproduction.results
    systems = results[0].provenance["systems"].values() if results else ()
    for key in ("core", "clock", "memory", "coupling", "flags"):
        words = "; ".join(dict.fromkeys(system[key] for system in systems if key in system))
        console.print(f"{key}: {words}", style="dim", highlight=False, soft_wrap=True)
    tools = "; ".join(results[0].provenance["tools"].values()) if results else ""
    console.print(f"tools: {tools}", style="dim", highlight=False, soft_wrap=True)
    commits = ", ".join(dict.fromkeys(str(each.provenance["commit"]) for each in results))
    console.print(f"commit: {commits}", style="dim", highlight=False, soft_wrap=True)
    chosen_by_us = any(each.decided_by == "choice" for each in reproduction.verdicts)
    more = " (in the page)" if chosen_by_us else ""
    said = f"{tally(reproduction.verdicts)}{more}"
    console.print(said, style="bold", highlight=False, soft_wrap=True)
