# SPDX-License-Identifier: Apache-2.0
"""Bugs of mutexes that can be planted in the golden model; as tests/model/planted_model.py."""

from __future__ import annotations

import pytest
from mel_gen import LOCKS_LIMIT, Command, Status

from melanion.model import mutex, task
from melanion.model.kernel import Kernel
from melanion.model.state import Core, Mutex, Task
from tests.model.planted_model import Plant, plant_command


def _not_transitive(patch: pytest.MonkeyPatch) -> None:
    """Only the direct owner inherits."""
    right = Kernel.move_waiter

    def move_waiter(self: Kernel, subject: Task) -> None:
        awaited, subject.awaited = subject.awaited, None
        right(self, subject)
        subject.awaited = awaited

    patch.setattr(Kernel, "move_waiter", move_waiter)


def _unlock_restores_the_base(patch: pytest.MonkeyPatch) -> None:
    """The classic: what other mutexes still give is forgotten."""
    right = mutex._disown

    def disown(kernel: Kernel, subject: Mutex) -> None:
        assert subject.owner is not None
        owner = kernel.tasks[subject.owner]
        kept, owner.owned = owner.owned, [subject]
        right(kernel, subject)
        kept.remove(subject)
        owner.owned = kept

    patch.setattr(mutex, "_disown", disown)


def _kept_until_the_last_unlock(patch: pytest.MonkeyPatch) -> None:
    """The simplification of small kernels: what was inherited goes with the last mutex."""
    right = Kernel.effective_priority

    def effective_priority(self: Kernel, subject: Task) -> int:
        level = right(self, subject)
        return min(level, subject.priority) if subject.owned else level

    patch.setattr(Kernel, "effective_priority", effective_priority)


def _timeout_lowers_nobody(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.leave_wait

    def leave_wait(self: Kernel, subject: Task) -> None:
        subject.awaited = None
        right(self, subject)

    patch.setattr(Kernel, "leave_wait", leave_wait)


def _boosted_waiter_keeps_its_place(patch: pytest.MonkeyPatch) -> None:
    def inherit(self: Kernel, subject: Task) -> None:
        priority = subject.base_priority if subject.dormant else self.effective_priority(subject)
        if subject.runnable and priority != subject.priority:
            self.unready(subject)
            subject.priority = priority
            self.make_ready(subject, first=True)
        subject.priority = priority

    patch.setattr(Kernel, "inherit", inherit)


def _inherited_change_goes_to_the_tail(patch: pytest.MonkeyPatch) -> None:
    right = Kernel.make_ready
    patch.setattr(Kernel, "make_ready", lambda self, subject, first=False: right(self, subject))


def _any_priority_below_a_waiter(patch: pytest.MonkeyPatch) -> None:
    """task_set_priority of an owner forgets what it inherits."""

    def set_priority(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.tasks[number]
        kept, subject.owned = subject.owned, []
        try:
            return task.set_priority(kernel, core, number, argument)
        finally:
            subject.owned = kept

    plant_command(patch, Command.TASK_SET_PRIORITY, set_priority)


def _deadlock_of_at_most(patch: pytest.MonkeyPatch, most: int) -> None:
    """Longer cycles are closed. The right search would then follow them for ever."""

    def deadlock(kernel: Kernel, subject: Mutex, caller: Task) -> list[Mutex]:
        chain: list[Mutex] = []
        awaited: Mutex | None = subject
        while awaited is not None and awaited.owner is not None and len(chain) < most:
            chain.append(awaited)
            if awaited.owner == caller.number:
                return chain
            awaited = kernel.tasks[awaited.owner].awaited
        return []

    patch.setattr(mutex, "deadlock", deadlock)


def _deadlock_of_two_only(patch: pytest.MonkeyPatch) -> None:
    _deadlock_of_at_most(patch, 2)


def _deadlock_of_three_at_most(patch: pytest.MonkeyPatch) -> None:
    _deadlock_of_at_most(patch, 3)


def _new_owner_ignores_the_ceiling(patch: pytest.MonkeyPatch) -> None:
    right = mutex._hand_over

    def hand_over(kernel: Kernel, subject: Mutex) -> None:
        ceiling, subject.ceiling = subject.ceiling, None
        right(kernel, subject)
        subject.ceiling = ceiling

    patch.setattr(mutex, "_hand_over", hand_over)


def _ceiling_of_the_current_priority(patch: pytest.MonkeyPatch) -> None:
    """E_ILUSE by what the caller inherits, not by its base priority."""

    def lock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        caller = kernel.running_task(core)
        base, caller.base_priority = caller.base_priority, caller.priority
        try:
            ceiling = kernel.mutexes[number].ceiling
            refused = ceiling is not None and caller.base_priority < ceiling
        finally:
            caller.base_priority = base
        return Status.E_ILUSE if refused else mutex.lock(kernel, core, number, argument)

    plant_command(patch, Command.MUTEX_LOCK, lock)


def _anybody_unlocks(patch: pytest.MonkeyPatch) -> None:
    def unlock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.mutexes[number]
        if subject.owner is None:
            return Status.E_OBJ
        running, core.running = core.running, subject.owner
        try:
            return mutex.unlock(kernel, core, number, argument)
        finally:
            core.running = running

    plant_command(patch, Command.MUTEX_UNLOCK, unlock)


def _first_unlock_is_the_last(patch: pytest.MonkeyPatch) -> None:
    def unlock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.mutexes[number]
        if subject.owner == core.running:
            subject.locks = 1
        return mutex.unlock(kernel, core, number, argument)

    plant_command(patch, Command.MUTEX_UNLOCK, unlock)


def _one_lock_more_than_the_limit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mutex, "LOCKS_LIMIT", LOCKS_LIMIT + 1)


def _orphan_is_not_abandoned(patch: pytest.MonkeyPatch) -> None:
    right = mutex.orphan

    def orphan(kernel: Kernel, number: int, ended: int) -> int | None:
        owner = right(kernel, number, ended)
        kernel.mutexes[number].abandoned = False
        return owner

    patch.setattr(mutex, "orphan", orphan)


def _delete_lowers_nobody(patch: pytest.MonkeyPatch) -> None:
    def delete(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(Kernel, "inherit", lambda *_: None)
            return mutex.delete(kernel, core, number, argument)

    plant_command(patch, Command.MUTEX_DELETE, delete)


def _nothing_is_inherited(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Kernel, "effective_priority", lambda self, subject: subject.base_priority)


def _ceiling_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mutex, "ceiling", lambda argument: None)


def _locks_are_not_counted(patch: pytest.MonkeyPatch) -> None:
    def lock(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        locks = kernel.mutexes[number].locks
        status = mutex.lock(kernel, core, number, argument)
        kernel.mutexes[number].locks = locks or kernel.mutexes[number].locks
        return status

    plant_command(patch, Command.MUTEX_LOCK, lock)


def _cycle_is_closed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mutex, "deadlock", lambda kernel, subject, caller: [])
    patch.setattr(Kernel, "inherit", lambda self, subject: None)  # else it never ends


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


MUTEX_BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _nothing_is_inherited,
        _ceiling_ignored,
        _locks_are_not_counted,
        _cycle_is_closed,
        _orphan_to_nobody,
        _ended_owner_keeps_its_mutexes,
        _not_transitive,
        _unlock_restores_the_base,
        _kept_until_the_last_unlock,
        _timeout_lowers_nobody,
        _boosted_waiter_keeps_its_place,
        _inherited_change_goes_to_the_tail,
        _any_priority_below_a_waiter,
        _deadlock_of_two_only,
        _deadlock_of_three_at_most,
        _new_owner_ignores_the_ceiling,
        _ceiling_of_the_current_priority,
        _anybody_unlocks,
        _first_unlock_is_the_last,
        _one_lock_more_than_the_limit,
        _delete_lowers_nobody,
    )
}
# No event of a run shows them: programs ask the kernel.
QUERIED_MUTEX_BUGS: dict[str, Plant] = {"orphan_is_not_abandoned": _orphan_is_not_abandoned}
