# SPDX-License-Identifier: Apache-2.0
"""`python -m melanion.micro OUT`: assemble hw/micro, or `--source FOLDER`, into a folder."""

from __future__ import annotations

from pathlib import Path

import click

from melanion.micro import MicroError, assemble
from melanion.micro.output import files, reports


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--source", type=click.Path(exists=True, path_type=Path), help="of *.mu and tables")
def main(out: Path, source: Path | None) -> None:
    """Write program, check table, package, listing and symbols into OUT."""
    try:
        program = assemble(source)
    except MicroError as error:
        raise click.ClickException(error.message) from None
    out.mkdir(parents=True, exist_ok=True)
    for name, text in {**files(program), **reports(program)}.items():
        (out / name).write_text(text, encoding="utf-8")
    click.echo(f"{len(program.words)} of {program.tables.machine.words} words")
    if program.missing:
        click.echo(f"not written: {', '.join(program.missing)}")


main()
