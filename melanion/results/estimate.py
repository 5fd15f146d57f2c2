"""How long a set still takes: by what its units took when they were asked for last, and by how fast
this set is compared with that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from melanion.results.gather import Job

UNKNOWN = 60.0  # seconds, of a unit when nothing is known of any
LEAST = 0.2  # seconds, of a unit that was only looked up


class Estimate:
    """`known`: seconds of units that were asked for before."""

    def __init__(self, jobs: Sequence[Job], known: Mapping[Job, float]) -> None:
        spent = [known[job] for job in jobs if job in known]
        usual = sum(spent) / len(spent) if spent else UNKNOWN
        self._weights = {job: max(known.get(job, usual), LEAST) for job in jobs}
        self._done: set[Job] = set()

    @property
    def count(self) -> tuple[int, int]:
        """Units that are done, and all."""
        return len(self._done), len(self._weights)

    def done(self, job: Job) -> None:
        self._done.add(job)

    def left(self, elapsed: float) -> float | None:
        """Seconds, when so many have passed; None before the first unit is done."""
        if not self._done:
            return None
        done = sum(self._weights[job] for job in self._done)
        rest = sum(weight for job, weight in self._weights.items() if job not in self._done)
        return elapsed * rest / done


def words(seconds: float | None) -> str:
    """`about 9 min left`; empty when nothing is known."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"about {max(round(seconds), 1)} s left"
    minutes = round(seconds / 60)
    return f"about {minutes} min left" if minutes < 100 else f"about {round(minutes / 60)} h left"
