# SPDX-License-Identifier: Apache-2.0
"""docs/reference/faults.md, rendered from tests/faults/faults.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from melanion import paths
from melanion.docs.errors import DocsError

ROOT = paths.data_root()
FILE = ROOT / "tests" / "faults" / "faults.yaml"
PAGE = ROOT / "docs" / "reference" / "faults.md"
STATES = ("shown", "partly", "not yet")
HEAD = """# Faults
<!-- Made of tests/faults/faults.yaml by `python -m melanion.docs`. Do not edit: change that. -->

This page is for readers who ask how the unit reacts to faults and illegal requests.
Each row has the required reaction, and the tests and theorems that show it.
Each sweep among these tests must detect its [mutants](../../tests/faults/mutants.yaml)
([test](../../tests/faults/test_faults_mutants.py)), and so must each [proof](proofs.md).

| # | fault | reaction | state | evidence |
|---:|---|---|---|---|
"""


@dataclass(frozen=True)
class Evidence:
    """A test, as pytest names it (without its parameters: all of them), or a theorem
    (hw/formal/theorems.yaml); the other is empty. And what it shows."""

    shows: str
    test: str = ""
    theorem: str = ""


@dataclass(frozen=True)
class Fault:
    """One row. `missing` is empty when `state` is `shown`."""

    number: int
    fault: str
    reaction: str
    state: str
    evidence: tuple[Evidence, ...]
    missing: str


def load(file: Path = FILE) -> list[Fault]:
    """All rows, numbered from 1. Raises DocsError."""
    rows = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
    faults = []
    for number, row in enumerate(rows, 1):
        where = f"{file.name}, row {number} ({row.get('fault')})"
        unknown = set(row) - {"fault", "reaction", "state", "evidence", "missing"}
        if unknown:
            raise DocsError(f"{where}: unknown key {sorted(unknown)[0]!r}; remove it.")
        for item in row.get("evidence", ()):
            if set(item) not in ({"test", "shows"}, {"theorem", "shows"}):
                raise DocsError(
                    f"{where}: evidence has the keys {', '.join(sorted(item))}; give it `shows` and"
                    " either `test` or `theorem`."
                )
        evidence = tuple(Evidence(**item) for item in row.get("evidence", ()))
        fault = Fault(
            number, row["fault"], row["reaction"], row["state"], evidence, row.get("missing", "")
        )
        if fault.state not in STATES:
            raise DocsError(f"{where}: state is {fault.state!r}; use one of {', '.join(STATES)}.")
        if bool(evidence) == (fault.state == "not yet"):
            raise DocsError(f"{where}: {fault.state!r}; give evidence, or say `not yet`.")
        if bool(fault.missing) == (fault.state == "shown"):
            raise DocsError(f"{where}: {fault.state!r}; say in `missing` what is, or `shown`.")
        faults.append(fault)
    return faults


def unknown_tests(faults: list[Fault], collected: set[str]) -> list[str]:
    """Tests of the table that pytest does not collect."""
    known = collected | {name.partition("[")[0] for name in collected}
    named = [item.test for fault in faults for item in fault.evidence if item.test]
    return [test for test in named if test not in known]


def unknown_theorems(faults: list[Fault], known: set[str]) -> list[str]:
    """Theorems of the table that no proof has."""
    named = [item.theorem for fault in faults for item in fault.evidence if item.theorem]
    return [theorem for theorem in named if theorem not in known]


def page() -> str:
    """The page of the table as it is. Raises DocsError."""
    return render(load())


def render(faults: list[Fault]) -> str:
    """The page of these rows."""
    return HEAD + "".join(map(_row, faults))


def _row(fault: Fault) -> str:
    shown = [f"{item.shows} ({_link(item)})" for item in fault.evidence]
    missing = [f"Missing: {fault.missing}"] if fault.missing else []
    cells = [str(fault.number), fault.fault, fault.reaction, fault.state]
    return f"| {' | '.join([*cells, '<br>'.join([*shown, *missing])])} |\n"


def _link(item: Evidence) -> str:
    if item.theorem:
        return f"[proof {item.theorem}](proofs.md#{item.theorem.partition('.')[0]})"
    file, _, name = item.test.partition("::")
    return f"[{name.replace('[', ' – ').replace(']', '')}](../../{file})"
