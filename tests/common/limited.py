# SPDX-License-Identifier: Apache-2.0
"""Programs that a test starts may use so much processor time: a busy machine ends none of them."""

from __future__ import annotations

import resource
from collections.abc import Callable

HUNG = 3600  # seconds on the clock: what has not answered by then waits for ever


def processor(seconds: int) -> Callable[[], None]:
    """`preexec_fn` of subprocess: the program, and each that it starts, is ended beyond this."""

    def limit() -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))

    return limit
