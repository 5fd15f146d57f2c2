# SPDX-License-Identifier: Apache-2.0
"""`melanion datasheet`: the worst case of every call, measured beside counted; with `--safety` what
notices a flipped bit of the unit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table

from melanion import config, datasheet, report, safety
from melanion.area.present import Table as Plain
from melanion.cli.stages import Stages
from melanion.datasheet import DatasheetError, measured, present
from melanion.datasheet.present import Section
from melanion.safety import present as safety_present

S = TypeVar("S")


@click.command("datasheet")
@click.argument("system", default="hwrtos")
@click.option(
    "--measured",
    "given",
    type=click.Path(path_type=Path),
    help="Take the measured values of that file instead of running the experiment `calls`.",
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the measured values there.")
@click.option(
    "--safety",
    "is_safety",
    is_flag=True,
    help="Say what notices a flipped bit of each part of the unit, instead.",
)
@click.option(
    "--flips",
    type=click.Path(path_type=Path),
    help="With --safety: the flips of that inject.json, instead of recorded ones.",
)
@click.option(
    "--prove",
    "proves",
    is_flag=True,
    help="With --safety: prove that a flip of any bit in any cycle is noticed (a minute).",
)
@click.option("--json", "json_file", metavar="FILE", help="Write JSON there (-: print it).")
@click.option(
    "--markdown", "markdown_file", metavar="FILE", help="Write Markdown there (-: print)."
)
@click.option("--html", "html_file", metavar="FILE", help="Write a page there (-: print it).")
def command(
    system: str,
    given: Path | None,
    save: Path | None,
    is_safety: bool,
    flips: Path | None,
    proves: bool,
    json_file: str | None,
    markdown_file: str | None,
    html_file: str | None,
) -> None:
    """Write the data sheet of SYSTEM (default: hwrtos): cycles, code, memory, area.

    Every call has its largest measured value, and a bound that is counted on the compiled code
    and on the microprogram of the unit. A measured value above its bound is an error. For
    several cores, or a core with an unknown pipeline, it has the times of the unit only.

    With --safety, for a system with the word protected or parity: every part of the unit's state,
    what notices a flip of one of its bits and within which time, and what flips led to. Nothing is
    measured. With --prove, too, a model checker says for every bit and every cycle what the table
    reads from the netlist.
    """
    files = {"json": json_file, "markdown": markdown_file, "html": html_file}
    for file in (*files.values(), str(save) if save else None):
        if file not in (None, "-"):
            report.check_writable(Path(str(file)))
    if is_safety:
        for name, value in (("--measured", given), ("--save", save)):
            if value is not None:
                raise DatasheetError(f"{name}: --safety measures no call; leave {name} out.", 2)
        _safety(system, flips, proves, files)
        return
    if flips is not None:
        raise DatasheetError("--flips: a data sheet has none; write --safety, too.", 2)
    if proves:
        raise DatasheetError("--prove: a data sheet proves nothing; write --safety, too.", 2)
    with Stages(f"making the data sheet of {system}") as tell:
        sheet = datasheet.make(config.find(system), given, tell)
        tell("measuring code and memory")
        assert sheet.sizes
    if save is not None and not sheet.measured:
        raise DatasheetError(f"--save {save}: {sheet.left_out} Leave --save out.", 2)
    if save is not None:
        report.write_text(save, measured.text(sheet.measured))
    forms = {"json": present.json_text, "markdown": present.markdown, "html": present.page}
    if not _write(sheet, forms, files, "data sheet"):
        _show(present.sections(sheet), present.tightness(sheet) if sheet.measured else "")


def _safety(system: str, flips: Path | None, proves: bool, files: Mapping[str, str | None]) -> None:
    with Stages(f"making the safety sheet of {system}") as tell:
        sheet = safety.make(config.find(system), flips, tell, proves=proves)
    forms = {
        "json": safety_present.json_text,
        "markdown": safety_present.markdown,
        "html": safety_present.page,
    }
    if not _write(sheet, forms, files, "safety sheet"):
        _show(safety_present.sections(sheet), safety_present.coverage(sheet))


def _write(
    sheet: S, forms: Mapping[str, Callable[[S], str]], files: Mapping[str, str | None], noun: str
) -> bool:
    """Write the wanted forms; none is wanted: say so."""
    for kind, file in files.items():
        if file == "-":
            click.echo(forms[kind](sheet), nl=False)
        elif file is not None:
            report.write_text(Path(file), forms[kind](sheet))
    if written := [file for file in files.values() if file not in (None, "-")]:
        click.echo(f"{noun}: {', '.join(map(str, written))}", err=True)
    return any(files.values())


def _show(sections: Sequence[Section], last: str) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160)
    for section in sections:
        console.print(f"\n{section.title}", style="bold", highlight=False)
        if section.text:
            console.print(present.plain(section.text), style="dim", highlight=False)
        if section.table:
            console.print(_view(section.table))
    if last:
        console.print(last, highlight=False)


def _view(table: Plain) -> Table:
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, (head, words) in enumerate(zip(table.heads, present.texts(table), strict=True)):
        view.add_column(head, justify="left" if i < table.left or words else "right")
    for row in table.rows:
        view.add_row(*map(present.plain, row))
    return view
