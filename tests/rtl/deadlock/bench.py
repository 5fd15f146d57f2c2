# SPDX-License-Identifier: Apache-2.0
"""The bench of mel_deadlock: what it is built of, how it runs, and what its accesses must do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from tests.common import verilated
from tests.common.verilated import ROOT
from tests.rtl.deadlock.reference import Deadlock, Size

HERE = Path(__file__).resolve().parent
LIST = ROOT / "hw" / "deadlock" / "mel_deadlock.f"
NAMES = ("Processes", "Resources", "Cores")


def sources() -> list[Path]:
    """The files of the unit, in the order of its own list."""
    names = LIST.read_text(encoding="utf-8").split()
    own = [(LIST.parent / name).resolve() for name in names if "gen/" not in name]
    return [ROOT / "gen" / "sv" / "mel_deadlock_pkg.sv", *own]


def generics(size: Size) -> list[str]:
    """The size as Verilator takes it."""
    return [f"-G{name}={value}" for name, value in zip(NAMES, astuple(size), strict=True)]


def build(size: Size, files: Sequence[Path] = ()) -> Path:
    """The bench program for this size, of these files instead of the unit's. Raises BenchError."""
    options = ["--assert", *generics(size)]
    return verilated.build("mel_deadlock", files or sources(), HERE / "bench.cpp", options)


def run(program: Path, size: Size, *, seed: int, accesses: int) -> tuple[Counter[str], str]:
    """Return the count of each situation, and the complaint of bench or reference, or empty."""
    command = [str(program), *map(str, (seed, accesses, *astuple(size)))]
    done = verilated.run(command)
    reference = Deadlock(size)
    for number, line in enumerate(done.stdout.splitlines()):
        if line == "reset":
            reference.reset()
            continue
        core, write, address, enables, word, answer, irq, stalled = (
            int(text, 16) for text in line.split()
        )
        if irq != reference.irq:
            return reference.seen, f"access {number}: interrupt {irq}, not {reference.irq}"
        if stalled > reference.steps:
            text = f"access {number}: {stalled} cycles late behind {reference.steps} steps"
            return reference.seen, text
        expected = reference.access(core, bool(write), address, enables, word)
        if answer != expected:
            verb = "store" if write else "load"
            text = f"access {number}: {verb} of {address:#x} by core {core}: {answer:#x}"
            return reference.seen, f"{text}, not {expected:#x}"
        reference.seen["accesses"] += 1
    complaint = f"{' '.join(command)}\n{done.stderr}" if done.returncode else ""
    return reference.seen, complaint
