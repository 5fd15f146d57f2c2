# SPDX-License-Identifier: Apache-2.0
"""Progress of a simulation that takes longer than a second: cycles, speed, what is left at most."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from melanion.build import Report

_LINE = re.compile(r"progress: (\d+) cycles")


class Progress:
    """Hears the lines of a simulation's standard error; tells what they mean."""

    def __init__(
        self,
        name: str,
        max_cycles: int,
        report: Report,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._max_cycles, self._report = name, max_cycles, report
        self._clock, self._start = clock, clock()

    def heard(self, line: str) -> bool:
        """Whether the line was about progress."""
        match = _LINE.match(line)
        if match is None:
            return False
        cycles, seconds = int(match[1]), self._clock() - self._start
        speed = cycles / max(seconds, 1e-6)
        left = (self._max_cycles - cycles) / max(speed, 1.0)
        self._report(
            f"running {self._name}: {_millions(cycles)} of at most {_millions(self._max_cycles)}"
            f" cycles, {_millions(speed)} per second, {left:.0f} s left"
        )
        return True


def _millions(number: float) -> str:
    return f"{number / 1e6:.1f} M"
