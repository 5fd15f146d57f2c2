# SPDX-License-Identifier: Apache-2.0
"""Contents of a sweep: axes, measured quantities, and points, each a system with a name that
every other command takes (`hwrtos-2@bus:20[tasks=16]+lm`)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

from melanion import config
from melanion.sweep.schema import Search

Value = int | str
Kind = Literal["experiment", "program", "bound"]

CORES, WAITS, MEMORY = "cores", "unit_wait_states", "memory"
SYSTEM = "system"  # the axis of systems


@dataclass(frozen=True)
class Quantity:
    """Measured quantity, in cycles. `name`: of the experiment, program or action; `metric`: of the
    experiment."""

    kind: Kind
    name: str
    metric: str = ""

    @property
    def label(self) -> str:
        """`latency irq_to_task`, `cycles of pingpong`, `bound of irq_wakeup`."""
        words = {
            "experiment": f"{self.name} {self.metric}",
            "program": f"cycles of {self.name}",
            "bound": f"bound of {self.name}",
        }
        return words[self.kind]

    @property
    def meaning(self) -> str:
        """One sentence for readers of a page."""
        words = {
            "experiment": f"largest value of {self.metric} in a simulated run of the experiment"
            f" {self.name}",
            "program": f"cycles of a simulated run of {self.name}, from reset to its end",
            "bound": f"computed, not simulated: cycles from an edge to the end of {self.name} in"
            " the unit, whatever else it serves, at most",
        }
        return words[self.kind]


@dataclass(frozen=True)
class Point:
    """One quantity on one system. `system`: its name with all values; `base`: without them."""

    base: str
    values: tuple[tuple[str, Value], ...]
    system: str
    quantity: Quantity

    @property
    def name(self) -> str:
        return f"{self.quantity.label} on {self.system}"


@dataclass(frozen=True)
class Plan:
    """A valid sweep file. `search`: None for all points of the grid."""

    title: str
    file: str
    systems: tuple[str, ...]
    axes: Mapping[str, tuple[Value, ...]]
    quantities: tuple[Quantity, ...]
    search: Search | None = None

    @property
    def size(self) -> int:
        """Points of the grid."""
        systems = len(self.systems) * math.prod(map(len, self.axes.values()))
        return systems * len(self.quantities)

    def point(self, quantity: Quantity, base: str, values: Mapping[str, Value]) -> Point:
        return Point(base, tuple(values.items()), named(base, values), quantity)

    def grid(self) -> Iterator[Point]:
        """Points in the order of the file: quantity, system, the last parameter fastest."""
        for quantity, base in product(self.quantities, self.systems):
            for values in product(*self.axes.values()):
                yield self.point(quantity, base, dict(zip(self.axes, values, strict=True)))


def named(base: str, values: Mapping[str, Value]) -> str:
    """Name of a system with these values."""
    found = base
    if values.get(CORES, 1) != 1:
        found += f"-{values[CORES]}"
    if WAITS in values:
        coupled = "" if "@" in base else f"@{config.find(base).coupling}"
        found += f"{coupled}:{values[WAITS]}"
    sizes = [f"{k}={v}" for k, v in values.items() if k not in (CORES, WAITS, MEMORY)]
    found += f"[{','.join(sizes)}]" if sizes else ""
    return f"{found}+{values[MEMORY]}" if MEMORY in values else found
