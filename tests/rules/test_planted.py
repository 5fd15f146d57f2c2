# SPDX-License-Identifier: Apache-2.0
"""Mutants fit the sources, also those that only `make soak` plants: one that no longer does
would be found weeks later."""

from __future__ import annotations

import importlib

from melanion import paths
from tests.common import planted_tree
from tests.common.planted_tree import TreeMutant


def misfits(mutants: list[TreeMutant]) -> list[str]:
    """A line for each whose text is not once in its file."""
    found = []
    for mutant in mutants:
        text = (paths.data_root() / mutant.file).read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            found.append(f"{mutant.name}: {text.count(mutant.old)} times in {mutant.file}")
    return found


def test_every_planted_bug_fits_its_file() -> None:
    root = paths.data_root()
    for path in sorted((root / "tests").rglob("test_*.py")):
        importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
    assert len(planted_tree.MADE) > 300
    assert misfits(planted_tree.MADE) == []


def test_one_that_does_not_fit_is_named() -> None:
    before = len(planted_tree.MADE)
    wrong = TreeMutant("gone", "LICENSE", "no such words", "")
    assert misfits([wrong]) == ["gone: 0 times in LICENSE"]
    del planted_tree.MADE[before:]
