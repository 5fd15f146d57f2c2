# SPDX-License-Identifier: Apache-2.0
"""The bench of mel_event_flags: what it is built of, and how it runs."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.common import verilated
from tests.common.verilated import ROOT

HERE = Path(__file__).resolve().parent
RTL = ROOT / "hw" / "rtl"
MODULES = ("mel_unit_pkg.sv", "mel_flag_waiters.sv", "mel_event_flags.sv")


@dataclass(frozen=True)
class Size:
    """Parameters of the module."""

    tasks: int
    priorities: int
    groups: int


def sources() -> list[Path]:
    """The modules and what they need, in compile order."""
    return [ROOT / "gen/sv/mel_pkg.sv", *(RTL / name for name in MODULES), HERE / "bench.sv"]


def build(size: Size, files: Sequence[Path], *, assertions: bool = True) -> Path:
    """The bench program. Raises BenchError."""
    options = [
        "--assert" if assertions else "--no-assert",
        f"-GTasks={size.tasks}",
        f"-GPriorities={size.priorities}",
        f"-GEventFlags={size.groups}",
    ]
    return verilated.build("bench", files, HERE / "bench.cpp", options)


def run(program: Path, size: Size, seed: int, operations: int) -> subprocess.CompletedProcess[str]:
    """Random operations; the program's exit status and complaint say whether all agreed."""
    words = [size.tasks, size.priorities, size.groups, seed, operations]
    done = verilated.run([str(program), *map(str, words)])
    done.stdout += done.stderr
    return done
