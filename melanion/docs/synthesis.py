# SPDX-License-Identifier: Apache-2.0
"""The hardware unit over its sizes, contexts, the lock cache and components over theirs,
synthesized, and what documents show of them (of the microprogrammed unit: what tests assert): the
blocks between `<!-- area: NAME -->` and `<!-- area: end -->` of docs/explanation/area.md,
banked.md, lock-cache.md, deadlock.md, dmmu.md and network.md, docs/area.csv and docs/area.svg.

Every design is placed with as many seeds as asked for, but once where only cells are shown, and
cores with registers in flip-flops; what did not change comes from the cache. A design takes about
six minutes of one processor at three seeds, more than half of it nextpnr. NAND2 equivalents too,
when Debian's library osu018 is installed, or another one is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import melanion.docs.protection as protected_area
from melanion import area, paths
from melanion.area import Design, contexts, locks
from melanion.area.components import COMPONENTS
from melanion.area.measure import GateRow, Row
from melanion.area.study import Study, grid, single_kinds
from melanion.docs import blocks, engine_area
from melanion.docs.blocks import Blocks
from melanion.docs.errors import DocsError

KIND = "area"
ROOT = paths.data_root()
PAGE, BANKS_PAGE, LOCKS_PAGE = (
    ROOT / "docs" / "explanation" / f"{name}.md" for name in ("area", "banked", "lock-cache")
)
CSV, PICTURE = (ROOT / "docs" / f"area.{kind}" for kind in ("csv", "svg"))
SHOWN = "Cells over tasks and over objects, and clock frequency over tasks"

Files = dict[Path, str]  # file → its text


@dataclass(frozen=True)
class Synthesis:
    """`what` is synthesized, `seeds` times placed; `library` of gates (None: osu018); `report`
    takes progress, one line per design and step."""

    what: str
    seeds: int
    library: Path | None
    report: Callable[[str], None]

    def placed(self, designs: Sequence[Design], *, once: bool = False) -> Sequence[Row | GateRow]:
        """Measure cells and clock frequency, or (`once`) cells alone. Raises AreaError."""
        return self._measured(designs, 1 if once else self.seeds, None)

    def gates(self, designs: Sequence[Design]) -> Sequence[Row | GateRow] | None:
        """Measure NAND2 equivalents; None, and the reason reported, without a library. Raises
        AreaError."""
        try:
            library = area.liberty(self.library)
        except area.AreaError as error:
            self.report(error.message)
            return None
        return self._measured(designs, 1, library)

    def _measured(
        self, designs: Sequence[Design], seeds: int, library: area.Liberty | None
    ) -> Sequence[Row | GateRow]:
        return area.measure(
            designs,
            seeds=seeds,
            command=f"python -m melanion.docs area {self.what} --seeds {self.seeds}",
            library=library,
            progress=lambda design, text: self.report(f"{design.name}: {text or 'done'}"),
        ).rows


def unit(synthesis: Synthesis) -> Files:
    """Measure the unit for docs/explanation/area.md. Raises MelanionError."""
    placed = [*synthesis.placed(grid()), *synthesis.placed(single_kinds(), once=True)]
    study = Study(placed, synthesis.gates(grid()) or ())
    return {CSV: study.csv(), PICTURE: study.picture(), PAGE: rewritten(PAGE, of_study(study))}


def of_study(study: Study) -> Blocks:
    """Blocks of docs/explanation/area.md."""
    return {
        "picture": lambda: f"![{SHOWN}](../{PICTURE.name})\n",
        "sizes": lambda: study.sizes().markdown(),
        "kinds": lambda: study.kinds().markdown(),
        "targets": lambda: study.targets().markdown(),
    }


def registers(synthesis: Synthesis) -> Files:
    """Measure cores with the registers of all tasks for docs/explanation/banked.md. Raises
    MelanionError."""
    rows = [*synthesis.placed(contexts.cores()), *synthesis.placed(contexts.others(), once=True)]
    values = {row.design: row.values for row in rows}
    made: Blocks = {
        "registers": lambda: contexts.registers(values).markdown(),
        "couplings": lambda: contexts.couplings(values).markdown(),
    }
    return {BANKS_PAGE: rewritten(BANKS_PAGE, made)}


def lock_cache(synthesis: Synthesis) -> Files:
    """Measure lock caches for docs/explanation/lock-cache.md. Raises MelanionError."""
    placed = {row.design: row.values for row in synthesis.placed(locks.designs())}
    rows = synthesis.gates([*locks.designs(), *locks.in_flip_flops()])
    gates = None if rows is None else {row.design: row.values for row in rows}
    made: Blocks = {"locks": lambda: locks.table(placed, gates).markdown()}
    return {LOCKS_PAGE: rewritten(LOCKS_PAGE, made)}


def component_page(name: str) -> Path:
    """The page that shows the sizes of a component."""
    return ROOT / "docs" / "explanation" / COMPONENTS[name].page


def component(name: str, synthesis: Synthesis) -> Files:
    """Measure a component over its sizes for its page. Raises MelanionError."""
    chosen = COMPONENTS[name]
    designs = chosen.designs()
    placed = {row.design: row.values for row in synthesis.placed(designs)}
    digests = {design: engine_area.digest(design) for design in designs}
    page = component_page(name)
    return {page: rewritten(page, {name: lambda: chosen.table(placed, digests).markdown()})}


def engine(synthesis: Synthesis) -> Files:
    """Measure the microprogrammed unit for tests/asserted/engine_area.csv. Raises MelanionError."""
    rows = synthesis.placed([target.design for target in engine_area.TARGETS])
    return {engine_area.FILE: engine_area.text_of([row.values for row in rows])}


def protection(synthesis: Synthesis) -> Files:
    """Measure the protected unit for tests/asserted/protection_area.csv. Raises MelanionError."""
    rows = synthesis.placed([limit.design for limit in protected_area.LIMITS])
    return {protected_area.FILE: protected_area.written([row.values for row in rows])}


CHAPTERS: Mapping[str, Callable[[Synthesis], Files]] = {
    "unit": unit,
    "engine": engine,
    "contexts": registers,
    "locks": lock_cache,
    "protection": protection,
    **{name: partial(component, name) for name in COMPONENTS},
}


def rewritten(page: Path, made: Blocks) -> str:
    """Text of a page with its blocks made anew. Raises DocsError: unknown block, or none."""
    text = page.read_text(encoding="utf-8")
    if not blocks.pattern(KIND).search(text):
        raise DocsError(f"{page.relative_to(ROOT)} has no block `<!-- {KIND}: NAME -->`.")
    return blocks.rewritten(text, KIND, made)
