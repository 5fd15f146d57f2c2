# SPDX-License-Identifier: Apache-2.0
"""A limit in processor seconds for a program and all that it starts.

Contract: the program is the leader of a session of its own (`start_new_session`); processes of that
session count, and those that they have waited for. A busy machine ends nothing. Read from /proc:
without it there is no limit.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

POLL = 1.0  # seconds between two looks
TICK = os.sysconf("SC_CLK_TCK")
SESSION, TIMES = 3, slice(11, 15)  # places in /proc/PID/stat, counted from the state


class Exhausted(Exception):
    """The program has used up its limit; it still runs."""


def finish(process: subprocess.Popen[str], seconds: float) -> str:
    """Wait for the program and return its output. Raises Exhausted."""
    while True:
        try:
            text, _ = process.communicate(timeout=POLL)
        except subprocess.TimeoutExpired:
            if processor_seconds(process.pid) > seconds:
                raise Exhausted from None
        else:
            return text


def processor_seconds(session: int) -> float:
    """Processor seconds used by the processes of a session."""
    total = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[SESSION]) == session:
            total += sum(map(int, fields[TIMES]))
    return total / TICK
