# SPDX-License-Identifier: Apache-2.0
"""The hardware unit as a LiteX module, and what connects it to a SoC."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

from litex.gen import ClockSignal, LiteXModule, Open, ResetSignal
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import wishbone
from litex.soc.interconnect.csr import CSRStatus
from migen import Instance, Signal

from melanion_litex.description import WINDOW_BYTES, describe, system_name
from melanion_litex.exported import exported

KERNEL = "hwrtos-single"  # unit and bus have one clock


class Melanion(LiteXModule):
    """The unit behind its Wishbone bridge, in the clock domain `sys`.

    `bus`: its window of 128 KiB; `irq`: interrupt lines, whose rising edges count; `handler`,
    `dispatch`: levels to two interrupts of the core. `sizes`: those of Melanion's parameters that
    are not usual; `folder`: where `melanion export` writes the Verilog, and with a `description`
    the kernel's library. CSR `running`: the task that runs, the number of tasks: none.
    """

    def __init__(
        self,
        platform,
        sizes: Mapping[str, int] | None = None,
        folder: str | Path = "build/melanion",
        *,
        description: str = "",
        system: str = "",
        melanion: str = "melanion",
    ):
        self.folder = Path(folder).absolute()
        name = system or system_name(KERNEL, sizes or {}, 256 * 1024, 100e6)
        words = ["--verilog", "--bus", "wishbone", *_foreign(self.folder, description)]
        made = exported(name, self.folder, words, melanion)
        lines = made["system"]["parameters"]["interrupts"]
        top = made["verilog"]["top"]
        platform.add_source(str(self.folder / f"{top}.v"))

        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.irq = Signal(max(lines, 1))
        self.handler = Signal()
        self.dispatch = Signal()
        self.ev = SimpleNamespace(irq=self.handler)  # for SoCIRQHandler; the unit has the enables
        self._running = CSRStatus(9, name="running", description="Task that runs.")
        self.specials += Instance(
            top,
            i_clk_i=ClockSignal("sys"),
            i_rst_ni=~ResetSignal("sys"),
            **({"i_irq_i": self.irq} if lines else {}),
            i_core0_cyc_i=bus.cyc,
            i_core0_stb_i=bus.stb,
            i_core0_we_i=bus.we,
            i_core0_adr_i=bus.adr[: (WINDOW_BYTES // 4 - 1).bit_length()],
            i_core0_sel_i=bus.sel,
            i_core0_dat_i=bus.dat_w,
            o_core0_ack_o=bus.ack,
            o_core0_stall_o=Open(),
            o_core0_dat_o=bus.dat_r,
            o_core0_irq_handler_o=self.handler,
            o_core0_irq_dispatch_o=self.dispatch,
            o_core0_dispatch_o=Open(),
            o_core0_running_o=self._running.status,
            o_core0_answer_o=Open(32),
        )


def add_melanion(
    soc,
    sizes: Mapping[str, int] | None = None,
    *,
    memory: str = "main_ram",
    origin: int | None = None,
    folder: str | Path = "build/melanion",
    melanion: str = "melanion",
) -> Melanion:
    """Add the unit to a SoC as `soc.melanion`: window on the bus, both interrupts, and in `folder`
    the kernel's library for programs in the region `memory`. `origin`: of the window; None: where
    LiteX has space. Interrupts of other cores of the SoC go to `soc.melanion.irq`. Raises
    DescriptionError, ExportFailed."""
    soc.bus.add_region("melanion", SoCRegion(origin=origin, size=WINDOW_BYTES, cached=False))
    soc.irq.add("melanion", use_loc_if_exists=True)
    ram = soc.bus.regions[memory]
    devices = {"unit": soc.bus.regions["melanion"].origin}
    line = soc.irq.locs["melanion"]
    soc.melanion = made = Melanion(
        soc.platform,
        folder=folder,
        description=describe(soc.cpu.name, soc.cpu.gcc_flags, ram.origin, line, devices),
        system=system_name(KERNEL, sizes or {}, ram.size, soc.sys_clk_freq),
        melanion=melanion,
    )
    soc.bus.add_slave("melanion", made.bus)
    soc.cpu.cpu_params.update(i_softwareInterrupt=made.dispatch)
    return made


def add_kernel(
    soc,
    kernel: str,
    sizes: Mapping[str, int],
    devices: Mapping[str, int],
    *,
    line: int,
    memory: str = "main_ram",
    folder: str | Path,
    melanion: str = "melanion",
) -> Path:
    """Write the library of a software kernel for a SoC that has Melanion's timer and interrupt
    controller at `devices`. Returns its folder. Raises DescriptionError, ExportFailed."""
    ram, place = soc.bus.regions[memory], Path(folder).absolute()
    text = describe(soc.cpu.name, soc.cpu.gcc_flags, ram.origin, line, devices)
    name = system_name(kernel, sizes, ram.size, soc.sys_clk_freq)
    exported(name, place, _foreign(place, text), melanion)
    return place


def _foreign(folder: Path, description: str) -> list[str]:
    """Words for a description, which is beside the export's folder."""
    if not description:
        return []
    path = folder.with_suffix(".yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(description, encoding="utf-8")
    return ["--foreign", str(path)]
