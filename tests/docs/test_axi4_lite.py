# SPDX-License-Identifier: Apache-2.0
"""The example of docs/tutorial/axi4-lite.md: its numbers are those of spec/, it passes Verilator's
lint, and its bench passes on the exported unit and finds a line that is not connected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mel_gen import IDENTITY, Command, IrqAction, Register

from melanion import paths
from melanion.build import tools
from tests.common import kept
from tests.docs.test_docs import text_of
from tests.docs.test_docs_commands import play

FOLDER = paths.data_root() / "docs" / "tutorial" / "axi4_lite"
PART, BENCH = (text_of(FOLDER / name) for name in ("rtos_part.v", "rtos_part_tb.sv"))
UNIT = "mel_unit_axi4_lite.v"
EXPORT = "melanion export --verilog 'hwrtos-single[tasks=16,interrupts=8]' out/rtos --bus axi4-lite"


def test_the_numbers_of_the_bench_are_those_of_the_unit() -> None:
    named = dict(re.findall(r"(\w+) = (?:17'h|32'd)?([0-9A-F]+)[,;]", BENCH))
    assert (int(named["Identity"], 16), int(named["Ready"], 16)) == (
        Register.IDENTITY,
        Register.READY,
    )
    assert f"32'h{IDENTITY:08X}" in BENCH
    commands = ("SemaphoreCreate", "SemaphoreTake", "IrqMap", "IrqEnable")
    for name in commands:
        assert int(named[name]) == Command[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()], name
    assert int(named["SemaphoreGive"]) == IrqAction.SEMAPHORE_GIVE


def exported(folder: Path, part: str) -> Path:
    """The exported unit, the example beside it."""
    play([EXPORT], folder)
    (folder / "out" / "rtos" / "rtos_part.v").write_text(part, encoding="utf-8")
    (folder / "out" / "rtos" / "rtos_part_tb.sv").write_text(BENCH, encoding="utf-8")
    return folder / "out" / "rtos"


def verilator(folder: Path, *words: str) -> tools.Finished:
    program = tools.verilator_root() / "bin" / "verilator"
    return tools.run(
        [str(program), *words], folder=folder, environment=tools.verilator_environment()
    )


def simulated(folder: Path, part: str) -> str:
    """Output of the bench."""
    place = exported(folder, part)
    make = ("-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-MAKEFLAGS", "OPT_SLOW=-O0")
    files = ("rtos_part_tb.sv", "rtos_part.v", UNIT)
    words = ("--binary", "--top-module", "rtos_part_tb", *files, "-CFLAGS", "-std=c++20", *make)
    done = verilator(place, *words)
    assert done.status == 0, done.output[-2000:]
    return tools.run([str(place / "obj_dir" / "Vrtos_part_tb")], folder=place).output


def test_the_example_passes_lint(tmp_path: Path) -> None:
    def check() -> str:
        place = exported(tmp_path, PART)
        done = verilator(
            place, "--lint-only", "-Wall", "--top-module", "rtos_part", "rtos_part.v", UNIT
        )
        assert done.status == 0 and "%Warning" not in done.output, done.output
        return "clean"

    contents = [("part", PART.encode()), *kept.folders("hw", "gen", "spec", "melanion/export")]
    kept.verdict("the lint of docs/tutorial/axi4_lite", contents, check)


@pytest.mark.soak
def test_an_interrupt_gives_a_semaphore(tmp_path: Path) -> None:
    assert "rtos_part: passed" in simulated(tmp_path, PART)


@pytest.mark.soak
def test_a_line_that_is_not_connected_is_found(tmp_path: Path) -> None:
    wrong = PART.replace("(irq_q)", "({irq_q[7:4], 1'b0, irq_q[2:0]})")
    assert wrong != PART
    said = simulated(tmp_path, wrong)
    assert "rtos_part: the answer to semaphore_take is ffffffce, not 00000000" in said
