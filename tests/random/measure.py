# SPDX-License-Identifier: Apache-2.0
"""Exact values expected of the monitor's registers, from the trace and the log of a run.

An event stands in the trace one cycle after it took effect; a load returns the value of the cycle
before its response. Effects of a cycle are visible in the next, and clearing wins.
"""

from __future__ import annotations

from collections import Counter

from mel_gen import Command, Register, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from tests.random.records import LINES, STORE, Access, RejectedError

BUCKETS = 16
WORD = 0xFFFF_FFFF
LATENCIES = range(Register.LATENCY_0, Register.LATENCY_15 + 4, 4)


class Measures:
    """Follows a run. All cycles are those of effects."""

    def __init__(self, kernel: Kernel, *, exact: bool, steps: int = 0) -> None:
        self.kernel = kernel
        self.exact = exact
        # Cycles of other reports, and of the steps before them.
        self.patience = kernel.limits.tasks + kernel.limits.cores + 2 + steps
        cores = kernel.limits.cores
        self.sums: dict[int, int] = {}  # task: cycles that it ran
        self.grows: list[int | None] = [None] * cores  # since when the running task's sum grows
        self.levels: list[list[tuple[int, bool]]] = [[(0, False)] for _ in range(cores)]
        self.answered = [0] * cores  # the first cycle in which a wait may begin
        self.waits: list[list[tuple[int, int]]] = [[] for _ in range(cores)]  # (cycle, length)
        self.runs: list[tuple[int, int]] = []  # (cycle, bucket)
        self.clears: list[int] = [0]
        self.misses: list[tuple[int, int]] = []  # (cycle, 1 of a budget)
        self.budgets: dict[int, int] = {}  # task: how long it has run when its budget is used up
        self.since: dict[int, int] = {}  # task that an interrupt made ready: since when
        self.before: dict[int, bool] = {}

    # ---- what happens ---------------------------------------------------------------------------

    def access(self, access: Access) -> None:
        """A line of a core changed, or an access has its response."""
        if access.kind == LINES:
            self.levels[access.core].append((access.answered, bool(access.read)))
        elif (
            access.kind == STORE and access.address == Register.MONITOR and access.byte_enable == 15
        ):
            self.clears.append(access.answered - 1)

    def before_event(self, event: Event) -> None:
        """The model is about to execute it."""
        cycle, core = event[0] - 1, event[2]
        tasks = self.kernel.tasks
        watched = tasks if event[1] == TraceKind.IRQ else self.since
        self.before = {n: tasks[n].runnable for n in watched if n in tasks}
        if event[1] in (TraceKind.DISPATCH, TraceKind.CLAIM):
            self._stop(core, cycle)
            self._answer(core, cycle)

    def event(self, event: Event, counter: Counter[str]) -> None:
        """The model has executed it."""
        cycle, kind, number = event[0] - 1, event[1], event[2]
        core = self.kernel.cores[number]
        if kind == TraceKind.COMMAND and event[3] & 0xFF == Command.TASK_DELETE and not event[6]:
            self.sums.pop(event[4], None)
        if kind == TraceKind.MISS:
            self.misses.append((cycle, event[4]))
        self._budget(event, cycle)
        if kind == TraceKind.IRQ:
            for task, runnable in self.before.items():
                if self.kernel.tasks[task].runnable and not runnable:
                    self.since[task] = cycle
        else:
            self._forget()
        if kind == TraceKind.DISPATCH and core.running is not None:
            self.grows[number] = cycle
            if core.running in self.since:
                passed = cycle - self.since.pop(core.running)
                bucket = min(max(passed, 1).bit_length() - 1, BUCKETS - 1)
                self.runs.append((cycle + 1, bucket))
                counter["a task runs after an interrupt"] += 1

    def _budget(self, event: Event, cycle: int) -> None:
        """A budget that is used up is reported at once: after ticks and other reports."""
        kernel = self.kernel
        if event[1] == TraceKind.COMMAND and event[3] & 0xFF == Command.BUDGET_SET and not event[6]:
            self.budgets[event[4]] = self._total(event[4], cycle) + event[5]
        if event[1] == TraceKind.MISS and event[4]:
            over = self._total(event[3], cycle) - self.budgets[event[3]]
            if not 0 <= over <= self.patience and self.exact:
                raise RejectedError(f"task {event[3]} ran {over} cycles beyond its budget")
        if not self.budgets:
            return
        self.budgets = {
            n: end
            for n, end in self.budgets.items()
            if n in kernel.tasks and kernel.tasks[n].budget
        }
        for number, end in self.budgets.items():
            if self._total(number, cycle) > end + self.patience and self.exact:
                raise RejectedError(f"task {number} has used up its budget, not reported")

    def _forget(self) -> None:
        """Tasks that were held or ended before they ran."""
        for number in list(self.since):
            task = self.kernel.tasks.get(number)
            if task is None or task.dormant or (task.suspended and self.before.get(number)):
                del self.since[number]

    def _stop(self, number: int, cycle: int) -> None:
        since, task = self.grows[number], self.kernel.cores[number].running
        if since is not None and task is not None:
            self.sums[task] = self.sums.get(task, 0) + cycle - since
        self.grows[number] = None

    def _answer(self, core: int, cycle: int) -> None:
        since = None
        for start, high in self.levels[core]:
            if start > cycle:
                break
            since = start if high and since is None else since if high else None
        if since is not None:
            self.waits[core].append((cycle, cycle - max(since, self.answered[core])))
        self.answered[core] = cycle + 1
        self.levels[core] = self.levels[core][-8:]

    # ---- what a load returns --------------------------------------------------------------------

    def expected(self, access: Access) -> int:
        """The word of a register of the monitor, loaded whole."""
        cycle = access.answered - 1
        clear = max(c for c in self.clears if c < cycle or c == 0)
        if access.address == Register.MONITOR:
            return self.kernel.limits.monitor
        measured = access.address not in (Register.MISSED_DEADLINES, Register.BUDGET_OVERRUNS)
        if measured and not self.kernel.limits.monitor:
            return 0
        if access.address == Register.LONGEST_WAIT:
            found = [length for c, length in self.waits[access.core] if clear < c < cycle]
            return max(found, default=0)
        if access.address in (Register.MISSED_DEADLINES, Register.BUDGET_OVERRUNS):
            budget = access.address == Register.BUDGET_OVERRUNS
            return sum(1 for c, kind in self.misses if kind == budget and clear < c < cycle)
        bucket = (access.address - Register.LATENCY_0) // 4
        return sum(1 for c, found in self.runs if found == bucket and clear < c < cycle)

    def run_time(self, task: int, access: Access) -> int:
        """The word of the query run_time."""
        if not self.kernel.limits.monitor:
            return 0
        return self._total(task, access.answered - 1) & WORD

    def _total(self, task: int, cycle: int) -> int:
        total = self.sums.get(task, 0)
        for core in self.kernel.cores:
            since = self.grows[core.number]
            if core.running == task and since is not None:
                total += cycle - since
        return total
