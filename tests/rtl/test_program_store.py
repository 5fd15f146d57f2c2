# SPDX-License-Identifier: Apache-2.0
"""The program store of hw/engine as synthesis sees it: the words of the program, and each size of
the unit in its place. Simulators and yosys each evaluate that function in their own way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from mel_gen import PARAMETERS, SPEC_HASH_WORD, parameter_hash_word

from melanion import micro
from tests.common import yosys
from tests.common.verilated import ROOT
from tests.random import bench, netlist
from tests.random.campaign import SIZES

ENGINE = ROOT / "hw" / "engine"
TINY = SIZES["tiny"]  # its ticks do not begin at 0
CONSTANT = 32  # bits of the first field, `constant`


def expected() -> list[int]:
    """The words of the program for TINY: the line of a word has the number of a size before it."""
    program = micro.assemble()
    tables = program.tables
    hashed = {name: getattr(TINY, name) for name, info in PARAMETERS.items() if info.hash}
    values = {
        **hashed,
        "monitor": int(hashed["monitor"]),
        "affinities": (TINY.cores + 1) * 256,
        "tick_minimum": TINY.tick_cycles_minimum,
        "time_low": TINY.time_reset & 0xFFFF_FFFF,
        "time_high": TINY.time_reset >> 32,
        "spec_hash": SPEC_HASH_WORD,
        "parameter_hash": parameter_hash_word(**hashed),
    }
    width = sum(field.width for field in tables.fields.values())
    sizes = {number: values[name] for name, number in tables.machine.sizes.items()}
    assert len([line for line in program.values if line >> width]) > len(sizes)
    return [
        line % (1 << width) | sizes.get(line >> width, 0) << width - CONSTANT
        for line in program.values
    ]


def contents(files: Sequence[Path], folder: Path) -> list[int]:
    """The first contents of the store after read_slang, by address."""
    made = folder / "made.json"
    commands = f"{netlist.reads(TINY, files)};select t:$meminit_v2; write_json -selected {made}"
    assert yosys.complaint(ROOT, commands) == ""
    module = json.loads(made.read_text(encoding="utf-8"))["modules"]["mel_unit"]
    words = {}
    for cell in module["cells"].values():
        if cell["parameters"]["MEMID"].endswith("u_engine.program_mem"):
            address, data = (
                int("".join(reversed(cell["connections"][pin])), 2) for pin in ("ADDR", "DATA")
            )
            words[address] = data
    return [words[address] for address in range(len(words))]


def test_the_store_holds_the_program_with_the_sizes(tmp_path: Path) -> None:
    assert contents(bench.unit_sources(ENGINE), tmp_path) == expected()


@pytest.mark.soak
def test_a_size_that_is_returned_is_noticed(tmp_path: Path) -> None:
    """A function that returns a value is one that simulators and yosys do not agree about."""
    changed = tmp_path / "mel_engine.sv"
    text = (ENGINE / changed.name).read_text(encoding="utf-8")
    returned = text.replace("size_of = 32'(Sizes.Tasks);", "return 32'(Sizes.Tasks);")
    assert returned != text
    changed.write_text(returned.replace("default: ;", "default: size_of = '0;"), encoding="utf-8")
    unit = bench.unit_sources(ENGINE)
    files = [changed if file.name == changed.name else file for file in unit]
    assert contents(files, tmp_path) != expected()
