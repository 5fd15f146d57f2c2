# SPDX-License-Identifier: Apache-2.0
"""Bugs of task notifications for the golden model (see planted_model)."""

from __future__ import annotations

import pytest
from mel_gen import Command, Status

from melanion.model import notification, task
from melanion.model.kernel import Kernel
from melanion.model.notification import Rest
from melanion.model.state import Core, Task
from tests.model.planted_model import Plant, plant_command


def _value_after_it_was_consumed(patch: pytest.MonkeyPatch) -> None:
    def consume(kernel: Kernel, subject: Task, rest: Rest) -> None:
        note = subject.notification
        note.value = rest(note.value)
        kernel.words[subject.number].value = note.value
        note.pending = False

    patch.setattr(notification, "consume", consume)


def _nothing_is_cleared(patch: pytest.MonkeyPatch) -> None:
    right = notification.consume

    def consume(kernel: Kernel, subject: Task, rest: Rest) -> None:
        right(kernel, subject, lambda value: value)

    patch.setattr(notification, "consume", consume)


def _pending_notification_stays(patch: pytest.MonkeyPatch) -> None:
    right = notification.consume

    def consume(kernel: Kernel, subject: Task, rest: Rest) -> None:
        pending = subject.notification.pending
        right(kernel, subject, rest)
        subject.notification.pending = pending

    patch.setattr(notification, "consume", consume)


def _notification_is_lost(patch: pytest.MonkeyPatch) -> None:
    """Unless the task waits for it."""

    def give(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.tasks[number]
        status = notification.give(kernel, core, number, argument)
        subject.notification.pending = False
        return status

    plant_command(patch, Command.NOTIFICATION_GIVE, give)


def _send_overwrites(patch: pytest.MonkeyPatch) -> None:
    plant_command(patch, Command.NOTIFICATION_SEND, notification.overwrite)


def _set_replaces_the_value(patch: pytest.MonkeyPatch) -> None:
    plant_command(patch, Command.NOTIFICATION_SET, notification.overwrite)


def _clear_takes_it_back(patch: pytest.MonkeyPatch) -> None:
    def clear(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = notification.clear(kernel, core, number, argument)
        if status == Status.E_OK:
            kernel.tasks[number].notification.pending = False
        return status

    plant_command(patch, Command.NOTIFICATION_CLEAR, clear)


def _notification_outlives_the_task(patch: pytest.MonkeyPatch) -> None:
    def start(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.tasks[number]
        kept = subject.notification
        status = task.start(kernel, core, number, argument)
        subject.notification = kept
        return status

    plant_command(patch, Command.TASK_START, start)


NOTIFICATION_BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _value_after_it_was_consumed,
        _nothing_is_cleared,
        _pending_notification_stays,
        _notification_is_lost,
        _send_overwrites,
        _set_replaces_the_value,
        _clear_takes_it_back,
        _notification_outlives_the_task,
    )
}
