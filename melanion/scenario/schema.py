# SPDX-License-Identifier: Apache-2.0
"""The shape of a scenario file. Unknown keys, wrong types and numbers out of range are errors.

Steps and expected entries are checked in `loader`: what they may hold depends on the call.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mel_gen import PARAMETERS, SEMAPHORE_COUNT_LIMIT
from pydantic import Field

from melanion.spec.schema import WORD, Name, Row, Text

State = Literal["absent", "dormant", "ready"]
Existence = Literal["absent", "made"]  # absent: it has a number, but is not made before the start
Steps = list[dict[str, Any]]
Count = Annotated[int, Field(ge=0, le=SEMAPHORE_COUNT_LIMIT)]
Priority = Annotated[int, Field(ge=0, le=PARAMETERS["priorities"].default - 1)]
Word = Annotated[int, Field(ge=0, le=WORD)]


class SemaphoreGiven(Row):
    """A semaphore."""

    initial: Count = 0
    maximum: int = Field(default=1, ge=1, le=SEMAPHORE_COUNT_LIMIT)
    state: Existence = "made"


class EventFlagsGiven(Row):
    """A group of event flags."""

    initial: Word = 0
    state: Existence = "made"


class QueueGiven(Row):
    """A message queue; `capacity` in words."""

    capacity: int = Field(default=1, ge=1, le=PARAMETERS["messages"].default)
    state: Existence = "made"


class MutexGiven(Row):
    """A mutex; without `ceiling` its owner inherits the priorities of waiters only."""

    ceiling: Priority | None = None
    state: Existence = "made"


class TaskGiven(Row):
    """A task; with `count` so many, numbered behind their name, of priority, priority + 1 …."""

    priority: Priority
    count: int = Field(default=0, ge=0, le=PARAMETERS["tasks"].default)
    state: State = "ready"
    steps: Steps


Action = Literal[
    "none",
    "semaphore_give",
    "task_wakeup",
    "task_release",
    "event_flags_set",
    "queue_post",
    "notification_set",
    "notification_give",
]


class InterruptGiven(Row):
    """An interrupt line; with `handler`, an edge also runs a handler that makes these calls.

    `word`: the flags or the message of the action.
    """

    action: Action = "none"
    object: Name | None = None
    word: Word = 0
    enabled: bool = True
    handler: Steps | None = None


class Given(Row):
    """`main`: calls of the idle context before the kernel starts; `time_reset` in ticks.

    `timers`: each with what the interrupt line that it raises does. `report`: what the line of
    missed deadlines and used up budgets does.
    """

    time_reset: int = Field(default=0, ge=0, le=PARAMETERS["time_reset"].maximum)
    semaphores: dict[Name, SemaphoreGiven] = Field(default={})
    event_flags: dict[Name, EventFlagsGiven] = Field(default={})
    queues: dict[Name, QueueGiven] = Field(default={})
    mutexes: dict[Name, MutexGiven] = Field(default={})
    tasks: dict[Name, TaskGiven]
    timers: dict[Name, InterruptGiven] = Field(default={})
    interrupts: dict[Name, InterruptGiven] = Field(default={})
    report: InterruptGiven | None = None
    main: Steps = Field(default=[])


class File(Row):
    """A scenario file. `text`: the requirement, one sentence."""

    text: Text
    given: Given
    expect: list[Text]
