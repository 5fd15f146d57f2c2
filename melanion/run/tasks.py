# SPDX-License-Identifier: Apache-2.0
"""States of all tasks of a run at a cycle: by the golden model, and as text of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from mel_gen import TraceKind

from melanion.build import Program
from melanion.config import System
from melanion.model import Table, TaskRow, table
from melanion.run.replaying import followed, limits, patience
from melanion.trace import Events

WIDTH = 80
_HEAD = "task name         state     priority     since waits for"
_WAITS = _HEAD.index("waits")


def task_names(program: Program) -> dict[int, str]:
    """Task number → name, from the stack that the program made for it (`ping_stack`: ping)."""
    limit = 0xFFFE  # stacks of handlers, of boot code
    return {
        stack.number: stack.symbol.removesuffix("_stack")
        for stack in program.content.stacks
        if stack.number < limit and not stack.shared
    }


def tasks(system: System, events: Events, names: Mapping[int, str]) -> Table:
    """Table of every task after these events, the first of a run. If no model follows the kernel,
    it has only the tasks that have run, and the running one."""
    if not system.kernel_info.replayed:
        return _dispatched(system, events, names)
    sizes = limits(system, system.parameters)
    called = followed(system, events)
    return table(called, sizes, system.kernel_info, patience=patience(system), names=names)


def _dispatched(system: System, events: Events, names: Mapping[int, str]) -> Table:
    """Kernels that report their switches alone (docs/decisions/0025)."""
    idle = system.parameters.tasks
    since: dict[int, int] = {}
    running = idle
    found = events[events["kind"] == TraceKind.DISPATCH]
    for cycle, task, before in found[["cycle", "a", "b"]].tolist():
        since[before] = since[task] = cycle
        running = task
    rows = tuple(
        TaskRow(
            number=number,
            name=names.get(number, ""),
            state="running" if number == running else "off core",
            core=0 if number == running else None,
            waits="",
            until=None,
            priority=None,
            base_priority=None,
            since=since.get(number, 0),
        )
        for number in sorted({*(n for n, name in names.items() if name), *since} - {idle})
    )
    return Table(rows, 0, (None if running == idle else running,))


def text(found: Table) -> str:
    """The table in lines. `priority` 3<7: 7 of its own, 3 inherited or of a ceiling."""
    lines = [_HEAD]
    for row in found.rows:
        priority = "?" if row.priority is None else f"{row.priority}"
        if row.priority != row.base_priority:
            priority += f"<{row.base_priority}"
        state = row.state if row.core is None or len(found.running) == 1 else f"core {row.core}"
        state = {"waiting, suspended": "wait+susp"}.get(state, state)
        start = f"{row.number:4d} {row.name[:12]:12s} {state:9s} {priority:8s} {row.since:9d} "
        limit = "" if row.until is None else f" until tick {row.until}"
        waits = textwrap.wrap(f"{row.waits}{limit}", WIDTH - _WAITS) or [""]
        lines += [(start + waits[0]).rstrip(), *(" " * _WAITS + more for more in waits[1:])]
    if found.diverged:
        lines += textwrap.wrap(
            f"From here on the model does not follow: {found.diverged.splitlines()[0]}", WIDTH
        )
    return "\n".join(lines)
