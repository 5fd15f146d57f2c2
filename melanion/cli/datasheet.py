# SPDX-License-Identifier: Apache-2.0
"""`melanion datasheet`: the worst case of every call, measured beside counted."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from melanion import config, datasheet, report
from melanion.area.present import Table as Plain
from melanion.cli.stages import Stages
from melanion.datasheet import DatasheetError, measured, present


@click.command("datasheet")
@click.argument("system", default="hwrtos")
@click.option(
    "--measured",
    "given",
    type=click.Path(path_type=Path),
    help="Take the measured values of that file instead of running the experiment `calls`.",
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the measured values there.")
@click.option("--json", "json_file", metavar="FILE", help="Write JSON there (-: print it).")
@click.option(
    "--markdown", "markdown_file", metavar="FILE", help="Write Markdown there (-: print)."
)
@click.option("--html", "html_file", metavar="FILE", help="Write a page there (-: print it).")
def command(
    system: str,
    given: Path | None,
    save: Path | None,
    json_file: str | None,
    markdown_file: str | None,
    html_file: str | None,
) -> None:
    """Write the data sheet of SYSTEM (default: hwrtos): cycles, code, memory, area.

    Every call has its largest measured value, and a bound that is counted on the compiled code
    and on the microprogram of the unit. A measured value above its bound is an error. For
    several cores, or a core with an unknown pipeline, it has the times of the unit only.
    """
    files = {"json": json_file, "markdown": markdown_file, "html": html_file}
    for file in (*files.values(), str(save) if save else None):
        if file not in (None, "-"):
            report.check_writable(Path(str(file)))
    with Stages(f"making the data sheet of {system}") as tell:
        sheet = datasheet.make(config.find(system), given, tell)
        tell("measuring code and memory")
        assert sheet.sizes
    if save is not None and not sheet.measured:
        raise DatasheetError(f"--save {save}: {sheet.left_out} Leave --save out.", 2)
    if save is not None:
        report.write_text(save, measured.text(sheet.measured))
    forms = {"json": present.json_text, "markdown": present.markdown, "html": present.page}
    for kind, file in files.items():
        if file == "-":
            click.echo(forms[kind](sheet), nl=False)
        elif file is not None:
            report.write_text(Path(file), forms[kind](sheet))
    written = [file for file in files.values() if file not in (None, "-")]
    if written:
        click.echo(f"data sheet: {', '.join(map(str, written))}", err=True)
    elif not any(files.values()):
        _show(sheet)


def _show(sheet: datasheet.Sheet) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160)
    for section in present.sections(sheet):
        console.print(f"\n{section.title}", style="bold", highlight=False)
        if section.text:
            console.print(present.plain(section.text), style="dim", highlight=False)
        if section.table:
            console.print(_view(section.table))
    if sheet.measured:
        console.print(present.tightness(sheet), highlight=False)


def _view(table: Plain) -> Table:
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, (head, words) in enumerate(zip(table.heads, present.texts(table), strict=True)):
        view.add_column(head, justify="left" if i < table.left or words else "right")
    for row in table.rows:
        view.add_row(*map(present.plain, row))
    return view
