# SPDX-License-Identifier: Apache-2.0
"""docs/reference/objects.md is what the folders hold; a noun without one is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from melanion.docs.errors import DocsError
from melanion.docs.pages import objects

ROOT = objects.ROOT


def test_a_missing_file_is_named() -> None:
    nouns = (replace(objects.NOUNS[0], stem="tusk"), *objects.NOUNS[1:])
    with pytest.raises(DocsError, match=r"kernel/include/melanion/tusk\.h does not exist"):
        objects.render(ROOT, nouns)


def test_a_command_without_noun_is_named() -> None:
    with pytest.raises(DocsError, match="task_create belongs to 0 nouns"):
        objects.render(ROOT, objects.NOUNS[1:])


def test_a_hole_is_shown() -> None:
    nouns = (replace(objects.NOUNS[0], scenarios=("nothing",)), *objects.NOUNS[1:])
    row = next(
        line for line in objects.render(ROOT, nouns).splitlines() if "| [task](task.md) |" in line
    )
    assert objects.HOLE in row


def test_a_noun_that_nothing_proves_is_shown() -> None:
    noun = replace(objects.NOUNS[0], programs=("system",))
    row = next(
        line
        for line in objects.render(ROOT, (noun, *objects.NOUNS[1:])).splitlines()
        if line.startswith("| [task](task.md) |")
    )
    assert row.endswith(f"| {objects.HOLE} |")


def test_the_page_has_no_hole() -> None:
    assert objects.HOLE not in objects.PAGE.read_text(encoding="utf-8")
