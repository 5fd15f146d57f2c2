# SPDX-License-Identifier: Apache-2.0
"""Cycles to the service of an interrupt while a core stores commands without a pause."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mel_gen import Command, IrqAction, Register, TraceKind

from melanion.micro import assemble, output
from tests.common.verilated import ROOT
from tests.random import bench
from tests.random.campaign import SIZES, execute
from tests.random.records import EDGE
from tests.random.script import Entry, Kind, access

SERVED, OTHER = 1, 2  # interrupt lines: the one that is served, and the one that commands are about
APART = 60  # cycles between the commands that make ready
STORES = 40
SIZE = "small"
# Cycles of the core from an edge to its action; most in the stream whose line is served, too.
MOST = {1: 36, 2: 20}  # by cycles of the unit in one of the core

STREAMS = {
    "raise": [Command.IRQ_RAISE],
    "disable": [Command.IRQ_DISABLE],
    "enable": [Command.IRQ_ENABLE],
    "raise, disable, enable": [Command.IRQ_RAISE, Command.IRQ_DISABLE, Command.IRQ_ENABLE],
    "disable, raise": [Command.IRQ_DISABLE, Command.IRQ_RAISE],
    "claim_limit": [Command.CLAIM_LIMIT],
}


def _call(command: Command, number: int, argument: int = 0, operand: int | None = None) -> Entry:
    return Entry(Kind.COMMAND, command, number, argument, delay=APART, operand=operand)


def _latencies(
    stream: list[Command], served: int, ratio: int, words: str | None = None
) -> list[int]:
    """Cycles from edges of line `served` to its action while `stream` repeats; `words` as in
    `bench.run`."""
    limits = SIZES[SIZE]
    program = bench.build(limits, ratio=ratio, loads=words is not None)
    found = []
    for delay in range(80, 98):  # all phases of a stream
        script = [
            _call(Command.SEMAPHORE_CREATE, 0, 0, operand=0xFFFF),
            *(_call(Command.IRQ_MAP, line, IrqAction.SEMAPHORE_GIVE) for line in (0, SERVED)),
            _call(Command.IRQ_ENABLE, served),
            Entry(Kind.EDGE, number=served, delay=delay, gap=1),
            *(
                access(stream[i % len(stream)] * 0x400 + 4 * OTHER, write=True)
                for i in range(STORES)
            ),
            access(Register.RUNNING, delay=APART),
        ]
        run = execute(program, limits, script, 1, words).run
        (edge,) = (log.accepted for log in run.accesses if log.kind == EDGE)
        actions = (event for event in run.events if event[1] == TraceKind.IRQ)
        (action,) = (event[0] for event in actions if event[3] == served)
        found.append(action - edge)
    return found


@pytest.mark.parametrize("ratio", MOST)
@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
def test_stores_back_to_back_let_interrupts_pass(stream: list[Command], ratio: int) -> None:
    """The line below the one that the stores are about is served, and the one below that."""
    for served in (0, SERVED):
        assert max(_latencies(stream, served, ratio)) <= MOST[ratio]


@pytest.mark.parametrize("op", ["raise", "disable"])
def test_a_program_that_ends_sooner_keeps_interrupts_waiting(op: str, tmp_path: Path) -> None:
    """The next store is chosen while mel_interrupts is behind: until the stream ends."""
    folder = tmp_path / "micro"
    shutil.copytree(ROOT / "hw/micro", folder)
    source = folder / "interrupt.mu"
    text = source.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if f"device irq_{op}; done E_OK, go on" in line)
    assert lines[first + (2 if op == "disable" else 1)].split()[0] == "end"
    del lines[first + 1]
    if op == "raise":
        lines[first] = lines[first].replace(", go on", "")
    source.write_text("".join(lines), encoding="utf-8")
    words = output.memories(assemble(folder))["mel_program.hex"]
    assert max(_latencies(STREAMS[op], SERVED, 1, words)) > STORES
