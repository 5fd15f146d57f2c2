# SPDX-License-Identifier: Apache-2.0
"""Situations that commands without aim hardly ever reach: several cycles must fit together, or a
wait must be far longer than any other."""

from __future__ import annotations

from mel_gen import Command, IdKind, IrqAction, Register

from melanion.model.state import Mutex, Task
from tests.random.bursts import UNDISTURBED, Bursts
from tests.random.operands import FOREVER
from tests.random.script import Entry, Flag, Kind, access

AROUND = 12  # cycles: from a tick that is seen to a command, and some before and behind it
ANSWER = 0  # the offset of a load of the answer
LONGEST_DELAY = 0xFFFF  # cycles, of an entry
SILENT = UNDISTURBED | Flag.IGNORE_DUE | Flag.NO_ANSWER


class Rarities(Bursts):
    """Each gives entries that belong together; empty when the state is not ripe for it."""

    withheld: bool = False  # once in a script: it takes long

    def rarity(self) -> list[Entry]:
        """Any for which the state is ripe."""
        found = [self.race_length, self.race_leave, self.race_restart, self.withhold]
        found.append(self.lock_late)
        self.chance.shuffle(found)
        found.insert(0, self.start_ended)
        return next((entries for rarity in found if (entries := rarity())), [])

    def race_length(self) -> list[Entry]:
        """Set the length of ticks in a cycle around the end of the count, which a tick tells."""
        least, length = self.limits.tick_cycles_minimum, self.kernel.tick_cycles
        chance = self.chance
        new = chance.choice([least, least + 1, least + 7, 2 * least])
        if not length:
            return [self.hasty(Command.TICK_SET, 0, new)]
        if length > 2 * least:
            return []
        tick = Entry(Kind.TICK, argument=length + least, flags=UNDISTURBED)
        set_ = self.hasty(Command.TICK_SET, 0, chance.choice([new, new, new, 0]))
        return [tick, set_._replace(delay=length - chance.randrange(AROUND))]

    def caller(self) -> Task | None:
        """The running task, if it may call and wait."""
        core = self.core
        if core.running is None or core.in_handler or core.ended or not core.dispatch_enabled:
            return None
        task = self.kernel.tasks[core.running]
        return task if task.runnable else None

    def released_by_interrupt(self, task: int) -> list[Entry]:
        """A line that releases the task from its wait: mapped, enabled, and its edge."""
        line = self.chance.choice(self.lines)
        argument = task << 8 | IrqAction.TASK_RELEASE
        return [
            self.silent(Command.IRQ_MAP, line, argument),
            self.silent(Command.IRQ_ENABLE, line),
            Entry(Kind.EDGE, number=line, gap=1, delay=self.chance.randrange(6), flags=SILENT),
        ]

    def silent(self, command: Command, number: int = 0, argument: int = 0) -> Entry:
        return Entry(Kind.COMMAND, command, number, argument, SILENT)

    def answers(self, count: int, span: int) -> list[Entry]:
        """Loads of the answer, each up to `span` cycles behind the one before."""
        loads = [access(ANSWER, delay=self.chance.randrange(span)) for _ in range(count)]
        return [load._replace(flags=SILENT) for load in loads]

    def race_leave(self) -> list[Entry]:
        """A task waits for a mutex, whose owners inherit, and is released before its core has
        left it: the loads meet the step that makes the owners less urgent again."""
        caller = self.caller()
        if caller is None or not self.lines:
            return []
        wanted = [
            mutex.number
            for mutex in self.kernel.mutexes.values()
            if mutex.number in self.numbers.get(IdKind.MUTEX, ()) and self.lifts(caller, mutex)
        ]
        if not wanted:
            return []
        mapped, enabled, edge = self.released_by_interrupt(caller.number)
        lock = self.silent(Command.MUTEX_LOCK, self.chance.choice(wanted), FOREVER)
        return [mapped, enabled, lock, edge, *self.answers(6, 3)]

    def lifts(self, caller: Task, mutex: Mutex) -> bool:
        """The caller may wait for the mutex, and its owner then becomes more urgent."""
        if mutex.owner is None or mutex.owner == caller.number:
            return False
        if mutex.ceiling is not None and caller.base_priority < mutex.ceiling:
            return False
        return self.kernel.tasks[mutex.owner].priority > caller.priority

    def lock_late(self) -> list[Entry]:
        """A task that another one has just made lose its turn locks a mutex with a ceiling."""
        caller = self.caller()
        free = [n for n in self.numbers.get(IdKind.MUTEX, ()) if n not in self.kernel.mutexes]
        ready = [
            task.number
            for task in self.kernel.tasks.values()
            if task.runnable and task is not caller and task.number != self.core.running
        ]
        if caller is None or not free or not ready or not caller.priority:
            return []
        above = self.chance.randrange(min(caller.priority, caller.base_priority + 1))
        mutex, other = self.chance.choice(free), self.chance.choice(ready)
        return [
            self.silent(Command.MUTEX_CREATE, mutex, 1 << 8 | above),
            self.silent(Command.TASK_SET_PRIORITY, other, caller.priority - 1),
            self.silent(Command.MUTEX_LOCK, mutex, FOREVER),
        ]

    def race_restart(self) -> list[Entry]:
        """A task ends and calls on as if it had not; meanwhile another core may start it anew."""
        if self.limits.cores == 1 or self.caller() is None:
            return []
        calls = [self.silent(Command.TASK_EXIT), self.silent(Command.TASK_SLEEP, 0, 1)]
        return [*calls, *self.answers(8, 80)]

    def start_ended(self) -> list[Entry]:
        """Start a task that has ended on another core, which has not left it."""
        ended = [core.running for core in self.kernel.cores if core.ended and core is not self.core]
        return [self.silent(Command.TASK_START, task) for task in ended if task is not None]

    def withhold(self) -> list[Entry]:
        """A task that an interrupt makes ready does not run for longer than any count of its
        histogram but the last."""
        waiting = [task for task in self.kernel.tasks.values() if task.wait and not task.suspended]
        caller = self.caller()
        if self.withheld or not self.lines or not waiting or caller is None:
            return []
        first = min(waiting, key=lambda task: task.priority)
        if first.priority >= caller.priority:
            return []
        self.withheld = True
        idle = access(Register.READY, delay=LONGEST_DELAY)._replace(flags=SILENT)
        latencies = range(Register.LATENCY_0, Register.LATENCY_15 + 4, 4)
        return [
            self.silent(Command.TICK_SET, 0, 0),
            *self.released_by_interrupt(first.number),
            *[idle] * 2,
            self.hasty(Command.TICK_SET, 0, self.limits.tick_cycles_minimum),
            access(Register.READY),
            *(access(offset) for offset in latencies),
        ]
