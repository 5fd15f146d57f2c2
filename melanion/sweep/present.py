# SPDX-License-Identifier: Apache-2.0
"""The answers of a sweep as JSON and CSV, and in sentences."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from melanion import __version__
from melanion.report.footnote import tool
from melanion.report.svg import number
from melanion.run.provenance import origin
from melanion.sweep.front import Answer, by_quantity, front, unknown
from melanion.sweep.plan import Plan, Quantity

SCHEMA = 1
FIGURES = ("worst", "cells", "area", "block_rams", "rom", "ram", "memory")


@dataclass(frozen=True)
class Sweep:
    """A sweep as far as it came. `command`: what the user typed; `interrupted`: not all points."""

    plan: Plan
    answers: Sequence[Answer]
    command: str
    interrupted: bool = False

    def of_state(self, state: str) -> list[Answer]:
        return [each for each in self.answers if each.state == state]

    @property
    def wanted(self) -> int:
        """Points asked for; of a search at most."""
        search = self.plan.search
        return self.plan.size if search is None else min(search.points, self.plan.size)

    @property
    def front_of(self) -> dict[Quantity, list[Answer]]:
        return {quantity: front(each) for quantity, each in by_quantity(self.answers).items()}

    @property
    def left_out(self) -> dict[Quantity, list[Answer]]:
        """Points that were measured, and are on no front for want of a figure."""
        return {quantity: unknown(each) for quantity, each in by_quantity(self.answers).items()}

    @property
    def provenance(self) -> dict[str, Any]:
        """Command, commit and tools. What the store held may be of other commits."""
        kept = [each.provenance for each in self.answers if each.provenance]
        tools = {name: text for one in kept for name, text in one.get("tools", {}).items()}
        commits = dict.fromkeys(str(one["commit"]) for one in kept)
        return {
            "command": self.command,
            "version": __version__,
            "commit": ", ".join(commits) or origin()["commit"],
            "tools": tools,
        }

    @property
    def tools(self) -> list[str]:
        return [tool(name, text) for name, text in self.provenance["tools"].items()]

    @property
    def chosen(self) -> str:
        """How the points were chosen, in words."""
        search = self.plan.search
        if search is None:
            return f"grid of {counted(self.plan.size)}"
        return (
            f"search by Optuna (TPE), seed {search.seed}, {counted(search.points)} at most of"
            f" {number(self.plan.size)}, {search.batch} at a time"
        )

    @property
    def summary(self) -> str:
        """`40 points: 36 done (12 of them from the results store), 1 failed, 3 refused`."""
        done, found = self.of_state("done"), [each for each in self.answers if each.found]
        kept = f" ({len(found)} of all from the results store)" if found else ""
        words = [f"{len(done)} done{kept}"]
        for state in ("failed", "refused"):
            if some := self.of_state(state):
                words.append(f"{len(some)} {state}")
        left = self.wanted - len(self.answers)
        if self.interrupted and left > 0:
            words.append(f"{left} not begun or interrupted")
        return f"{counted(len(self.answers))}: {', '.join(words)}"


def counted(points: int) -> str:
    return "1 point" if points == 1 else f"{number(points)} points"


def record(answer: Answer, on_front: bool) -> dict[str, Any]:
    """One point, flat. `worst` in cycles, `rom`, `ram` and `memory` in bytes; `area`: how its cells
    are known."""
    area = answer.area
    return {
        "quantity": answer.point.quantity.label,
        "system": answer.point.system,
        "base": answer.point.base,
        **dict(answer.point.values),
        "state": answer.state,
        "front": on_front,
        "worst": answer.worst,
        "cells": area and area.cells,
        "area": area and area.how,
        "block_rams": area and area.block_rams,
        "rom": answer.rom,
        "ram": answer.ram,
        "memory": answer.memory,
        "seconds": round(answer.seconds, 3),
        "found": answer.found,
        "failure": answer.failure,
    }


def records(sweep: Sweep) -> list[dict[str, Any]]:
    best = {id(each) for fronts in sweep.front_of.values() for each in fronts}
    return [record(each, id(each) in best) for each in sweep.answers]


def json_text(sweep: Sweep) -> str:
    """All points; of a failed one the evidence, too."""
    points = records(sweep)
    for point, answer in zip(points, sweep.answers, strict=True):
        point["area_reason"] = answer.area.reason if answer.area else ""
        point["evidence"] = list(answer.evidence)
    search = sweep.plan.search
    document = {
        "schema": SCHEMA,
        "title": sweep.plan.title,
        "mode": "grid" if search is None else "search",
        "seed": None if search is None else search.seed,
        "wanted": sweep.wanted,
        "interrupted": sweep.interrupted,
        "provenance": sweep.provenance,
        "points": points,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def csv_text(sweep: Sweep) -> str:
    """A line of names, then one line per point."""
    stream = io.StringIO()
    rows = records(sweep)
    columns = list(record(sweep.answers[0], False)) if sweep.answers else ["quantity", "system"]
    writer = csv.DictWriter(stream, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
