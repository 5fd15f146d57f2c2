# SPDX-License-Identifier: Apache-2.0
"""Words of comments and documents: how comments open, and words that are retired."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from melanion import paths
from tests.rules import comments
from tests.rules.comments import Comment

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
    found = list(comments.of_tree())
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


# ---- retired words -------------------------------------------------------------------------------

# Phrase → what to write. A link's target, a code span and a quoted listing are names: left out.
RETIRED = {
    r"time[-\s]+limits?": "timeout; for its tick: expiry",
    r"rooms?": "folder or module; for storage: space",
    r"seeds?\s+\d{3}|\*+(?:the\s+)?seed\*+|the\s+seed[’']s|the\s+seeds[’']": "reference document",
    r"planted\s+(?:bug|error)s?|(?:bug|error)s?\s+planted": "mutant",
    r"compound\s+steps?": "atomic sequence",
    r"attachments?": "coupling",
    r"seams?": "interface",
    r"gauges?": "extractor",
    r"pieces?": "excerpt of a run, node of a syntax tree, block of logic",
    r"stor(?:y|ies)": "scenario",
}
# English for storage, which comments speak of.
OF_DOCUMENTS = {r"rooms?"}
GENERATED = re.compile(r"^<!-- (?:Generated|Made) .*Do not edit", re.MULTILINE)
MADE = re.compile(r"<!-- (made|area): (?!end)[\w-]+ -->.*?<!-- \1: end -->", re.DOTALL)
NAMED = re.compile(r"^```[^\n]*\n.*?^```$|(?<=\])\([^)\s]+\)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HISTORY = "CHANGELOG.md"  # says what was called so then


def hand_written(text: str) -> str:
    """Lines of a document, those that a command makes and names of the tree left blank."""
    if GENERATED.search(text):
        return ""
    return NAMED.sub(_blank, MADE.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def retired(file: str, text: str, phrases: Mapping[str, str] = RETIRED) -> list[str]:
    """Retired phrases of a document or comment, each with its replacement."""
    prose = hand_written(text)
    found = [
        (prose.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), instead)
        for phrase, instead in phrases.items()
        for match in re.finditer(rf"(?<!\w)(?:{phrase})(?!\w)", prose, re.IGNORECASE)
    ]
    return [f"{file}:{line}: {phrase}: write {instead}" for line, phrase, instead in sorted(found)]


def documents() -> dict[str, str]:
    """Every document of the tree, by name."""
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in comments.written()
        if path.suffix == ".md" and name != HISTORY
    }


def test_documents_have_no_retired_words() -> None:
    texts = documents()
    written = {name for name, text in texts.items() if hand_written(text)}
    assert {"README.md", "docs/glossary.md", "docs/reference/rtu.md", "kernel/README.md"} <= written
    assert {"docs/reference/commands.md", "docs/reference/proofs.md"} <= set(texts) - written
    wrong = [each for name, text in texts.items() for each in retired(name, text)]
    assert wrong == [], "\n".join(wrong)


def test_comments_have_no_retired_words() -> None:
    phrases = {each: instead for each, instead in RETIRED.items() if each not in OF_DOCUMENTS}
    mine = Path(__file__).relative_to(ROOT).as_posix()
    wrong = [
        f"{comment.line}: {each}"
        for comment in comments.of_tree()
        if comment.file != mine
        for each in retired(comment.file, comment.text, phrases)
    ]
    assert wrong == [], "\n".join(wrong)


RETIRED_AND_PLANTED = """Time limits pass; a time
limit ends.
Every room, of `rooms.py`, [here](rooms.md).
After seed 004, with --seed 4: a *seed*; the seed's ratios. A run's seed.
Planted bugs, bugs planted, planted errors.
A compound
step.
Attachments; a seam; gauges.
Two pieces, stories.
"""


def test_retired_words_are_found() -> None:
    found = retired("a.md", RETIRED_AND_PLANTED)
    assert [each.rpartition(": write ")[0] for each in found] == [
        "a.md:1: Time limits",
        "a.md:1: time limit",
        "a.md:3: room",
        "a.md:4: *seed*",
        "a.md:4: seed 004",
        "a.md:4: the seed's",
        "a.md:5: Planted bugs",
        "a.md:5: bugs planted",
        "a.md:5: planted errors",
        "a.md:6: compound step",
        "a.md:8: Attachments",
        "a.md:8: gauges",
        "a.md:8: seam",
        "a.md:9: pieces",
        "a.md:9: stories",
    ]
    assert {each.rpartition(": write ")[2] for each in found} == set(RETIRED.values())


@pytest.mark.parametrize(
    "text",
    [
        "<!-- made: x -->\n\nroom\n\n<!-- made: end -->\n",
        "<!-- area: x -->\n\nroom\n\n<!-- area: end -->\n",
        "<!-- from: a.yaml -->\n```yaml\n# room\n```\n",
        "# Page\n<!-- Generated from spec/. Do not edit: change spec/. -->\n\nA room.\n",
        "The run's seed; headroom; a deadline.",
    ],
)
def test_names_made_blocks_and_other_words_pass(text: str) -> None:
    assert retired("a.md", text) == []


def test_retired_words_behind_a_made_block_are_found() -> None:
    text = "<!-- made: x -->\n\nroom\n\n<!-- made: end -->\nThe room.\n"
    assert retired("a.md", text) == ["a.md:6: room: write folder or module; for storage: space"]
