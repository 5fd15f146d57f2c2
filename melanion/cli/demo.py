# SPDX-License-Identifier: Apache-2.0
"""`melanion demo`: the experiment `latency` under the software and the hardware kernel."""

from __future__ import annotations

from pathlib import Path

import click

from melanion.cli.compare import compare, json_option

EXPERIMENT = "latency"
KERNELS = ["sw", "hwrtos"]


@click.command("demo")
@json_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Folder of report.html, CSV and JSON.  [default: build/{EXPERIMENT}]",
)
def command(json_file: str | None, out: Path | None) -> None:
    """Two kernels, one benchmark, one table: the same as `melanion compare latency --kernels
    sw,hwrtos`."""
    compare(EXPERIMENT, KERNELS, json_file=json_file, out=out, command="melanion demo", lines=True)
