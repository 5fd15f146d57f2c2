# SPDX-License-Identifier: Apache-2.0
"""From a netlist to a bitstream: contents of the memory, timing between two clocks, errors. The
tools themselves run in `make soak` (test_bitstream.py)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from melanion import board, cli, config
from melanion.board import BoardError, contents, flow, timing
from melanion.board.delays import Route
from melanion.board.design import TOP, Design, design

ULX3S = board.find("ulx3s_85f")


def of(system: str = "hwrtos", clock: int | None = None) -> Design:
    return design(ULX3S, config.find(system), clock)


# ---- contents of the memory ----------------------------------------------------------------------


def columns(words: list[int]) -> list[list[int]]:
    """Bits of each block RAM that holds these words: a column of 16384, or several interleaved."""
    depth = min(len(words), contents.BITS)
    width = contents.BITS // depth
    found = []
    for start in range(0, len(words), depth):
        for bit in range(0, 32, width):
            part = words[start : start + depth]
            found.append([word >> (bit + lane) & 1 for word in part for lane in range(width)])
    return found


def configuration(rams: list[list[int]]) -> str:
    """As nextpnr writes it: 2048 values of 9 bits; other tables between them."""
    text = ".device LFE5U-85F\n\n"
    for number, bits in enumerate(rams):
        values = [sum(bits[8 * i + j] << j for j in range(8)) for i in range(2048)]
        lines = [values[i : i + 8] for i in range(0, 2048, 8)]
        rows = "".join(" ".join(f"{value:03x}" for value in line) + "\n" for line in lines)
        text += f".bram_init {number}\n{rows}\n.tile R1C{number}\narc: A B\n\n"
    return text


def random_words(kib: int, seed: int) -> list[int]:
    numbers = random.Random(seed)
    return [numbers.getrandbits(32) for _ in range(kib * 256)]


@pytest.mark.parametrize("kib", [32, 64, 128])
def test_another_program_is_put_into_a_configuration(kib: int) -> None:
    old, new, other = (random_words(kib, seed) for seed in range(3))
    strange = columns(other)[0]  # a block RAM of something else
    before = configuration([*columns(old), strange])
    after = configuration([*columns(new), strange])
    assert contents.in_configuration(before, old, new) == after
    assert contents.in_configuration(before, old, old) == before


def netlist(rams: list[list[int]]) -> dict[str, Any]:
    cells = {}
    for number, bits in enumerate(rams):
        parameters = {"DATA_WIDTH_A": "1"}
        for row in range(64):
            whole = ["0"] * 320
            for i, bit in enumerate(bits[256 * row : 256 * (row + 1)]):
                whole[20 * (i // 16) + 9 * (i // 8 % 2) + i % 8] = str(bit)
            parameters[f"INITVAL_{row:02X}"] = "".join(reversed(whole))
        cells[f"ram{number}"] = {"type": "DP16KD", "parameters": parameters}
    return {"modules": {TOP: {"cells": cells}}}


def test_another_program_is_put_into_a_netlist() -> None:
    old, new = (random_words(64, seed) for seed in range(2))
    text = json.dumps(netlist(columns(old)))
    assert contents.in_netlist(text, TOP, old, new) == netlist(columns(new))


def test_a_memory_that_is_not_found_is_an_error() -> None:
    old, new = (random_words(64, seed) for seed in range(2))
    text = configuration(columns(old)[1:])
    with pytest.raises(BoardError, match="the routed design: 31 of 32 columns of the memory were"):
        contents.in_configuration(text, old, new)


# ---- timing --------------------------------------------------------------------------------------

NETS = {"core": "$glbnet$clk", "unit": "$glbnet$u_pll.clk_fast_o"}


def part(kind: str, delay: float, cell: str) -> dict[str, Any]:
    return {"type": kind, "delay": delay, "from": {"cell": cell}, "to": {"cell": f"{cell}_end"}}


def report(paths: dict[tuple[str, str], float], core: float, unit: float | None) -> dict[str, Any]:
    """A report of nextpnr with these longest paths."""
    reached = {"core": core, **({"unit": unit} if unit else {})}
    return {
        "fmax": {NETS[n]: {"achieved": mhz, "constraint": 20.0} for n, mhz in reached.items()},
        "utilization": {"TRELLIS_COMB": {"used": 10, "available": 100}},
        "critical_paths": [
            {
                "from": f"posedge {NETS[source]}",
                "to": f"posedge {NETS[target]}",
                "path": [
                    part("clk-to-q", 0.5, "u_top.gen_core[0].u_tile.u_core.x"),
                    part("routing", delay - 1.5, "u_top.gen_core[0].u_tile.u_core.x"),
                    part("logic", 1.0, "u_top.u_memory_tile.u_memory.y"),
                ],
            }
            for (source, target), delay in paths.items()
        ],
    }


def read(
    tmp_path: Path, system: str, given: dict[str, Any], half: Route | None = None
) -> timing.Timing:
    file = tmp_path / "timing.json"
    file.write_text(json.dumps(timing.summary(given, half)), encoding="utf-8")
    return timing.read(file, of(system))


PATHS = {("core", "core"): 40.0, ("core", "unit"): 45.0, ("unit", "core"): 24.0}


def test_timing_that_closes(tmp_path: Path) -> None:
    found = read(tmp_path, "hwrtos", report(PATHS, 25.0, 45.0))
    assert found.misses == []
    assert list(found.clocks) == ["core", "unit"]
    # 24 ns in half a cycle of the core: the tightest of all.
    assert found.core_mhz == pytest.approx(1000 / 48)
    assert found.critical.steps == (
        ("gen_core[0].u_tile.u_core", 39.0, 0),
        ("u_memory_tile.u_memory", 1.0, 1),
    )
    assert found.critical.wires == 38.5


@pytest.mark.parametrize(
    ("path", "delay", "said"),
    [
        (("unit", "core"), 25.1, "unit to core 25.1 ns of 25.0"),
        (("core", "unit"), 50.1, "core to unit 50.1 ns of 50.0"),
    ],
)
def test_paths_between_the_clocks_are_judged(
    tmp_path: Path, path: tuple[str, str], delay: float, said: str
) -> None:
    found = read(tmp_path, "hwrtos", report({**PATHS, path: delay}, 25.0, 45.0))
    assert found.misses == [said]
    assert found.core_mhz < 20


def test_paths_that_have_half_a_cycle_are_judged_apart(tmp_path: Path) -> None:
    """Then the others from the unit have a whole one."""
    given = report({**PATHS, ("unit", "core"): 44.0}, 25.0, 45.0)
    found = read(tmp_path, "hwrtos", given, Route(24.0, 20.0, "last_q", "pc"))
    assert found.misses == []
    assert found.core_mhz == pytest.approx(1000 / 48)
    assert [path.wires for path in found.paths if path.source == timing.HALF] == [20.0]
    late = read(tmp_path, "hwrtos", given, Route(25.5, 20.0, "last_q", "pc"))
    assert late.misses == ["unit, between its cores' edges to core 25.5 ns of 25.0"]
    assert timing.longest(given, "clk_fast", "clk") == 44.0


def test_a_clock_that_is_not_reached_is_named(tmp_path: Path) -> None:
    found = read(tmp_path, "hwrtos", report(PATHS, 19.0, 45.0))
    assert found.misses == ["core 19.0 MHz of 20"]
    assert found.shortfall == pytest.approx(1)
    alone = read(tmp_path, "sw", report({("core", "core"): 40.0}, 25.0, None))
    assert (alone.misses, alone.core_mhz) == ([], 25.0)


# ---- the command ---------------------------------------------------------------------------------


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, object]:
    with pytest.raises(SystemExit) as end:
        cli.main(["board", *words])
    return capsys.readouterr().err, end.value.code


def test_one_program_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((), ("pingpong", "--load", "pingpong")):
        text, code = said(capsys, "ulx3s_85f", "hwrtos", *words)
        assert "name one program: APP, or --load APP." in text
        assert code == 2


def test_nothing_is_loaded_into_what_is_not_routed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("melanion.build.cache.find", lambda *_: None)
    with pytest.raises(BoardError, match="no routed design of these sources is in the build cache"):
        flow.kept(of(), 1)


def test_a_board_is_loaded_by_openfpgaloader_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BoardError, match="openFPGALoader is not on the PATH"):
        flow.load(of(), tmp_path / "x.bit")
    fake = tmp_path / "openFPGALoader"
    fake.write_text('#!/bin/sh\necho "$@" > "$0.said"\necho "no cable."\nexit 1\n')
    fake.chmod(0o755)
    with pytest.raises(BoardError, match=r"did not load .*x\.bit \(no cable\); plug the board in"):
        flow.load(of(), tmp_path / "x.bit")
    words = (tmp_path / "openFPGALoader.said").read_text().split()
    assert words == ["--board", "ulx3s", str(tmp_path / "x.bit")]
