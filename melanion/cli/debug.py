# SPDX-License-Identifier: Apache-2.0
"""`melanion debug`: a GDB remote server on a program that runs on simulated RTL."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

import melanion.cli.options as options
import melanion.cli.running as running
import melanion.run.console_input as console_input
from melanion import build, config
from melanion.debug import Ending, Server, Target
from melanion.run import Settings, held, tasks
from melanion.soc import Purpose

PORT = 1234


@click.command("debug")
@click.argument("app")
@running.system
@running.settings
@options.freertos_kernel
@options.freertos_program
@running.console_options
@click.option(
    "--port",
    type=click.IntRange(min=0, max=65535),
    default=PORT,
    show_default=True,
    help="Port of the server for GDB, reachable only from this machine; 0: any free port.",
)
def command(
    app: str,
    system_name: str,
    settings: Settings,
    is_freertos: bool,
    input_file: Path | None,
    input_cycles: int | None,
    port: int,
) -> None:
    """Run APP on SYSTEM under GDB. It stops before its first instruction until GDB connects.

    GDB shows the tasks of the kernel as threads. A run takes the same cycles as without GDB.
    """
    received = console_input.named(input_file, input_cycles, live=False)
    settings = replace(settings, received=received)
    system = config.find(system_name)
    application = options.application(app, is_freertos)
    server = Server(port)
    try:
        with Console(stderr=True).status("building") as status:
            program = build.program(
                system, application, defines=settings.defines, report=status.update
            )
            console_input.check(program, received)
            hardware = build.hardware(
                system, Purpose.DEBUG, receives=received is not None, report=status.update
            )
        for note in program.notes:
            running.show_note(note)
        click.echo(f"{application.name} on {system.name} waits for GDB at port {server.port}:")
        click.echo(f"  gdb-multiarch {program.elf} {_commands(program, server.port)}")
        with held(hardware, program, settings.decide(system, application)) as simulation:
            target = Target(system, program, simulation)
            ending = server.serve(target)
            click.echo(f"{application.name}: {ending.value}{_after(target, ending)}")
    finally:
        server.close()


def _commands(program: build.Program, port: int) -> str:
    """First commands for GDB: map the source folders to this copy's, connect to the server."""
    places = (f'set substitute-path {name} "{folder}"' for name, folder in program.sources)
    return " ".join(f"-ex {shlex.quote(text)}" for text in (*places, f"target remote :{port}"))


def _after(target: Target, ending: Ending) -> str:
    if ending not in (Ending.EXITED, Ending.DETACHED):
        return "; nothing is kept of the run."
    target.moved()
    last = target.events[-1]
    reason, code = target.end()
    how = f"exit code {code}" if reason == 0 else reason.name.lower().replace("_", " ")
    table = "" if reason == 0 and code == 0 else f"\n{tasks.text(target.table)}"
    return f": {how} after {last['cycle']} cycles.{table}"
