# SPDX-License-Identifier: Apache-2.0
"""Event flag commands of the golden model.

A set releases every waiting task whose condition holds, all judged by the same flags; the released
tasks leave one by one (`Kernel.release`), and count as waiting till then: a task that is terminated
before keeps its value word. Tasks that a deletion releases leave likewise; their timeouts go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from mel_gen import Command, Status

from melanion.model.state import Condition, Core, EventFlags, ModelError, Released, Wait
from melanion.model.waiting import Handler, Waiting


def create(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if number in kernel.event_flags:
        return Status.E_OBJ
    if kernel.deletes_flags():
        raise ModelError("waiters of deleted event flags are left, and a group is made")
    kernel.event_flags[number] = EventFlags(argument)
    return Status.E_OK


def delete(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    group = kernel.event_flags.pop(number)
    _release(kernel, group, list(group.waiting), Released(Status.E_DLT, 0))
    return Status.E_OK


def set_(kernel: Waiting, core: Core | None, number: int, argument: int) -> int:
    """Also the action of an interrupt; then there is no core."""
    group = kernel.event_flags[number]
    flags = group.flags | argument
    held = {n: c for n, c in group.waiting.items() if c.holds(flags)}
    _release(kernel, group, held, Released(Status.E_OK, flags))
    for condition in held.values():
        if condition.takes:
            flags &= ~condition.pattern
    group.flags = flags
    return Status.E_OK


def _release(kernel: Waiting, group: EventFlags, numbers: Iterable[int], how: Released) -> None:
    for number in numbers:
        del group.waiting[number]
        kernel.released[number] = how
        if how.result == Status.E_OK:
            kernel.leaving[number] = kernel.tasks[number].expiry
            kernel.cancel_timeout(kernel.tasks[number])


def clear(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    kernel.event_flags[number].flags &= ~argument
    return Status.E_OK


def wait(
    kernel: Waiting, core: Core, number: int, argument: int, *, every: bool, takes: bool
) -> int:
    group = kernel.event_flags[number]
    words = kernel.words_of(core)
    condition = Condition(argument, every, takes)
    if condition.holds(group.flags):
        words.value = group.flags
        if takes:
            group.flags &= ~argument
        return Status.E_OK
    if words.operand == 0:
        return Status.E_TMOUT
    caller = kernel.running_task(core)
    group.waiting[caller.number] = condition
    return kernel.start_wait(caller, Wait.EVENT_FLAGS, words.operand)


COMMANDS: dict[Command, Handler] = {
    Command.EVENT_FLAGS_CREATE: create,
    Command.EVENT_FLAGS_DELETE: delete,
    Command.EVENT_FLAGS_SET: set_,
    Command.EVENT_FLAGS_CLEAR: clear,
    Command.EVENT_FLAGS_WAIT_ANY: partial(wait, every=False, takes=False),
    Command.EVENT_FLAGS_WAIT_ALL: partial(wait, every=True, takes=False),
    Command.EVENT_FLAGS_TAKE_ANY: partial(wait, every=False, takes=True),
    Command.EVENT_FLAGS_TAKE_ALL: partial(wait, every=True, takes=True),
}
