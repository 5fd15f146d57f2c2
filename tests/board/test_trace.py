# SPDX-License-Identifier: Apache-2.0
"""The trace of a board: a program boots on the top, simulated, and what leaves the pin of the trace
is decoded and replayed by the golden model. Streams and circuits that are wrong are refused."""

from __future__ import annotations

import array
import fcntl
import itertools
import os
import pty
import random
import re
import termios
import threading
import time
import tty
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from melanion import board, cli, config
from melanion.board import flow
from melanion.board.design import Design, Trace, design
from melanion.board.traced import Follower, Pace, Verdict
from melanion.errors import MelanionError
from melanion.trace.stream import Begun, Lost, Source, Stream
from tests.board import boot
from tests.board.test_trace_port import difference
from tests.common.verilated import ROOT

PINGPONG = "pingpong: 100 rounds\n\nexit 00000000\n"
SLOW = [pytest.param(name, marks=pytest.mark.soak) for name in ("banked", "port-vexriscv")]
COMMAND, DISPATCH, TICK, ANSWER = 1, 2, 3, 8  # spec/trace.yaml


def of(trace: Trace = "lossless", system: str = "hwrtos", depth: int = 512) -> Design:
    made = design(board.find("ulx3s_85f"), config.find(system), trace=trace)
    return replace(made, trace_depth=depth)


_RUNS: dict[tuple[str, int], boot.Traced] = {}  # of each design and rest


def booted(made: Design, rest_ms: int = 30) -> boot.Traced:
    """Ping-pong, and a time in which the queue empties."""
    key = made.digest, rest_ms
    if key not in _RUNS:
        words = boot.program(made, "pingpong")
        behind = rest_ms * made.system.clock_hz // 1000
        _RUNS[key] = boot.run_traced(boot.traced(made), made, words, behind, 4_000_000)
    return _RUNS[key]


def followed(made: Design, stream: bytes) -> Verdict:
    return Follower(made).feed(stream)


# ---- what comes out ------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["hwrtos", *SLOW])
def test_a_trace_is_what_the_unit_did(system: str) -> None:
    """Every record, in the cycle of the unit in which the simulation's probe sees it; the program
    ends as without a trace; the model agrees."""
    made = of(system=system)
    run = booted(made)
    assert (run.status, run.console) == (0, PINGPONG)
    parameters = made.system.parameters
    source = Source(1, parameters.time_reset, made.system.parameter_hash_word)
    items = list(Stream(source).feed(run.stream))
    assert items[0] == Begun(lossless=True)
    seen = len(items) - 1
    events = [tuple(event) for event in run.events.tolist()]
    assert seen > len(events) * 0.99  # the last block has no check yet
    assert difference(items, events[:seen]) == ""
    verdict = followed(made, run.stream)
    assert (verdict.compared, verdict.losses, verdict.untold) == (seen, [], 0)
    assert verdict.commands > 400


def test_a_trace_in_pieces_is_the_same() -> None:
    made = of()
    stream = booted(made).stream
    follower = Follower(made)
    for byte in stream:
        follower.feed(bytes([byte]))
    assert follower.verdict == followed(made, stream)


def test_losses_are_counted_and_end_the_replay() -> None:
    """A queue of 16 entries: what came, and what is said to be lost, is all."""
    made = of("lossy", depth=16)
    run = booted(made, rest_ms=10)
    assert (run.status, run.console) == (0, PINGPONG)
    source = Source(1, made.system.parameters.time_reset, made.system.parameter_hash_word)
    items = list(Stream(source).feed(run.stream))
    events = [tuple(event) for event in run.events.tolist()]
    assert difference(items, events) == ""
    verdict = followed(made, run.stream)
    assert verdict.lossless is False
    assert verdict.lost == sum(item.count for item in items if isinstance(item, Lost)) > 1000
    assert verdict.compared + verdict.untold + verdict.lost == len(events)
    first = next(i for i, item in enumerate(items) if isinstance(item, Lost))
    assert verdict.compared == first - 1


@pytest.mark.soak
def test_the_netlist_sends_the_same_bytes() -> None:
    """The design after synthesis: its block RAMs come apart as the circuit says."""
    made = of("lossy")
    words = boot.program(made, "pingpong")
    text = (flow.netlist(made) / "netlist.json").read_text(encoding="utf-8")
    behind = 2 * made.system.clock_hz // 1000
    gates = boot.run_traced(boot.netlist(made, text, words), made, words, behind)
    rtl = boot.run_traced(boot.traced(made), made, words, behind)
    assert (gates.status, gates.console, gates.stream) == (0, PINGPONG, rtl.stream)
    assert len(gates.stream) > 600


# ---- streams that are wrong ----------------------------------------------------------------------


@dataclass
class Record:
    """`ends`: a check follows."""

    data: bytes
    ends: bool

    @property
    def kind(self) -> int:
        return self.data[0] >> 4


def records(stream: bytes) -> list[Record]:
    """Without checks, and without what follows the last one."""
    found: list[Record] = []
    at = done = 0
    while at < len(stream):
        head = stream[at]
        more = stream[at + 1] if head & 8 else 0
        length = 1 + bool(head & 8) + (head & 7).bit_count() + more.bit_count()
        ends = head >> 4 == TICK or (head >> 4 == 0 and at > 0)
        found.append(Record(stream[at : at + length], ends))
        at += length + (2 if ends else 0)
        done = len(found) if ends and at <= len(stream) else done
    return found[:done]


def joined(parts: list[Record]) -> bytes:
    """With checks that are right."""
    stream, value = b"", 0xFFFF
    for part in parts:
        stream += part.data
        for byte in part.data:
            value ^= byte
            for _ in range(8):
                value = value >> 1 ^ (0x8408 if value & 1 else 0)
        if part.ends:
            stream += value.to_bytes(2, "little")
            value = 0xFFFF
    return stream


def test_a_stream_is_taken_apart_and_joined() -> None:
    """So the streams below differ by their fault alone."""
    made = of()
    stream = booted(made).stream
    whole = joined(records(stream))
    assert stream.startswith(whole)
    assert followed(made, whole) == followed(made, stream)


def refusal(made: Design, stream: bytes) -> str:
    """Name of the error and its first line; empty: none."""
    try:
        followed(made, stream)
    except MelanionError as error:
        return f"{type(error).__name__}: {error.message.splitlines()[0]}"
    return ""


def test_each_flipped_bit_is_refused() -> None:
    made = of()
    stream = joined(records(booted(made).stream))
    choice = random.Random(1)
    for _ in range(300):
        at, bit = choice.randrange(len(stream)), choice.randrange(8)
        wrong = bytearray(stream)
        wrong[at] ^= 1 << bit
        said = refusal(made, bytes(wrong))
        assert said.startswith("TraceError: the stream ") or at > len(stream) - 300, (at, bit, said)
        if said:
            assert said.endswith((".", "check")), said


def test_a_flipped_bit_names_its_place() -> None:
    made = of()
    stream = bytearray(booted(made).stream)
    stream[2000] ^= 4
    said = re.fullmatch(
        r"TraceError: the stream is damaged between its bytes (\d+) and (\d+), behind .*",
        refusal(made, bytes(stream)),
    )
    assert said is not None
    assert int(said[1]) <= 2000 < int(said[2])


@pytest.mark.parametrize("kind", [COMMAND, DISPATCH, TICK])
def test_a_record_that_is_missing_is_refused(kind: int) -> None:
    """Also when the check is of what is left: then the model finds it."""
    made = of()
    parts = records(booted(made).stream)
    places = [i for i, part in enumerate(parts[:-200]) if part.kind == kind]
    for at in places[1::9]:
        said = refusal(made, joined([*parts[:at], *parts[at + 1 :]]))
        assert said.startswith("ReplayError: event "), at
    at = places[-1]
    before = joined(parts[:at])
    cut = before + joined(parts)[len(before) + len(parts[at].data) :]
    assert refusal(made, cut).startswith("TraceError: the stream is damaged")


def later(part: Record, cycles: int) -> Record:
    """With so many cycles more. Both bytes of its cycles are there then."""
    data = part.data
    head, more = data[0], data[1] if data[0] & 8 else 0
    rest = data[2 if head & 8 else 1 :]
    low, rest = (rest[0], rest[1:]) if head & 1 else (0, rest)
    plain = rest[: (head & 6).bit_count()]
    rest = rest[len(plain) :]
    high, rest = (rest[0], rest[1:]) if more & 1 else (0, rest)
    found = (low | high << 8) + cycles
    heads = bytes([head | 9, more | 1, found & 0xFF])
    return Record(heads + plain + bytes([found >> 8]) + rest, part.ends)


@pytest.mark.parametrize("cycles", [4000, 30_000])
def test_wrong_cycles_are_refused(cycles: int) -> None:
    """Of a record, with a check that is right: the ticks tell."""
    made = of()
    parts = records(booted(made).stream)
    assert refusal(made, joined([*parts[:500], later(parts[500], 100), *parts[501:]])) == ""
    said = refusal(made, joined([*parts[:500], later(parts[500], cycles), *parts[501:]]))
    assert said.startswith("ReplayError: event ")
    plain = joined([*parts[:500], later(parts[500], cycles)])[: len(joined(parts[:501]))]
    assert refusal(made, plain + joined(parts)[len(plain) :]).startswith("TraceError: ")


def test_ticks_that_drift_are_seen() -> None:
    pace = Pace(slack=1000)
    right = [(20_000 * i + (i % 7) * 100, TICK, 0, 0, i, 0, 0) for i in range(50)]
    assert [pace.wrong(event, 20_000) for event in right] == [""] * 50
    pace = Pace(slack=1000)
    wrong = [pace.wrong((20_030 * i, TICK, 0, 0, i, 0, 0), 20_000) for i in range(50)]
    assert wrong[:30] == [""] * 30
    assert wrong[-1].startswith("the ticks are 20000 cycles apart, but this one comes 1")
    pace = Pace(slack=1000)  # their length was set anew
    assert pace.wrong((0, TICK, 0, 0, 1, 0, 0), 20_000) == ""
    assert pace.wrong((100, COMMAND, 0, 552, 0, 40_000, 0), 40_000) == ""
    assert pace.wrong((20_000, TICK, 0, 0, 2, 0, 0), 40_000) == ""
    assert pace.wrong((60_000, TICK, 0, 0, 3, 0, 0), 40_000) == ""


def test_another_beginning_is_refused() -> None:
    made = of()
    stream = booted(made).stream
    parts = records(stream)
    assert refusal(made, joined(parts[1:])).startswith(
        "TraceError: the stream does not begin with the record of a reset; begin to read before"
    )
    assert followed(made, b"\x00\xff\x00" + stream) == followed(made, stream)
    other = replace(made, system=config.find("hwrtos-16"))
    assert "the stream is of another system: its sizes have the hash" in refusal(other, stream)
    version = bytes([*parts[0].data[:3], 9, *parts[0].data[4:]])
    newer = joined([Record(version, ends=False), *parts[1:]])
    assert "the stream has the format 9, this Melanion reads 1" in refusal(made, newer)


# ---- circuits that are wrong ---------------------------------------------------------------------

PACK = "mel_trace_pack.sv"
MUTANTS = {
    "a loss without its record": ("lossy", 16, "has_lost_q <= 1'b1;", "has_lost_q <= 1'b0;"),
    "cycles count twice": ("lossless", 512, "cycles_q + 16'd1", "cycles_q + 16'd2"),
    "a number is cut": ("lossless", 512, "step_i.a[7:0]", "step_i.a[7:1], 1'b0"),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_circuit_is_refused(name: str) -> None:
    """By the model alone: nothing is beside it on a board."""
    trace, depth, old, new = MUTANTS[name]
    made = of("lossy" if trace == "lossy" else "lossless", depth=depth)
    text = (ROOT / "soc" / "board" / "trace" / PACK).read_text(encoding="utf-8")
    assert text.count(old) == 1
    simulation = boot.traced(made, {PACK: text.replace(old, new)})
    words = boot.program(made, "pingpong")
    run = boot.run_traced(simulation, made, words, 200_000, 3_000_000)
    assert refusal(made, run.stream).startswith("ReplayError: event ")


# ---- the command ---------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str, object]:
    with pytest.raises(SystemExit) as end:
        cli.main(["trace", *words])
    said = capsys.readouterr()
    return said.out, said.err, end.value.code


OF_BOARD = ("--board", "ulx3s_85f", "--kernel", "hwrtos")


def test_the_command_replays_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = of()
    file, drawn = tmp_path / "stream", tmp_path / "x.perfetto-trace"
    file.write_bytes(booted(made).stream)
    verdict = followed(made, file.read_bytes())
    out, _, code = told(capsys, "pingpong", *OF_BOARD, "--file", str(file), "--out", str(drawn))
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("lossless: the core waits while the queue of the trace is nearly")
    assert f"{verdict.compared} events; open it in the Perfetto viewer" in lines[1]
    assert lines[2] == (
        f"{verdict.compared} events ({verdict.commands} commands) up to cycle"
        f" {verdict.compared_to}: no difference from the model"
    )
    assert lines[-1] == "no record was lost"
    assert drawn.stat().st_size > 10_000


def test_the_command_tells_losses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = of("lossy", depth=16)
    file = tmp_path / "stream"
    file.write_bytes(booted(made, rest_ms=10).stream)
    verdict = followed(made, file.read_bytes())
    out, err, code = told(capsys, *OF_BOARD, "--file", str(file))
    first = verdict.losses[0]
    assert code == 1
    assert out.startswith("lossy: the core never waits")
    assert (
        f"cycle {first.cycle}: {first.count} records were lost; the unit gives no snapshot" in out
    )
    assert len(re.findall(r"^cycle \d+: \d+ records were lost", out, re.MULTILINE)) == len(
        verdict.losses
    )
    assert f"{verdict.compared} events" in out
    assert f"{verdict.lost} records were lost at {len(verdict.losses)} places, and" in err


def test_the_command_refuses_a_damaged_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = bytearray(booted(of()).stream)
    stream[1000] ^= 1
    file = tmp_path / "stream"
    file.write_bytes(stream)
    _, err, code = told(capsys, *OF_BOARD, "--file", str(file))
    assert (code, "the stream is damaged between its bytes" in err) == (1, True)
    file.write_bytes(b"\x00\x00")
    _, err, code = told(capsys, *OF_BOARD, "--file", str(file))
    assert (code, "no trace came (2 bytes); check the wire" in err) == (1, True)
    _, err, code = told(capsys, *OF_BOARD, "--file", str(tmp_path / "none"))
    assert (code, "the stream cannot be read (No such file" in err) == (2, True)


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """A pair of pseudo terminals: the end of a board, and that of a computer."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    yield ours, theirs
    os.close(theirs)


def test_the_command_listens_to_a_port(
    terminal: tuple[int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """A pseudo terminal in the place of an adapter; the board is unplugged at the end."""
    made = of()
    stream = booted(made).stream
    ours, theirs = terminal
    name = os.ttyname(theirs)

    def send() -> None:
        for i in range(0, len(stream), 512):
            os.write(ours, stream[i : i + 512])
        quiet = 0  # tenths of a second without a byte that nobody has read: a tty hands on late
        while quiet < 10:
            time.sleep(0.1)
            left = array.array("i", [0])
            fcntl.ioctl(theirs, termios.FIONREAD, left)
            quiet = 0 if left[0] else quiet + 1
        os.close(ours)

    writer = threading.Timer(0.5, send)
    writer.start()
    out, err, code = told(capsys, *OF_BOARD, "--port", name)
    writer.join()
    verdict = followed(made, stream)
    assert code == 0, err
    assert out.startswith(f"{name}: 2000000 baud; load the board now, and end with Ctrl-C")
    assert f"{verdict.compared} events ({verdict.commands} commands)" in out


def test_wrong_ports_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err, code = told(capsys, *OF_BOARD, "--port", str(tmp_path / "none"))
    assert (code, "the port cannot be opened (No such file or directory)" in err) == (2, True)
    (tmp_path / "file").write_bytes(b"")
    _, err, code = told(capsys, *OF_BOARD, "--port", str(tmp_path / "file"))
    assert (code, "it is no serial port (Inappropriate ioctl" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a program: APP, or a board with --board."),
        (("--file", "x"), "--port, --file and --clock are of a board: name it with --board."),
        (OF_BOARD, "--board goes with one of --port and --file, and no run."),
        ((*OF_BOARD, "--file", "x", "--port", "y"), "--board goes with one of --port and --file"),
        (
            ("--board", "ulx3s_85f", "--kernel", "sw", "--file", "x"),
            "sw: a trace is of the hardware",
        ),
    ],
)
def test_wrong_words_are_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    _, err, code = told(capsys, *words)
    assert (code, said in err) == (2, True), err


# ---- rates ---------------------------------------------------------------------------------------

PAGE = ROOT / "docs" / "howto" / "board.md"


def rates(system: str) -> tuple[str, ...]:
    """Cells of the table: of ping-pong, whose commands are followed by an answer and a dispatch."""
    made, free = of(system=system), of("lossy", system)
    held, fast = booted(made, 60), booted(free, 60)
    events, free_events = ([tuple(event) for event in run.events.tolist()] for run in (held, fast))
    commands, free_commands = (
        [event[0] for event in each if event[1] == COMMAND] for each in (events, free_events)
    )
    size = len(held.stream)
    assert made.board.trace is not None
    span = free_commands[300] - free_commands[30]
    second = made.unit_hz
    apart = [b - a for a, b in itertools.pairwise(commands)]
    waits = next(i for i, cycles in enumerate(apart) if i > 30 and cycles > 4000) + 1
    lost = followed(free, fast.stream).compared
    fitting = sum(event[1] == COMMAND for event in free_events[:lost])
    return (
        f"{size / len(events):.1f}",
        f"{size / len(commands):.1f}",
        f"{made.board.trace.baud // 10 * len(commands) // size}",
        f"{270 * second // span}",
        str(waits),
        str(fitting),
    )


@pytest.mark.soak
@pytest.mark.parametrize("system", ["hwrtos", "port-vexriscv"])
def test_the_page_has_these_rates(system: str) -> None:
    row = next(
        line
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| `{system}` |") and line.count("|") == 9
    )
    assert tuple(cell.strip() for cell in row.split("|")[3:-1]) == rates(system)
