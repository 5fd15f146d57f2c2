# SPDX-License-Identifier: Apache-2.0
"""`melanion compare`: one experiment under several kernels; a table, a page, CSV and JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

import melanion.cli.freertos as freertos
import melanion.cli.options as options
from melanion import config, report, results
from melanion.build.app import CYCLES
from melanion.claims import load
from melanion.claims import names as experiments
from melanion.claims.execute import check
from melanion.claims.reader import is_file, short
from melanion.claims.result import Result, described
from melanion.cli.measuring import measure
from melanion.measure import ExperimentError, broken_targets

json_option = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="Also write the rows there (-: print them instead of the table).",
)


@click.command("compare")
@click.argument("experiment", metavar="EXPERIMENT|APP")
@click.option(
    "--kernels",
    metavar="LIST",
    help="Systems, separated by commas, such as sw,hwrtos or hwrtos@bus:20.",
)
@json_option
@options.freertos_program
@click.option(
    "--max-cycles",
    type=click.IntRange(min=1),
    help=f"For APP: end each run after this many cycles.  [default: as melanion run, {CYCLES}]",
)
@options.freertos_kernel
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of report.html, CSV and JSON.  [default: build/EXPERIMENT]",
)
def command(
    experiment: str,
    kernels: str | None,
    json_file: str | None,
    is_freertos: bool,
    max_cycles: int | None,
    out: Path | None,
) -> None:
    """Measure EXPERIMENT (latency, calls, interference, ./my.yaml …) on kernels: table, page, CSV,
    JSON.
    For APP, a folder with a program, measure the regions that it marks (MEL_REGION): table, JSON.

    Every run is replayed on the golden model; a run that the model rejects gives no figures. The
    model does not cover the calls of freertos; there the program checks itself.
    """
    sources = options.sources(is_freertos=is_freertos)
    chosen = split_kernels(kernels) if kernels is not None else None
    if is_freertos or (experiment not in experiments() and Path(experiment).is_dir()):
        if out is not None:
            raise ExperimentError(
                "--out does not go with a program, of which no page is written; leave it out, or"
                " write the figures with --json FILE.",
                2,
            )
        freertos.compare(
            experiment,
            chosen,
            is_freertos=is_freertos,
            sources=sources,
            json_file=json_file,
            max_cycles=max_cycles,
        )
        return
    if max_cycles is not None:
        raise ExperimentError(
            "--max-cycles goes with a program alone: an experiment says how long it runs; leave it"
            " out.",
            2,
        )
    words = [
        "melanion compare",
        experiment,
        *(["--kernels", kernels] if kernels is not None else []),
    ]
    compare(experiment, chosen, json_file=json_file, out=out, command=" ".join(words))


def split_kernels(kernels: str) -> list[str]:
    chosen = config.listed(kernels)
    if all(chosen):
        return chosen
    what = f"{kernels!r} has an empty name" if len(chosen) > 1 else "is empty"
    raise ExperimentError(
        f"--kernels {what}; name systems separated by commas, such as sw,hwrtos.", 2
    )


def compare(
    experiment: str,
    kernels: list[str] | None,
    *,
    json_file: str | None,
    out: Path | None,
    command: str,
    first: bool = False,
) -> None:
    """Run, print, write. `kernels` None: those of the definition. `first`: for someone who sees it
    for the first time: rows in words and a sentence, and progress also where no terminal shows it.
    Raises MelanionError."""
    if is_file(experiment):
        experiment = str(Path(experiment).resolve())
    names = kernels or load(experiment).kernels
    check(experiment, names)
    folder = Path("build", short(experiment)) if out is None else out
    for file in (
        folder / "report.html",
        *([Path(json_file)] if json_file not in (None, "-") else []),
    ):
        report.check_writable(file)
    collection = measure({experiment: names}, command, lines=first)
    result, _ = results.result(collection, experiment, names)
    assert result is not None
    report.write(result, folder)
    if json_file == "-":
        click.echo(report.json_text(result), nl=False)
        return
    if json_file is not None:
        report.write_text(Path(json_file), report.json_text(result))
    _show(result, folder, first=first)


def _show(result: Result, folder: Path, *, first: bool) -> None:
    console = Console(width=None if sys.stdout.isatty() else 100 if first else 80)
    console.print(report.table(result, titles=first))
    if first:
        for kernel, text in described(result.kernels).items():
            console.print(f"{kernel}: {text}", highlight=False)
        console.print(report.headline(result), style="bold", highlight=False)
    for sentence in broken_targets(result.definition, [each.row for each in result.measurements]):
        console.print(f"target missed: {sentence}", style="red", highlight=False, soft_wrap=True)
    systems = [result.provenance["systems"][kernel] for kernel in result.kernels]
    same = [key for key in ("core", "clock", "memory") if len({s[key] for s in systems}) == 1]
    words = [*(systems[0][key] for key in same), report.judged(result.kernels)]
    console.print(", ".join(words), style="dim", highlight=False, soft_wrap=not first)
    console.print(f"page, CSV, JSON: {folder / 'report.html'}", highlight=False, soft_wrap=True)
