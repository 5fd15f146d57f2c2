# SPDX-License-Identifier: Apache-2.0
"""The data of the golden model: tasks, what they wait for, interrupts, timers, cores; `State` holds
those of one system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mel_gen import (
    Blocks,
    Context,
    IdKind,
    IrqAction,
    Sizes,
    Status,
    TaskState,
    tick_cycles_minimum,
)

NEVER = 1 << 128  # an expiry or deadline that no tick reaches
TIME_MASK = (1 << 64) - 1  # width of the tick counter


class ModelError(Exception):
    """The model was asked for a step that the kernel's rules do not allow."""


@dataclass(frozen=True)
class OwnCommand:
    """A command that a user has added: what a row of spec/commands.yaml says of others, and its
    meaning. `handler`: as waiting.Handler; `bad`: its argument or operand is (E_PAR)."""

    name: str
    callers: frozenset[Context]
    blocks: Blocks
    id: IdKind
    must_exist: bool
    bad: Callable[[Any, int, int], bool] | None
    handler: Callable[[Any, Any, int, int], int]


@dataclass(frozen=True)
class Limits(Sizes):
    """Sizes of a system; `time_reset` in ticks. Ranges: spec/parameters.yaml. `own`: commands of a
    user, by number."""

    own: Mapping[int, OwnCommand] = field(default_factory=dict, compare=False, repr=False)

    @property
    def tick_cycles_minimum(self) -> int:
        return tick_cycles_minimum(tasks=self.tasks, cores=self.cores)

    @property
    def lines(self) -> int:
        """Interrupt lines: those of the system, then one per timer, then that of reports."""
        return self.interrupts + self.timers + 1


class Wait(Enum):
    """Kinds of wait of a task."""

    SLEEP = "sleep"
    DELAY = "delay"
    SEMAPHORE = "semaphore"
    EVENT_FLAGS = "event flags"
    QUEUE = "queue"
    MUTEX = "mutex"
    NOTIFICATION = "notification"


@dataclass
class Words:
    """The two words of a context: what it wrote before a command, what its last call brought."""

    operand: int = 0
    value: int = 0


@dataclass
class Notification:
    """Notification of a task; `rest`: the value that remains after its wait or take."""

    value: int = 0
    pending: bool = False
    rest: Callable[[int], int] = int


@dataclass
class Task:
    """One task. `result` is the status that its last call gave.

    `initial_priority` is what it starts with, `base_priority` what task_set_priority made of it,
    `priority` that or what it inherits from the mutexes in `owned` (in the order of locking).
    `queue` is the wait list in which it stands (a task waits in at most one place), `awaited` the
    mutex that it waits for, `word` what it waits to send. `used`: ticks of its slice (quantum.py).
    `budget`: cycles, as it was set (deadline.py). `expiry`, when its wait ends at the latest, and
    `deadline`, of the task itself (deadline.py), are in ticks of `State.now`, which never wraps.
    """

    number: int
    initial_priority: int
    base_priority: int
    priority: int
    core: int | None = None  # the only core that it may run on; None: any
    dormant: bool = True
    suspended: bool = False
    wait: Wait | None = None
    queue: list[int] | None = None
    awaited: Mutex | None = None
    owned: list[Mutex] = field(default_factory=list)
    word: int = 0
    used: int = 0
    deadline: int = NEVER
    budget: int = 0
    notification: Notification = field(default_factory=Notification)
    expiry: int = NEVER
    wakeups: int = 0
    result: Status = Status.E_OK

    @property
    def runnable(self) -> bool:
        """Ready or running."""
        return not (self.dormant or self.suspended or self.wait)

    @property
    def state(self) -> TaskState:
        """The state that `task_state` reports, RUNNING excepted (the kernel knows who runs)."""
        if self.dormant:
            return TaskState.DORMANT
        if self.wait:
            return TaskState.WAITING_SUSPENDED if self.suspended else TaskState.WAITING
        return TaskState.SUSPENDED if self.suspended else TaskState.READY


@dataclass
class Semaphore:
    """A counting semaphore; `waiting`: the most urgent first, equal priorities by arrival."""

    maximum: int
    count: int
    waiting: list[int] = field(default_factory=list)


@dataclass
class Condition:
    """Pattern for which a task waits in a group of event flags; `takes`: clear the pattern on
    release."""

    pattern: int
    every: bool
    takes: bool

    def holds(self, flags: int) -> bool:
        found = flags & self.pattern
        return found == self.pattern if self.every else found != 0


@dataclass(frozen=True)
class Released:
    """A task that flags released, or their deletion, till it leaves; `flags` is then its value."""

    result: Status
    flags: int


@dataclass
class EventFlags:
    """A group of 32 flags, and the condition of every waiting task."""

    flags: int
    waiting: dict[int, Condition] = field(default_factory=dict)


@dataclass
class Queue:
    """A message queue: (message priority, word), the next to be received first.

    `waiting`: receivers when it is empty, senders when it is full.
    """

    capacity: int
    messages: list[tuple[int, int]] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)


@dataclass
class Mutex:
    """A mutex. `ceiling` None: inheritance only. `abandoned`: an owner ended while it held it."""

    number: int
    ceiling: int | None
    owner: int | None = None
    locks: int = 0
    abandoned: bool = False
    waiting: list[int] = field(default_factory=list)


Waited = Semaphore | Queue | Mutex  # objects with a wait list


@dataclass
class Timer:
    """An alarm or cyclic timer; it runs when `expiry` is not NEVER. In ticks."""

    expiry: int = NEVER
    period: int = 0


@dataclass
class Interrupt:
    """Action on the rising edge of an interrupt line; `word`: its flags or message."""

    enabled: bool = False
    action: IrqAction = IrqAction.NONE
    target: int = 0
    handler: bool = False
    word: int = 0


@dataclass
class Core:
    """One core: who runs on it, and whether a handler does. `running` None: idle.

    `apart`: the running task can go on and has not lost its turn. `spent`: it had used its quantum
    at the last tick (quantum.py). `ended`: it has ended, and the
    core still is at its last call, whose result is `ended_result`.
    """

    number: int
    running: int | None = None
    apart: bool = False
    spent: bool = False
    ended: bool = False
    ended_result: Status = Status.E_OK
    in_handler: bool = False
    dispatch_enabled: bool = False
    handler_irqs: set[int] = field(default_factory=set)
    handler_result: Status = Status.E_OK
    idle_result: Status = Status.E_OK


class State:
    """The state of one system."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.counts = {
            IdKind.TASK: self.limits.tasks,
            IdKind.SEMAPHORE: self.limits.semaphores,
            IdKind.EVENT_FLAGS: self.limits.event_flags,
            IdKind.QUEUE: self.limits.queues,
            IdKind.MUTEX: self.limits.mutexes,
            IdKind.INTERRUPT: self.limits.lines,
            IdKind.TIMER: self.limits.timers,
        }
        self.tasks: dict[int, Task] = {}
        self.semaphores: dict[int, Semaphore] = {}
        self.event_flags: dict[int, EventFlags] = {}
        self.queues: dict[int, Queue] = {}
        self.mutexes: dict[int, Mutex] = {}
        self.objects: dict[IdKind, Mapping[int, object]] = {  # objects that are created and deleted
            IdKind.TASK: self.tasks,
            IdKind.SEMAPHORE: self.semaphores,
            IdKind.EVENT_FLAGS: self.event_flags,
            IdKind.QUEUE: self.queues,
            IdKind.MUTEX: self.mutexes,
        }
        # Deleted, with waiters that are not released yet.
        self.dying: dict[tuple[IdKind, int], Waited] = {}
        self.released: dict[int, Released] = {}  # waiters of event flags that have not left yet
        self.orphans: set[int] = set()  # tasks that ended and still own mutexes
        self.purges = False  # messages of a deleted queue may not be free yet
        # A unit lets only the first owner of a chain inherit at once, and the next one is left.
        self.links = False
        self.linked: int | None = None
        self.timers = [Timer() for _ in range(self.limits.timers)]
        self.interrupts = [Interrupt() for _ in range(self.limits.lines)]
        self.raised: set[int] = set()  # lines of timers with an edge that is not served yet
        # Lines that rose while an edge was pending, and in which tick: that one may just have been
        # taken, then both are served, the second before the tick after the next.
        self.raised_twice: dict[int, int] = {}
        self.cores = [Core(i) for i in range(self.limits.cores)]
        # Words of every task, then of the handler level and of idle of every core.
        self.words = [Words() for _ in range(self.limits.tasks + 2 * self.limits.cores)]
        self.ready: list[list[int]] = [[] for _ in range(self.limits.priorities)]
        self.occupied = 0  # bit p: `ready[p]` is not empty
        self.quanta = [0] * self.limits.priorities  # in ticks; 0: none
        self.now = self.limits.time_reset  # in ticks; never wraps, unlike `time`
        self.late: set[int] = set()  # tasks whose wait has expired, and not ended yet
        self.expired: set[int] = set()  # these, and those that flags released, not left yet
        self.leaving: dict[int, int] = {}  # task that flags released, not left yet → its expiry
        self.judging = False  # slices that are over by the last tick may still go on
        self.earliest = NEVER  # no expiry of a task that is not late lies before this
        self.overdue: set[int] = set()  # tasks whose deadline was missed, to be reported
        self.missed_deadlines = self.budget_overruns = 0
        self.reported = self.limits.tasks  # the register
        self.tick_cycles = 0
        self.claim_limit = 0  # claims allowed to handlers per tick; 0: no limit
        self.claims_left = 0  # of that, in this tick; unused without a limit or ticks
        self.refused = 0
        self.lost_irqs = 0

    @property
    def time(self) -> int:
        """The tick counter."""
        return self.now & TIME_MASK

    # ---- who runs and calls -----------------------------------------------------------------

    def running_task(self, core: Core) -> Task:
        assert core.running is not None
        return self.tasks[core.running]

    def running_core(self, number: int) -> Core | None:
        """The core whose running task this is."""
        return next((core for core in self.cores if core.running == number), None)

    def words_of(self, core: Core) -> Words:
        """Operand and value of the context that calls on a core."""
        context = self.context(core)
        if context == Context.TASK:
            assert core.running is not None
            return self.words[core.running]
        return self.words[self.limits.tasks + 2 * core.number + (context == Context.IDLE)]

    def context(self, core: Core) -> Context:
        if core.in_handler:
            return Context.HANDLER
        return Context.IDLE if core.running is None else Context.TASK

    # ---- interrupt lines --------------------------------------------------------------------

    def rise(self, line: int) -> None:
        """An edge that the kernel itself raises; those of the system's lines come from outside."""
        if line >= self.limits.interrupts and self.interrupts[line].enabled:
            if line in self.raised:
                self.raised_twice[line] = self.now
            self.raised.add(line)
