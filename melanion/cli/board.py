# SPDX-License-Identifier: Apache-2.0
"""`melanion board`: a bitstream for an FPGA board, with a system and a program in it."""

from __future__ import annotations

from pathlib import Path

import click

from melanion import board, build, config
from melanion.board import BoardError, Routed, Trace
from melanion.build import Program, Report
from melanion.cli.stages import Stages

SEEDS = 8


@click.command("board")
@click.argument("board_name", metavar="BOARD")
@click.argument("system_name", metavar="SYSTEM")
@click.argument("app", metavar="APP", required=False)
@click.option(
    "--load",
    "loaded",
    metavar="APP",
    help="Put this program into a design that is already routed, in seconds, without synthesis.",
)
@click.option(
    "--clock",
    type=click.IntRange(1, 400),
    metavar="MHZ",
    help="Clock of the core.  [default: that of the board file]",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=SEEDS,
    show_default=True,
    help="Largest number of placements to try until the timing closes.",
)
@click.option(
    "--trace",
    type=click.Choice(["lossless", "lossy"]),
    help="Send the events of the unit out of a separate UART, for `melanion trace --board`."
    " lossless: the core waits while the queue is nearly full, which changes the timing; lossy:"
    " records that do not fit into the queue are lost, and counted.",
)
@click.option("--program", is_flag=True, help="Load the bitstream into the connected board.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build"),
    show_default=True,
    help="Folder for the bitstream and its report.",
)
def command(
    board_name: str,
    system_name: str,
    app: str | None,
    loaded: str | None,
    clock: int | None,
    seeds: int,
    trace: Trace | None,
    program: bool,
    output: Path,
) -> None:
    """Synthesize SYSTEM (hwrtos, banked, ./my.yaml) for BOARD (ulx3s_85f, ./my.yaml), place and
    route it until its timing closes, and write the bitstream with APP.

    Writes APP.bit, report.md and board.lpf (pins and clock) to OUTPUT/<board>-<system>, with
    --trace to a folder with one more suffix. The first build takes minutes, each further APP
    seconds.
    """
    if (app is None) == (loaded is None):
        raise click.UsageError("name one program: APP, or --load APP.")
    design = board.design(board.find(board_name), config.find(system_name), clock, trace)
    application = build.application(str(app or loaded))
    folder = output / f"{design.board.name}-{design.system.name}{f'-{trace}' if trace else ''}"
    with Stages("building") as tell:
        image = build.program(design.system, application, report=tell)
        tried = board.closed(design, seeds, tell) if loaded is None else board.kept(design, seeds)
        words = ["melanion board", board_name, system_name, application.name]
        words += [f"--clock {clock}"] if clock else []
        words += [f"--trace {trace}"] if trace else []
        bit = _written(folder, tried, image, " ".join(words), tell)
        if program:
            tell("loading the board")
            board.load(design, bit)
    last = tried[-1]
    click.echo(f"bitstream {bit}")
    click.echo(f"report    {folder / 'report.md'}")
    click.echo(_summary(last))


def _written(
    folder: Path, tried: list[Routed], program: Program, command: str, report: Report
) -> Path:
    """Write the bitstream and what belongs to it; return its path."""
    last = tried[-1]
    bit = folder / f"{program.app.name}.bit"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "board.lpf").write_text(last.design.constraints(), encoding="ascii")
        board.bitstream(last, program, bit, report)
        text = board.page(tried, program, bit, command)
        (folder / "report.md").write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoardError(
            f"{folder}: the bitstream cannot be written ({error.strerror}); name another folder"
            " with --output.",
            2,
        ) from error
    return bit


def _summary(routed: Routed) -> str:
    timing, design = routed.timing, routed.design
    clocks = ", ".join(
        f"{name} {clock.reached:.1f} MHz of {clock.asked:g}"
        for name, clock in timing.clocks.items()
    )
    return f"{design.name}: {timing.used['comb']} cells, {timing.used['bram']} block RAMs; {clocks}"
