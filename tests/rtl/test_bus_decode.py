# SPDX-License-Identifier: Apache-2.0
"""The bus decodes regions by the high bits of an address: that is proved to be what a subtraction
decodes, for memories of any size, in every state."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from melanion import paths
from tests.common.yosys import complaint

ROOT = paths.data_root()
BUS = ROOT / "soc" / "bus" / "mel_bus.sv"
FILES = [ROOT / "gen" / "sv" / "mel_pkg.sv"]
# `wrong` is 1 when the request of an access goes elsewhere than its address says.
AROUND = """
module decode #(
  parameter int unsigned Bytes = 4096,
  parameter bit          Port  = 1'b0,
  parameter bit          AtOnce = 1'b0
) (
  input  logic        clk_i, rst_ni, req_i,
  input  logic        memory_gnt_i, memory_rvalid_i, unit_gnt_i, unit_rvalid_i,
  input  logic        device_gnt_i, device_rvalid_i, device_err_i, unit_err_i,
  input  logic [31:0] addr_i, memory_rdata_i, device_rdata_i, unit_rdata_i,
  output logic        wrong
);
  localparam logic [31:0] Memory = 32'h1000_0000, Device = 32'h2000_0000, Unit = 32'h4000_0000;
  logic gnt_o, rvalid_o, err_o, silent_o, granted, memory_req_o, device_req_o, unit_req_o;
  logic memory, device, unit;
  logic [31:0] rdata_o;
  mel_bus #(.MemoryBytes(Bytes), .HasUnit(1'b1), .HasPort(Port), .AtOnce(AtOnce)) u_bus (.*);
  assign memory = addr_i - Memory < Bytes;
  assign device = addr_i - Device < 65536;
  assign unit   = addr_i - Unit < 131072 || (Port && addr_i - 32'hFFFF_F800 < 2048);
  assign granted = req_i && gnt_o;
  assign wrong  = (memory_req_o && !memory) || (device_req_o && !device) || (unit_req_o && !unit)
    || (granted && memory && !memory_req_o) || (granted && device && !device_req_o)
    || (granted && unit && !unit_req_o && u_bus.silent_q == 1'b0);
endmodule
"""
SIZES = [(4096, 0), (32768, 1), (262144, 1), (40 * 1024, 0), (3 * 2**20 + 4, 1)]


def proof(folder: Path, bus: str, sizes: list[tuple[int, int]]) -> str:
    """Return the complaint of yosys; empty: none."""
    (folder / "mel_bus.sv").write_text(bus, encoding="utf-8")
    (folder / "around.sv").write_text(AROUND, encoding="utf-8")
    names = " ".join(map(str, [*FILES, "mel_bus.sv", "around.sv"]))
    commands = []
    for (size, port), at_once in product(sizes, (0, 1)):
        sized = f"-G Bytes={size} -G Port=1'b{port} -G AtOnce=1'b{at_once}"
        read = f"read_slang --threads 1 --top decode {sized} {names}"
        prove = "sat -verify -prove wrong 0 -ignore_unknown_cells"
        commands += ["design -reset", read, "proc", "flatten", "async2sync", "opt", prove]
    return complaint(folder, ";".join(commands))


def test_regions_are_those_of_a_subtraction(tmp_path: Path) -> None:
    assert proof(tmp_path, BUS.read_text(encoding="utf-8"), SIZES) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(addr & ~low) == base", "(addr & ~low & 32'h7FFF_FFFF) == base"),
        ("(addr & low) < bytes", "(addr & low) <= bytes"),
        ("low == bytes - 32'd1 ||", "1'b1 ||"),
    ],
)
def test_another_region_is_noticed(right: str, wrong: str, tmp_path: Path) -> None:
    text = BUS.read_text(encoding="utf-8")
    assert text.count(right) == 1
    assert "proof did fail" in proof(tmp_path, text.replace(right, wrong), [SIZES[-1]])


def test_a_base_that_is_no_multiple_is_refused(tmp_path: Path) -> None:
    text = BUS.read_text(encoding="utf-8").replace(
        "MemoryBase   = 32'h1000_0000", "MemoryBase   = 32'h1000_2000"
    )
    assert "multiples of their region's size" in proof(tmp_path, text, [(32768, 0)])
