"""The shape of a scenario file. Unknown keys, wrong types and numbers out of range are errors.

Steps and expected entries are checked in `loader`: what they may hold depends on the call.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mel_gen import PARAMETERS, SEMAPHORE_COUNT_LIMIT
from pydantic import Field

from melanion.spec.schema import Name, Row, Text

State = Literal["absent", "dormant", "ready"]
Steps = list[dict[str, Any]]
Count = Annotated[int, Field(ge=0, le=SEMAPHORE_COUNT_LIMIT)]


class SemaphoreGiven(Row):
    """A semaphore; `absent`: it has a number, but is not made before the tasks start."""

    initial: Count = 0
    maximum: int = Field(default=1, ge=1, le=SEMAPHORE_COUNT_LIMIT)
    state: Literal["absent", "made"] = "made"


class TaskGiven(Row):
    """A task; with `count`, so many tasks name_0, name_1 … of priority, priority + 1 …."""

    priority: int = Field(ge=0, le=PARAMETERS["priorities"].default - 1)
    count: int = Field(default=0, ge=0, le=PARAMETERS["tasks"].default)
    state: State = "ready"
    steps: Steps


class InterruptGiven(Row):
    """An interrupt line; with `handler`, an edge also runs a handler that makes these calls."""

    action: Literal["none", "semaphore_give", "task_wakeup", "task_release"] = "none"
    object: Name | None = None
    enabled: bool = True
    handler: Steps | None = None


class Given(Row):
    """`main`: calls of the idle context before the kernel starts; `time_reset` in ticks."""

    time_reset: int = Field(default=0, ge=0, le=PARAMETERS["time_reset"].maximum)
    semaphores: dict[Name, SemaphoreGiven] = Field(default={})
    tasks: dict[Name, TaskGiven]
    interrupts: dict[Name, InterruptGiven] = Field(default={})
    main: Steps = Field(default=[])


class File(Row):
    """A scenario file. `text`: the requirement, one sentence."""

    text: Text
    given: Given
    expect: list[Text]
