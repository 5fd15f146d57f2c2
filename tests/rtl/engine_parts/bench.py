# SPDX-License-Identifier: Apache-2.0
"""The benches of mel_interrupts and mel_time: what they are built of, and how they run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.common import verilated
from tests.common.verilated import ROOT

HERE = Path(__file__).resolve().parent
ENGINE = ROOT / "hw" / "engine"
FLIPPED_LINES = 32  # most lines of which interrupts.cpp flips bits


@dataclass(frozen=True)
class Part:
    """A module, the C++ file that drives it, its files in compile order, and its parameters in the
    order in which the driver takes them."""

    top: str
    driver: str
    files: tuple[Path, ...]
    parameters: tuple[str, ...]

    def generics(self, size: Sequence[int]) -> list[str]:
        """The size as Verilator takes it."""
        return [f"-G{name}=32'd{value}" for name, value in zip(self.parameters, size, strict=True)]

    def build(self, size: Sequence[int], files: Sequence[Path], *, assertions: bool = True) -> Path:
        """The bench program of these files for this size. Raises BenchError."""
        options = ["--assert" if assertions else "--no-assert", *self.generics(size)]
        if self.top == "mel_interrupts" and 0 < sum(size) <= FLIPPED_LINES:
            options += ["-CFLAGS", "-DFLIPS"]
        return verilated.build(self.top, files, HERE / self.driver, options)


INTERRUPTS = Part(
    "mel_interrupts",
    "interrupts.cpp",
    (ENGINE / "mel_first_set.sv", ENGINE / "mel_interrupts.sv"),
    ("Interrupts", "Timers"),
)
TIME = Part("mel_time", "time.cpp", (ENGINE / "mel_time.sv",), ("Tasks", "Timers", "TimeReset"))


def run(
    program: Path, size: Sequence[int], *, seed: int, cycles: int, misuse: int = 0
) -> tuple[Mapping[str, int], str]:
    """Return the situations reached, and the complaint or empty. `misuse`: of the driver."""
    command = [str(program), *map(str, (seed, cycles, *size, misuse))]
    done = verilated.run(command)
    if done.returncode == 0:
        return json.loads(done.stdout), ""
    return {}, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
