# SPDX-License-Identifier: Apache-2.0
"""Delays of a routed design, from the SDF file that nextpnr writes: the longest path from some
registers to some others.

nextpnr reports one path from a clock to another, the longest. Between the unit and its cores paths
of two kinds have different time (docs/decisions/0035), so each kind is searched here. Delays are
the slowest of the file, as in nextpnr's own report, which the tests compare with.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# (INTERCONNECT from to (min:typ:max) …), (IOPATH from to …), (SETUPHOLD (posedge pin) (posedge
# clock) (setup) (hold)); in ps.
_LINE = re.compile(
    r"\((INTERCONNECT|IOPATH|SETUPHOLD) (?:\(posedge (\S+)\)|(\S+)) (?:\(posedge (\S+)\)|(\S+))"
    r" \(\d+:\d+:(\d+)\)"
)
_CLOCK_BUFFER = "/CLKO"

Pin = str  # cell/port


@dataclass(frozen=True)
class Route:
    """`delay` in ns, with the setup time of the last register; `wires`: the part between cells."""

    delay: float
    wires: float
    start: str  # cell
    end: str


@dataclass
class Delays:
    """`arcs`: pin → each pin behind it, with the ps to it, and those of them that are on wires;
    `launches`: pin of a register → cell, clock and ps; `captures`: likewise."""

    arcs: dict[Pin, list[tuple[Pin, int, int]]] = field(default_factory=lambda: defaultdict(list))
    launches: dict[Pin, tuple[str, str, int]] = field(default_factory=dict)
    captures: dict[Pin, tuple[str, str, int]] = field(default_factory=dict)

    def longest(
        self, source: Callable[[str, str], bool], target: Callable[[str, str], bool]
    ) -> Route | None:
        """The longest path from a register to a register, each chosen by cell and clock."""
        arrival: dict[Pin, tuple[int, int]] = {}  # ps, and those of them on wires
        start: dict[Pin, str] = {}
        for pin, (cell, clock, delay) in self.launches.items():
            if source(cell, clock):
                arrival[pin], start[pin] = (delay, 0), cell
        for pin in self._ordered(arrival):
            so_far, on_wires = arrival[pin]
            for behind, delay, wire in self.arcs.get(pin, ()):
                if behind not in arrival or so_far + delay > arrival[behind][0]:
                    arrival[behind] = so_far + delay, on_wires + wire
                    start[behind] = start[pin]
        ends = (
            Route((arrival[pin][0] + setup) / 1000, arrival[pin][1] / 1000, start[pin], cell)
            for pin, (cell, clock, setup) in self.captures.items()
            if pin in arrival and target(cell, clock)
        )
        return max(ends, key=lambda route: route.delay, default=None)

    def _ordered(self, first: Iterable[Pin]) -> list[Pin]:
        """All pins behind `first`, each behind those that lead to it."""
        reached: set[Pin] = set()
        left = list(first)
        while left:
            pin = left.pop()
            if pin not in reached:
                reached.add(pin)
                left += (arc[0] for arc in self.arcs.get(pin, ()))
        leading = Counter(arc[0] for pin in reached for arc in self.arcs.get(pin, ()))
        order = [pin for pin in reached if not leading[pin]]
        for pin in order:  # grows
            for behind, _, _ in self.arcs.get(pin, ()):
                leading[behind] -= 1
                if not leading[behind]:
                    order.append(behind)
        return order


def read(file: Path) -> Delays:
    """The delays of a file that nextpnr wrote."""
    found = Delays()
    inside: list[tuple[str, str, str, int]] = []  # cell, from, to, ps
    checks: list[tuple[str, str, str, int]] = []  # cell, pin, clock pin, setup
    clocks: dict[Pin, str] = {}
    cell = ""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            text = line.strip()
            if text.startswith("(INSTANCE"):
                cell = text[len("(INSTANCE ") : -1].replace("\\", "")
            match = _LINE.match(text)
            if match is None:
                continue
            first, second, delay = match[2] or match[3], match[4] or match[5], int(match[6])
            if match[1] == "IOPATH":
                inside.append((cell, first, second, delay))
            elif match[1] == "SETUPHOLD":
                checks.append((cell, first, second, delay))
            else:
                source, target = first.replace("\\", ""), second.replace("\\", "")
                if source.endswith(_CLOCK_BUFFER):
                    clocks[target] = source.removesuffix(_CLOCK_BUFFER)
                else:
                    found.arcs[source].append((target, delay, delay))
    for name, first, second, delay in inside:
        clock = clocks.get(f"{name}/{first}")
        if clock is None:
            found.arcs[f"{name}/{first}"].append((f"{name}/{second}", delay, 0))
        else:
            found.launches[f"{name}/{second}"] = (name, clock, delay)
    for name, pin, clock_pin, setup in checks:
        if (clock := clocks.get(f"{name}/{clock_pin}")) is not None:
            found.captures[f"{name}/{pin}"] = (name, clock, setup)
    return found


def registers(netlist: Path, names: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """The nets of a netlist of yosys that have these names, by instance and register (u_clock_edge:
    last_q): net → cells of its flip-flops. A bit that is constant, or no flip-flop's, has none."""
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"].values()
    top = max(modules, key=lambda module: len(module["cells"]))
    of_bit = {
        cell["connections"]["Q"][0]: name
        for name, cell in top["cells"].items()
        if cell["type"] == "TRELLIS_FF"
    }
    wanted = re.compile(
        "|".join(rf"\b{u}\.(?:\w+\.)?{name}$" for u, group in names.items() for name in group)
    )
    return {
        name: frozenset(of_bit[bit] for bit in net["bits"] if bit in of_bit)
        for name, net in top["netnames"].items()
        if wanted.search(name)
    }
