# SPDX-License-Identifier: Apache-2.0
"""docs/reference/faults.md is what faults.yaml says, and every test that it names exists."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from melanion import paths
from melanion.docs.errors import DocsError
from melanion.docs.pages import faults as table
from melanion.docs.pages.faults import Evidence, Fault
from melanion.prove.theorem import theorems
from tests.common import limited

ROOT = paths.data_root()


def collected(files: set[str]) -> set[str]:
    """The tests that pytest finds in these files, the long ones too."""
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0"]
    words += ["-m", "soak or not soak", *sorted(files)]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, preexec_fn=limited.processor(120)
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return {line for line in done.stdout.splitlines() if "::" in line}


def test_every_fault_has_a_row() -> None:
    assert [fault.number for fault in table.load()] == list(range(1, 30))


def test_every_test_named_exists() -> None:
    faults = table.load()
    tests = [item.test for fault in faults for item in fault.evidence if item.test]
    files = {test.partition("::")[0] for test in tests}
    known = collected(files)
    assert table.unknown_tests(faults, known) == []
    made_up = Fault(1, "x", "x", "shown", (Evidence("x", "tests/docs/test_docs.py::test_x"),), "")
    assert table.unknown_tests([*faults, made_up], known) == ["tests/docs/test_docs.py::test_x"]


def test_every_theorem_named_exists() -> None:
    faults, known = table.load(), {theorem.name for theorem in theorems(ROOT)}
    assert table.unknown_theorems(faults, known) == []
    made_up = Fault(1, "x", "x", "shown", (Evidence("x", theorem="mel_time.x"),), "")
    assert table.unknown_theorems([*faults, made_up], known) == ["mel_time.x"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("state: done, evidence: [{test: a, shows: b}]", "state is 'done'; use one of shown"),
        ("state: shown", "'shown'; give evidence, or say `not yet`"),
        ("state: not yet, missing: x, evidence: [{test: a, shows: b}]", "'not yet'; give evidence"),
        ("state: partly, evidence: [{test: a, shows: b}]", "'partly'; say in `missing`"),
        ("state: shown, evidence: [{test: a, shows: b}], missing: x", "'shown'; say in `missing`"),
        ("state: not yet, missing: x, proof: y", "unknown key 'proof'; remove it"),
        ("state: shown, evidence: [{shows: b}]", "evidence has the keys shows; give it `shows`"),
    ],
)
def test_rows_that_say_nothing_are_refused(tmp_path: Path, row: str, message: str) -> None:
    file = tmp_path / "faults.yaml"
    file.write_text(f"- {{fault: f, reaction: r, {row}}}\n", encoding="utf-8")
    with pytest.raises(DocsError) as raised:
        table.load(file)
    assert message in str(raised.value)
    assert "row 1 (f)" in str(raised.value)
