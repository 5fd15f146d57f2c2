# SPDX-License-Identifier: Apache-2.0
"""melanion/model on symbols: `SymbolicKernel` is the model's own Kernel, whose tables are arrays of
symbols and whose lists are abstract sequences (`rows`). The functions of commands, checks and waits
are the model's, unchanged; replaced are accesses to tables, and what ready and wait lists do.
"""

from __future__ import annotations

from typing import Any, ClassVar

import z3
from mel_gen import Context, IdKind

from melanion.model.kernel import Kernel
from melanion.model.state import Core, Task
from tests.symbolic.columns import (
    flags_columns,
    mutex_columns,
    quantum_columns,
    queue_columns,
    semaphore_columns,
    task_columns,
    timer_columns,
    word_columns,
)
from tests.symbolic.numbers import Num, low
from tests.symbolic.paths import Expr
from tests.symbolic.rows import (
    CoreRow,
    FlagsRow,
    MutexRow,
    MutexTable,
    QueueRow,
    ReadyList,
    SemaphoreRow,
    Table,
    TaskRow,
    TaskTable,
    TimerRow,
    TimerTable,
    WordsRow,
)
from tests.symbolic.state import READY, State, Unsupported, const, node


class Never:
    """A tick that no expiry is earlier than: the model's `earliest` only saves it time."""

    def __gt__(self, other: object) -> bool:
        return False


class Dying:
    """Objects that were deleted while tasks waited for them."""

    def __init__(self) -> None:
        self.added: list[tuple[IdKind, Expr]] = []

    def __bool__(self) -> bool:
        return False  # the job that drains them finds out which have no waiter left

    def __contains__(self, what: object) -> bool:
        return False  # the program waits for the end of any drain: the machine's path ends before

    def __setitem__(self, what: tuple[IdKind, object], gone: object) -> None:
        self.added.append((what[0], low(what[1], 8)))


class NoneOf:
    """A collection that is empty between steps; what is added is kept."""

    def __init__(self) -> None:
        self.added: list[Expr] = []

    def __contains__(self, number: object) -> bool:
        return False

    def pop(self, number: object, default: object) -> object:
        return default

    def discard(self, number: object) -> None:
        pass

    def values(self) -> tuple[()]:
        return ()

    def add(self, number: object) -> None:
        self.added.append(low(number, 8))


class Limits:
    """Sizes; one core."""

    cores = 1
    own: ClassVar[dict[int, Any]] = {}  # commands that a user added

    def __init__(self, state: State) -> None:
        self._state = state

    def __getattr__(self, name: str) -> Num:
        name = {"tick_cycles_minimum": "tick_minimum"}.get(name, name)
        return Num(self._state.paths, self._state.limits[name])


class Late:
    """Tasks whose waits have expired."""

    def __init__(self, kernel: SymbolicKernel) -> None:
        self.kernel = kernel

    def discard(self, number: object) -> None:
        """The task leaves the due list, if it stands there."""
        self.kernel.tasks[number].leave_due()


class Quanta:
    """Quanta by priority."""

    def __init__(self, kernel: SymbolicKernel) -> None:
        self.columns = quantum_columns(kernel.state)

    def __setitem__(self, priority: object, ticks: object) -> None:
        self.columns["ticks"].set(low(priority, 8), low(ticks, 16))


class Ready:
    """Ready lists by priority."""

    def __init__(self, kernel: SymbolicKernel) -> None:
        self.kernel = kernel

    def __getitem__(self, priority: object) -> ReadyList:
        return ReadyList(self.kernel, low(priority, 8))


class SymbolicKernel(Kernel):
    """The model's kernel over the symbols of a state. `operations` of lists: state.waits.log and
    state.ready.log."""

    def __init__(self, state: State) -> None:
        self.state, self.paths = state, state.paths
        self.limits: Any = Limits(state)
        self.core = CoreRow(self, state.core)
        self.cores: Any = [self.core]
        self.tasks: Any = TaskTable(self, TaskRow, task_columns(state))
        self.semaphores: Any = Table(self, SemaphoreRow, semaphore_columns(state))
        self.event_flags: Any = Table(self, FlagsRow, flags_columns(state))
        self.mutexes: Any = MutexTable(self, MutexRow, mutex_columns(state))
        self.queues: Any = Table(self, QueueRow, queue_columns(state))
        self.timers: Any = TimerTable(self, TimerRow, timer_columns(state))
        self.quanta: Any = Quanta(self)
        self.ready: Any = Ready(self)
        self.objects: Any = {
            IdKind.TASK: self.tasks, IdKind.SEMAPHORE: self.semaphores,
            IdKind.EVENT_FLAGS: self.event_flags, IdKind.QUEUE: self.queues,
            IdKind.MUTEX: self.mutexes,
        }  # fmt: skip
        self.counts: Any = {
            IdKind(name): Num(self.paths, state.limits[limit]) for name, limit in COUNTS.items()
        }
        self.words: Any = Table(self, WordsRow, word_columns(state, ""))
        self.core_words: Any = Table(self, WordsRow, word_columns(state, "_core"))
        self.now: Any = Num(self.paths, state.now)
        self.earliest: Any = Never()
        self.late: Any = Late(self)
        self.expired: Any = NoneOf()  # only `begin` looks at it
        self.leaving: dict[Any, Any] = {}  # only `find_late` looks at it
        self.dying: Any = Dying()
        self.released: Any = NoneOf()  # all leave in the step that releases them
        self.orphans: Any = NoneOf()
        self.overdue: Any = NoneOf()  # reported in the step that finds them
        self.claim_limit: Any = Num(self.paths, state.index("system", "claim_limit"))
        self.claims_left: Any = Num(self.paths, state.index("system", "claims_left"))
        self.tick_cycles: Any = Num(self.paths, state.index("register", "tick_cycles"))
        self.refused: Any = Num(self.paths, state.index("register", "refused"))

    def begin(self) -> None:
        """Slices are judged by a device (mel_accounts), between the steps of the program."""

    # ---- tables ------------------------------------------------------------------------------

    def words_of(self, core: Core) -> Any:
        context = self.context(core)
        if context == Context.TASK:
            return self.words[core.running]
        return self.core_words[int(context == Context.IDLE)]

    def mutex_of(self, row: TaskRow) -> Any:
        raise Unsupported("a mutex")

    # ---- lists -------------------------------------------------------------------------------

    def listed(self, line: Any) -> Any:
        return line  # without those that have their turn

    def make_ready(self, subject: Task, first: bool = False) -> None:
        """Behind the others of its priority, with a new slice, or before them. A task that has
        its turn stands in no list of the machine."""
        row: Any = subject
        if not first:
            subject.used = 0
        if self.paths.decide(self._apart(row)):
            return
        level = low(subject.priority, 8)
        self.state.ready.insert(const(READY, 1), level, row.at, head=first, at="model")

    def _leave_line(self, subject: Task) -> None:
        row: Any = subject
        if self.paths.decide(self.state.ready.member(row.at)):
            level = low(subject.priority, 8)
            self.state.ready.remove(const(READY, 1), level, row.at, at="model")

    def _apart(self, row: TaskRow) -> Expr:
        fields = self.state.core
        return z3.And(self.core.is_apart, fields.running_valid, fields.running == row.at)

    def _forget_condition(self, number: Any) -> None:
        """The task waits for event flags: in a list of the machine, by priority."""
        row = self.tasks[number]
        level = row.column("priority")
        self.state.waits.remove(row.column("queue_key"), level, node(0, row.at), at="model")

    def queue_waiter(self, line: Any, subject: Task) -> None:
        """Into a wait list: behind all that are as urgent or more."""
        row: Any = subject
        level = low(subject.priority, 8)
        self.state.waits.insert(line.key, level, node(0, row.at), head=False, at="model")


# Kind of a number → the limit of its numbers.
COUNTS = {
    **{"task": "tasks", "semaphore": "semaphores", "event_flags": "event_flags"},
    **{"queue": "queues", "mutex": "mutexes", "interrupt": "lines", "timer": "timers"},
}
