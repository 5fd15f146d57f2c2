# SPDX-License-Identifier: Apache-2.0
"""Notification commands of the golden model: a value of 32 bits and a pending mark per task.

Whoever notifies changes the value; the task then has a notification pending, or, when it waits for
one, is released. A task that waits never has one pending.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from mel_gen import Command, Status

from melanion.model.state import Core, Task, Wait
from melanion.model.waiting import Handler, Waiting

WORD = 0xFFFF_FFFF
Change = Callable[[int, int], int]  # (value, argument): the new value
Rest = Callable[[int], int]  # value: what remains of it


@dataclass(frozen=True)
class Without:
    """A `Rest`: all but some bits. Equal ones are equal, unlike functions."""

    bits: int

    def __call__(self, value: int) -> int:
        return value & ~self.bits


def notify(
    kernel: Waiting, core: Core | None, number: int, argument: int, *, change: Change
) -> int:
    """Also the action of an interrupt; then there is no core."""
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    note = subject.notification
    note.value = change(note.value, argument)
    if subject.wait == Wait.NOTIFICATION:
        consume(kernel, subject, note.rest)
        kernel.end_wait(subject, Status.E_OK)
    else:
        note.pending = True
    return Status.E_OK


def consume(kernel: Waiting, subject: Task, rest: Rest) -> None:
    """The task gets its notification value; what its call leaves of it stays."""
    note = subject.notification
    kernel.words[subject.number].value = note.value
    note.value = rest(note.value)
    note.pending = False


def send(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if not subject.dormant and subject.notification.pending:
        return Status.E_QOVR
    return overwrite(kernel, core, number, argument)


def clear(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant:
        return Status.E_OBJ
    kernel.words_of(core).value = subject.notification.value
    subject.notification.value &= ~argument
    return Status.E_OK


def cancel(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.tasks[number]
    if subject.dormant or not subject.notification.pending:
        return Status.E_OBJ
    subject.notification.pending = False
    return Status.E_OK


def _wait_unless(found: bool, kernel: Waiting, core: Core, timeout: int, rest: Rest) -> int:
    subject = kernel.running_task(core)
    if found:
        consume(kernel, subject, rest)
        return Status.E_OK
    if timeout == 0:
        return Status.E_TMOUT
    subject.notification.pending = False
    subject.notification.rest = rest
    return kernel.start_wait(subject, Wait.NOTIFICATION, timeout)


def wait(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    note = kernel.running_task(core).notification
    timeout = kernel.words_of(core).operand
    return _wait_unless(note.pending, kernel, core, timeout, Without(argument))


def take(kernel: Waiting, core: Core, number: int, argument: int, *, rest: Rest) -> int:
    note = kernel.running_task(core).notification
    return _wait_unless(note.value != 0, kernel, core, argument, rest)


set_ = partial(notify, change=lambda value, bits: value | bits)
give = partial(notify, change=lambda value, _: value + 1 & WORD)
overwrite = partial(notify, change=lambda _, word: word)

COMMANDS: dict[Command, Handler] = {
    Command.NOTIFICATION_SET: set_,
    Command.NOTIFICATION_GIVE: give,
    Command.NOTIFICATION_OVERWRITE: overwrite,
    Command.NOTIFICATION_SEND: send,
    Command.NOTIFICATION_CLEAR: clear,
    Command.NOTIFICATION_CANCEL: cancel,
    Command.NOTIFICATION_WAIT: wait,
    Command.NOTIFICATION_TAKE: partial(take, rest=lambda value: max(value - 1, 0)),
    Command.NOTIFICATION_TAKE_ALL: partial(take, rest=lambda value: 0),
}
