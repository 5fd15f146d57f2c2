# SPDX-License-Identifier: Apache-2.0
"""Modules between cores, memory and unit, tested alone: proofs of the caches, the bench of the slow
bridge."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from melanion import paths
from melanion import prove as room
from melanion.prove.theorem import FORMAL
from tests.common import verilated

HERE = Path(__file__).resolve().parent
PROOF = HERE / "mel_cache.sby"
FILES = (
    "soc/mem/mel_cache.sv",
    "soc/bus/mel_memory_arbiter.sv",
    "tests/system/memory/mel_cache.sv",
)
SECONDS = 900.0


def prove(folder: Path, task: str) -> tuple[str, str]:
    """Run a task of the proof; return its output and its status."""
    root = paths.data_root()
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, folder / name)
    (folder / FORMAL).mkdir(parents=True, exist_ok=True)
    shutil.copy(PROOF, folder / FORMAL)
    return room.run_task(room.find([PROOF]), folder, PROOF.stem, task, SECONDS)


# ---- the slow bridge -----------------------------------------------------------------------------

PACKAGE = "gen/sv/mel_pkg.sv"
BRIDGE = "soc/bus/mel_slow_bridge.sv"
POSTED = 4  # posted stores of the bridge in the bench: few, so that it is full often


def bench(source: Path) -> Path:
    """The bench program of the bridge, of this text. Raises BenchError."""
    sources = [paths.data_root() / PACKAGE, source]
    return verilated.build(source.stem, sources, HERE / "bench.cpp", [f"-GPosted={POSTED}"])


def run(program: Path, seed: int, way: int, delay: int, idle: int) -> tuple[dict[str, int], str]:
    """Run 5000 accesses; return the situations reached, and the bench's complaint or empty."""
    words = [str(program), *map(str, (seed, 5000, POSTED, way, delay, idle))]
    done = verilated.run(words)
    return (json.loads(done.stdout), "") if done.returncode == 0 else ({}, done.stderr)
