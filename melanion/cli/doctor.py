# SPDX-License-Identifier: Apache-2.0
"""`melanion doctor`: one line per need of this machine."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from melanion import doctor, paths


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of lines.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Report missing requirements of this machine, and the command that fixes them.

    Exit code 1 when something is missing.
    """
    lines = doctor.examine(paths.cache_root())
    missing = [line for line in lines if not (line.ok or line.optional)]
    if as_json:
        rows = [asdict(line) for line in lines]
        click.echo(json.dumps({"schema": 1, "ok": not missing, "needs": rows}, indent=2))
    else:
        _show(lines, len(missing))
    context.exit(1 if missing else 0)


def _show(lines: list[doctor.Line], missing: int) -> None:
    for line in lines:
        word, colour = ("ok", "green") if line.ok else ("missing", "red")
        if not line.ok and line.optional:
            word, colour = "optional", "yellow"
        click.echo(f"{click.style(f'{word:<8}', fg=colour)} {line.text}")
    everything = doctor.install_all(lines)
    if everything:
        click.echo(f"all at once: {everything}")
    if missing:
        click.echo(f"doctor: {missing} of {len(lines)} needs are missing.")
    else:
        click.echo("doctor: everything that is needed is there.")
