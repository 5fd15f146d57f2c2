"""Bugs of mutexes for the golden model (see planted_model; in depth: test_model_mutex)."""

from __future__ import annotations

import pytest
from mel_gen import Command, Status

from melanion.model import mutex, task
from melanion.model.kernel import Kernel
from melanion.model.state import Core, Mutex, Task
from tests.planted_model import Plant, plant_command


def _nothing_is_inherited(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mutex, "effective", lambda kernel, subject: subject.base_priority)


def _ceiling_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mutex, "ceiling", lambda argument: None)


def _heir_goes_to_the_tail(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.make_ready
    patch.setattr(
        Kernel, "make_ready", lambda self, subject, first=False: right(self, subject, False)
    )


def _anyone_unlocks(patch: pytest.MonkeyPatch) -> None:
    def unlock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.mutexes[number]
        if subject.owner is None:
            return Status.E_OBJ
        mutex._hand_over(kernel, subject)
        return Status.E_OK

    plant_command(patch, Command.MUTEX_UNLOCK, unlock)


def _locks_are_not_counted(patch: pytest.MonkeyPatch) -> None:
    def lock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        locks = kernel.mutexes[number].locks
        status = mutex.lock(kernel, core, number, argument)
        kernel.mutexes[number].locks = locks or kernel.mutexes[number].locks
        return status

    plant_command(patch, Command.MUTEX_LOCK, lock)


def _cycle_is_closed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mutex, "_closes_cycle", lambda kernel, subject, caller: False)
    patch.setattr(mutex, "inherit", lambda kernel, subject: None)  # else it never ends


def _orphan_to_nobody(patch: pytest.MonkeyPatch) -> None:
    def orphan(kernel: Kernel, number: int, ended: int) -> int | None:
        mutex._disown(kernel, kernel.mutexes[number])
        return None

    patch.setattr(mutex, "orphan", orphan)


def _ended_owner_keeps_its_mutexes(patch: pytest.MonkeyPatch) -> None:
    right = task._stop

    def stop(kernel: Kernel, subject: Task) -> None:
        right(kernel, subject)
        kernel.orphans.discard(subject.number)

    patch.setattr(task, "_stop", stop)
    patch.setattr(task, "_check_orphans", lambda subject: None)


def _deleted_mutex_keeps_its_owner_urgent(patch: pytest.MonkeyPatch) -> None:
    def delete(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject: Mutex = kernel.mutexes[number]
        owner = None if subject.owner is None else kernel.tasks[subject.owner]
        before = owner.priority if owner else 0
        status = mutex.delete(kernel, core, number, argument)
        if owner and owner.priority != before:
            if owner.runnable:
                kernel.unready(owner)
            owner.priority = before
            if owner.runnable:
                kernel.make_ready(owner, first=True)
        return status

    plant_command(patch, Command.MUTEX_DELETE, delete)


MUTEX_BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _nothing_is_inherited,
        _ceiling_ignored,
        _heir_goes_to_the_tail,
        _anyone_unlocks,
        _locks_are_not_counted,
        _cycle_is_closed,
        _orphan_to_nobody,
        _ended_owner_keeps_its_mutexes,
        _deleted_mutex_keeps_its_owner_urgent,
    )
}
