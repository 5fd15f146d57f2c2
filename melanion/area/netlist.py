# SPDX-License-Identifier: Apache-2.0
"""Reads what yosys and nextpnr wrote."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

# nextpnr's cell types. COMB is a LUT4 site: logic, half a carry cell, or a part of a LUT-RAM.
KINDS = {"TRELLIS_COMB": "comb", "TRELLIS_FF": "ff", "DP16KD": "bram", "MULT18X18D": "dsp"}
_INSTANCE = re.compile(r"(?:[\w\[\]]+\.)*u_\w+(?=\.)")
TOP = "(top)"


@dataclass(frozen=True)
class Step:
    """A part of the critical path inside one module: delay in ns, and levels of logic."""

    module: str
    delay: float
    levels: int


@dataclass(frozen=True)
class Placed:
    """One placed and routed design. `fmax` in MHz, 0 where nothing is clocked; `used`: kind →
    cells; `modules`: instance → kind → cells of its own, without those of its instances; `path`:
    the critical path, in order."""

    fmax: float
    used: Mapping[str, int]
    modules: Mapping[str, Mapping[str, int]]
    path: tuple[Step, ...]

    @classmethod
    def read(cls, file: Path) -> Placed:
        data = json.loads(file.read_text(encoding="utf-8"))
        path = tuple(Step(*step) for step in data["path"])
        return cls(data["fmax"], data["used"], data["modules"], path)


@dataclass(frozen=True)
class Cells:
    """Standard cells. `area` in the library's unit, without memories; `ff`: flip-flops;
    `memory_bits`: what the memories hold."""

    area: float
    ff: int
    memory_bits: int


def gates(cells: Path, memories: Path) -> dict[str, float]:
    """Values of `Cells`, from the statistics of a mapped design and from its netlist before the
    memories are mapped."""
    design = json.loads(cells.read_text(encoding="utf-8"))["design"]
    types: dict[str, Any] = design["num_cells_by_type"]
    ff = sum(_count(value) for name, value in types.items() if name.startswith("DFF"))
    bits = 0
    for module in json.loads(memories.read_text(encoding="utf-8"))["modules"].values():
        for cell in module["cells"].values():
            if cell["type"] == "$mem_v2" and int(cell["parameters"]["WR_PORTS"], 2):
                size, width = (int(cell["parameters"][key], 2) for key in ("SIZE", "WIDTH"))
                bits += size * width
    return {"area": float(design["area"]), "ff": ff, "memory_bits": bits}


def _count(value: Any) -> int:
    """With a library, yosys gives the count together with the area."""
    return int(value["count"] if isinstance(value, dict) else value)


def counts(file: Path, top: str) -> dict[str, int]:
    """Cell type → cells of a flat netlist."""
    cells = json.loads(file.read_text(encoding="utf-8"))["modules"][top]["cells"]
    return dict(Counter(cell["type"] for cell in cells.values()))


def summary(timing: Path, cells: Path) -> dict[str, Any]:
    """Build the JSON content that `Placed.read` reads, from nextpnr's report and its netlist."""
    report = json.loads(timing.read_text(encoding="utf-8"))
    modules: dict[str, Counter[str]] = {}
    netlist = json.loads(cells.read_text(encoding="utf-8"))["modules"]
    for name, cell in next(iter(netlist.values()))["cells"].items():
        if kind := KINDS.get(cell["type"]):
            modules.setdefault(instance(name), Counter())[kind] += 1
    clocks = [clock["achieved"] for clock in report["fmax"].values()]
    return {
        "fmax": min(clocks, default=0.0),
        "used": {
            kind: report["utilization"].get(cell, {"used": 0})["used"]
            for cell, kind in KINDS.items()
        },
        "modules": modules,
        "path": critical_path(report["critical_paths"]),
    }


def instance(cell: str) -> str:
    """The instance that a flattened cell was in: `u_engine.u_choice`."""
    match = _INSTANCE.match(cell)
    return match[0] if match else TOP


def critical_path(paths: list[dict[str, Any]]) -> list[tuple[str, float, int]]:
    """Steps of the longest path from clock to clock, parts in one instance taken together. The time
    on a wire counts for the instance that drives it."""
    clocked = [p for p in paths if p["from"].startswith("posedge") and p["to"] == p["from"]]
    if not clocked:
        return []
    longest = max(clocked, key=lambda path: sum(part["delay"] for part in path["path"]))
    parts = [(instance(part["from"]["cell"]), part) for part in longest["path"]]
    found = []
    for name, group in groupby(parts, key=lambda pair: pair[0]):
        inside = [part for _, part in group]
        levels = sum(part["type"] == "logic" for part in inside)
        found.append((name, round(sum(part["delay"] for part in inside), 2), levels))
    return found
