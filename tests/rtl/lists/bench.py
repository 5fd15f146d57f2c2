# SPDX-License-Identifier: Apache-2.0
"""The bench of mel_lists: what it is built of, and how it runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from tests.common import verilated
from tests.common.verilated import ROOT

HERE = Path(__file__).resolve().parent
# In compile order.
SOURCES = [ROOT / "hw" / "engine" / name for name in ("mel_first_set.sv", "mel_lists.sv")]


@dataclass(frozen=True)
class Size:
    """Parameters of mel_lists."""

    objects: int
    priorities: int
    nodes: int
    tops: int = 0
    first: int = 0  # objects in the first table; 0: all
    groups: int = 1


def generics(size: Size) -> list[str]:
    """The size as Verilator takes it."""
    names = ("Objects", "Priorities", "Nodes", "Tops", "First", "Groups")
    values = zip(names, astuple(size), strict=True)
    return [f"-G{name}={value}" for name, value in values if (name, value) != ("First", 0)]


def build(size: Size, files: Sequence[Path] = SOURCES, *, assertions: bool = True) -> Path:
    """The bench program of these files for this size. Raises BenchError."""
    options = ["--assert" if assertions else "--no-assert", *generics(size)]
    return verilated.build("mel_lists", files, HERE / "bench.cpp", options)


def run(
    program: Path, size: Size, *, seed: int, operations: int, misuse: int = 0
) -> tuple[dict[str, int], str]:
    """Return the situations reached, and the bench's complaint or empty. `misuse`: of bench.cpp."""
    command = [str(program), *map(str, (seed, operations, *astuple(size), misuse))]
    done = verilated.run(command)
    if done.returncode == 0:
        return json.loads(done.stdout), ""
    return {}, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
