# SPDX-License-Identifier: Apache-2.0
"""Mutants of microwords: random scripts notice each of a sample, on one bench that loads programs.

`python -m tests.random.microwords` makes the sample anew when too many of its words have changed.
"""

from __future__ import annotations

import pytest

from tests.random import microwords, steps
from tests.random.microwords import Mutant, Script, noticed, search, words

ALL = microwords.load()
NOTICED = [mutant for mutant in ALL if mutant.profile]
THERE = 0.5  # share of the sample whose words the program must still have
SHARE = 0.8  # of all words


def test_without_a_mutant_scripts_notice_nothing() -> None:
    """Each that a mutant of the sample is noticed by."""
    right = words(steps.names().program, None)
    assert right is not None
    scripts = {script(mutant) for mutant in NOTICED if text(mutant)}
    assert {each: noticed(right, *each) for each in scripts} == dict.fromkeys(scripts, "")


def script(mutant: Mutant) -> Script:
    return mutant.profile, mutant.seed, mutant.commands


def text(mutant: Mutant) -> str | None:
    return words(steps.names().program, mutant)


@pytest.mark.parametrize("mutant", NOTICED, ids=str)
def test_a_mutant_is_noticed(mutant: Mutant) -> None:
    program = text(mutant)
    if program is None:
        return  # the word has changed; test_the_sample_is_of_this_program counts those
    found = noticed(program, *script(mutant)) or search(program, mutant.file)
    assert found, f"no script notices {mutant}"


def test_the_sample_is_of_this_program() -> None:
    there = [mutant for mutant in ALL if text(mutant)]
    anew = "`python -m tests.random.microwords` makes the sample anew"
    assert len(there) > THERE * microwords.SAMPLE, anew


def test_a_mutant_that_nothing_notices_has_a_reason() -> None:
    assert [str(mutant) for mutant in ALL if not mutant.profile and not mutant.why] == []


def test_a_mutant_changes_one_field_of_one_word() -> None:
    program = steps.names().program
    right = (words(program, None) or "").splitlines()
    for mutant in NOTICED[:5]:
        wrong = (text(mutant) or "").splitlines()
        pairs = zip(right, wrong, strict=True)
        assert sum(a != b for a, b in pairs) == 1 or not wrong
    assert (words(program, None) or "").splitlines() == right


@pytest.mark.soak
def test_most_mutants_of_all_words_are_noticed() -> None:
    """Survivors are printed."""
    program = steps.names().program
    mutants = microwords.sample(program, len(program.words))
    left = [mutant for mutant in microwords.search_all(mutants) if not mutant.profile]
    print(f"{len(left)} of {len(mutants)} are not noticed", *left, sep="\n")
    assert len(left) < (1 - SHARE) * len(mutants)
