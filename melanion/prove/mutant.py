# SPDX-License-Identifier: Apache-2.0
"""Mutants that a proof must notice: tests/mutants/proofs.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from melanion.prove.errors import ProveError
from melanion.prove.runner import Outcome, prove, workspace
from melanion.prove.theorem import Theorem
from melanion.prove.tools import Tools

FILE = Path("tests", "mutants", "proofs.yaml")
KEYS = {"name", "theorem", "file", "old", "new", "why"}


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/); `theorem` must fail with `new` in its place.

    `quick` ones are in `make test`.
    """

    name: str
    theorem: str
    file: str
    old: str
    new: str
    why: str
    quick: bool = False


def mutants(root: Path) -> list[Mutant]:
    """All mutants, in the order of the file."""
    if not (root / FILE).is_file():
        raise ProveError(
            f"{FILE} is missing: mutants are part of a checkout, not of an installed Melanion; run"
            " this in a checkout.",
            exit_code=2,
        )
    found = []
    for item in YAML(typ="safe").load((root / FILE).read_text(encoding="utf-8")) or []:
        if not set(item) >= KEYS or not set(item) <= KEYS | {"quick"}:
            raise ProveError(
                f"{FILE}: {item.get('name')}: keys are {', '.join(sorted(KEYS))} and quick."
            )
        found.append(Mutant(**item))
    return found


def plant(mutant: Mutant, folder: Path) -> None:
    """Change the copy of hw/ in this workspace."""
    path = folder / "hw" / mutant.file
    if not path.is_file():
        raise ProveError(f"{FILE}: {mutant.name}: hw/ has no {mutant.file}; correct the name.")
    text = path.read_text(encoding="utf-8")
    count = text.count(mutant.old)
    if count != 1:
        raise ProveError(
            f"{FILE}: {mutant.name}: the old text is {count} times in {mutant.file}, not once;"
            " adapt it."
        )
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def caught(tools: Tools, root: Path, mutant: Mutant, theorem: Theorem) -> Outcome:
    """Prove the theorem on a copy of hw/ with the mutant in it."""
    with workspace(root) as folder:
        plant(mutant, folder)
        return prove(tools, folder, theorem, 600.0)


def noticed(outcome: Outcome) -> bool:
    """The proof broke down at an assertion, not for want of time or by a wrong text."""
    return outcome.status in ("FAIL", "UNKNOWN") and bool(outcome.place)
