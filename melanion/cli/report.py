# SPDX-License-Identifier: Apache-2.0
"""`melanion report`: the page again, from the results store; what it holds; two sets compared."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from melanion import report, results
from melanion.claims.reference import ALL, load_references
from melanion.report import overview
from melanion.report.export import units_text
from melanion.report.reproduction import write_reproduction
from melanion.results import Change, Store
from melanion.results.choice import NEWEST

WIDTH = 80
SHOWN = 40  # sets that `list` shows
SHADES = {"faster": "green", "less": "green", "slower": "red", "more": "red"}


@click.group("report", invoke_without_command=True)
@click.option(
    "--of",
    "reference",
    default=NEWEST,
    metavar="RESULTS",
    show_default=True,
    help="Results to show: newest, last, last~1, a set's number, a commit, a file.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of report.html, with a subfolder per document.  [default: build/reproduce]",
)
@click.pass_context
def command(context: click.Context, reference: str, out: Path | None) -> None:
    """Write the page of all results from the results store, without measuring anything.

    RESULTS is `newest` (the latest figures of each experiment and system), `last`, `last~1` …, a
    set's number (`melanion report list`), a commit, or the file of another store.
    """
    if context.invoked_subcommand is None:
        _page(reference, out)


def _page(reference: str, out: Path | None) -> None:
    collection = results.choose(_store(), reference)
    folder = Path("build", "reproduce") if out is None else out
    report.check_writable(folder / "report.html")
    whole = overview.collected(collection, load_references(ALL))
    for document in whole.documents:
        if document.results:
            write_reproduction(document, folder / document.reference.name)
    files = overview.write(whole, folder)
    console = _console()
    units = len(collection.units)
    console.print(f"{collection.name}: {units} experiments on systems", highlight=False)
    for line in overview.missing_lines(whole):
        console.print(line, style="yellow", highlight=False, soft_wrap=True)
    console.print(f"page: {files[0]}", highlight=False, soft_wrap=True)


@command.command("list")
def list_sets() -> None:
    """List the sets in the results store, the newest last."""
    store = _store()
    found = store.sets()
    if not found:
        results.choose(store, "newest")  # raises: it is empty
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head, side in (("set", "right"), ("began (UTC)", "left"), ("units", "right")):
        view.add_column(head, justify=side, no_wrap=True)  # type: ignore[arg-type]
    view.add_column("command", overflow="fold")
    for each in found[-SHOWN:]:
        lacks = not each.ended or each.got < each.wanted
        units = f"{each.got} of {each.wanted}" if lacks else str(each.got)
        began = each.began[:16].replace("T", " ")
        state = "failed" if each.ended else "interrupted, or still at work"
        words = each.command + (f" ({state})" if lacks else "")
        view.add_row(str(each.number), began, units, words)
    console = _console()
    console.print(view)
    console.print(f"store: {store.file}", style="dim", highlight=False, soft_wrap=True)


@command.command("rows")
@click.argument("reference", metavar="RESULTS", default=NEWEST)
@click.option("--csv", "as_csv", is_flag=True, help="Print lines of CSV instead of JSON.")
def rows(reference: str, as_csv: bool) -> None:
    """Print the rows of RESULTS as JSON, with their provenance."""
    collection = results.choose(_store(), reference)
    text = units_text(list(collection.units.values()), as_csv=as_csv)
    click.echo(text, nl=False)


@command.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.pass_context
def diff(context: click.Context, first: str, second: str) -> None:
    """Compare the results A and B row by row; the exit code is 1 when any row differs.

    A and B are RESULTS as in `melanion report`. `faster` and `slower` describe B, by its worst
    case, or by its median if the worst cases are equal.
    """
    store = _store()
    before, after = results.choose(store, first), results.choose(store, second)
    changes = list(results.compare(before, after))
    console = _console()
    console.print(f"A: {_named(before)}", highlight=False, soft_wrap=True)
    console.print(f"B: {_named(after)}", highlight=False, soft_wrap=True)
    if not changes:
        rows = sum(len(unit.measurements) for unit in before.units.values())
        console.print(f"no row differs ({rows} rows).", highlight=False)
        return
    console.print(_table(changes))
    counts = Counter(change.word for change in changes)
    said = ", ".join(f"{count} {word}" for word, count in counts.most_common())
    console.print(f"{len(changes)} rows differ: {said}.", highlight=False, soft_wrap=True)
    context.exit(1)


def _named(collection: results.Collection) -> str:
    commits = ", ".join(collection.commits[:4]) + (" …" if len(collection.commits) > 4 else "")
    return f"{collection.name} (commit {commits}), {len(collection.units)} experiments on systems"


def _table(changes: list[Change]) -> Table:
    """At most 80 columns: long names are folded."""
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, width=WIDTH)
    for head, width in (("experiment", 14), ("system", 11), ("row", 23)):
        view.add_column(head, max_width=width, overflow="fold")
    for head in ("A max", "B max"):
        view.add_column(head, justify="right", no_wrap=True)
    view.add_column("", no_wrap=True)
    last = ("", "")
    for each in changes:
        names = (each.experiment, each.kernel)
        cells = [str(row.max) if row else "–" for row in (each.before, each.after)]
        word = Text(each.word, style=SHADES.get(each.word, ""))
        shown = names if names != last else ("", "")
        view.add_row(*shown, each.label, *cells, word)
        last = names
    return view


def _store() -> Store:
    return results.there(results.location())


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else WIDTH)
