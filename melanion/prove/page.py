# SPDX-License-Identifier: Apache-2.0
"""docs/reference/proofs.md, made from the last recorded run (hw/formal/recorded.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from melanion.prove.mutant import Mutant
from melanion.prove.runner import Outcome
from melanion.prove.theorem import Theorem

PAGE = Path("docs", "reference", "proofs.md")
RECORDED = Path("hw", "formal", "recorded.json")

NOT_RECORDED = {"bound": "not recorded yet", "parameters": "", "solver": "", "seconds": ""}

HEAD = """<!-- Made by `melanion prove --record` from hw/formal/. Do not edit. -->
# Proofs

This page is for readers who want to know what is proved about the hardware, and how.
`melanion prove` runs all proofs, `melanion prove --quick` the subset of `make test`, and
`melanion prove --mutants` inserts the bugs below and checks that a proof detects each.
*Unbounded* proofs hold for runs of any length, by induction over the stated number of cycles, or by
property-directed reachability (PDR).
*Reached* means that the covers of a proof are reachable, so its assumptions do not exclude them.
A row is from the last run of its proof with `--record`; the seconds are for information only.
[CAVEATS](../../CAVEATS.md) lists what is not proved.
"""


def record(outcomes: Sequence[Outcome], theorems: Sequence[Theorem], root: Path) -> None:
    """Keep the facts of a run that passed, and of theorems that were not run now."""
    path = root / RECORDED
    data = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for outcome in outcomes:
        data[outcome.name] = {
            "bound": outcome.bound,
            "parameters": outcome.parameters,
            "solver": outcome.solver,
            "seconds": outcome.seconds,
        }
    known = {theorem.name: data[theorem.name] for theorem in theorems if theorem.name in data}
    path.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")


def page(theorems: Sequence[Theorem], bugs: Sequence[Mutant], root: Path) -> str:
    """The page's text."""
    data = json.loads((root / RECORDED).read_text(encoding="utf-8"))
    lines = [HEAD]
    for proof in sorted({theorem.proof for theorem in theorems}):
        lines += [f"## {proof}", "", f"[{proof}.sv](../../hw/formal/{proof}.sv)", ""]
        lines += [
            "| task | what is proved | bound | parameters | solver | s |",
            "|---|---|---|---|---|---:|",
        ]
        for theorem in theorems:
            if theorem.proof == proof:
                lines.append(_row(theorem, data))
        planted = [bug for bug in bugs if bug.theorem.split(".")[0] == proof]
        if planted:
            lines += ["", "Mutants that it detects:", ""]
            lines += [
                f"* {bug.name} ({bug.file}; task {bug.theorem.split('.')[1]})" for bug in planted
            ]
        lines.append("")
    return "\n".join(lines)


def _row(theorem: Theorem, data: Mapping[str, Mapping[str, object]]) -> str:
    facts = data.get(theorem.name, NOT_RECORDED)
    quick = " (quick)" if theorem.quick else ""
    words = [
        f"{theorem.task}{quick}",
        theorem.claim,
        *(facts[k] for k in ("bound", "parameters", "solver")),
    ]
    return "| " + " | ".join(str(word) for word in words) + f" | {facts['seconds']} |"
