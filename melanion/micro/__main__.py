# SPDX-License-Identifier: Apache-2.0
"""`python -m melanion.micro OUT`: assemble hw/micro, or `--source FOLDER`, into a folder.
`python -m melanion.micro bounds`: how long its steps take at most."""

from __future__ import annotations

from pathlib import Path

import click

from melanion import paths
from melanion.micro import (
    MicroError,
    Program,
    assemble,
    assemble_lanes,
    assemble_lean,
    bound_files,
    bound_tables,
    output,
    report,
)
from melanion.micro.bound_page import PAGE, page
from melanion.micro.bounds import Bounds
from melanion.micro.source import FEATURES
from melanion.micro.tables import FOLDER

ASSERTED = Path("tests", "asserted")
Source = click.option(
    "--source", type=click.Path(exists=True, path_type=Path), help="of *.mu and *.yaml"
)


class _Commands(click.Group):
    """Without the name of a command: `assemble`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["assemble", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Commands)
def main() -> None:
    """The microprogram of the unit."""


@main.command("assemble")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@Source
def assemble_command(out: Path, source: Path | None) -> None:
    """Write program, check table, package, listing and symbols into OUT."""
    program = _program(source)
    files = output.files(program, assemble_lean(source), assemble_lanes(source))
    out.mkdir(parents=True, exist_ok=True)
    made = {Path(path).name: text for path, text in files.items()}
    for name, text in {**made, **output.memories(program), **report.files(program)}.items():
        (out / name).write_text(text, encoding="utf-8")
    for line in report.summary(program):
        click.echo(line)


@main.command("bounds")
@click.option("--write", is_flag=True, help="rows that tests assert, and their page, anew")
@Source
def bounds_command(write: bool, source: Path | None) -> None:
    """Show the cycles that every request takes at most, and which limits are kept."""
    program = _program(source)
    try:
        tables = bound_tables.load(source or paths.data_root() / FOLDER, program)
        bounds = Bounds(program, tables)
        if write:
            root = paths.data_root()
            bound_files.write(bounds, root / ASSERTED)
            others = [_with(feature, source) for feature in FEATURES]
            (root / PAGE).write_text(page(bounds, others), encoding="utf-8")
            for other in others:
                bound_files.write(other, root / ASSERTED, beside=bounds)
        for line in bound_files.lines(bounds):
            click.echo(line)
    except MicroError as error:
        raise click.ClickException(error.message) from None


def _with(feature: str, source: Path | None) -> Bounds:
    """Bounds of units with a feature. Raises MicroError."""
    program = assemble(source, features=(feature,))
    return Bounds(program, bound_tables.load(source or paths.data_root() / FOLDER, program))


def _program(source: Path | None) -> Program:
    try:
        return assemble(source)
    except MicroError as error:
        raise click.ClickException(error.message) from None


if __name__ == "__main__":
    main()
