# SPDX-License-Identifier: Apache-2.0
"""The measurements behind the pages of components (docs/explanation): each over its sizes, for one
core, on ECP5.

`designs` says what is to be measured, `table` shows the rows. Pure:
melanion/docs/synthesis.py runs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from melanion.area.design import DEADLOCK_TOP, DMMU_TOP, ETHERNET_TOP, Design
from melanion.area.present import Table

Figures = Mapping[Design, Mapping[str, float]]


@dataclass(frozen=True)
class Component:
    """A component over `sizes`, which all parameters of `sized` have; `fixed`: the others. `page`:
    of docs/explanation."""

    top: str
    page: str
    sizes: tuple[int, ...]
    sized: tuple[str, ...]
    fixed: tuple[tuple[str, int], ...] = ()

    def design(self, size: int) -> Design:
        """The component of a size, for one core."""
        sized = ((name, size) for name in self.sized)
        return Design(self.top, (*sized, *self.fixed, ("Cores", 1)))

    def designs(self) -> list[Design]:
        return [self.design(size) for size in self.sizes]

    def table(self, placed: Figures, digests: Mapping[Design, str]) -> Table:
        """One line per size, with a digest of the sources."""
        heads = (" × ".join(map(str.lower, self.sized)), "LUT4", "FF", "MHz", "digest")
        rows = []
        for size in self.sizes:
            key = self.design(size)
            cells = (f"{placed[key][name]:.0f}" for name in ("comb", "ff", "fmax"))
            label = " × ".join([str(size)] * len(self.sized))
            rows.append((label, *cells, digests[key]))
        return Table(heads, tuple(rows), left=int(len(self.sized) > 1))


# By their names in a configuration.
COMPONENTS: Mapping[str, Component] = {
    "deadlock": Component(DEADLOCK_TOP, "deadlock.md", (5, 16, 32), ("Processes", "Resources")),
    "dmmu": Component(DMMU_TOP, "dmmu.md", (16, 64, 256), ("Blocks",), (("Owners", 64),)),
    "ethernet": Component(ETHERNET_TOP, "network.md", (2, 4, 16), ("Slots",)),
}
