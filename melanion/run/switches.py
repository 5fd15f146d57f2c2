# SPDX-License-Identifier: Apache-2.0
"""Task switches of a kernel that does not report them itself (docs/decisions/0025).

Where FreeRTOS's port restores a context there is a record that gives the stack pointer which it has
just loaded, and the task's control block: a `dispatch` of the task NOBODY. The stack in which it
lies names the task. In a program for FreeRTOS itself, whose stacks may be anywhere, tasks have
numbers in the order in which they first ran, the idle task, too.
"""

from __future__ import annotations

import numpy as np
from mel_gen import TraceKind

from melanion.build import Stack
from melanion.run.errors import RunError
from melanion.trace import Events

NOBODY = 0xFFFF
_BOOT = 0xFFFF  # the number of the idle task's stack
_ANYWHERE = 0xFFFC  # and of all memory: kernel/compat/freertos/freertos/boot.c


def named(events: Events, stacks: tuple[Stack, ...], idle: int) -> Events:
    """Add the tasks to the events of switches, and drop those that restore a context where it was
    saved. `idle`: number of the idle task. Raises RunError: no stack holds it."""
    places = np.flatnonzero((events["kind"] == TraceKind.DISPATCH) & (events["a"] == NOBODY))
    kept = np.ones(len(events), dtype=bool)
    found = events.copy()
    running: dict[int, int] = {}  # core → task
    blocks: dict[int, int] = {}
    for place in places:
        task = _task(int(events["b"][place]), stacks, idle)
        if task == _ANYWHERE:
            task = blocks.setdefault(int(events["c"][place]), len(blocks))
        before = running.get(int(events["core"][place]), idle)
        found["a"][place], found["b"][place] = task, before
        kept[place] = task != before
        running[int(events["core"][place])] = task
    return found[kept]


def _task(pointer: int, stacks: tuple[Stack, ...], idle: int) -> int:
    for stack in stacks:
        if stack.base < pointer < stack.base + stack.size:
            return idle if stack.number == _BOOT else stack.number
    raise RunError(
        f"a context was restored whose stack pointer, 0x{pointer:08x}, is in no stack; make each"
        " stack with MEL_TASK_STACK."
    )
