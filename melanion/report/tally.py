# SPDX-License-Identifier: Apache-2.0
"""Counts of claims by verdict, separately for verdicts decided by measurement, by a program that
was set up as in the paper, and by a choice of ours. Only measurements say something about a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

from melanion.claims.claim import DecidedBy
from melanion.claims.verdict import WORDS, Verdict

MET = {words[0] for words in WORDS.values()}

# Addition to a verdict in a line of a table.
FASTER = "ours faster"
MISSED = "of our own targets missed"  # stands for `broken` in a tally

MARKS: dict[DecidedBy, str] = {
    "measurement": "",
    "setup": "set up as in the paper",
    "choice": "by our choice",
}


def verdict_text(verdict: Verdict) -> str:
    """`reproduced`, `reproduced (by our choice)`; `not (ours faster)`; `set up as in the paper`,
    and `not (set up as in the paper)` where that failed."""
    mark = MARKS[verdict.decided_by] or (FASTER if verdict.is_faster else "")
    if verdict.decided_by == "setup" and verdict.word in MET:
        return mark
    return f"{verdict.word} ({mark})" if mark else verdict.word


def tally(verdicts: Sequence[Verdict]) -> str:
    """`claims of the paper: 12 reproduced, 2 partly, 0 not, and 32 set up as in the paper; claims
    of ours: 20 hold, 0 of our own targets missed`. Claims that a choice of ours decides have no
    verdict here, only their number."""
    parts = []
    for by, whose in (("paper", "the paper"), ("ours", "ours")):
        found = [verdict for verdict in verdicts if verdict.claim.by == by]
        if found:
            parts.append(f"claims of {whose}: {_classes(found, by)}")
    return "; ".join(parts)


def _classes(verdicts: Sequence[Verdict], by: str) -> str:
    """The verdicts of one side, class after class."""
    of: dict[DecidedBy, list[str]] = {
        kind: [each.word for each in verdicts if each.decided_by == kind] for kind in MARKS
    }
    said = [_counts(of["measurement"], by)]
    if of["setup"]:
        met = sum(word in MET for word in of["setup"])
        every = "" if met == len(of["setup"]) else f" of {len(of['setup'])}"
        said.append(f"{met}{every} {MARKS['setup']}")
    if of["choice"]:
        said.append(f"{len(of['choice'])} not counted, since we chose what decides them")
    return ", and ".join(said) if len(said) < 3 else f"{said[0]}, {said[1]}, and {said[2]}"


def _counts(words: Sequence[str], by: str) -> str:
    """`12 reproduced, 2 partly, 0 not`. Of ours `partly` is rare, and said only where there is
    one."""
    return ", ".join(
        f"{count} {_told(word, count)}"
        for word in WORDS[by]
        if (count := words.count(word)) or by == "paper" or word != "partly"
    )


def _told(word: str, count: int) -> str:
    if word == WORDS["ours"][2]:
        return MISSED
    return "hold" if word == "holds" and count != 1 else word
