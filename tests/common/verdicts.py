# SPDX-License-Identifier: Apache-2.0
"""The verdicts about a document, from the cycles that tests assert; and whether they could be other
ones."""

from __future__ import annotations

import math
from dataclasses import replace

from melanion.claims.claim import Rule
from melanion.claims.verdict import judge
from melanion.docs.pages.reproduced import reproduction

Place = tuple[str, int, str]  # experiment, place of the claim, kernel


def without_rows(seed: str) -> dict[str, list[str]]:
    """By experiment the kernels that exist and have no asserted rows yet."""
    found = {}
    for result in reproduction(seed).results:
        missing = [each for each in result.definition.kernels if each not in result.kernels]
        if missing:
            found[result.experiment] = missing
    return found


def less(seed: str) -> dict[Place, str]:
    """The verdicts that are less than "reproduced" and "holds"."""
    found = reproduction(seed)
    return {
        (result.experiment, result.definition.claims.index(verdict.claim), verdict.kernel): (
            verdict.word
        )
        for result in found.results
        for verdict in found.of(result)
        if verdict.word not in ("reproduced", "holds")
    }


def unshakable(seed: str) -> list[Place]:
    """Claims that hold although their limits ask for what was not measured."""
    found = []
    for result in reproduction(seed).results:
        for place, claim in enumerate(result.definition.claims):
            wrong = claim.model_copy(update={"rules": [_impossible(rule) for rule in claim.rules]})
            definition = result.definition.model_copy(update={"claims": [wrong]})
            for verdict in judge(replace(result, definition=definition)):
                if verdict.word not in ("not", "broken"):
                    found.append((result.experiment, place, verdict.kernel))
    return found


def _impossible(rule: Rule) -> Rule:
    if rule.at_least is None and rule.at_most is None:
        return rule
    return rule.model_copy(update={"at_least": math.inf, "at_most": None, "times_paper": False})
