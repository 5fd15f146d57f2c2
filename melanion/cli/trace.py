# SPDX-License-Identifier: Apache-2.0
"""`melanion trace`: the timeline of a run for the Perfetto viewer, and a waveform if wanted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

import melanion.cli.options as options
import melanion.cli.running as running
from melanion import config, report
from melanion.model.replay import ReplayError
from melanion.run import RunResult, Settings
from melanion.run.annotations import annotated
from melanion.run.signals import save_list
from melanion.run.tasks import task_names
from melanion.trace import perfetto
from melanion.trace.annotations import Annotations


@click.command("trace")
@click.argument("app")
@running.system
@options.freertos_program
@options.freertos_kernel
@running.limits
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The timeline.  [default: APP-SYSTEM.perfetto-trace]",
)
@click.option(
    "--wave",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a waveform (FST) there.",
)
def command(
    app: str,
    system_name: str,
    is_freertos: bool,
    settings: Settings,
    out: Path | None,
    wave: Path | None,
) -> None:
    """Write the timeline of a run of APP on SYSTEM: tracks per task, per core, and one of the
    kernel.

    Open the file at the Perfetto viewer (ui.perfetto.dev) or with any tool that reads its format.
    """
    system = config.find(system_name)
    application = options.application(app, is_freertos)
    file = out or Path(f"{application.name}-{system.name}.perfetto-trace")
    for wanted in (file, *([wave] if wave else [])):
        report.check_writable(wanted)

    def left(failed: RunResult) -> None:
        _write(failed, file, wave)
        running.show_evidence(failed)

    result = running.run(
        system, application, replace(settings, wave=wave), is_freertos=is_freertos, left=left
    )
    _write(result, file, wave)


def _write(result: RunResult, file: Path, wave: Path | None) -> None:
    """The timeline, and what is in the waveform; what a failed run left is shown as well."""
    system = result.system
    try:
        events, annotations = annotated(system, result.events)
    except ReplayError:  # events alone: the model rejected the run
        events, annotations = result.events, Annotations(known=False)
    names = task_names(result.program)
    own = {row.op: name for name, row in system.own.rows.items()} if system.own else {}
    content = perfetto.timeline(
        events, system.parameters.tasks, system.clock_hz, annotations, names, own
    )
    report.write_bytes(file, content)
    click.echo(
        f"{file}: {len(result.events)} events of {result.cycles} cycles; open it in the Perfetto"
        f" viewer"
    )
    if wave:
        listed = save_list(wave, system, result.program)
        click.echo(f"{wave}: the waveform of the same run; {listed}: its signals, for GTKWave")
