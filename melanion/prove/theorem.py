# SPDX-License-Identifier: Apache-2.0
"""hw/formal/theorems.yaml: what each task of hw/formal/*.sby proves, in words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from melanion.prove.errors import ProveError

FORMAL = Path("hw", "formal")
FILE = FORMAL / "theorems.yaml"
BUGS = "bugs"  # tasks of this name only look for mutants


@dataclass(frozen=True)
class Theorem:
    """`task` of hw/formal/<proof>.sby proves `claim`; `quick` ones are in `make test`."""

    proof: str
    task: str
    claim: str
    quick: bool = False

    @property
    def name(self) -> str:
        return f"{self.proof}.{self.task}"


def tasks(file: Path) -> list[str]:
    """The task names of a .sby file, in its order."""
    names: list[str] = []
    inside = False
    for line in file.read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            inside = words[0] == "[tasks]"
        elif inside:
            names.append(words[0].rstrip(":"))
    return names


def theorems(root: Path) -> list[Theorem]:
    """All theorems; every task of every proof has one, and each names a task that exists."""
    text = (root / FILE).read_text(encoding="utf-8")
    try:
        data = YAML(typ="safe").load(text)
    except YAMLError as error:
        words = re.sub(r"\s+", " ", str(error))
        raise ProveError(f"{FILE}: is no YAML ({words}); correct it.") from None
    if not isinstance(data, dict):
        raise ProveError(f"{FILE}: must be a table from proof to its tasks; write it so.")
    found: list[Theorem] = []
    files = {file.stem: file for file in sorted((root / FORMAL).glob("*.sby"))}
    for proof in sorted(set(data) | set(files)):
        if proof not in files:
            raise ProveError(f"{FILE}: {proof}: there is no {FORMAL}/{proof}.sby; remove it.")
        if proof not in data:
            raise ProveError(f"{FILE}: says nothing of {FORMAL}/{proof}.sby; add its tasks.")
        found += _of_proof(proof, data[proof], tasks(files[proof]))
    return found


def _of_proof(proof: str, data: object, names: Sequence[str]) -> list[Theorem]:
    if not isinstance(data, dict):
        raise ProveError(f"{FILE}: {proof}: must be a table from task to claim; write it so.")
    found = []
    for task, entry in data.items():
        if task not in names:
            raise ProveError(
                f"{FILE}: {proof}.{task}: the proof has no such task, only {', '.join(names)}."
            )
        if not isinstance(entry, dict) or not {"claim"} <= set(entry) <= {"claim", "quick"}:
            raise ProveError(f"{FILE}: {proof}.{task}: keys are claim and, if wanted, quick.")
        found.append(Theorem(proof, task, str(entry["claim"]), bool(entry.get("quick", False))))
    for name in names:
        if name not in data and name != BUGS:
            raise ProveError(
                f"{FILE}: {proof}: says nothing of its task {name}; add a claim for it."
            )
    return found


def select(all_of_them: Sequence[Theorem], names: Sequence[str], quick: bool) -> list[Theorem]:
    """Those named (`proof` or `proof.task`; none: all), of them the quick ones if asked."""
    known = {theorem.proof for theorem in all_of_them} | {theorem.name for theorem in all_of_them}
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, sorted(known), n=1)
            hint = (
                f"did you mean {close[0]}?" if close else f"known are {', '.join(sorted(known))}."
            )
            raise ProveError(f"{name}: is no proof and no theorem; {hint}", exit_code=2)
    chosen = [
        theorem
        for theorem in all_of_them
        if (not names or theorem.proof in names or theorem.name in names)
        and (theorem.quick or not quick)
    ]
    if not chosen:
        raise ProveError("none of the named proofs is quick; leave out --quick.", exit_code=2)
    return chosen
