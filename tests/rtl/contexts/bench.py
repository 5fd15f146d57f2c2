# SPDX-License-Identifier: Apache-2.0
"""The bench of mel_context_store and mel_context_exchange: what it is built of, and how it runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.common import verilated
from tests.common.verilated import ROOT

HERE = Path(__file__).resolve().parent
TOP = "mel_contexts_bench"
# In compile order.
MODULES = [
    ROOT / "hw" / "contexts" / f"mel_context_{noun}.sv" for noun in ("pkg", "store", "exchange")
]


@dataclass(frozen=True)
class Size:
    """Parameters of mel_contexts_bench."""

    tasks: int
    resident: int = 4
    cores: int = 1


def generics(size: Size) -> list[str]:
    """The size as Verilator takes it."""
    return [f"-GTasks={size.tasks}", f"-GResident={size.resident}", f"-GCores={size.cores}"]


def build(size: Size, files: Sequence[Path] = MODULES, *, assertions: bool = True) -> Path:
    """The bench program of these files for this size. Raises BenchError."""
    options = ["--assert" if assertions else "--no-assert", *generics(size)]
    return verilated.build(TOP, [*files, HERE / f"{TOP}.sv"], HERE / "bench.cpp", options)


def run(
    program: Path, size: Size, *, seed: int, cycles: int, blind: bool = False
) -> tuple[dict[str, int], str]:
    """Return the situations reached, and the bench's complaint or empty. `blind`: of bench.cpp."""
    command = [str(program), *map(str, (seed, cycles, size.tasks, size.cores, int(blind)))]
    done = verilated.run(command)
    if done.returncode == 0:
        return json.loads(done.stdout), ""
    return {}, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
