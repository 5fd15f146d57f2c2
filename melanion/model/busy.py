# SPDX-License-Identifier: Apache-2.0
"""E_BUSY of the golden model: the unit is not done with what an earlier command left.

Waiters of a deleted object, messages of a deleted queue and mutexes of a task that ended go one by
one. Until they are gone, commands that would begin with the same anew are answered E_BUSY.
"""

from __future__ import annotations

from enum import Enum

from mel_gen import COMMANDS, Command, IdKind, Status

from melanion.model.state import ModelError
from melanion.model.waiting import Waiting


class Left(Enum):
    """Kinds of what a command leaves to be done."""

    WAITERS = "waiters of a deleted object"
    MESSAGES = "messages of a deleted queue"
    MUTEXES = "mutexes of a task that ended"


QUEUES = frozenset({Command.QUEUE_CREATE, Command.QUEUE_DELETE})


def _waits_for(command: Command) -> frozenset[Left]:
    if command == Command.TASK_EXIT or COMMANDS[command].id == IdKind.TASK:
        return frozenset({Left.MUTEXES})
    return frozenset({Left.WAITERS, *([Left.MESSAGES] if command in QUEUES else [])})


# Commands that are answered E_BUSY, and while what is left.
WAITS_FOR: dict[int, frozenset[Left]] = {
    int(command): _waits_for(command)
    for command, info in COMMANDS.items()
    if Status.E_BUSY in info.statuses
}


def left(kernel: Waiting) -> set[Left]:
    """Return the kinds of work that earlier commands left. Messages: none since a queue has been
    made."""
    found = set()
    if kernel.dying or kernel.deletes_flags():
        found.add(Left.WAITERS)
    if kernel.purges:
        found.add(Left.MESSAGES)
    if kernel.orphans:
        found.add(Left.MUTEXES)
    return found


def check(op: int) -> None:
    """Raise ModelError when a command is never answered E_BUSY."""
    if op not in WAITS_FOR:
        raise ModelError("this command is never answered E_BUSY")
