# SPDX-License-Identifier: Apache-2.0
"""The data of the golden model: tasks, what they wait for, interrupts, timers, cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from mel_gen import IrqAction, Status, TaskState, tick_cycles_minimum

NEVER = 1 << 128  # a deadline that no tick reaches


class ModelError(Exception):
    """The model was asked for a step that the kernel's rules do not allow."""


@dataclass(frozen=True)
class Limits:
    """Sizes of a system; `time_reset` in ticks. Ranges: spec/parameters.yaml."""

    tasks: int = 64
    priorities: int = 32
    semaphores: int = 64
    event_flags: int = 16
    mutexes: int = 16
    queues: int = 16
    messages: int = 64
    timers: int = 8
    interrupts: int = 32
    cores: int = 1
    monitor: int = 1
    time_reset: int = 0

    @property
    def tick_cycles_minimum(self) -> int:
        return tick_cycles_minimum(tasks=self.tasks)

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
    mutex that it waits for, `word` what it waits to send. `used`: ticks of its slice; `used_up`:
    the slice is over (quantum.py). `watch`: its deadline, `budget`: cycles, as it was set
    (deadline.py). `deadline`, of its wait, and `watch` are in ticks of `Kernel.now`, which never
    wraps.
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
    used_up: bool = False
    watch: int = NEVER
    budget: int = 0
    notification: Notification = field(default_factory=Notification)
    deadline: int = NEVER
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
    """An alarm or cyclic timer; it runs when `deadline` is not NEVER. In ticks."""

    deadline: int = NEVER
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

    `apart`: the running task can go on and has not lost its turn. `ended`: it has ended, and the
    core still is at its last call, whose result is `ended_result`.
    """

    number: int
    running: int | None = None
    apart: bool = False
    ended: bool = False
    ended_result: Status = Status.E_OK
    in_handler: bool = False
    dispatch_enabled: bool = False
    handler_irqs: set[int] = field(default_factory=set)
    handler_result: Status = Status.E_OK
    idle_result: Status = Status.E_OK
