# SPDX-License-Identifier: Apache-2.0
"""The bench of mel_dmmu: what it is built of, how it runs, and what its accesses must do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from tests.common import verilated
from tests.common.verilated import ROOT
from tests.rtl.dmmu.reference import Dmmu, Size

HERE = Path(__file__).resolve().parent
LIST = ROOT / "hw" / "dmmu" / "mel_dmmu.f"
NAMES = ("Blocks", "Owners", "Cores")


def sources() -> list[Path]:
    """The files of the unit, in the order of its own list."""
    names = LIST.read_text(encoding="utf-8").split()
    own = [(LIST.parent / name).resolve() for name in names if "gen/" not in name]
    return [ROOT / "gen" / "sv" / "mel_dmmu_pkg.sv", *own]


def generics(size: Size) -> list[str]:
    """The size as Verilator takes it."""
    return [f"-G{name}={value}" for name, value in zip(NAMES, astuple(size), strict=True)]


def build(size: Size, files: Sequence[Path] = ()) -> Path:
    """The bench program for this size, of these files instead of the unit's. Raises BenchError."""
    options = ["--assert", *generics(size)]
    return verilated.build("mel_dmmu", files or sources(), HERE / "bench.cpp", options)


def run(program: Path, size: Size, *, seed: int, accesses: int) -> tuple[Counter[str], str]:
    """Return the count of each situation, and the complaint of bench or reference, or empty."""
    command = [str(program), *map(str, (seed, accesses, *astuple(size)))]
    done = verilated.run(command)
    reference = Dmmu(size)
    for number, line in enumerate(done.stdout.splitlines()):
        if line == "reset":
            reference.reset()
            continue
        core, write, address, enables, word, answer, closed = (
            int(text, 16) for text in line.split()
        )
        if closed != reference.busy:
            text = f"access {number}: after {closed} cycles without one"
            return reference.seen, f"{text}, not {reference.busy}"
        expected = reference.access(core, bool(write), address, enables, word)
        if answer != expected:
            verb = "store" if write else "load"
            text = f"access {number}: {verb} of {address:#x} by core {core}: {answer:#x}"
            return reference.seen, f"{text}, not {expected:#x}"
        reference.seen["accesses"] += 1
    complaint = f"{' '.join(command)}\n{done.stderr}" if done.returncode else ""
    return reference.seen, complaint
