# SPDX-License-Identifier: Apache-2.0
"""The metrics of the experiment `database`: how long the whole takes, how often it calls and
switches, and what its parts take.

The program is apps/benchmarks/database; its definition, with the edges in words,
experiments/database.yaml. A phase is one run of all transactions, its parameter the number of
tasks; or, in slow memory, its wait states. In the phases `locks` and `locks_slow` the program has
locks of its own; in the phase `alone` one task runs after the other. A tracepoint's value is the
task's number, and above its 8 bits its lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from mel_gen import Command, TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.recording import Phase, Recording
from melanion.measure.registry import register
from melanion.measure.rows import Found, Samples

TASK_FIRST, TASKS = 1, 60  # tasks of the program; others are the main task and idle
DATABASE = 0  # the lock of ordinary transactions
SOFTWARE = 1 << 15 | 3  # cause of a trap: a doorbell, a notice, the unit
SEMAPHORE_CALLS = (Command.SEMAPHORE_GIVE, Command.SEMAPHORE_TAKE)
# Tracepoints at which a task begins or goes on to compute, and at which it stops.
COMPUTES, STOPS = ("enter", "taken", "given", "back"), ("wait", "give", "urgent", "done")

Passed = tuple[int, str, int, int]  # cycle, tracepoint, value, core
Measure = Callable[[Recording, Phase], Samples]


def _passed(recording: Recording, phase: Phase) -> list[Passed]:
    """The tracepoints of all tasks, in order of time."""
    names = {number: name for name, number in recording.definition.tracepoints.items()}
    tracepoints = phase.kind(TraceKind.TRACEPOINT)
    return [(int(p["cycle"]), names[int(p["a"])], int(p["b"]), int(p["core"])) for p in tracepoints]


def total(recording: Recording, phase: Phase) -> Samples:
    """From the start of the first triad to the last report."""
    at = {
        name: cycle for cycle, name, _, _ in _passed(recording, phase) if name in ("start", "end")
    }
    return np.array([at["end"] - at["start"]], dtype=np.int64)


def semaphore_calls(recording: Recording, phase: Phase) -> Samples:
    commands = phase.kind(TraceKind.COMMAND)["a"] & 0xFF
    return np.array([np.isin(commands, SEMAPHORE_CALLS).sum()], dtype=np.int64)


def context_switches(recording: Recording, phase: Phase) -> Samples:
    """Number of times that a core ran another task of the program than before; idle times between
    count as no switch."""
    dispatches = phase.kind(TraceKind.DISPATCH)
    meant = dispatches[_is_task(dispatches["a"])]
    found = 0
    for core in np.unique(meant["core"]):
        tasks = meant["a"][meant["core"] == core]
        found += int(np.count_nonzero(tasks[1:] != tasks[:-1]))
    return np.array([found], dtype=np.int64)


def _is_task(numbers: np.ndarray) -> np.ndarray:
    return (numbers >= TASK_FIRST) & (numbers < TASK_FIRST + TASKS)


def short_locks(recording: Recording, phase: Phase) -> Samples:
    """Number of times that a core turned interrupts off and on again: in a kernel in C for several
    cores each such span is a critical section, and holds the lock between cores."""
    at = {name: cycle for cycle, name, _, _ in _passed(recording, phase)}
    spans = phase.kind(TraceKind.IRQ_OFF)["cycle"].astype(np.int64)
    return np.array([((spans > at["start"]) & (spans <= at["end"])).sum()], dtype=np.int64)


def communication(recording: Recording, phase: Phase) -> Samples:
    """Cycles of each hand-over of the database's lock: from just before its release while a task
    waited to just after that task's acquisition, on whatever core."""
    samples = [taken - given for given, taken in _handed(recording, phase)]
    return _some(phase, samples, "lock was released while a task waited for it")


def called(recording: Recording, phase: Phase) -> Samples:
    """Number of times that a core was interrupted by another, or by the unit, during each such
    hand-over. A core that is interrupted in vain, and one that can only call the right one, count
    too."""
    traps = phase.kind(TraceKind.TRAP)
    rung = traps["cycle"][traps["a"] == SOFTWARE].astype(np.int64)
    samples = [
        int(((rung > given) & (rung < taken)).sum()) for given, taken in _handed(recording, phase)
    ]
    return _some(phase, samples, "lock was released while a task waited for it")


def _handed(recording: Recording, phase: Phase) -> list[tuple[int, int]]:
    """The cycles just before each release of the database's lock while a task waited for it, and
    just after that task's acquisition."""
    at: dict[tuple[str, int], int] = {}
    order: list[int] = []
    for cycle, name, value, _ in _passed(recording, phase):
        at[name, value] = cycle
        if name == "taken" and value >> 8 == DATABASE:
            order.append(value)
    return [
        (at["give", giver], at["taken", taker])
        for giver, taker in pairwise(order)
        if at["wait", taker] < at["give", giver]
    ]


def context_switch(recording: Recording, phase: Phase) -> Samples:
    """From a task's last instruction before the call by which it leaves its core to the first one
    of the task that runs there next. Only if that was ready: with an idle core between them it is
    no switch from one to the other."""
    idle: dict[int, list[int]] = {}
    for dispatch in phase.kind(TraceKind.DISPATCH):
        if int(dispatch["a"]) >= TASK_FIRST + TASKS:
            idle.setdefault(int(dispatch["core"]), []).append(int(dispatch["cycle"]))
    left: dict[int, int] = {}
    samples = []
    for cycle, name, _, core in _passed(recording, phase):
        if name in ("leave", "urgent"):
            left[core] = cycle
        elif name in ("enter", "back") and core in left:
            start = left.pop(core)
            if not any(start < each < cycle for each in idle.get(core, [])):
                samples.append(cycle - start)
    return _some(phase, samples, "core went from one task to another that was ready")


def computation(recording: Recording, phase: Phase) -> Samples:
    """Cycles of each ordinary task between its kernel calls."""
    return _some(phase, list(_computed(recording, phase).values()), "task computed")


def _computed(recording: Recording, phase: Phase) -> dict[int, int]:
    """Number of the task → its cycles."""
    began: dict[int, int] = {}
    computed: dict[int, int] = {}
    for cycle, name, value, _ in _passed(recording, phase):
        if value >> 8 == DATABASE and name in COMPUTES:
            began[value] = cycle
        elif value >> 8 == DATABASE and name in STOPS:
            computed[value] = computed.get(value, 0) + cycle - began[value]
    return computed


def bus_wait(recording: Recording) -> Found:
    """Additional computing time of each task, compared with running alone."""
    (alone,) = recording.phases("alone")
    (together,) = (p for p in recording.phases("all") if p.parameter == alone.parameter)
    least, found = _computed(recording, alone), _computed(recording, together)
    waits = [found[task] - least[task] for task in sorted(found)]
    yield {"tasks": alone.parameter}, _some(together, waits, "task computed")


def _some(phase: Phase, samples: list[int], what: str) -> Samples:
    if not samples:
        raise ExperimentError(f"{phase.label}: no {what}; there is nothing to measure.")
    return np.array(samples, dtype=np.int64)


def _by_tasks(
    measure: Measure, name: str = "all", parameter: str = "tasks"
) -> Callable[[Recording], Found]:
    def found(recording: Recording) -> Found:
        for phase in recording.phases(name):
            yield {parameter: phase.parameter}, measure(recording, phase)

    return found


def _misses(port: str) -> Callable[[Recording], Found]:
    """Misses of a run's caches, from reset to its end: one run for each number of tasks."""

    def found(recording: Recording) -> Found:
        if not recording.misses or not all(recording.misses):
            raise ExperimentError("the system has no caches; name one with them, as rtu-3+shared.")
        for phase, run in zip(recording.phases("all"), recording.misses, strict=True):
            yield {"tasks": phase.parameter}, np.array([run[port]], dtype=np.int64)

    return found


def _bytes(kind: str) -> Callable[[Recording], Found]:
    def found(recording: Recording) -> Iterator[tuple[dict[str, int | str], Samples]]:
        yield {}, np.array([recording.sizes[kind]], dtype=np.int64)

    return found


METRICS: dict[str, Callable[[Recording], Found]] = {
    "total": _by_tasks(total),
    "semaphore_calls": _by_tasks(semaphore_calls),
    "context_switches": _by_tasks(context_switches),
    "communication": _by_tasks(communication),
    "context_switch": _by_tasks(context_switch),
    "computation": _by_tasks(computation),
    "short_locks": _by_tasks(short_locks),
    "called": _by_tasks(called),
    "computation_alone": _by_tasks(computation, "alone"),
    "bus_wait": bus_wait,
    "communication_slow": _by_tasks(communication, "slow", "wait"),
    "context_switch_slow": _by_tasks(context_switch, "slow", "wait"),
    "total_slow": _by_tasks(total, "slow", "wait"),
    "total_locks": _by_tasks(total, "locks"),
    "communication_locks": _by_tasks(communication, "locks"),
    "total_locks_slow": _by_tasks(total, "locks_slow", "wait"),
    "communication_locks_slow": _by_tasks(communication, "locks_slow", "wait"),
    "instruction_misses": _misses("instructions"),
    "data_misses": _misses("data"),
    "code": _bytes("code"),
    "data": _bytes("data"),
}


register("database", "rtu-locks", "rtu-shared", "rtu-wait", by=METRICS.__getitem__)
