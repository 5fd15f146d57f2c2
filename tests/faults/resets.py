# SPDX-License-Identifier: Apache-2.0
"""Reset in the middle of anything (row 23). A run that the judge has accepted is recorded, cycle by
cycle; the unit is reset in each of its cycles, and must then do another recorded run as it does
after power-up."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mel_gen import Command, Status
from mel_gen import TraceKind as Kinds

from tests.common import verilated
from tests.faults.stage import Stage, perform
from tests.random import bench
from tests.random.campaign import SIZES
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.records import EDGE, LINES, STORE, Run

SIZE = SIZES["tiny"]
CYCLE = struct.Struct("<QIIIIBBBBB3x")
RECORD = struct.Struct("<BBHIII")
HERE = Path(__file__).parent
# Cycles that are compared after a reset: clearing, boot, and dozens of commands.
BEHIND = 5000
COMMANDS = 700
SEED = 20  # the first whose run passes through everything


class ResetError(Exception):
    """After a reset the unit did something else than after power-up."""


def build(files: Sequence[Path]) -> Path:
    """The bench of these files (`bench.sources`). Raises BenchError."""
    options = [
        "--no-assert",
        *(f"-G{name}={value}" for name, value in bench.generics(SIZE).items()),
        *bench.microprogram(SIZE),
    ]
    return verilated.build("bench", files, HERE / "resets.cpp", options)


def judged_run(seed: int) -> Run:
    """Everything that can be loaded, then random commands; the judge has accepted it."""
    start = Stage(SIZE)
    start.look()
    entries = start.entries + generate(seed, SIZE, PROFILES["mixed"], COMMANDS)
    return perform(bench.build(SIZE), SIZE, entries, seed).run


def everything() -> set[str]:
    """Names that `passed_through` should find: every command, every other kind of step."""
    steps = (
        *(Kinds.DISPATCH, Kinds.CLAIM, Kinds.TICK, Kinds.TIMEOUT, Kinds.RELEASE, Kinds.ORPHAN),
        *(Kinds.IRQ, Kinds.OPERAND, Kinds.VALUE),
    )
    return {command.name for command in Command} | {kind.name for kind in steps}


def passed_through(run: Run) -> set[str]:
    """Commands that were done, and the other kinds of steps."""
    done = {
        Command(event[3] & 0xFF).name
        for event in run.events
        if event[1] == Kinds.COMMAND and event[6] in (Status.E_OK, 2)
    }
    return done | {Kinds(event[1]).name for event in run.events}


def record(run: Run) -> bytes:
    """Inputs and outputs of every cycle, as resets.cpp reads them."""
    length = max(access.answered for access in run.accesses) + 1
    rows = [dict.fromkeys(_FIELDS, 0) for _ in range(length)]
    lines = [access for access in run.accesses if access.kind == LINES]
    for access in run.accesses:
        row = rows[access.accepted]
        if access.kind == EDGE:
            row["irq"] |= 1 << access.address
        elif access.kind != LINES:
            row |= {"valid": 1, "write": int(access.kind == STORE), "addr": access.address}
            row |= {"be": access.byte_enable, "wdata": access.written}
            rows[access.answered] |= {"answered": 1, "rdata": access.read}
    for change, following in zip(lines, [*lines[1:], None], strict=True):
        for row in rows[change.accepted : following.accepted if following else length]:
            row["lines"] = change.read
    for event in run.events:
        if event[0] < length:
            words = struct.unpack("<4I", RECORD.pack(*event[1:]))
            total = sum(word * (2 * i + 1) for i, word in enumerate(words))
            row = rows[event[0]]
            row["trace"] = (row["trace"] + total) & 0xFFFF_FFFF
    return b"".join(CYCLE.pack(*row.values()) for row in rows)


# Processor time: 30 000 resets with BEHIND cycles after each are 150 million cycles.
SECONDS = 1200
_FIELDS = ("irq", "wdata", "rdata", "trace", "addr", "valid", "write", "be", "answered", "lines")


def check_resets(program: Path, seed: int, every: int = 1) -> int:
    """Reset in each `every`-th cycle of this seed's run, up to its last command; returns how many.
    Raises ResetError."""
    run = judged_run(seed)
    last = max(event[0] for event in run.events if event[1] == Kinds.COMMAND) + 8
    with tempfile.TemporaryDirectory(prefix="melanion-resets-") as folder:
        before, after = Path(folder) / "before", Path(folder) / "after"
        before.write_bytes(record(run))
        after.write_bytes(record(judged_run(seed + 1)))
        words = [before, after, last, every, BEHIND, seed]
        done = verilated.run(list(map(str, [program, *words])), seconds=SECONDS)
    if done.returncode:
        raise ResetError(done.stderr.strip() or f"exit status {done.returncode}")
    return -(-last // every)
