# SPDX-License-Identifier: Apache-2.0
"""Facts that the events of a run do not contain and the golden model knows: the end of each wait
with its cause, and the source of each inherited priority. Made by melanion.run.annotations, drawn
by melanion.trace.perfetto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Began:
    """A task waits from here on, for `what` (`semaphore 5`)."""

    task: int
    what: str


@dataclass(frozen=True)
class Ended:
    """Its wait is over. `by`: whose doing that was (`task 3`, `interrupt 7`, `its timeout`);
    `cause`: the number of the event that did it, None: nobody's; `ready`: it can run now."""

    task: int
    by: str
    cause: int | None
    ready: bool


@dataclass(frozen=True)
class Inherits:
    """From here on a task has this priority instead of `base`, its own: that of the tasks `givers`
    (none: of a ceiling). `priority` equal to `base`: no longer."""

    task: int
    priority: int
    base: int
    givers: tuple[int, ...]


Annotation = Began | Ended | Inherits


@dataclass(frozen=True)
class Annotations:
    """Number of an event → what it brought about, in this order. `known`: somebody follows the
    kernel; where nobody does, a task that does not run may wait or be ready."""

    of: Mapping[int, tuple[Annotation, ...]] = field(default_factory=dict)
    known: bool = True
