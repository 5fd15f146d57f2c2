# SPDX-License-Identifier: Apache-2.0
"""Cost of a kernel to a system of one core, in cells of an ECP5: the unit, the modules that attach
it to the core, and the store of contexts. A kernel in software costs nothing here.

Only synthesized, not placed: a repeat is immediate, the first time takes a minute or so a design.
Cells are counted as the placer packs them: a LUT4 each, two for a carry pair, six for a LUT-RAM of
16 × 4 bits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mel_gen import SPEC_HASH

import melanion.area.contexts as contexts
import melanion.area.synthesis as synthesis
import melanion.area.tools as tools
from melanion import __version__, config
from melanion.area.design import CORE, NO_PROTECTION, UNIT_TOP, Design, guard, sizes_of
from melanion.area.errors import AreaError
from melanion.build.cache import Report
from melanion.config import System
from melanion.measure.rows import Measurement, Row
from melanion.report.costs import AREA, CELLS, COUNTED
from melanion.results import Unit
from melanion.run.provenance import origin

# Cell of the netlist → cells of the device.
WEIGHTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
FIGURES = {CELLS: WEIGHTS, "flip_flops": {"TRELLIS_FF": 1}, "block_rams": {"DP16KD": 1}}


@dataclass(frozen=True)
class Term:
    """A design that a system has (`times` 1), or that it does not have any more (-1)."""

    design: Design
    times: int = 1


def missing_tools() -> str | None:
    """Why nothing can be synthesized here; None: it can."""
    try:
        tools.versions()
    except AreaError as error:
        return error.message
    return None


def terms(system: System) -> list[Term]:
    """Designs that a system's kernel adds to its core (or removes from it). Raises AreaError for a
    system without exactly one Ibex core."""
    if system.core.type != "ibex" or system.core.count != 1:
        raise AreaError(f"{system.name}: area needs a system with one Ibex core; name another.")
    if not system.unit:
        return []
    unit = Design(UNIT_TOP, tuple(sizes_of(system).items()), protection=system.unit_protection)
    found = [Term(unit)]
    if system.unit_protection != NO_PROTECTION:
        found.append(Term(guard(system.parameters.tasks)))
    if system.coupling == "port":
        found.append(Term(Design("mel_port")))
    if system.coupling == "banked":
        found += [Term(each) for each in contexts.BESIDE_CORE]
        found += [Term(contexts.core(system.parameters.tasks)), Term(CORE, -1)]
    return found


def in_turn(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Systems in an order in which nobody waits for a design that another is synthesizing: those
    that have designs of their own; and those all of whose designs are there then."""
    own: list[str] = []
    rest: list[str] = []
    seen: set[Design] = set()
    every = {name: {term.design for term in terms(config.find(name))} for name in names}
    for name in sorted(names, key=lambda name: -len(every[name])):
        (own if every[name] - seen else rest).append(name)
        seen |= every[name]
    return own, rest


def unit(name: str, *, command: str, report: Report = lambda _: None) -> Unit:
    """The area of a system. `command` is what the user typed. Raises MelanionError."""
    found = terms(config.find(name))
    counts = {term.design: _count(term.design, report) for term in found}
    return _unit(name, found, counts, _provenance(command))


def _count(design: Design, report: Report) -> dict[str, int]:
    """Cells of the netlist by their kind."""
    _, place = synthesis.netlist_of(design, lambda text: report(f"{text} {design.top}"))
    counts: dict[str, int] = json.loads((place / "counts.json").read_text(encoding="utf-8"))
    return counts


def _unit(
    name: str,
    terms: Sequence[Term],
    counts: Mapping[Design, Mapping[str, int]],
    decided: Mapping[str, Any],
) -> Unit:
    rows = []
    for metric, weights in FIGURES.items():
        value = sum(
            term.times * weight * counts[term.design].get(cell, 0)
            for term in terms
            for cell, weight in weights.items()
        )
        rows.append(Row(AREA, name, metric, {}, metric.replace("_", " "), 1, *([value] * 4)))
    words = [f"{'+' if each.times > 0 else '-'} {each.design.top}" for each in terms]
    return Unit(
        experiment=AREA,
        kernel=name,
        definition=COUNTED,
        judged="synthesis",
        provenance={**decided, "designs": [[t.times, t.design.top, t.design.name] for t in terms]},
        configuration={"counted": " ".join(words) or "nothing: a kernel in software"},
        measurements=tuple(Measurement(row, ((row.max, 1),)) for row in rows),
    )


def _provenance(command: str) -> dict[str, Any]:
    return {
        "command": command,
        "melanion": __version__,
        **origin(),
        "spec_hash": SPEC_HASH[:8],
        "tools": tools.versions(),
        "device": "ECP5, synthesized",
    }
