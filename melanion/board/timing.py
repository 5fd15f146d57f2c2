# SPDX-License-Identifier: Apache-2.0
"""Timing and size of a routed design, from nextpnr's report.

Between two clocks of one PLL (docs/decisions/0035) nextpnr reports the longest path and judges
none; here it is judged. From the cores to the unit a path has a cycle of the cores, from the unit
to the cores too, but where a register changes in the middle of that cycle (crossing.py): such a
path has half of it. Where these are not told apart, every path from the unit has half.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from melanion.area.netlist import KINDS
from melanion.board.delays import Route
from melanion.board.design import Design

FORM = 2  # form of the summary; raised when its meaning changes
HALF = "unit, between its cores' edges"  # the source of a path that has half a cycle
_CLOCK = re.compile(r"(?:\$glbnet\$)?(?:u_pll\.)?(\w+)$")
_INSTANCE = re.compile(r"(?:[\w\[\]]+\.)*u_\w+(?=\.)")


@dataclass(frozen=True)
class Clock:
    """`asked` and `reached` in MHz."""

    asked: float
    reached: float


@dataclass(frozen=True)
class Longest:
    """The longest path from a clock to a clock, in ns: `wires` is the part on wires; `steps`:
    instance, delay, levels of logic."""

    source: str
    target: str
    delay: float
    wires: float
    start: str
    end: str
    steps: tuple[tuple[str, float, int], ...]


@dataclass(frozen=True)
class Timing:
    """`clocks`: core, and unit where it has its own; `used`: kind of cell → cells, `available`
    likewise."""

    design: Design
    clocks: Mapping[str, Clock]
    used: Mapping[str, int]
    available: Mapping[str, int]
    paths: tuple[Longest, ...]

    @property
    def critical(self) -> Longest:
        """The path that limits the clock of the core."""
        return next(p for p in self.paths if p.source == p.target == "core")

    @cached_property
    def core_mhz(self) -> float:
        """Highest clock of the core with which everything closes, the clock ratio kept."""
        ratio = self.design.system.clock_ratio
        limits = [self.clocks["core"].reached]
        if ratio > 1:
            limits.append(self.clocks["unit"].reached / ratio)
        limits += [1000 / (path.delay * share) for path, share in self._crossings()]
        return min(limits)

    def _crossings(self) -> list[tuple[Longest, int]]:
        """Path between the clocks, and the share of a cycle of the cores that it has: 1/share."""
        told_apart = any(path.source == HALF for path in self.paths)
        shares = {("core", "unit"): 1, ("unit", "core"): 1 if told_apart else 2, (HALF, "core"): 2}
        found = ((path, shares.get((path.source, path.target))) for path in self.paths)
        return [(path, share) for path, share in found if share is not None]

    @cached_property
    def misses(self) -> list[str]:
        """Constraints that are not met, in words."""
        cycle = 1000 / self.design.system.clock_mhz
        found = [
            f"{name} {clock.reached:.1f} MHz of {clock.asked:g}"
            for name, clock in self.clocks.items()
            if clock.reached < clock.asked
        ]
        found += [
            f"{path.source} to {path.target} {path.delay:.1f} ns of {cycle / share:.1f}"
            for path, share in self._crossings()
            if path.delay > cycle / share
        ]
        return found

    @property
    def shortfall(self) -> float:
        """MHz of the core that are missing."""
        return self.design.system.clock_mhz - self.core_mhz


def summary(report: Mapping[str, Any], half: Route | None = None) -> dict[str, Any]:
    """Content for `read`, from nextpnr's report and the longest path that has half a cycle."""
    usage = report["utilization"]
    return {
        "clocks": {_clock(name): clock for name, clock in report["fmax"].items()},
        "used": {kind: usage.get(cell, {"used": 0})["used"] for cell, kind in KINDS.items()},
        "available": {
            kind: usage.get(cell, {"available": 0})["available"] for cell, kind in KINDS.items()
        },
        "paths": [*map(_path, report["critical_paths"]), *([] if half is None else [_half(half)])],
    }


def longest(report: Mapping[str, Any], source: str, *targets: str) -> float:
    """Delay in ns of the longest path from a clock to one of others, in nextpnr's report; 0: there
    is none."""
    paths = map(_path, report["critical_paths"])
    delays = (p["delay"] for p in paths if p["source"] == source and p["target"] in targets)
    return max(delays, default=0.0)


def read(file: Path, design: Design) -> Timing:
    """The summary of a routed design."""
    data = json.loads(file.read_text(encoding="utf-8"))
    names = _names(design)
    clocks = {
        names[net]: Clock(clock["constraint"], clock["achieved"])
        for net, clock in data["clocks"].items()
        if net in names
    }
    paths = []
    for each in data["paths"]:
        source, target = (names.get(each[key], "pin") for key in ("source", "target"))
        steps = tuple(tuple(step) for step in each["steps"])
        rest = {key: each[key] for key in ("delay", "wires", "start", "end")}
        paths.append(Longest(source=source, target=target, steps=steps, **rest))
    order: dict[str, Clock] = {name: clocks[name] for name in sorted(clocks)}  # core, unit
    return Timing(design, order, data["used"], data["available"], tuple(paths))


def _names(design: Design) -> dict[str, str]:
    """Net of a clock → whose it is. nextpnr calls a net as the outermost module does."""
    if design.system.clock_ratio == 1:
        return {"clk": "core", "clk_fast": "core"}
    return {"clk": "core", "clk_slow": "core", "clk_fast": "unit", HALF: HALF}


def _clock(text: str) -> str:
    """`posedge $glbnet$u_pll.clk_fast_o` → `clk_fast`."""
    match = _CLOCK.search(text.rpartition(" ")[2])
    return match[1].removesuffix("_o") if match else text


def _path(path: Mapping[str, Any]) -> dict[str, Any]:
    parts = path["path"]
    named = [(_instance(part["from"]["cell"]), part) for part in parts]
    steps = []
    for name, group in groupby(named, key=lambda pair: pair[0]):
        inside = [part for _, part in group]
        levels = sum(part["type"] == "logic" for part in inside)
        steps.append((name, round(sum(part["delay"] for part in inside), 2), levels))
    return {
        "source": _clock(path["from"]),
        "target": _clock(path["to"]),
        "delay": round(sum(part["delay"] for part in parts), 2),
        "wires": round(sum(part["delay"] for part in parts if part["type"] == "routing"), 2),
        "start": parts[0]["from"]["cell"],
        "end": parts[-1]["to"]["cell"],
        "steps": steps,
    }


def _half(route: Route) -> dict[str, Any]:
    ends = {"start": route.start, "end": route.end}
    return {
        "source": HALF,
        "target": "clk",
        "delay": route.delay,
        "wires": route.wires,
        **ends,
        "steps": [],
    }


def _instance(cell: str) -> str:
    """The instance that a flattened cell was in, without the top's: `u_core.u_ibex`."""
    match = _INSTANCE.match(cell)
    return match[0].removeprefix("u_top.") if match else "the top"
