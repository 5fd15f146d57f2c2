# SPDX-License-Identifier: Apache-2.0
"""Bugs of operand, value and event flags for the golden model (see planted_model)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest
from mel_gen import COMMANDS, Command, Status

from melanion.model import event_flags
from melanion.model.kernel import Kernel
from melanion.model.state import Condition, Core, EventFlags, Released
from tests.model.planted_model import Plant, plant_command


def _one_pair_of_words_for_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Kernel, "words_of", lambda self, core: self.words[0])


def _operand_is_consumed(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.command

    def command(self: Kernel, core: int, op: int, number: int, argument: int) -> int:
        words = self.words_of(self.cores[core])
        answer = right(self, core, op, number, argument)
        if op in set(Command) and COMMANDS[Command(op)].operand:
            words.operand = 0
        return answer

    patch.setattr(Kernel, "command", command)


def _all_is_any(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Condition, "holds", lambda self, flags: flags & self.pattern != 0)


def _any_is_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Condition, "holds", lambda self, flags: flags & self.pattern == self.pattern)


def _take_clears_nothing(patch: pytest.MonkeyPatch) -> None:
    for command, every in (
        (Command.EVENT_FLAGS_TAKE_ANY, False),
        (Command.EVENT_FLAGS_TAKE_ALL, True),
    ):
        plant_command(patch, command, partial(event_flags.wait, every=every, takes=False))


def _take_clears_all_flags(patch: pytest.MonkeyPatch) -> None:
    def take(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = event_flags.wait(kernel, core, number, argument, every=False, takes=True)
        if status == Status.E_OK:
            kernel.event_flags[number].flags = 0
        return status

    plant_command(patch, Command.EVENT_FLAGS_TAKE_ANY, take)


def _value_after_the_clear(patch: pytest.MonkeyPatch) -> None:
    def take(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = event_flags.wait(kernel, core, number, argument, every=False, takes=True)
        if status == Status.E_OK:
            kernel.words_of(core).value = kernel.event_flags[number].flags
        return status

    plant_command(patch, Command.EVENT_FLAGS_TAKE_ANY, take)


def _waiters_judged_one_by_one(patch: pytest.MonkeyPatch) -> None:
    """A take hides its flags from the waiters that are judged after it."""

    def set_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        group = kernel.event_flags[number]
        group.flags |= argument
        for waiter, condition in list(group.waiting.items()):
            if condition.holds(group.flags):
                how = Released(Status.E_OK, group.flags)
                event_flags._release(kernel, group, [waiter], how)
                if condition.takes:
                    group.flags &= ~condition.pattern
        return Status.E_OK

    plant_command(patch, Command.EVENT_FLAGS_SET, set_)


def _set_releases_one_only(patch: pytest.MonkeyPatch) -> None:
    right = event_flags._release

    def release(kernel: Kernel, group: EventFlags, numbers: Iterable[int], how: Released) -> None:
        right(kernel, group, list(numbers)[:1], how)

    patch.setattr(event_flags, "_release", release)


def _set_replaces_the_flags(patch: pytest.MonkeyPatch) -> None:
    def set_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        kernel.event_flags[number].flags = 0
        return event_flags.set_(kernel, core, number, argument)

    plant_command(patch, Command.EVENT_FLAGS_SET, set_)


def _wait_sees_later_flags_only(patch: pytest.MonkeyPatch) -> None:
    def wait(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        group = kernel.event_flags[number]
        flags, group.flags = group.flags, 0
        status = event_flags.wait(kernel, core, number, argument, every=False, takes=False)
        group.flags = flags
        return status

    plant_command(patch, Command.EVENT_FLAGS_WAIT_ANY, wait)


def _released_task_times_out(patch: pytest.MonkeyPatch) -> None:
    def release(kernel: Kernel, group: EventFlags, numbers: Iterable[int], how: Released) -> None:
        for number in list(numbers):
            del group.waiting[number]
            kernel.released[number] = how

    patch.setattr(event_flags, "_release", release)


def _released_task_in_arrival_order(patch: pytest.MonkeyPatch) -> None:
    """Not the most urgent first."""
    right = Kernel.release

    def release(self: Kernel, number: int) -> Status:
        if self.released:
            number = next(iter(self.released))
            result = self.released[number].result
            self.end_wait(self.tasks[number], result)
            return result
        return right(self, number)

    patch.setattr(Kernel, "release", release)


def _deleted_flags_end_with_success(patch: pytest.MonkeyPatch) -> None:
    right = event_flags._release

    def release(kernel: Kernel, group: EventFlags, numbers: Iterable[int], how: Released) -> None:
        right(kernel, group, list(numbers), Released(Status.E_OK, group.flags))

    patch.setattr(event_flags, "_release", release)


def _released_task_is_released_by_force(patch: pytest.MonkeyPatch) -> None:
    def release(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.tasks[number]
        if not subject.wait:
            return Status.E_OBJ
        kernel.end_wait(subject, Status.E_RLWAI)
        return Status.E_OK

    plant_command(patch, Command.TASK_RELEASE, release)


FLAG_BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _one_pair_of_words_for_all,
        _operand_is_consumed,
        _all_is_any,
        _any_is_all,
        _take_clears_nothing,
        _take_clears_all_flags,
        _value_after_the_clear,
        _waiters_judged_one_by_one,
        _set_releases_one_only,
        _set_replaces_the_flags,
        _wait_sees_later_flags_only,
        _released_task_times_out,
        _released_task_in_arrival_order,
        _deleted_flags_end_with_success,
        _released_task_is_released_by_force,
    )
}
