# SPDX-License-Identifier: Apache-2.0
"""Deadlines and budgets of tasks, of the golden model.

A deadline that the tick counter reaches is owed as an event of its own (`Kernel.miss`); when a
budget is used up, the model, which knows no cycles, takes the word of the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mel_gen import Command, Status

from melanion.model import interrupt
from melanion.model.state import NEVER, Core, ModelError, Task

if TYPE_CHECKING:
    from melanion.model.kernel import Handler, Kernel


def set_deadline(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    kernel.overdue.discard(number)
    subject.watch = kernel.now + argument if argument else NEVER
    return Status.E_OK


def set_budget(kernel: Kernel, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    subject.budget = argument
    return Status.E_OK


def forget(kernel: Kernel, subject: Task) -> None:
    """The task ends."""
    kernel.overdue.discard(subject.number)
    subject.watch = NEVER
    subject.budget = 0


def find(kernel: Kernel) -> None:
    """The tick counter has advanced: whose deadline it is."""
    kernel.overdue |= {task.number for task in kernel.tasks.values() if task.watch == kernel.now}


def miss(kernel: Kernel, number: int, *, budget: bool) -> None:
    """A deadline was missed, or a budget used up: counted, and an edge of the report line."""
    subject = kernel.tasks.get(number)
    if budget:
        if subject is None or not subject.budget:
            raise ModelError(f"task {number} has no budget")
        subject.budget = 0
        kernel.budget_overruns += 1
    else:
        if subject is None or number not in kernel.overdue:
            raise ModelError(f"the deadline of task {number} is not missed")
        kernel.overdue.discard(number)
        subject.watch = NEVER
        kernel.missed_deadlines += 1
    kernel.reported = number | budget << 16
    interrupt.rise(kernel, kernel.limits.lines - 1)


COMMANDS: dict[Command, Handler] = {
    Command.DEADLINE_SET: set_deadline,
    Command.BUDGET_SET: set_budget,
}
