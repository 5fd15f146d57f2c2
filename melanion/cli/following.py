# SPDX-License-Identifier: Apache-2.0
"""`melanion trace --port` and `--file`: the trace of a board, replayed while it comes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from melanion import board, build, config, report
from melanion.board import Design
from melanion.board.traced import Follower
from melanion.cli.options import application
from melanion.run.annotations import annotated
from melanion.run.tasks import task_names
from melanion.trace import TraceError, events_of, perfetto, port

HELD = (
    "lossless: the core waits while the queue of the trace is nearly full, so times are not those"
    " without a trace"
)
FREE = "lossy: the core never waits, and records that find the queue full are lost"
NO_SNAPSHOT = "the unit gives no snapshot of its states, so the replay ends there"


@dataclass(frozen=True)
class Wanted:
    """A serial port (`device`) or a file; `app`: names the tasks; `out`: for the timeline."""

    board: str
    system: str
    app: str | None
    clock: int | None
    device: Path | None
    file: Path | None
    out: Path | None


def follow(wanted: Wanted) -> None:
    """Replay the bytes of a board's trace, and say what came of it. Raises MelanionError."""
    system = config.find(wanted.system)
    design = board.design(board.find(wanted.board), system, wanted.clock, "lossless")
    if wanted.out is not None:
        report.check_writable(wanted.out)
    names: Mapping[int, str] = {}
    if wanted.app is not None:
        names = task_names(build.program(design.system, application(wanted.app, is_freertos=False)))
    follower = Follower(design, names, keep=wanted.out is not None)
    try:
        _read(follower, _source(wanted, design))
    finally:
        if wanted.out is not None:
            _draw(follower, design, names, wanted.out)
    _conclude(follower)


def _source(wanted: Wanted, design: Design) -> Iterable[bytes]:
    if wanted.file is not None:
        return port.of_file(wanted.file)
    assert wanted.device is not None
    assert design.board.trace is not None
    baud = design.board.trace.baud
    click.echo(f"{wanted.device}: {baud} baud; load the board now, and end with Ctrl-C")
    return port.of_port(wanted.device, baud)


def _read(follower: Follower, source: Iterable[bytes]) -> None:
    """Feed until the source or the user ends; losses are printed when they come."""
    verdict = follower.verdict
    begun, told = False, 0
    with (
        Console(stderr=True).status("waiting for the board") as status,
        suppress(KeyboardInterrupt),
    ):
        for data in source:
            follower.feed(data)
            if verdict.lossless is not None and not begun:
                begun = True
                click.echo(HELD if verdict.lossless else FREE)
            for loss in verdict.losses[told:]:
                behind = f"; {NO_SNAPSHOT}" if loss is verdict.losses[0] else ""
                click.echo(f"cycle {loss.cycle}: {loss.text} were lost{behind}")
            told = len(verdict.losses)
            status.update(f"{verdict.compared} events, cycle {verdict.cycle}")


def _conclude(follower: Follower) -> None:
    """Print the verdict. Raises TraceError when nothing came, or not all was compared."""
    verdict, stream = follower.verdict, follower.stream
    if verdict.lossless is None:
        raise TraceError(
            f"no trace came ({stream.bytes + stream.waiting} bytes); check the wire, and that the"
            " bitstream was made with --trace."
        )
    click.echo(
        f"{verdict.compared} events ({verdict.commands} commands) up to cycle"
        f" {verdict.compared_to}: no difference from the model"
    )
    if stream.waiting:
        click.echo(f"{stream.waiting} bytes behind the last check were not looked at")
    if verdict.losses:
        raise TraceError(
            f"{verdict.lost} records were lost at {len(verdict.losses)} places, and"
            f" {verdict.untold} events behind the first were not compared; make the bitstream with"
            " --trace lossless, or with a higher trace.baud."
        )
    click.echo("no record was lost")


def _draw(follower: Follower, design: Design, names: Mapping[int, str], out: Path) -> None:
    """The timeline of the events that were compared."""
    system = design.system
    events, annotations = annotated(system, events_of(follower.kept))
    own = {row.op: name for name, row in system.own.rows.items()} if system.own else {}
    drawn = perfetto.timeline(
        events, system.parameters.tasks, system.clock_hz, annotations, names, own
    )
    report.write_bytes(out, drawn)
    click.echo(f"{out}: {len(events)} events; open it in the Perfetto viewer")
