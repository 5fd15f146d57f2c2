# SPDX-License-Identifier: Apache-2.0
"""Hints beside a run that did nothing wrong and shows less than the visitor may expect."""

from __future__ import annotations

import numpy as np
from mel_gen import TraceKind

from melanion.run import RunResult


def hints(result: RunResult) -> list[str]:
    """Sentences, each with a remedy."""
    return [*_unanswered(result), *_unmeasured(result), *_idle_cores(result)]


def _unanswered(result: RunResult) -> list[str]:
    """Lines that rise while the program has not enabled them. FreeRTOS's trace has no event for an
    interrupt that the kernel takes, so nothing is known there."""
    if not result.system.kernel_info.replayed:
        return []
    events = result.events
    risen = np.unique(events["a"][events["kind"] == TraceKind.IRQ_WIRE])
    taken = events["a"][events["kind"] == TraceKind.IRQ]
    return [
        f"Line {line} rises and nothing answers: the program has not enabled it by then; it calls"
        " mel_irq_map and mel_irq_enable (melanion/interrupt.h), or another line is meant."
        for line in risen.tolist()
        if line not in taken
    ]


def _unmeasured(result: RunResult) -> list[str]:
    if result.program.content.regions:
        return []
    return [
        "The program measures nothing, so no latency is compared: write MEL_REGION_OF_LINE(0,"
        ' "name", 0, LINE) at file scope, and MEL_REGION_SERVED(0, 1) where LINE is answered'
        " (melanion/measure.h)."
    ]


def _idle_cores(result: RunResult) -> list[str]:
    """Cores of a system with several on which a program for FreeRTOS runs nothing."""
    if result.program.app.compat is None:
        return []
    events, idle = result.events, result.system.parameters.tasks
    begun = events[(events["kind"] == TraceKind.DISPATCH) & (events["a"] != idle)]
    unused = [n for n in range(result.system.core.count) if n not in begun["core"]]
    if not unused or not len(begun):
        return []
    names = f"core{'s' if len(unused) > 1 else ''} {', '.join(map(str, unused))}"
    return [
        f"On {names} no task ran: FreeRTOSConfig.h decides it, with configNUMBER_OF_CORES MEL_CORES"
        " and configRUN_MULTIPLE_PRIORITIES 1 (#include <mel_system.h>)."
    ]
