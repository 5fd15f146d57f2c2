# SPDX-License-Identifier: Apache-2.0
"""The function of every command, from the modules of the nouns."""

from __future__ import annotations

import melanion.model.deadline as deadline
import melanion.model.event_flags as event_flags
import melanion.model.interrupt as interrupt
import melanion.model.mutex as mutex
import melanion.model.notification as notification
import melanion.model.quantum as quantum
import melanion.model.queue as queue
import melanion.model.semaphore as semaphore
import melanion.model.task as task
import melanion.model.time as time
import melanion.model.timer as timer
from melanion.model.waiting import Handler

HANDLERS: dict[int, Handler] = {
    int(command): handler
    for noun in (
        task, semaphore, event_flags, queue, mutex, notification, interrupt, timer, time,
        quantum, deadline,
    )
    for command, handler in noun.COMMANDS.items()
}  # fmt: skip
