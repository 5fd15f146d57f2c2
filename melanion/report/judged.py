# SPDX-License-Identifier: Apache-2.0
"""Judges of the runs that a table shows, in words."""

from __future__ import annotations

from collections.abc import Iterable

from melanion.claims.result import unreplayed


def judged(kernels: Iterable[str]) -> str:
    """For a line under a table."""
    names = list(kernels)
    others = unreplayed(names)
    if not others:
        return "agrees with the golden model"
    if len(others) == len(names):
        return "judged by the program's self-checks, replayed by no model"
    return (
        f"agrees with the golden model, {', '.join(others)} excepted: there the program's"
        " self-checks decided, no model replayed them"
    )


def sentence(kernels: Iterable[str]) -> str:
    """For a page."""
    names = list(kernels)
    others = unreplayed(names)
    replayed = "replayed event by event against the golden model and agreed with it."
    if not others:
        return f"Every run was {replayed}"
    alone = (
        f"No model knows what the calls of {', '.join(others)} mean: there the program's"
        " self-checks decided."
    )
    if len(others) == len(names):
        return alone
    return f"Every run but those of {', '.join(others)} was {replayed} {alone}"
