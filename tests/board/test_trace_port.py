# SPDX-License-Identifier: Apache-2.0
"""The trace of a board: random records through mel_trace come out of its UART as they went in, or
counted as lost; and each of these can fail."""

from __future__ import annotations

import itertools
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from melanion.area.tools import yosys
from melanion.trace import EVENT, TraceError
from melanion.trace.stream import Begun, Event, Item, Lost, Source, Stream
from tests.common import verilated
from tests.common.verilated import ROOT, BenchError

FOLDER = ROOT / "soc" / "board" / "trace"
NAMES = ("mel_trace_pkg", "mel_trace_store", "mel_trace_pack", "mel_trace_uart", "mel_trace")
DRIVER = Path(__file__).with_name("trace.cpp")
HASH = 0x12003400
SOURCE = Source(ratio=1, time_reset=0, parameter_hash=HASH)
CLOCKS = 8  # in a bit


@dataclass(frozen=True)
class Heard:
    """`events`: what went in; `longest`: cycles of the core for which an access waited."""

    stream: bytes
    events: list[Event]
    accesses: int
    longest: int


def bench(
    depth: int = 512,
    *,
    lossless: bool = False,
    clocks: int = CLOCKS,
    more: Mapping[str, tuple[str, str]] | None = None,
) -> Path:
    """`more`: file → a text in it and what stands there instead."""
    changes = more or {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        files = [ROOT / "gen" / "sv" / "mel_pkg.sv"]
        for name in NAMES:
            text = (FOLDER / f"{name}.sv").read_text(encoding="utf-8")
            if name in changes:
                old, new = changes[name]
                assert text.count(old) == 1, old
                text = text.replace(old, new)
            files.append(place / f"{name}.sv")
            files[-1].write_text(text, encoding="utf-8")
        sizes = [f"-GDepth={depth}", f"-GClocksPerBit={clocks}", f"-GHash=32'h{HASH:x}"]
        return verilated.build("mel_trace", files, DRIVER, [*sizes, f"-GLossless=1'b{lossless:d}"])


def heard(
    simulation: Path,
    seed: int,
    often: int,
    cycles: int = 100_000,
    clocks: int = CLOCKS,
    ratio: int = 1,
    apart: int = 2000,
) -> Heard:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        words = [str(simulation), *map(str, (seed, cycles, often, clocks, ratio, apart))]
        done = verilated.run(words, folder=place)
        if done.returncode != 0:
            raise BenchError(f"it ended with {done.returncode}")
        events = [tuple(each) for each in np.fromfile(place / "events", dtype=EVENT).tolist()]
        accesses, longest = map(int, done.stdout.split())
        return Heard((place / "stream").read_bytes(), events, accesses, longest)


def decoded(stream: bytes, chunk: int = 1000) -> list[Item]:
    """With the bytes as a port has them, some at a time."""
    reader = Stream(SOURCE)
    parts = (stream[i : i + chunk] for i in range(0, len(stream), chunk))
    return [item for part in parts for item in reader.feed(part)]


def difference(items: Sequence[Item], events: Sequence[Event]) -> str:
    """Where items are not these events, with gaps as long as the losses say; empty: nowhere."""
    at, start = 0, None
    for item in items:
        if isinstance(item, Begun):
            continue
        if isinstance(item, Lost):
            if item.least:
                return f"inexact: {item}"
            at += item.count
            continue
        if at >= len(events):
            return f"none is left for {item}"
        start = events[at][0] - item[0] if start is None else start
        if (item[0] + start, *item[1:]) != events[at]:
            return f"event {at}: {item} for {events[at]}, {start} cycles later"
        at += 1
    return f"{len(events) - at} are missing" if at != len(events) else ""


def lost(items: Sequence[Item]) -> int:
    return sum(item.count for item in items if isinstance(item, Lost))


@pytest.mark.parametrize("seed", range(4))
def test_records_that_have_room_come_out(seed: int) -> None:
    """Few enough for the UART; every kind, also several in one cycle."""
    run = heard(bench(), seed, often=1)
    items = decoded(run.stream)
    assert items[0] == Begun(lossless=False)
    assert difference(items, run.events) == ""
    assert lost(items) == 0
    assert len({event[1] for event in run.events}) == 15
    cycles = [event[0] for event in run.events]
    assert any(a == b == c for a, b, c in zip(cycles, cycles[1:], cycles[2:], strict=False))


@pytest.mark.parametrize("depth", [16, 32, 64, 128, 256, 512, 1024, 2048])
def test_losses_are_counted(depth: int) -> None:
    """Of every size of the queue: what comes out and what is said to be lost are all."""
    run = heard(bench(depth), 7, often=200, cycles=200_000)
    items = decoded(run.stream)
    assert difference(items, run.events) == ""
    assert lost(items) > len(run.events) // 2


@pytest.mark.parametrize("ratio", [1, 2])
def test_nothing_is_lost_while_accesses_wait(ratio: int) -> None:
    """An access waits, at most as long as the two longest entries take."""
    run = heard(bench(64, lossless=True), 3, often=200, cycles=400_000, ratio=ratio, apart=8000)
    items = decoded(run.stream)
    assert items[0] == Begun(lossless=True)
    assert difference(items, run.events) == ""
    assert lost(items) == 0
    assert 5 * 10 * CLOCKS < run.longest * ratio < 50 * 10 * CLOCKS
    free = heard(bench(64), 3, often=200, cycles=400_000, ratio=ratio, apart=8000)
    assert free.longest == 0
    assert free.accesses > 5 * run.accesses


def test_a_rest_without_records_keeps_the_time() -> None:
    """Longer than 16 bits of cycles."""
    run = heard(bench(), 5, often=0, cycles=2_000_000, apart=150_000)
    cycles = [event[0] for event in run.events]
    assert max(b - a for a, b in itertools.pairwise(cycles)) > 2 << 16
    assert difference(decoded(run.stream), run.events) == ""


MUTANTS = {
    "a rest is not told": ("mel_trace_pack", "(any && !drops) || empty_entry", "any && !drops"),
    "a loss without its record": ("mel_trace_pack", "has_lost_q <= 1'b1;", "has_lost_q <= 1'b0;"),
    "a loss counts records of two": ("mel_trace_pack", "16'(reports)", "16'(|reports)"),
    "cycles are one short": ("mel_trace_pack", "cycles_q <= 16'd1;", "cycles_q <= 16'd0;"),
    "a full queue is written": ("mel_trace_pack", "(any && !drops) ||", "any ||"),
    "a stale byte is sent": ("mel_trace_pack", "lane == LaneStep || (position", "(position"),
    "a status is cut": (
        "mel_trace_pack",
        "answer_i.d[7:0], answer",
        "1'b0, answer_i.d[6:0], answer",
    ),
    "an index comes twice": ("mel_trace_pkg", "11'h110", "11'h100"),
    "another check": ("mel_trace_uart", "crc_q[4] ^ feedback", "crc_q[4]"),
    "the check is not renewed": ("mel_trace_uart", "{check_i || feedback,", "{feedback,"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_circuit_is_seen(name: str) -> None:
    file, old, new = MUTANTS[name]
    simulation = bench(more={file: (old, new)})
    try:
        run = heard(simulation, 7, often=100, cycles=200_000)
        rest = heard(simulation, 5, often=0, cycles=2_000_000, apart=150_000)
        found = difference(decoded(run.stream), run.events)
        found = found or difference(decoded(rest.stream), rest.events)
    except (TraceError, BenchError) as error:
        found = str(error)
    assert found


@pytest.mark.parametrize(
    ("old", "new"), [("near_full_q && !may_q", "1'b0"), ("if (taken && !taken_q)", "if (1'b1)")]
)
def test_an_access_that_does_not_wait_is_seen(old: str, new: str) -> None:
    change = {"mel_trace": (old, new)}
    run = heard(bench(64, lossless=True, more=change), 3, often=200, cycles=400_000, apart=8000)
    assert lost(decoded(run.stream)) > 0


# ---- cells ---------------------------------------------------------------------------------------

PAGE = ROOT / "docs" / "decisions" / "0042-trace-out-of-a-board.md"


def cells(folder: Path, more: str = "") -> tuple[int, int, int, int]:
    """LUT4, carry cells, flip-flops and block RAMs on an ECP5. `more`: options of the reader."""
    files = [ROOT / "gen" / "sv" / "mel_pkg.sv", *(FOLDER / f"{name}.sv" for name in NAMES)]
    (folder / "run.ys").write_text(
        f"read_slang --threads 1 -DSYNTHESIS --keep-hierarchy --top mel_trace {more}"
        f" {' '.join(map(str, files))}\nproc -norom\n"
        "synth_ecp5 -nowidelut -top mel_trace -noflatten\nflatten\nclean\n"
        "tee -q -o cells.json stat -json\n"
    )
    done = subprocess.run(yosys("run.ys"), cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((folder / "cells.json").read_text())["design"]["num_cells_by_type"]
    names = ("LUT4", "CCU2C", "TRELLIS_FF", "DP16KD")
    lut4, carry, flip_flops, rams = (found.get(name, 0) for name in names)
    return lut4, carry, flip_flops, rams


def test_the_page_has_the_cells(tmp_path: Path) -> None:
    """An entry comes apart in the block RAMs: no other memory, and no multiplexer of 128 bits."""
    lut4, carry, flip_flops, rams = cells(tmp_path)
    row = f"| {lut4} | {carry} | {lut4 + 2 * carry} | {flip_flops} | {rams} |"
    assert row in PAGE.read_text(encoding="utf-8")
    assert cells(tmp_path, "-G Depth=2048")[3] == 4 * rams
