# SPDX-License-Identifier: Apache-2.0
"""Estimate the remaining time of a set: from the last durations of its units, from the pace of this
set compared with those, and from the share of its units that need not be measured again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from melanion.results.gather import Job

UNKNOWN = 60.0  # seconds, of a unit when nothing is known of any


class Estimate:
    """`known`: seconds of units that were measured before; `workers`: units at a time."""

    def __init__(self, jobs: Sequence[Job], known: Mapping[Job, float], workers: int) -> None:
        spent = [known[job] for job in jobs if job in known]
        usual = sum(spent) / len(spent) if spent else UNKNOWN
        self._expected = {job: known.get(job, usual) for job in jobs}
        self._workers = max(workers, 1)
        self._measured: dict[Job, float] = {}
        self._found: dict[Job, float] = {}

    @property
    def count(self) -> tuple[int, int]:
        """Units that are done, and all."""
        return len(self._measured) + len(self._found), len(self._expected)

    def done(self, job: Job, seconds: float, *, found: bool) -> None:
        """A unit took so long; `found`: it was only looked up."""
        (self._found if found else self._measured)[job] = seconds

    def left(self) -> float | None:
        """Seconds; None before the first unit is done."""
        done, every = self.count
        if not done:
            return None
        share = len(self._found) / done  # share only looked up, assumed for the rest, too
        lookup = sum(self._found.values()) / len(self._found) if self._found else 0.0
        before = sum(self._expected[job] for job in self._measured)
        pace = sum(self._measured.values()) / before if before > 0 else 1.0
        rest = sum(
            seconds
            for job, seconds in self._expected.items()
            if job not in self._measured and job not in self._found
        )
        found, measured = share * (every - done) * lookup, (1 - share) * pace * rest
        return (found + measured) / self._workers


def words(seconds: float | None) -> str:
    """`about 9 min left`; empty when nothing is known."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"about {max(round(seconds), 1)} s left"
    minutes = round(seconds / 60)
    return f"about {minutes} min left" if minutes < 100 else f"about {round(minutes / 60)} h left"
