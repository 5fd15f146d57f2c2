"""`melanion demo`: the experiment `latency` under the software and the hardware kernel."""

from __future__ import annotations

from pathlib import Path

import click

from melanion.cli.compare import compare

EXPERIMENT = "latency"
KERNELS = ["sw", "hwrtos"]


@click.command("demo")
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="Also write the rows there (-: print them instead of the table).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Folder of report.html, CSV and JSON.  [default: build/{EXPERIMENT}]",
)
def command(json_file: str | None, out: Path | None) -> None:
    """Two kernels, one benchmark, one table: the same as `melanion compare latency --kernels
    sw,hwrtos`."""
    compare(EXPERIMENT, KERNELS, json_file=json_file, out=out, command="melanion demo")
