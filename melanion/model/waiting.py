# SPDX-License-Identifier: Apache-2.0
"""`Waiting`: waits of the tasks of the golden model: wait lists, timeouts, release, inheritance.

A timeout is relative, in ticks; the wait has an expiry, the tick in which it ends at the latest.

A task's priority is the most urgent of its base priority and, for every mutex that it owns, the
priority of the most urgent waiter and the ceiling. When a wait begins, ends or moves, `inherit`
follows the owners: each may itself wait for a mutex, whose owner then inherits in turn.
"""

from __future__ import annotations

from collections.abc import Callable

from mel_gen import ANSWER_WAITING, IdKind, Status

from melanion.model.scheduler import Scheduler
from melanion.model.state import NEVER, Core, ModelError, Task, Wait, Waited

FOREVER = 0xFFFF_FFFF


class Waiting(Scheduler):
    """Scheduler, and what tasks wait for."""

    def start_wait(
        self, subject: Task, wait: Wait, timeout: int, queue: list[int] | None = None
    ) -> int:
        """The task waits, in `queue` if any, `timeout` ticks or FOREVER; returns the answer."""
        self.unready(subject)
        subject.wait = wait
        if queue is not None:
            subject.queue = queue
            self.queue_waiter(queue, subject)
        if timeout != FOREVER:
            subject.expiry = self.now + timeout
            self.earliest = min(self.earliest, subject.expiry)
        return ANSWER_WAITING

    def end_wait(self, subject: Task, result: Status) -> None:
        """The wait of a task ends with this result; it becomes ready unless it is suspended."""
        self.leave_wait(subject)
        subject.result = result
        if subject.runnable:
            self.make_ready(subject)

    def leave_wait(self, subject: Task) -> None:
        """Take a task out of where it waits, and cancel its timeout."""
        number = subject.number
        if subject.wait == Wait.EVENT_FLAGS and self.released.pop(number, None) is None:
            self._forget_condition(number)
        if subject.queue is not None:
            subject.queue.remove(number)
            subject.queue = None
            if self.dying:
                self.dying = {n: gone for n, gone in self.dying.items() if gone.waiting}
        subject.wait = None
        self.cancel_timeout(subject)
        self.expired.discard(number)
        self.leaving.pop(number, None)
        awaited, subject.awaited = subject.awaited, None
        if awaited is not None and awaited.owner is not None:
            self.inherit(self.tasks[awaited.owner])

    def _forget_condition(self, number: int) -> None:
        """The task no longer waits for event flags; none had released it."""
        for group in self.event_flags.values():
            group.waiting.pop(number, None)

    def cancel_timeout(self, subject: Task) -> None:
        subject.expiry = NEVER
        self.late.discard(subject.number)

    def queue_waiter(self, line: list[int], subject: Task) -> None:
        """Into a wait list: behind all that are as urgent or more."""
        place = sum(1 for other in line if self.tasks[other].priority <= subject.priority)
        line.insert(place, subject.number)

    def move_waiter(self, subject: Task) -> None:
        """Its priority has changed: behind the waiters of the new one, as if it had just come."""
        if subject.queue is not None:
            subject.queue.remove(subject.number)
            self.queue_waiter(subject.queue, subject)
        if subject.awaited is None or subject.awaited.owner is None:
            return
        owner = self.tasks[subject.awaited.owner]
        if not self.links:
            self.inherit(owner)
        elif self.inherited(owner) != owner.priority:
            if self.linked is not None:
                raise ModelError(f"a second chain: task {self.linked} has not inherited yet")
            self.linked = owner.number

    # ---- inheritance ------------------------------------------------------------------------

    def effective_priority(self, subject: Task) -> int:
        """The priority that a task has by itself and by the mutexes that it owns."""
        levels = [subject.base_priority]
        for mutex in subject.owned:
            if mutex.ceiling is not None:
                levels.append(mutex.ceiling)
            if mutex.waiting:
                levels.append(self.tasks[mutex.waiting[0]].priority)
        return min(levels)

    def inherit(self, subject: Task) -> None:
        """Recompute the priority of a task; its inherited one may have changed.

        A running task keeps its turn, others go behind those of their new priority.
        """
        priority = self.inherited(subject)
        if priority == subject.priority:
            return
        self.reprioritize(subject, priority)
        self.move_waiter(subject)

    def inherited(self, subject: Task) -> int:
        """The priority that it should have."""
        return subject.base_priority if subject.dormant else self.effective_priority(subject)

    def link(self, number: int) -> int:
        """The next owner of a chain inherits; returns its priority."""
        self.begin()
        if number != self.linked:
            raise ModelError(f"task {number} is not the next of a chain: that is {self.linked}")
        self.linked = None
        self.inherit(self.tasks[number])
        return self.tasks[number].priority

    # ---- ends of waits ----------------------------------------------------------------------

    def find_late(self) -> None:
        """The tick counter has advanced: the tasks whose waits have expired are late. Those that
        flags released before it, and that have not left yet, hold judging back as these do."""
        if self.now >= self.earliest:
            self.late = {task.number for task in self.tasks.values() if task.expiry <= self.now}
            leaving = {number for number, expiry in self.leaving.items() if expiry <= self.now}
            self.expired = self.late | leaving
            expiries = (task.expiry for task in self.tasks.values())
            later = (each for each in (*expiries, *self.leaving.values()) if each > self.now)
            self.earliest = min(later, default=NEVER)

    def due(self) -> list[int]:
        """The late tasks, the most urgent first (equal priorities: any order)."""
        return sorted(self.late, key=lambda number: (self.tasks[number].priority, number))

    def timeout(self, number: int) -> Status:
        """The wait of a late task ends by its timeout; returns the result."""
        self.begin()
        if number not in self.late:
            raise ModelError(f"task {number} is not due at tick {self.time}")
        subject = self.tasks[number]
        result = Status.E_OK if subject.wait == Wait.DELAY else Status.E_TMOUT
        self.end_wait(subject, result)
        return result

    def release_waiters(self, kind: IdKind, number: int, gone: Waited) -> None:
        """An object was deleted: its waiters leave one by one (`release`); till then their waits
        may end otherwise."""
        if gone.waiting:
            self.dying[kind, number] = gone

    def check_released(self, kind: IdKind, number: int) -> None:
        """Raise ModelError: waiters of a deleted object are left, and its number is used again."""
        if (kind, number) in self.dying:
            name = f"{kind.value} {number}"
            raise ModelError(f"{name} still has waiters from before it was deleted")

    def deletes_flags(self) -> bool:
        """Waiters of event flags that were deleted are left."""
        return any(how.result == Status.E_DLT for how in self.released.values())

    def release(self, number: int) -> Status:
        """A task leaves: a waiter of flags that were set, or the first of a deleted object."""
        self.begin()
        if number in self.released:
            result = self.released[number].result
            alike = (n for n, how in self.released.items() if how.result == result)
            urgent = min(self.tasks[n].priority for n in alike)
            if self.tasks[number].priority != urgent:
                raise ModelError(f"a waiter with priority {urgent} leaves before task {number}")
            if result == Status.E_OK:
                self.words[number].value = self.released[number].flags
        else:
            firsts = [gone.waiting[0] for gone in self.dying.values()]
            if number not in firsts:
                raise ModelError(f"task {number} is neither released nor among {firsts}")
            result = Status.E_DLT
        self.end_wait(self.tasks[number], result)
        return result


# A command: (kernel, core, number, argument) → 0, a negative status, or ANSWER_WAITING.
Handler = Callable[[Waiting, Core, int, int], int]
