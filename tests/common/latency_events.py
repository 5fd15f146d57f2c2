# SPDX-License-Identifier: Apache-2.0
"""Synthetic recordings of the experiment `latency`, with known answers, for the tests of metrics
and reports."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from mel_gen import TraceKind

from melanion.claims import load
from melanion.measure import Definition
from melanion.trace import EVENT, Events

TIMER_TRAP = 0x8007


def events(records: Iterable[tuple[int, TraceKind, int, int]]) -> Events:
    """Records (cycle, kind, a, b) as a trace."""
    return np.array([(cycle, kind, 0, a, b, 0, 0) for cycle, kind, a, b in records], dtype=EVENT)


class Tape:
    """Writes events one after the other; `cycle` is the time of the last one."""

    def __init__(self) -> None:
        self.definition: Definition = load("latency")
        self.cycle = 0
        self.records: list[tuple[int, TraceKind, int, int]] = []

    def add(self, kind: TraceKind, a: int = 0, b: int = 0, after: int = 0) -> None:
        self.cycle += after
        self.records.append((self.cycle, kind, a, b))

    def tracepoint(self, name: str, value: int = 0, after: int = 0) -> None:
        self.add(TraceKind.TRACEPOINT, self.definition.tracepoints[name], value, after)

    def mark(self, name: str, phase: str, parameter: int = 0) -> None:
        self.add(
            TraceKind.MARKER,
            self.definition.marks[name],
            self.definition.phases[phase] | parameter << 8,
            10,
        )

    @property
    def events(self) -> Events:
        return events(self.records)


def whole_tape(slow: int = 1) -> Tape:
    """A complete run. Every time is `slow` times: yield 60, give and take 30, give with switch 70,
    handler 40 and 50,
    task 90 + (0 … 9), tick lost 0 (`slow` 1) or 80, woken first 95, last 95 + 60 (n - 1),
    interrupts off 20 · 1 … 5."""
    tape = Tape()
    spans(tape, "yield", 60 * slow, switch=True)
    spans(tape, "sem_give_take", 30 * slow, switch=False)
    spans(tape, "sem_give_switch", 70 * slow, switch=True)
    for load_number in range(3):
        latency = slow * (40 + 10 * load_number)
        arrivals(tape, "irq_to_handler", "handler", load_number, [latency] * 1000)
    for load_number in range(3):
        times = [slow * (90 + i % 10) for i in range(1000)]
        arrivals(tape, "irq_to_task", "end", load_number, times)
    ticks(tape, 0 if slow == 1 else 80)
    for n in (1, 8, 16, 32):
        for _ in range(24):
            wake(tape, n, 95 * slow, 60 * slow)
    for tasks in (4, 16, 60):
        tape.mark("begin", "irq_off", tasks)
        for i in range(60):
            tape.add(TraceKind.IRQ_OFF, 0, 20 * slow * (1 + i % 5), 200)
        tape.mark("end", "irq_off", tasks)
    return tape


def spans(tape: Tape, phase: str, length: int, switch: bool) -> None:
    tape.mark("begin", phase)
    for i in range(200):
        tape.tracepoint("start", i % 2, 7)
        tape.tracepoint("end", (i + 1) % 2 if switch else i % 2, length)
    tape.mark("end", phase)


def arrivals(tape: Tape, phase: str, tracepoint: str, load_number: int, times: list[int]) -> None:
    line = tape.definition.lines["handler" if tracepoint == "handler" else "task"]
    tape.mark("begin", phase, load_number)
    for time in times:
        tape.add(TraceKind.IRQ_WIRE, line, 0, 700)
        tape.tracepoint(tracepoint, 1, time)
    tape.mark("end", phase, load_number)


def ticks(tape: Tape, lost: int, turn: int = 100) -> None:
    """202 ticks, each in every tenth turn of the loop; the first and the last tick are not
    counted."""
    tape.mark("begin", "tick_idle")
    tape.tracepoint("loop", 0, 1)
    for i in range(2025):
        if i % 10 == 5:
            tape.add(TraceKind.TICK, 0, 0, 30)
            tape.tracepoint("loop", 0, turn - 30 + lost)
        else:
            tape.tracepoint("loop", 0, turn)
    tape.mark("end", "tick_idle")


def wake(tape: Tape, n: int, first: int, each: int) -> None:
    tape.mark("begin", "tick_wake", n)
    tape.add(TraceKind.TICK, 0, 0, 1000)
    for task in range(n):
        tape.add(TraceKind.TIMEOUT, task)
    for task in range(n):
        tape.tracepoint("end", task, first if task == 0 else each)
    tape.mark("end", "tick_wake", n)
