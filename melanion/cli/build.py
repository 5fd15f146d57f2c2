# SPDX-License-Identifier: Apache-2.0
"""`melanion build`: a system, and a program for it."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

import melanion.cli.options as options
from melanion import build, config
from melanion.build.errors import BuildError


@click.command("build")
@click.argument("app", required=False)
@click.option("--kernel", "system_name", default="sw", show_default=True, metavar="SYSTEM")
@options.freertos_kernel
@click.option("--wave", is_flag=True, help="Also build the simulation that can write waveforms.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build"),
    show_default=True,
    help="Folder for the files of the system.",
)
def command(app: str | None, system_name: str, wave: bool, output: Path) -> None:
    """Build the system SYSTEM (hwrtos, hwrtos@bus:20, ./my.yaml), and APP for it.

    Writes mel_system_pkg.sv, mel_system.h, link.ld and system.json, which has every resolved
    setting, to OUTPUT/<system>.
    """
    system = config.find(system_name)
    application = build.application(app) if app else None
    with Console(stderr=True).status("building") as status:
        hardware = build.hardware(system, wave=wave, report=status.update)
        program = None
        if application:
            program = build.program(system, application, report=status.update)
    folder = output / system.name
    _write(folder, build.system_files(system))
    click.echo(f"system   {folder / 'system.json'}")
    click.echo(f"hardware {hardware.simulator}")
    if program:
        click.echo(f"program  {program.elf}")


def _write(folder: Path, files: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BuildError(
            f"{folder}: the system's files cannot be written ({error.strerror}); name another"
            " folder with --output.",
            2,
        ) from error
