# SPDX-License-Identifier: Apache-2.0
"""`melanion area`: how large and how fast the hardware unit is, beside the core."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from melanion import area, report
from melanion.area import Design, present
from melanion.area.design import OBJECTS
from melanion.area.measure import Result, Row

SEEDS = 3
FILES = ("json", "csv", "page")
# Sizes with an option of their own; any other is given as SIZES.
SWEPT = ("tasks", "objects", *OBJECTS, "messages", "timers")


def _lists(function: Callable[..., None]) -> Callable[..., None]:
    """An option for each size of SWEPT, in this order on the page of help."""
    for name in reversed(SWEPT):
        words = name.replace("_", " ")
        kinds = ", a quarter of each kind" if name == "objects" else ""
        example = "4,16,64,256" if name == "tasks" else "0,64,256" if kinds else "0,8,16"
        text = f"Numbers of {words}{kinds}, such as {example}."
        option = click.option(f"--{name.replace('_', '-')}", name, metavar="LIST", help=text)
        function = option(function)
    return function


@click.command("area")
@click.argument("designs", nargs=-1, metavar="[SYSTEM|SIZES]...")
@_lists
@click.option(
    "--target",
    type=click.Choice(["ecp5", "nand2"]),
    default="ecp5",
    show_default=True,
    help="ecp5: place and route for an FPGA; nand2: count gates of a standard-cell library.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=SEEDS,
    show_default=True,
    help="Number of placements of each design; Fmax is their median.",
)
@click.option(
    "--modules", is_flag=True, help="Also print the cells of each module, and the slowest path."
)
@click.option("--trace", is_flag=True, help="Keep the trace port, which is otherwise unconnected.")
@click.option(
    "--liberty",
    type=click.Path(path_type=Path),
    help="Library of --target nand2.  [default: osu018 of Debian]",
)
@click.option("--json", "json_file", metavar="FILE", help="Write JSON there (-: print it).")
@click.option("--csv", "csv_file", metavar="FILE", help="Write CSV there (-: print it).")
@click.option("--page", "page_file", metavar="FILE", help="Write a page with the curves there.")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
def command(
    designs: tuple[str, ...],
    target: str,
    seeds: int,
    modules: bool,
    trace: bool,
    liberty: Path | None,
    json_file: str | None,
    csv_file: str | None,
    page_file: str | None,
    markdown: bool,
    **sweep: str | None,
) -> None:
    """Synthesize the hardware unit, and the Ibex core for comparison.

    SYSTEM is a system with the unit (default: hwrtos); an example of SIZES is
    tasks=16,semaphores=64. A design takes a few minutes; unchanged designs come from the cache.
    """
    if sweep["objects"] is not None and any(sweep[name] is not None for name in OBJECTS):
        kinds = ", ".join(f"--{name.replace('_', '-')}" for name in OBJECTS)
        raise click.UsageError(f"--objects stands for all of {kinds}; leave it, or those, out.")
    units = area.designs(designs, sweep, trace=trace)
    if target == "ecp5" and liberty is not None:
        raise click.UsageError("--liberty belongs to --target nand2; leave it out, or add that.")
    if target == "nand2" and modules:
        raise click.UsageError("--modules belongs to --target ecp5; leave it out.")
    library = area.liberty(liberty) if target == "nand2" else None
    files = dict(zip(FILES, (json_file, csv_file, page_file), strict=True))
    for file in files.values():
        if file not in (None, "-"):
            report.check_writable(Path(str(file)))
    typed = " ".join(["melanion area", *_typed(designs, sweep, target, seeds, trace)])
    wanted = [*units, area.CORE]
    if modules:
        wanted += area.designs(designs, sweep, modules=True, trace=trace)
    whole = _measure(wanted, seeds=seeds, command=typed, library=library)
    flat = Result(whole.target, whole.rows[: len(units) + 1], whole.provenance)
    texts = {"json": present.json_text(whole), "csv": present.csv_text(flat)}
    if page_file is not None:
        texts["page"] = present.page(flat)
    if _write(files, texts):
        return
    if markdown:
        click.echo(present.table(flat).markdown() + "\n" + present.conditions(flat))
    else:
        _show(flat)
    for row in whole.rows[len(units) + 1 :]:
        assert isinstance(row, Row)
        _show_modules(row, markdown)


def _typed(
    designs: tuple[str, ...], sweep: dict[str, str | None], target: str, seeds: int, trace: bool
) -> list[str]:
    """The words that decide the figures."""
    words = [*designs, *_options(sweep)]
    if target != "ecp5":
        words.append(f"--target {target}")
    if seeds != SEEDS:
        words.append(f"--seeds {seeds}")
    return [*words, *(["--trace"] if trace else [])]


def _options(sweep: dict[str, str | None]) -> list[str]:
    return [
        f"--{name.replace('_', '-')} {sweep[name]}" for name in SWEPT if sweep[name] is not None
    ]


def _measure(
    designs: list[Design], *, seeds: int, command: str, library: area.Liberty | None
) -> Result:
    """Progress goes to the terminal of standard error; nothing stays of it."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.fields[design]}"),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        lines = {
            design: progress.add_task("waiting", design=_short(design), total=1)
            for design in designs
        }

        def tell(design: Design, text: str) -> None:
            done = 0 if text else 1
            progress.update(lines[design], description=text or "done", completed=done)

        return area.measure(designs, seeds=seeds, command=command, library=library, progress=tell)


def _short(design: Design) -> str:
    if not design.unit:
        return "Ibex core"
    words = f"{design.size('tasks')} tasks, {design.objects} objects"
    return f"{words}, by module" if design.modules else words


def _write(files: dict[str, str | None], texts: dict[str, str]) -> bool:
    """Write the files; true when one of them was standard output, which then holds nothing else."""
    printed = False
    for kind, file in files.items():
        if file == "-":
            click.echo(texts[kind], nl=False)
            printed = True
        elif file is not None:
            report.write_text(Path(file), texts[kind])
    return printed


def _show(result: Result) -> None:
    console = _console()
    console.print(_view(present.table(result)))
    console.print(present.conditions(result), style="dim", highlight=False)


def _show_modules(row: Row, markdown: bool) -> None:
    values = row.values
    title = (
        f"{_short(row.design)}: {values['comb']:.0f} cells, {values['fmax']:.1f} MHz with the"
        " hierarchy kept"
    )
    tables = (present.modules(row), present.path(row))
    if markdown:
        click.echo(f"\n{title}\n")
        click.echo("\n".join(each.markdown() for each in tables), nl=False)
        return
    console = _console()
    console.print(f"\n{title}", highlight=False)
    for each in tables:
        console.print(_view(each))


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 80)


def _view(table: present.Table) -> Table:
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, head in enumerate(table.heads):
        side = "left" if i < table.left else "right"
        view.add_column(Text(head), justify=side, no_wrap=True)  # type: ignore[arg-type]
    for row in table.rows:
        view.add_row(*row)
    return view
