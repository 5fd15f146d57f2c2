# SPDX-License-Identifier: Apache-2.0
"""Runs programs on simulated hardware: simulate, read the trace, replay on the golden model."""

from melanion.run.console_input import ConsoleInput
from melanion.run.errors import RunError
from melanion.run.held import Held, held
from melanion.run.result import CacheCount, RunResult
from melanion.run.runner import run_program
from melanion.run.settings import Decided, Settings, speeds
from melanion.run.waits import Waits

__all__ = [
    "CacheCount",
    "ConsoleInput",
    "Decided",
    "Held",
    "RunError",
    "RunResult",
    "Settings",
    "Waits",
    "held",
    "run_program",
    "speeds",
]
