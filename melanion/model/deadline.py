# SPDX-License-Identifier: Apache-2.0
"""Deadlines and budgets of tasks, of the golden model.

A deadline that the tick counter reaches is owed as an event of its own (`Kernel.miss`); when a
budget is used up, the model, which knows no cycles, takes the word of the run.
"""

from __future__ import annotations

from mel_gen import Command, Status

from melanion.model.state import NEVER, Core, ModelError, State
from melanion.model.waiting import Handler


def set_deadline(kernel: State, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    kernel.overdue.discard(number)
    subject.deadline = kernel.now + argument if argument else NEVER
    return Status.E_OK


def set_budget(kernel: State, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    subject.budget = argument
    return Status.E_OK


def find(kernel: State) -> None:
    """The tick counter has advanced: whose deadline it is."""
    kernel.overdue |= {task.number for task in kernel.tasks.values() if task.deadline == kernel.now}


def miss(kernel: State, number: int, *, budget: bool) -> None:
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
        subject.deadline = NEVER
        kernel.missed_deadlines += 1
    kernel.reported = number | budget << 16
    kernel.rise(kernel.limits.lines - 1)


COMMANDS: dict[Command, Handler] = {
    Command.DEADLINE_SET: set_deadline,
    Command.BUDGET_SET: set_budget,
}
