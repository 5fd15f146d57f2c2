# SPDX-License-Identifier: Apache-2.0
"""Mutexes of the golden model: random lives, judged by brute force after every event."""

from __future__ import annotations

import pytest

from melanion.model import ModelError, mutex
from tests.model import mutex_walk
from tests.model.planted_model import Plant
from tests.model.planted_mutex import MUTEX_BUGS, QUERIED_MUTEX_BUGS

SEEDS = range(20)  # a cycle of four is met by seed 15
SOAK = range(20, 200)
EVENTS = 2_500
# Situations that these walks must meet; else they would show less than they seem to.
MET = {
    "chain of 4",
    "orphan free",
    "orphan handed over",
    "release",
    "timeout of an owner",
    "SEMAPHORE_TAKE 2",
    "above the ceiling",
    "cycle of 2",
    "cycle of 3",
    "cycle of 4",
    "MUTEX_LOCK -43",
    "MUTEX_UNLOCK -41",
    "MUTEX_UNLOCK -28",
}
LOCKS = 3  # a walk does not lock a mutex 255 times (tests/scenarios/mutex_locks_limit.yaml does)


@pytest.fixture(autouse=True)
def few_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutex, "LOCKS_LIMIT", LOCKS)
    monkeypatch.setattr(mutex_walk, "LOCKS_LIMIT", LOCKS)


def walked(seed: int) -> set[str]:
    """Walk once; what was met. AssertionError: the model and the account differ."""
    walk = mutex_walk.Walk(seed)
    try:
        walk.run(EVENTS)
    except AssertionError as difference:
        raise AssertionError(f"{difference} (tests.model.mutex_walk.Walk({seed}))") from difference
    return walk.seen


def test_priorities_owners_and_lists_are_those_of_the_account() -> None:
    seen: set[str] = set()
    for seed in SEEDS:
        seen |= walked(seed)
    assert seen >= MET


@pytest.mark.soak
def test_more_walks_agree_with_the_account() -> None:
    for seed in SOAK:
        walked(seed)


ALL_BUGS = MUTEX_BUGS | QUERIED_MUTEX_BUGS


@pytest.mark.parametrize("plant", ALL_BUGS.values(), ids=ALL_BUGS)
def test_a_planted_bug_is_caught(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a difference to the account; a model that breaks its own rules is none."""
    plant(monkeypatch)
    for seed in SEEDS:
        try:
            walked(seed)
        except AssertionError:
            return
        except (ModelError, ValueError, KeyError, RecursionError):
            continue
    pytest.fail("the account agrees with the bug")
