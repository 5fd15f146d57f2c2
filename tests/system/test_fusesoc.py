# SPDX-License-Identifier: Apache-2.0
"""FuseSoC runs the core files of an exported folder: the hardware unit, and a system with it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from melanion import config, export
from melanion.build import tools
from tests.system.test_export import core_files

SYSTEM = "hwrtos"
UNIT = "melanion:ip:unit"
SOAK = pytest.mark.soak
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported folder; runs that follow each other share what is built."""
    place = tmp_path_factory.mktemp("fusesoc") / "out"
    export.write(config.find(SYSTEM), place)
    return place


def fusesoc(
    folder: Path, target: str, core: str, *, programs: Path | None = None
) -> tuple[int, str]:
    """Exit status and output of a target. `programs`: a folder before others on PATH."""
    found = shutil.which("fusesoc", path=str(Path(sys.executable).parent)) or shutil.which(
        "fusesoc"
    )
    assert found, "the Python package fusesoc is not installed; run `make setup-dev`"
    places = [tools.verilator_root() / "bin", *([programs] if programs else [])]
    scratch = folder.parent / "home"
    scratch.mkdir(exist_ok=True)
    environment = {
        "PATH": os.pathsep.join([*map(str, reversed(places)), os.environ["PATH"]]),
        "HOME": str(scratch),
    }
    words = [found, "--cores-root", ".", "run", f"--target={target}", core]
    done = tools.run(words, folder=folder, environment=environment)
    return done.status, done.output


def test_a_system_takes_its_unit_from_the_core_of_the_unit(folder: Path) -> None:
    """… which brings the unit and every bridge, no core and no bus; no file is in both."""
    files = {path.name: path.read_bytes() for path in folder.glob("*.core")}
    unit, system = sorted(core_files(files), key=lambda core: core.name)
    names = [n for name in unit.targets["default"].filesets for n in unit.filesets[name].names()]
    assert {name.rpartition("/")[0] for name in names} == {"rtl/unit", "rtl/bridges"}
    assert len([name for name in names if "/mel_bridge_" in name]) == 4
    others = [name for fileset in system.filesets.values() for name in fileset.names()]
    assert not set(names) & set(others)
    assert system.filesets["unit"].depend == [f"={unit.name}"]


def test_the_unit_passes_lint(folder: Path) -> None:
    status, output = fusesoc(folder, "lint", UNIT)
    assert status == 0, output[-3000:]
    assert "%Warning" not in output


@SOAK
def test_the_unit_runs_behind_every_bridge(folder: Path) -> None:
    status, output = fusesoc(folder, "sim", UNIT)
    assert status == 0, output[-3000:]
    assert "\nmel_unit_bench: passed\n" in output


@SOAK
def test_a_bridge_that_loses_byte_enables_is_noticed(folder: Path) -> None:
    bridge = folder / "rtl" / "bridges" / "mel_bridge_wishbone.sv"
    right = bridge.read_text(encoding="utf-8")
    wrong = right.replace("assign req_be_o    = sel_i;", "assign req_be_o    = '1;")
    assert wrong != right
    bridge.write_text(wrong, encoding="utf-8")
    status, output = fusesoc(folder, "sim", UNIT)
    bridge.write_text(right, encoding="utf-8")
    assert status != 0
    assert "mel_unit_bench: core 3: the count of refused accesses is 0x" in output


@SOAK
def test_the_unit_is_synthesized(folder: Path, tmp_path: Path) -> None:
    shim = tmp_path / "yosys"
    program = HERE / "yosys_with_tcl.py"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{program}" "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    status, output = fusesoc(folder, "synth", UNIT, programs=tmp_path)
    assert status == 0, output[-3000:]
    [netlist] = folder.glob("build/melanion_ip_unit_*/synth/*.json")
    assert '"LUT4"' in netlist.read_text(encoding="utf-8")


@SOAK
def test_the_system_passes_lint_with_the_core_of_the_unit(folder: Path) -> None:
    status, output = fusesoc(folder, "lint", f"melanion:systems:{SYSTEM}")
    assert status == 0, output[-3000:]


@SOAK
def test_the_simulation_of_the_system_is_built(folder: Path) -> None:
    """It wants an image to run, and says so."""
    _, output = fusesoc(folder, "sim", f"melanion:systems:{SYSTEM}")
    assert "--image" in output, output[-3000:]
