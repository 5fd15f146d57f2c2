# SPDX-License-Identifier: Apache-2.0
"""Several commands in the middle of background work: what a script plays into a race."""

from __future__ import annotations

import random
from collections.abc import Mapping

from mel_gen import COMMANDS, LOCKS_LIMIT, Command, IdKind

from melanion.model import Kernel, Limits
from melanion.model.state import Waited
from tests.random.operands import FOREVER, Operands
from tests.random.profiles import NOTIFICATIONS, Profile
from tests.random.script import Entry, Flag, Kind

DISTURBING = (
    Command.TASK_RELEASE,
    Command.TASK_SET_PRIORITY,
    Command.TASK_SUSPEND,
    Command.TASK_TERMINATE,
    Command.TASK_WAKEUP,
    Command.TASK_RESUME,
)
MAKE_AND_DELETE = {
    IdKind.SEMAPHORE: (Command.SEMAPHORE_CREATE, Command.SEMAPHORE_DELETE),
    IdKind.EVENT_FLAGS: (Command.EVENT_FLAGS_CREATE, Command.EVENT_FLAGS_DELETE),
    IdKind.QUEUE: (Command.QUEUE_CREATE, Command.QUEUE_DELETE),
    IdKind.MUTEX: (Command.MUTEX_CREATE, Command.MUTEX_DELETE),
}
UNDISTURBED = Flag.IGNORE_DISPATCH | Flag.IGNORE_HANDLER


class Bursts(Operands):
    """Each `race_` gives entries that belong together; empty when the state is not ripe for it."""

    def __init__(
        self, chance: random.Random, limits: Limits, kernel: Kernel, profile: Profile
    ) -> None:
        super().__init__(chance, limits, kernel, profile.objects, profile.notifications)
        self.profile = profile
        kinds = {IdKind.NONE, IdKind.INTERRUPT} | {k for k, found in self.numbers.items() if found}
        self.commands = [
            c
            for c in Command
            if COMMANDS[c].id in kinds and (profile.notifications or c not in NOTIFICATIONS)
        ]
        missing = [c for c in Command if COMMANDS[c].id in profile.objects - kinds]
        self.wild = [op for op in range(64) if op not in set(Command)] + [int(c) for c in missing]
        self.pile = chance.random() < profile.pile  # still to be done in this script

    def burst(self) -> list[Entry]:
        """Any of the races for which the state is ripe."""
        if self.pile and (entries := self.pile_locks()):
            self.pile = False
            return entries
        races = [self.race_tick, self.race_delete, self.race_set, self.race_end]
        self.chance.shuffle(races)
        return next((entries for race in races if (entries := race())), [])

    def hasty(
        self, command: Command, number: int = 0, argument: int = 0, operand: int | None = None
    ) -> Entry:
        flags = UNDISTURBED | Flag.IGNORE_DUE
        if self.chance.random() < 0.5:
            flags |= Flag.NO_ANSWER
        delay = self.chance.choice([0, 0, 0, 1, 3])
        return Entry(
            Kind.COMMAND, command, number, argument & FOREVER, flags, delay=delay, operand=operand
        )

    def disturb(self, numbers: list[int]) -> list[Entry]:
        """A few commands on tasks that just now time out or are released."""
        entries = []
        for _ in range(self.chance.randrange(1, 7)):
            command = self.chance.choice(DISTURBING)
            number = self.chance.choice(numbers or self.tasks)
            entries.append(self.hasty(command, number, self.argument(command)))
        if self.chance.random() < 0.7:
            command = self.chance.choice(self.commands)
            entry = self.hasty(command, self.number(command), self.argument(command))
            entries.insert(self.chance.randrange(len(entries) + 1), entry)
        return entries

    def race_tick(self) -> list[Entry]:
        """Wait for the next tick, then disturb the tasks whose timeout it is."""
        kernel = self.kernel
        tasks = [task for task in kernel.tasks.values() if task.expiry == kernel.now + 1]
        tasks.sort(key=lambda task: -task.priority)
        late = [task.number for task in tasks][: len(tasks) // 2 + 1]  # they leave last
        if not late:
            return []
        limit = self.limits.tick_cycles_minimum + 300
        delay = self.chance.choice([0, 0, 0, 1, 2, 5])
        start = Entry(Kind.TICK, argument=limit, flags=UNDISTURBED, delay=delay)
        return [start, *self.disturb(late)]

    def waiting(self, kind: IdKind, number: int) -> list[int]:
        kernel = self.kernel
        if kind == IdKind.EVENT_FLAGS:
            return list(kernel.event_flags[number].waiting)
        lists: dict[IdKind, Mapping[int, Waited]] = {
            IdKind.SEMAPHORE: kernel.semaphores,
            IdKind.QUEUE: kernel.queues,
            IdKind.MUTEX: kernel.mutexes,
        }
        return list(lists[kind][number].waiting)

    def race_delete(self) -> list[Entry]:
        """Delete objects with waiters, disturb the waiters, make the objects again."""
        chance = self.chance
        crowded = [
            (kind, number)
            for kind in MAKE_AND_DELETE
            for number in self.numbers.get(kind, ())
            if number in self.kernel.objects[kind] and self.waiting(kind, number)
        ]
        if not crowded:
            return []
        chance.shuffle(crowded)
        gone = crowded[: chance.randrange(1, 4)]
        waiting = [task for kind, number in gone for task in self.waiting(kind, number)]
        entries = [self.hasty(MAKE_AND_DELETE[kind][1], number) for kind, number in gone]
        entries += self.disturb(waiting)
        if chance.random() < 0.5:
            for kind, number in gone:
                make = MAKE_AND_DELETE[kind][0]
                entries.append(self.hasty(make, number, self.argument(make)))
            if chance.random() < 0.3:  # again, while the first waiters may still be leaving
                entries += [self.hasty(MAKE_AND_DELETE[kind][1], n) for kind, n in gone]
        if chance.random() < 0.3:
            limit = self.limits.tick_cycles_minimum
            entries.insert(0, Entry(Kind.TICK, argument=limit, flags=entries[0].flags))
        return entries

    def race_set(self) -> list[Entry]:
        """Set flags for which several wait, and disturb them and the group."""
        groups = [
            n
            for n in self.numbers.get(IdKind.EVENT_FLAGS, ())
            if n in self.kernel.event_flags and self.kernel.event_flags[n].waiting
        ]
        if not groups:
            return []
        number = max(groups, key=lambda n: len(self.kernel.event_flags[n].waiting))
        waiting = self.waiting(IdKind.EVENT_FLAGS, number)
        entries = [self.hasty(Command.EVENT_FLAGS_SET, number, 15), *self.disturb(waiting)]
        again = (Command.EVENT_FLAGS_SET, Command.EVENT_FLAGS_CLEAR, Command.EVENT_FLAGS_TAKE_ANY)
        for command in self.chance.sample(again, self.chance.randrange(3)):
            place = self.chance.randrange(1, len(entries) + 1)
            operand = 0 if command == Command.EVENT_FLAGS_TAKE_ANY else None
            entry = self.hasty(command, number, self.pattern(), operand)
            entries.insert(place, entry)
        return entries

    def race_end(self) -> list[Entry]:
        """End the owner of mutexes, and use it and them at once."""
        owners = [task for task in self.kernel.tasks.values() if task.owned]
        owners = [task for task in owners if task.number != self.core.running]
        if not owners:
            return []
        owner = max(owners, key=lambda task: len(task.owned))
        locks = [mutex.number for mutex in owner.owned]
        after = [
            self.hasty(Command.TASK_START, owner.number),
            self.hasty(Command.TASK_DELETE, owner.number),
            self.hasty(Command.MUTEX_LOCK, self.chance.choice(locks), self.timeout()),
            self.hasty(Command.MUTEX_DELETE, self.chance.choice(locks)),
            *self.disturb([n for mutex in owner.owned for n in mutex.waiting]),
        ]
        self.chance.shuffle(after)
        locks_first = self.chance.random() < 0.5
        after.sort(key=lambda entry: (entry.op == Command.MUTEX_LOCK) != locks_first)
        return [self.hasty(Command.TASK_TERMINATE, owner.number), *after[:4]]

    def pile_locks(self) -> list[Entry]:
        """The running task locks a mutex up to the limit, and once more."""
        kernel, core = self.kernel, self.core
        if core.running is None or core.in_handler or kernel.dispatch_due(core):
            return []
        free = [
            n
            for n in self.numbers.get(IdKind.MUTEX, ())
            if n in kernel.mutexes
            and kernel.mutexes[n].owner is None
            and kernel.mutexes[n].ceiling is None
        ]
        if not free:
            return []
        entry = Entry(Kind.COMMAND, Command.MUTEX_LOCK, free[0], FOREVER, UNDISTURBED)
        return [entry] * (LOCKS_LIMIT + 1)

    def race_edges(self) -> list[Entry]:
        """Edges of one or two lines a few cycles apart."""
        chance = self.chance
        lines = [chance.choice(self.lines) for _ in range(2)]
        delay = self.cycles(20)
        entries = []
        for _ in range(chance.randrange(2, 5)):
            entries.append(Entry(Kind.EDGE, number=chance.choice(lines), delay=delay, gap=1))
            delay += chance.randrange(2, 7)
        return entries

    def cycles(self, mean: int) -> int:
        return min(2000, int(self.chance.expovariate(1 / mean))) if mean else 0
