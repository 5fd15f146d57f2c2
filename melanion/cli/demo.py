# SPDX-License-Identifier: Apache-2.0
"""`melanion demo`: the experiment `latency` under FreeRTOS and three kernels of this project."""

from __future__ import annotations

from pathlib import Path

import click

import melanion.cli.options as options
from melanion.build import freertos
from melanion.build.errors import FetchError
from melanion.cli.compare import compare, json_option

EXPERIMENT = "latency"
FETCHED, OWN = "freertos", ["sw", "hwrtos", "banked"]


@click.command("demo")
@json_option
@options.freertos_kernel
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Folder of report.html, CSV and JSON.  [default: build/{EXPERIMENT}]",
)
def command(json_file: str | None, out: Path | None) -> None:
    """Measure four kernels with one benchmark and print a table, as `melanion compare latency
    --kernels freertos,sw,hwrtos,banked`, with rows in words. freertos is left out if cargo cannot
    fetch it.
    """
    compare(
        EXPERIMENT, kernels(), json_file=json_file, out=out, command="melanion demo", first=True
    )


def kernels() -> list[str]:
    """Return the kernels that can be built here; print which one cannot. Raises BuildError: a
    fetched file does not match its checksum."""
    try:
        freertos.upstream(lambda text: click.echo(text, err=True))
    except FetchError as error:
        click.echo(f"{FETCHED} is left out: {error.message}", err=True)
        return OWN
    return [FETCHED, *OWN]
