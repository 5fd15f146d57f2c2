# SPDX-License-Identifier: Apache-2.0
"""The hardware unit of a system as one file of plain Verilog-2005.

yosys reads the SystemVerilog, resolves its types, parameters and processes, and writes what is
left, with the modules and their registers as they were: nothing is mapped, and memories stay
memories, with their initial contents and the attributes that say what they should become. Names
that plain Verilog has to escape are replaced.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import jinja2
from mel_gen import SPEC_HASH, sv_sizes

import melanion.export.wrapper as wrapper
import melanion.yosys.verilog as verilog
from melanion import __version__, soc
from melanion.build import tools
from melanion.config import System
from melanion.export.errors import ExportError
from melanion.export.wrapper import Bus
from melanion.run import provenance
from melanion.yosys import COMMAND, PACKAGE, VERSION, location

_SCRIPT = """\
read_slang --threads 1 -DSYNTHESIS --keep-hierarchy --top {top} {files}
proc
{trace}bwmuxmap
bmuxmap
demuxmap
opt_reduce
opt_expr -mux_bool
opt_clean -purge
hierarchy -check -purge_lib -top {top}
check -assert
setattr -unset src -unset hdlname -unset full_case -unset parallel_case *
setattr -mod -unset src -unset hdlname -unset top *
write_verilog {out}
"""
# The outputs go, and what only they read: opt_clean.
_NO_TRACE = "delete -port */o:trace_*\n"
_NUMBER = re.compile(r"(?<=\(\* ram_style = )\d+'h([0-9a-f]+)(?= \*\))")
_TOP_PORT = re.compile(r"^  (input|output) (?:\[(\d+):(\d+)\] )?(\w+);$", re.MULTILINE)
_OPEN = "may stay open"
_MEANINGS = {
    "clk_i": "clock of the bus and the cores",
    "unit_clk_i": "clock of the unit: twice the frequency of the cores', edges of both together",
    "rst_ni": "asynchronous reset, active low; its end is synchronous to the cores' clock",
    "irq_i": "interrupt lines, synchronous to the cores' clock; rising edges count",
    "irq_handler_o": "an interrupt waits for its C handler: level, to the external interrupt",
    "irq_dispatch_o": "another task should run: level, to an interrupt of its own",
    "dispatch_o": f"the core dispatches in this cycle; {_OPEN}",
    "running_o": f"from then on this task runs, the number of tasks: none; {_OPEN}",
    "answer_o": f"what a load of the answer returns; {_OPEN}",
    "trace_tick_o": "trace port: ticks (docs/reference/trace.md)",
    "trace_step_o": "trace port: steps",
    "trace_answer_o": "trace port: answers",
}


@dataclass(frozen=True)
class Signal:
    """A port of the plain top."""

    name: str
    direction: str
    high: int
    low: int
    text: str

    @property
    def range(self) -> str:
        return f"[{self.high}:{self.low}]" if self.high else ""

    @property
    def wire(self) -> str:
        """The net that the example of an instance connects to it."""
        return (
            ""
            if self.text.endswith(_OPEN)
            else self.name.removesuffix("i").removesuffix("_o").removesuffix("_")
        )


@dataclass(frozen=True)
class Plain:
    """`text`: the file; `signals`: of its top, in the order of declaration; `bus`: what its ports
    speak."""

    text: str
    signals: tuple[Signal, ...]
    bus: Bus

    @property
    def file(self) -> str:
        return f"{self.bus.top}.v"

    @property
    def open_ports(self) -> list[str]:
        """Ports of the top that may stay open, by name."""
        return [signal.name for signal in self.signals if signal.text.endswith(_OPEN)]


def plain(system: System, bus_name: str, trace: bool, templates: jinja2.Environment) -> Plain:
    """Raises ExportError: not of this system, no such bus, no yosys."""
    _check(system)
    bus = wrapper.bus(bus_name)
    if location() is None:
        raise ExportError(
            f"the Python package {PACKAGE}, which `melanion export --verilog` needs, is not"
            f" installed; run `pip install {PACKAGE}=={VERSION}`, or `make setup-dev` in a"
            " checkout."
        )
    around = templates.get_template("plain_wrapper.sv.j2").render(
        bus=bus,
        access=wrapper.ACCESS,
        mirrored=wrapper.mirrored,
        cores=system.core.count,
        interrupts=system.parameters.interrupts,
        trace=trace,
        two_clocks=system.clock_ratio == 2,
        unit_clock="unit_clk_i" if system.clock_ratio == 2 else "clk_i",
        sizes=sv_sizes(**system.hashed_parameters),
        time_reset=system.parameters.time_reset,
        parameter_hash=system.parameter_hash_word,
    )
    text = verilog.plain_names(_written(around, bus, trace), bus.top)
    found = tuple(signals(text, bus))
    head = templates.get_template("plain_head.v.j2").render(
        system=system,
        bus=bus,
        trace=trace,
        signals=found,
        sizes=soc.unit_parameters(system),
        version=__version__,
        commit=provenance.commit(),
        spec_hash=SPEC_HASH,
    )
    return Plain(head + text, found, bus)


def _check(system: System) -> None:
    """Raises ExportError: the library of this system expects more than the unit behind a bus."""
    remedy = "name a system whose cores reach the unit over a bus, such as hwrtos."
    if not system.unit:
        raise ExportError(
            f"{system.name}: kernel {system.kernel} has no hardware unit to write as Verilog;"
            f" {remedy}",
            2,
        )
    if system.coupling != "bus":
        raise ExportError(
            f"{system.name}: coupling {system.coupling} needs RTL inside the system around the"
            f" unit, which --verilog does not write; allowed is bus: {remedy}",
            2,
        )
    if system.view:
        raise ExportError(
            f"{system.name}: kernel {system.kernel} has registers of its own before the unit, which"
            f" --verilog does not write; {remedy}",
            2,
        )
    if sentence := soc.refuse_protection(system, "`--verilog`"):
        raise ExportError(sentence, 2)
    if system.unit_stage:
        raise ExportError(
            f"{system.name}: unit_stage puts registers between unit and cores, which --verilog does"
            f" not write; {remedy}",
            2,
        )


def _written(around: str, bus: Bus, trace: bool) -> str:
    """Let yosys write unit, bridge and the module around them."""
    with tempfile.TemporaryDirectory(prefix="melanion-verilog-") as folder:
        work = Path(folder)
        (work / "wrapper.sv").write_text(around, encoding="utf-8")
        # Beside the script: yosys takes no path with a space.
        sources = [*soc.unit_sources(), *([bus.file] if bus.file else [])]
        for file in sources:
            (work / file.name).write_bytes(file.read_bytes())
        script = _SCRIPT.format(
            top=bus.top,
            files=" ".join([*(file.name for file in sources), "wrapper.sv"]),
            trace="" if trace else _NO_TRACE,
            out="out.v",
        )
        (work / "script.ys").write_text(script, encoding="utf-8")
        done = tools.run([*COMMAND, "script.ys"], folder=work)
        out = work / "out.v"
        if done.status != 0 or not out.is_file():
            raise ExportError(
                f"yosys could not write the unit as Verilog; it is tested with {PACKAGE} {VERSION}."
                f" It says:\n{done.output[-2000:]}"
            )
        return _NUMBER.sub(_string, out.read_text(encoding="utf-8"))


def _string(number: re.Match[str]) -> str:
    """The value of an attribute that a parameter gave: for yosys a number, for others a text."""
    return f'"{bytes.fromhex(number[1]).decode("ascii").lstrip(chr(0))}"'


def signals(text: str, bus: Bus) -> list[Signal]:
    """The ports of the top, as its text declares them."""
    start = text.index(f"module {bus.top}(")
    body = text[start : text.index("endmodule", start)]
    of_bus = {port.name for port in bus.ports}
    found = []
    for direction, high, low, name in _TOP_PORT.findall(body):
        core, _, rest = name.partition("_") if name.startswith("core") else ("", "", name)
        meaning = "the bus" if rest in of_bus else _MEANINGS[rest]
        of = f"{core.replace('core', 'core ')}: " if core else ""
        found.append(Signal(name, direction, int(high or 0), int(low or 0), f"{of}{meaning}"))
    return found
