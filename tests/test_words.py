# SPDX-License-Identifier: Apache-2.0
"""Words of comments and documents: how comments open, and words that are retired."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from melanion import paths
from tests import comments
from tests.comments import Comment

ROOT = paths.data_root()
# Openings that hide the noun: eight projects that we imitate have 0.0 to 0.3 % of them.
OPENING = re.compile(
    r"(what|who|whom|whose|of|where|how|which|the same|those (who|that|which)|that which)\b",
    re.IGNORECASE,
)
MOST = 0.005  # share of such comments


def hidden(found: Iterable[Comment]) -> list[str]:
    """Comments that open with a word that hides the noun."""
    return [
        f"{each.file}:{each.line}: {each.text.splitlines()[0]}"
        for each in found
        if OPENING.match(each.text)
    ]


def test_comments_open_with_a_noun_or_a_verb() -> None:
    found = list(comments.of_tree(ROOT))
    assert len(found) > 8000
    wrong = hidden(found)
    assert len(wrong) <= MOST * len(found), "\n".join(wrong)


PLANTED = {
    "a.py": '"""What this is."""\nx = 1  # of a task\n# A list.\n# of lines\ny = "# who"\n',
    "b.c": '/* Where it goes. */\nint a; // how many\n// Count.\n// of it\nchar *s = "// what";\n',
    "c.sv": "// the same again\nlogic a;  // Owner of the lock.\n",
    "d.yaml": '# Which kernels.\nkey: "a # who"  # those that wait\n',
}
SAID = [
    "a.py:2: of a task",
    "a.py:1: What this is.",
    "b.c:1: Where it goes.",
    "b.c:2: how many",
    "c.sv:1: the same again",
    "d.yaml:1: Which kernels.",
    "d.yaml:2: those that wait",
]


def test_openings_that_hide_the_noun_are_found() -> None:
    texts = (each for name, text in PLANTED.items() for each in comments.of_text(name, text))
    assert hidden(texts) == SAID


@pytest.mark.parametrize("text", ["Task that waits.", "Offset of a word.", "Howling.", "offset"])
def test_openings_that_say_the_noun_pass(text: str) -> None:
    assert hidden([Comment("a.c", 1, text)]) == []
