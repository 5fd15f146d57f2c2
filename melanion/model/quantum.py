# SPDX-License-Identifier: Apache-2.0
"""The round-robin quantum of the golden model: how many ticks a task runs before its equals do.

A slice is what a task has used since it last came to the end of a ready list. It is counted and
judged at ticks. The running task whose slice is over then goes behind the others if one of them
could run in its place when all waits that end with this tick have ended: an event of its own
(`Kernel.slice`). If none could, it goes on, and is judged again at the next tick.
"""

from __future__ import annotations

from mel_gen import Command, Status

from melanion.model.scheduler import Scheduler
from melanion.model.state import Core, ModelError, State
from melanion.model.waiting import Handler

USED_LIMIT = 0xFFFF  # ticks; the count stays there


def set_(kernel: Scheduler, core: Core, number: int, argument: int) -> int:
    kernel.quanta[argument >> 16] = argument & 0xFFFF
    return Status.E_OK


def bad_quantum(kernel: State, argument: int, operand: int) -> bool:
    return argument >> 16 >= kernel.limits.priorities


def count(kernel: Scheduler) -> None:
    """The tick counter has advanced: it counts for the tasks that run."""
    for core in kernel.cores:
        core.spent = False
        if core.apart:
            running = kernel.running_task(core)
            running.used = min(running.used + 1, USED_LIMIT)
            core.spent = 0 < kernel.quanta[running.priority] <= running.used
    kernel.judging = True


def end_slice(kernel: Scheduler, core: Core) -> int:
    """The running task goes behind the others of its priority; returns it."""
    if not kernel.slice_over(core):
        raise ModelError(f"no task on core {core.number} has used its quantum while others wait")
    running = kernel.running_task(core)
    core.apart = core.spent = False
    kernel.to_tail(running)
    return running.number


COMMANDS: dict[Command, Handler] = {Command.QUANTUM_SET: set_}
