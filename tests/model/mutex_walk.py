# SPDX-License-Identifier: Apache-2.0
"""Random lives of tasks and mutexes on the golden model, judged by a second account of them.

`Walk` makes one allowed event after the other and tells it to `Account`, which knows who owns what
and who waits where, but keeps no priority from one event to the next: a task's priority is found
anew as the most urgent of its base priority, its ceilings and everything that it must inherit, by
the transitive closure over owners and waiters. After every event priorities, owners, wait lists
and ready lists of the model must be those of the account.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from mel_gen import ANSWER_WAITING, LOCKS_LIMIT, Command, IdKind, Status

from melanion.model import Kernel, Limits
from melanion.model.waiting import FOREVER

SIZES = Limits(tasks=7, priorities=6, semaphores=1, mutexes=5, interrupts=1, timers=0)
# Weights of the commands: mutexes must be held, several at once, and waited for.
WEIGHTS = {
    Command.MUTEX_LOCK: 30,
    Command.MUTEX_UNLOCK: 12,
    Command.MUTEX_CREATE: 3,
    Command.MUTEX_DELETE: 1,
    Command.TASK_START: 10,
    Command.TASK_SET_PRIORITY: 5,
    Command.TASK_RELEASE: 3,
    Command.TASK_SUSPEND: 2,
    Command.TASK_RESUME: 6,
    Command.TASK_TERMINATE: 1,
    Command.TASK_EXIT: 1,
    Command.SEMAPHORE_TAKE: 3,
    Command.SEMAPHORE_GIVE: 2,
}
TIMEOUTS = (0, 1, 2, 4, 9, FOREVER, FOREVER)


@dataclass(eq=False)
class Place:
    """Object that tasks wait for: a mutex, or the semaphore (`owner` stays None)."""

    ceiling: int | None = None
    owner: int | None = None
    locks: int = 0
    abandoned: bool = False


@dataclass
class Account:
    """State of every task and mutex, tracked without the model."""

    initial: dict[int, int]
    base: dict[int, int] = field(default_factory=dict)  # base priority; dormant tasks are absent
    suspended: set[int] = field(default_factory=set)
    waits: dict[int, Place] = field(default_factory=dict)
    mutexes: dict[int, Place] = field(default_factory=dict)
    gone: dict[int, Place] = field(default_factory=dict)  # deleted mutexes with waiters
    semaphore: Place = field(default_factory=Place)
    units: int = 0
    clock: int = 0
    running: int | None = None
    order: dict[int, int] = field(default_factory=dict)  # in a list, among equal priorities
    places: dict[int, object] = field(default_factory=dict)  # last place of each task
    levels: dict[int, int] = field(default_factory=dict)  # as of the last event

    # ---- what follows from the facts --------------------------------------------------------

    def owned(self, task: int) -> list[Place]:
        return [place for place in self.mutexes.values() if place.owner == task]

    def waiters(self, place: Place) -> list[int]:
        """In order of service, by the priorities as of the last event."""
        found = [task for task, where in self.waits.items() if where is place]
        return sorted(found, key=lambda task: (self.levels[task], self.order[task]))

    def heirs(self, task: int) -> set[int]:
        """The task, all that wait for it, all that wait for those, and so on."""
        found: set[int] = set()
        fresh = {task}
        while fresh:
            found |= fresh
            held = [place for member in fresh for place in self.owned(member)]
            fresh = {t for t, where in self.waits.items() if where in held} - found
        return found

    def level(self, task: int) -> int:
        """The priority that a task must have."""
        if task not in self.base:
            return self.initial[task]
        heirs = self.heirs(task)
        ceilings = [place.ceiling for member in heirs for place in self.owned(member)]
        return min([self.base[t] for t in heirs] + [c for c in ceilings if c is not None])

    def runnable(self, task: int) -> bool:
        return task in self.base and task not in self.suspended and task not in self.waits

    # ---- events -----------------------------------------------------------------------------

    def lock_answer(self, task: int, mutex: int, timeout: int) -> int:
        place = self.mutexes.get(mutex)
        if place is None:
            return Status.E_NOEXS
        if place.ceiling is not None and self.base[task] < place.ceiling:
            return Status.E_ILUSE
        if place.owner is None:
            return Status.E_OK
        if place.owner == task:
            return Status.E_QOVR if place.locks == LOCKS_LIMIT else Status.E_OK
        if timeout == 0:
            return Status.E_TMOUT
        return Status.E_ILUSE if place.owner in self.heirs(task) else ANSWER_WAITING

    def unlock_answer(self, task: int, mutex: int) -> int:
        place = self.mutexes.get(mutex)
        if place is None:
            return Status.E_NOEXS
        if place.owner is None:
            return Status.E_OBJ
        return Status.E_OK if place.owner == task else Status.E_ILUSE

    def lock(self, task: int, mutex: int, answer: int) -> None:
        place = self.mutexes[mutex]
        if answer == ANSWER_WAITING:
            self.waits[task] = place
        else:
            place.owner = task
            place.locks += 1

    def unlock(self, mutex: int) -> None:
        place = self.mutexes[mutex]
        place.locks -= 1
        if place.locks == 0:
            place.abandoned = False
            self.hand_over(place)

    def hand_over(self, place: Place) -> int | None:
        first = next(iter(self.waiters(place)), None)
        place.owner = first
        place.locks = int(first is not None)
        if first is not None:
            del self.waits[first]
        return first

    def orphan(self, mutex: int) -> int | None:
        self.mutexes[mutex].abandoned = True
        return self.hand_over(self.mutexes[mutex])

    def delete(self, mutex: int) -> None:
        place = self.mutexes.pop(mutex)
        place.owner = None
        if self.waiters(place):
            self.gone[mutex] = place

    def end(self, task: int) -> None:
        self.waits.pop(task, None)
        self.suspended.discard(task)
        del self.base[task]

    def give(self) -> None:
        first = next(iter(self.waiters(self.semaphore)), None)
        if first is None:
            self.units += 1
        else:
            del self.waits[first]

    def settle(self, behind: int | None) -> None:
        """After an event: who came into a list, or moved in it. `behind`: task_set_priority.

        One that comes goes behind its equals, as does one whose inherited priority changes; a
        running task goes before them then.
        """
        self.gone = {n: place for n, place in self.gone.items() if place in self.waits.values()}
        levels = {task: self.level(task) for task in self.initial}
        for task, level in levels.items():
            place = self.waits.get(task, self.runnable(task))
            came = place is not self.places.get(task)
            if came or level != self.levels[task] or task == behind:
                self.clock += 1
                first = not came and task != behind and task == self.running
                self.order[task] = -self.clock if first else self.clock
            self.places[task] = place
        self.levels = levels


class Walk:
    """One random walk of the model. `run()` raises AssertionError at the first difference."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kernel = Kernel(SIZES)
        self.core = self.kernel.cores[0]
        priorities = {task: self.random.randrange(SIZES.priorities) for task in range(SIZES.tasks)}
        self.account = Account(priorities)
        self.seen: set[str] = set()  # situations met at least once

    def run(self, events: int) -> None:
        for task, priority in self.account.initial.items():
            self.kernel.command(0, Command.TASK_CREATE, task, priority)
        self.kernel.command(0, Command.SEMAPHORE_CREATE, 0, 0xFFFF << 16)
        self.kernel.command(0, Command.DISPATCH_ENABLE, 0, 0)
        self.account.running = self.core.running
        self.account.settle(None)
        for _ in range(events):
            moved = self.step()
            self.account.running = self.core.running
            self.account.settle(moved)
            self.check()

    def note(self, what: str) -> None:
        self.seen.add(what)

    # ---- one event --------------------------------------------------------------------------

    def step(self) -> int | None:
        """Make one event; returns the task of a task_set_priority."""
        kernel, core, chance = self.kernel, self.core, self.random.random()
        if kernel.orphans and chance < 0.5:
            self.orphan()
        elif kernel.late and chance < 0.6:
            self.timeout()
        elif kernel.dying and chance < 0.6:
            self.release()
        elif self.dispatches(chance):
            kernel.dispatch(0)
        elif chance < 0.64:
            kernel.tick()
        elif not core.in_handler and chance < 0.68:
            kernel.claim(0)
        else:
            return self.command()
        return None

    def dispatches(self, chance: float) -> bool:
        if self.core.in_handler:
            return chance < 0.5
        caller = self.core.running
        stopped = caller is not None and not self.kernel.tasks[caller].runnable
        return stopped or (self.kernel.dispatch_due(self.core) and chance < 0.9)

    def orphan(self) -> None:
        ended = self.random.choice(sorted(self.kernel.orphans))
        owned = [n for n, place in self.account.mutexes.items() if place.owner == ended]
        assert owned, f"task {ended} left no mutex"
        mutex = self.random.choice(owned)
        heir = self.kernel.orphan(mutex, ended)
        assert heir == self.account.orphan(mutex)
        self.note("orphan free" if heir is None else "orphan handed over")

    def timeout(self) -> None:
        task = self.kernel.due()[0]
        assert self.kernel.timeout(task) == Status.E_TMOUT
        del self.account.waits[task]
        self.note("timeout of an owner" if self.account.owned(task) else "timeout")

    def release(self) -> None:
        place = self.random.choice(list(self.account.gone.values()))
        task = self.account.waiters(place)[0]
        assert self.kernel.release(task) == Status.E_DLT
        del self.account.waits[task]
        self.note("release")

    def command(self) -> int | None:
        account, chosen = self.account, self.random
        task = None if self.core.in_handler else self.core.running
        op = chosen.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        subject = chosen.randrange(SIZES.tasks)
        mutex = self.mutex(op, task)
        number = {IdKind.MUTEX: mutex, IdKind.TASK: subject}.get(_kind(op), 0)
        argument = self.argument(op)
        if op == Command.MUTEX_CREATE and mutex in account.gone:
            return None
        if op == Command.TASK_START and subject in self.kernel.orphans:
            return None
        expected: int | None = None
        if op == Command.MUTEX_LOCK:
            expected = Status.E_CTX
            if task is not None:
                expected = account.lock_answer(task, mutex, argument)
        elif op == Command.MUTEX_UNLOCK:
            expected = Status.E_CTX if task is None else account.unlock_answer(task, mutex)
        answer = self.kernel.command(0, op, number, argument)
        assert expected is None or answer == expected, f"{op.name}: {answer}, not {expected}"
        self.note(f"{op.name} {answer}")
        if op == Command.MUTEX_LOCK and answer == Status.E_ILUSE and task is not None:
            owner = account.mutexes[mutex].owner
            chain = [] if owner is None else [owner, *self.owners(owner)]
            self.note(f"cycle of {len(chain)}" if task in chain else "above the ceiling")
        if answer < 0:
            return None
        return self.tell(op, task, number, argument, answer)

    def mutex(self, op: Command, task: int | None) -> int:
        """One mutex; more often than chance would, one that makes chains longer."""
        account = self.account
        wanted: list[int] = []
        chance = self.random.random()
        if op == Command.MUTEX_LOCK and task is not None and chance < 0.7:
            heirs = account.heirs(task) - {task}
            if chance < 0.1:  # would close a cycle
                wanted = [n for n, place in account.mutexes.items() if place.owner in heirs]
            else:
                owned = bool(account.owned(task))
                wanted = [n for n, p in account.mutexes.items() if (p.owner is not None) == owned]
        return self.random.choice(wanted or range(SIZES.mutexes))

    def argument(self, op: Command) -> int:
        if op in (Command.MUTEX_LOCK, Command.SEMAPHORE_TAKE):
            return self.random.choice(TIMEOUTS)
        if op == Command.MUTEX_CREATE:
            return self.random.choice((0, 0, 0x100 | self.random.randrange(SIZES.priorities)))
        return self.random.randrange(SIZES.priorities) if op == Command.TASK_SET_PRIORITY else 0

    def tell(
        self, op: Command, task: int | None, number: int, argument: int, answer: int
    ) -> int | None:
        """Tell the account of a command that was not refused."""
        account = self.account
        match op:
            case Command.MUTEX_LOCK:
                assert task is not None
                account.lock(task, number, answer)
            case Command.MUTEX_UNLOCK:
                account.unlock(number)
            case Command.MUTEX_CREATE:
                account.mutexes[number] = Place(argument & 0xFF if argument else None)
            case Command.MUTEX_DELETE:
                account.delete(number)
            case Command.TASK_START:
                account.base[number] = account.initial[number]
            case Command.TASK_SET_PRIORITY:
                account.base[number] = argument
                return number
            case Command.TASK_RELEASE:
                del account.waits[number]
            case Command.TASK_SUSPEND:
                account.suspended.add(number)
            case Command.TASK_RESUME:
                account.suspended.remove(number)
            case Command.TASK_TERMINATE:
                account.end(number)
            case Command.TASK_EXIT:
                assert task is not None
                account.end(task)
            case Command.SEMAPHORE_GIVE:
                account.give()
            case Command.SEMAPHORE_TAKE if answer == ANSWER_WAITING:
                assert task is not None
                account.waits[task] = account.semaphore
            case Command.SEMAPHORE_TAKE:
                account.units -= 1
        return None

    # ---- the comparison ---------------------------------------------------------------------

    def check(self) -> None:
        kernel, account = self.kernel, self.account
        for task, level in account.levels.items():
            found = kernel.tasks[task].priority
            assert found == level, f"task {task} has priority {found}, not {level}"
            self.note(f"chain of {len(self.chain(task))}")
        assert set(kernel.mutexes) == set(account.mutexes)
        for number, place in account.mutexes.items():
            subject = kernel.mutexes[number]
            known = (place.owner, place.locks, place.abandoned)
            assert (subject.owner, subject.locks, subject.abandoned) == known, f"mutex {number}"
            assert subject.waiting == account.waiters(place), f"waiters of mutex {number}"
        for number, place in account.gone.items():
            assert kernel.dying[IdKind.MUTEX, number].waiting == account.waiters(place)
        assert len(kernel.dying) == len(account.gone)
        assert kernel.semaphores[0].waiting == account.waiters(account.semaphore)
        assert kernel.semaphores[0].count == account.units
        for priority, line in enumerate(kernel.ready):
            equals = [t for t in account.initial if account.runnable(t)]
            equals = [t for t in equals if account.levels[t] == priority]
            assert line == sorted(equals, key=account.order.__getitem__), f"ready at {priority}"

    def chain(self, task: int) -> list[int]:
        """The owners that a task waits for, one after the other; there is no cycle."""
        found = list(self.owners(task))
        assert len(set(found)) == len(found) and task not in found, f"task {task} is in a deadlock"
        return found

    def owners(self, task: int) -> Iterator[int]:
        for _ in range(SIZES.tasks + 1):
            subject = self.kernel.tasks[task].awaited
            if subject is None or subject.owner is None:
                return
            task = subject.owner
            yield task


def _kind(op: Command) -> IdKind:
    return IdKind.MUTEX if op.name.startswith("MUTEX") else IdKind.TASK
