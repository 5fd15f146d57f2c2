# SPDX-License-Identifier: Apache-2.0
"""`python -m melanion.micro OUT`: assemble hw/micro, or `--source FOLDER`, into a folder."""

from __future__ import annotations

from pathlib import Path

import click

from melanion.micro import MicroError, assemble, output, report


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--source", type=click.Path(exists=True, path_type=Path), help="of *.mu and *.yaml")
def main(out: Path, source: Path | None) -> None:
    """Write program, check table, package, listing and symbols into OUT."""
    try:
        program = assemble(source)
    except MicroError as error:
        raise click.ClickException(error.message) from None
    out.mkdir(parents=True, exist_ok=True)
    made = {Path(path).name: text for path, text in output.files(program).items()}
    for name, text in {**made, **output.memories(program), **report.files(program)}.items():
        (out / name).write_text(text, encoding="utf-8")
    for line in report.summary(program):
        click.echo(line)


if __name__ == "__main__":
    main()
