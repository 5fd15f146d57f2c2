# SPDX-License-Identifier: Apache-2.0
"""mel_wishbone_obi alone: the bench of one text of the module, and how it runs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.common import verilated

HERE = Path(__file__).resolve().parent
MODULE = HERE.parents[2] / "soc" / "cores" / "vexriscv" / "mel_wishbone_obi.sv"


def build(source: Path = MODULE) -> Path:
    """The bench program of the module, or of another text of it. Raises BenchError."""
    return verilated.build(MODULE.stem, [source], HERE / "bench.cpp")


def run(program: Path, seed: int, waits: int, accesses: int = 20_000) -> tuple[dict[str, int], str]:
    """Run the bench; return the situations reached, and its complaint or empty."""
    command = [str(program), *map(str, (seed, accesses, waits))]
    done = verilated.run(command)
    return (json.loads(done.stdout), "") if done.returncode == 0 else ({}, done.stderr)
