# SPDX-License-Identifier: Apache-2.0
"""`melanion trace`: the timeline of a run for the Perfetto viewer, and a waveform if wanted; or the
trace of a board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

import melanion.cli.following as following
import melanion.cli.options as options
import melanion.cli.running as running
from melanion import config, report
from melanion.model.replay import ReplayError
from melanion.run import RunResult, Settings
from melanion.run.annotations import annotated
from melanion.run.signals import save_list
from melanion.trace import perfetto
from melanion.trace.annotations import Annotations


@click.command("trace")
@click.argument("app", required=False)
@running.system
@options.freertos_program
@options.freertos_kernel
@running.limits
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the timeline.  [default: APP-SYSTEM.perfetto-trace; with --board: none]",
)
@click.option(
    "--wave",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a waveform (FST) there.",
)
@click.option(
    "--board",
    "board_name",
    metavar="BOARD",
    help="Instead of a run, replay the trace of this board, which runs SYSTEM. APP gives the names"
    " of tasks.",
)
@click.option(
    "--port",
    "device",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="DEVICE",
    help="With --board: serial port connected to its trace, such as /dev/ttyUSB1.",
)
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --board: file with saved bytes of its trace.",
)
@click.option(
    "--clock",
    type=click.IntRange(1, 400),
    metavar="MHZ",
    help="With --board: clock of the core.  [default: that of the board file]",
)
def command(
    app: str | None,
    system_name: str,
    is_freertos: bool,
    settings: Settings,
    out: Path | None,
    wave: Path | None,
    board_name: str | None,
    device: Path | None,
    file: Path | None,
    clock: int | None,
) -> None:
    """Write the timeline of a run of APP on SYSTEM: tracks for each task, each core and the
    kernel.

    Open the file in the Perfetto viewer (ui.perfetto.dev) or with any tool that reads its format.

    With --board, replay the trace of a board on the golden model while it arrives.
    """
    if board_name is not None:
        if (device is None) == (file is None) or is_freertos or wave:
            raise click.UsageError("--board goes with one of --port and --file, and no run.")
        wanted = following.Wanted(board_name, system_name, app, clock, device, file, out)
        following.follow(wanted)
        return
    if device or file or clock:
        raise click.UsageError("--port, --file and --clock are of a board: name it with --board.")
    if app is None:
        raise click.UsageError("name a program: APP, or a board with --board.")
    _run(app, system_name, is_freertos, settings, out, wave)


def _run(
    app: str,
    system_name: str,
    is_freertos: bool,
    settings: Settings,
    out: Path | None,
    wave: Path | None,
) -> None:
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
    own = {row.op: name for name, row in system.own.rows.items()} if system.own else {}
    content = perfetto.timeline(
        events, system.parameters.tasks, system.clock_hz, annotations, result.names, own
    )
    report.write_bytes(file, content)
    click.echo(
        f"{file}: {len(result.events)} events of {result.cycles} cycles; open it in the Perfetto"
        f" viewer"
    )
    if wave:
        listed = save_list(wave, system, result.program, result.names)
        click.echo(f"{wave}: the waveform of the same run; {listed}: its signals, for GTKWave")
