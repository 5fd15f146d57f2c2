"""The data of the golden model: tasks, semaphores, interrupts, cores."""

from __future__ import annotations

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
    interrupts: int = 32
    cores: int = 1
    time_reset: int = 0

    @property
    def tick_cycles_minimum(self) -> int:
        return tick_cycles_minimum(tasks=self.tasks)


class Wait(Enum):
    """What a waiting task waits for."""

    SLEEP = "sleep"
    DELAY = "delay"
    SEMAPHORE = "semaphore"


@dataclass
class Task:
    """One task. `result` is the status that its last call gave.

    `queue` is the wait list in which it stands (a task waits in at most one place). `deadline` is
    in ticks of `Kernel.now`, which never wraps.
    """

    number: int
    base_priority: int
    priority: int
    dormant: bool = True
    suspended: bool = False
    wait: Wait | None = None
    queue: list[int] | None = None
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
class Interrupt:
    """What the rising edge of one interrupt line does."""

    enabled: bool = False
    action: IrqAction = IrqAction.NONE
    target: int = 0
    handler: bool = False


@dataclass
class Core:
    """One core: who runs on it, and whether a handler does. `running` None: idle."""

    number: int
    running: int | None = None
    in_handler: bool = False
    dispatch_enabled: bool = False
    handler_irqs: set[int] = field(default_factory=set)
    handler_result: Status = Status.E_OK
    idle_result: Status = Status.E_OK
