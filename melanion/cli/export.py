# SPDX-License-Identifier: Apache-2.0
"""`melanion export`: a system as a folder that needs nothing of Melanion."""

from __future__ import annotations

from pathlib import Path

import click

from melanion import config, export


@click.command("export")
@click.argument("system_name", metavar="SYSTEM")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(system_name: str, folder: Path) -> None:
    """Write SYSTEM (hwrtos, hwrtos@bus:20, ./my.yaml) to the folder DIR, which is new or empty.

    It holds RTL with its file list and top, headers, the kernel library's sources, an example, a
    FuseSoC .core file, and a README with the memory map. `make -C DIR run` builds the
    simulation, the library and the example with Verilator, make and GCC alone, and runs it.
    """
    system = config.find(system_name)
    count = export.write(system, folder)
    click.echo(f"wrote {count} files of {system.name} to {folder}; next: make -C {folder} run")
