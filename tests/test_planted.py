# SPDX-License-Identifier: Apache-2.0
"""Planted bugs fit the sources, also those that only `make soak` plants: one that no longer does
would be found weeks later."""

from __future__ import annotations

import importlib
from pathlib import Path

from melanion import paths
from tests import planted_tree
from tests.planted_tree import TreeMutant


def misfits(mutants: list[TreeMutant]) -> list[str]:
    """A line for each whose text is not once in its file."""
    found = []
    for mutant in mutants:
        text = (paths.data_root() / mutant.file).read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            found.append(f"{mutant.name}: {text.count(mutant.old)} times in {mutant.file}")
    return found


def test_every_planted_bug_fits_its_file() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        importlib.import_module(f"tests.{path.stem}")
    assert len(planted_tree.MADE) > 300
    assert misfits(planted_tree.MADE) == []


def test_one_that_does_not_fit_is_named() -> None:
    before = len(planted_tree.MADE)
    wrong = TreeMutant("gone", "LICENSE", "no such words", "")
    assert misfits([wrong]) == ["gone: 0 times in LICENSE"]
    del planted_tree.MADE[before:]
