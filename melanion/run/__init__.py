# SPDX-License-Identifier: Apache-2.0
"""Runs programs on simulated hardware: simulate, read the trace, replay on the golden model."""

from melanion.run.errors import RunError
from melanion.run.held import Held, held
from melanion.run.result import CacheCount, RunResult
from melanion.run.runner import run_program
from melanion.run.settings import settings_of, speeds
from melanion.run.waits import Waits

__all__ = [
    "CacheCount",
    "Held",
    "RunError",
    "RunResult",
    "Waits",
    "held",
    "run_program",
    "settings_of",
    "speeds",
]
