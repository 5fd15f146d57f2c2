# SPDX-License-Identifier: Apache-2.0
"""`melanion tasks`: what every task did at a cycle of a saved run."""

from __future__ import annotations

from pathlib import Path

import click

from melanion.run import saved, tasks


@click.command("tasks")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--cycle", type=click.IntRange(min=0), help="Show the end of this cycle.  [default: the last]"
)
def command(folder: Path, cycle: int | None) -> None:
    """Print every task at a cycle of the run in FOLDER (`melanion run APP --save FOLDER`): its
    state, the cycle in which it entered this state, its priority (3<7: base priority 7, 3 inherited
    or from a ceiling), and the object or event for which it waits."""
    run = saved.load(folder)
    events = saved.until(run, cycle)
    table = tasks.tasks(run.system, events, run.names)
    at = run.cycles if cycle is None else cycle
    click.echo(f"{run.app} on {run.system.name}, cycle {at}, tick {table.tick}")
    click.echo(tasks.text(table))
