# SPDX-License-Identifier: Apache-2.0
"""`melanion export`: a system, or its hardware unit, as a folder that needs nothing of Melanion."""

from __future__ import annotations

from pathlib import Path

import click

from melanion import config, export


@click.command("export")
@click.argument("system_name", metavar="SYSTEM")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--verilog",
    "is_plain",
    is_flag=True,
    help="Write only the hardware unit of the system, as one file of plain Verilog-2005, with the"
    " kernel library. SYSTEM sets its sizes, such as hwrtos-single[tasks=16].",
)
@click.option(
    "--bus",
    metavar="BUS",
    help="With --verilog: bus of the unit: native (the default), apb4, axi4-lite, obi, wishbone.",
)
@click.option("--trace", is_flag=True, help="With --verilog: add the unit's trace port.")
@click.option(
    "--foreign",
    "description",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the kernel library for the SoC that FILE describes (YAML: addresses, traps,"
    " instructions); with --verilog also the hardware unit.",
)
@click.option(
    "--systemrdl",
    is_flag=True,
    help="Write the registers of the unit in SystemRDL: alone, or beside --verilog.",
)
@click.option("--ipxact", is_flag=True, help="Write them in IP-XACT.")
@click.option(
    "--svd", is_flag=True, help="Write them in SVD, at the address of SYSTEM or of --foreign."
)
def command(
    system_name: str,
    folder: Path,
    is_plain: bool,
    bus: str | None,
    trace: bool,
    description: Path | None,
    **formats: bool,
) -> None:
    """Write SYSTEM (hwrtos, hwrtos@bus:20, ./my.yaml) to the folder DIR, which is new or empty.

    DIR holds RTL with its file list and top, headers, the kernel library's sources, an example, a
    FuseSoC .core file, and a README with the memory map. `make -C DIR run` builds the
    simulation, the library and the example, and runs it; it needs only Verilator, make and GCC.
    """
    if not is_plain and (bus is not None or trace):
        option = "--trace" if bus is None else "--bus"
        raise export.ExportError(
            f"{option}: a system is exported with its own bus and trace port; add --verilog to"
            f" write the hardware unit alone, or leave {option} out.",
            2,
        )
    system = config.find(system_name)
    foreign = None if description is None else export.load(description, system)
    wanted = [name for name, is_wanted in formats.items() if is_wanted]
    if wanted and not is_plain:
        count = export.write_registers(system, folder, wanted, foreign)
        click.echo(f"wrote {count} files of the registers of {system.name}'s unit to {folder}")
        return
    if is_plain:
        count = export.write_plain(system, folder, bus or export.NATIVE, trace, foreign, wanted)
        what = f"{count} files of the hardware unit of {system.name}"
        click.echo(f"wrote {what} to {folder}; next: {folder}/README.md")
        return
    if foreign is not None:
        count = export.write_library(system, folder, foreign)
        what = f"{count} files of the kernel library of {system.name}"
        click.echo(f"wrote {what} to {folder}; next: {folder}/README.md")
        return
    count = export.write(system, folder)
    click.echo(f"wrote {count} files of {system.name} to {folder}; next: make -C {folder} run")
