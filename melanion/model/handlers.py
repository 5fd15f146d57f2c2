# SPDX-License-Identifier: Apache-2.0
"""The function of every command, from the rooms of the nouns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from melanion.model import (
    deadline,
    event_flags,
    interrupt,
    mutex,
    notification,
    quantum,
    queue,
    semaphore,
    task,
    time,
    timer,
)

if TYPE_CHECKING:
    from melanion.model.kernel import Handler

HANDLERS: dict[int, Handler] = {
    int(command): handler
    for room in (
        task, semaphore, event_flags, queue, mutex, notification, interrupt, timer, time,
        quantum, deadline,
    )
    for command, handler in room.COMMANDS.items()
}  # fmt: skip
