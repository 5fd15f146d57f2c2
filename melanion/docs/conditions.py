# SPDX-License-Identifier: Apache-2.0
"""Conditions of asserted figures in words: the commit of their file, the systems, the ticks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from melanion import config, paths
from melanion.build import tools
from melanion.docs.errors import DocsError

ROOT = paths.data_root()


def conditions(rows: Path, kernels: Sequence[str]) -> str:
    """Commit of a file of rows, and the systems."""
    systems = [config.find(kernel) for kernel in kernels]
    # As text in the kernels' order; what several share stands once.
    words = dict.fromkeys(
        f"{s.core.count} × {s.core.type} {s.core.variant}, {s.memory.kib} KiB of memory with"
        f" {s.memory.speed}, {s.parameters.tasks} tasks, {s.parameters.priorities} priorities"
        + (f", a {s.bridge.text(s.clock_mhz)} (`{s.name}`)" if s.bridge else "")
        for s in systems
    )
    return f"{asserted(rows)}; every system: {', '.join(words)}."


def asserted(rows: Path) -> str:
    """Since which commit a file of rows is as it is."""
    log = ["git", "-C", str(ROOT), "log", "-1", "--format=%h", "--abbrev=12", "--", str(rows)]
    done = tools.run(log)
    commit = "" if done.status else done.output.strip()
    return f"Asserted since commit `{commit or 'unknown'}`"


def ticks() -> str:
    """The tick lengths of the benchmark `latency` in words, read from its source."""
    folder = ROOT / "apps" / "benchmarks" / "latency"

    def constant(file: str, name: str) -> int:
        match = re.search(rf"\b{name} = (\d+)", (folder / file).read_text(encoding="utf-8"))
        if match is None:
            raise DocsError(f"apps/benchmarks/latency/{file} has no constant {name}.")
        return int(match[1])

    idle = constant("ticks.c", "TICK_IDLE_CYCLES")
    base, each = (constant("ticks.c", f"WAKE_TICK_CYCLES{end}") for end in ("", "_A_TASK"))
    irq = constant("interrupts.c", "TICK_CYCLES")
    return (
        f"{irq} cycles while interrupts are measured, {idle} where a tick wakes no task,"
        f" {base} + {each}·n where it wakes n tasks; stopped while calls are measured"
    )
