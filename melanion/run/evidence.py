# SPDX-License-Identifier: Apache-2.0
"""The evidence that a failed run left, in lines: what every task did at its end, whether anything
could still happen, and what the unit refused."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from mel_gen import Status, TraceKind

import melanion.run.hints as hints
import melanion.run.replaying as replaying
import melanion.run.tasks as tasks
from melanion.build.symbols import location
from melanion.errors import MelanionError
from melanion.model import Table
from melanion.model.describe import INT32, command_name, name_of
from melanion.run.errors import RunError
from melanion.run.judge import SLEEP
from melanion.run.limits import used_up
from melanion.run.result import RunResult
from melanion.trace import Events

# spec/registers.yaml, `refused`: the statuses that the unit counts.
COUNTED = (Status.E_RSFN, Status.E_ID, Status.E_PAR, Status.E_CTX)
MOST_LINES = 20  # lines shown of a console, at most


def lines(result: RunResult) -> list[str]:
    """Lines of at most 80 columns."""
    table = tasks.tasks(result.system, result.events, result.names)
    head = f"{result.program.app.name} on {result.system.name}, at its end in cycle {result.cycles}"
    found = [f"{head}, tick {table.tick}:", *tasks.text(table).splitlines()]
    told = hints.of(result, failed=True)
    for sentence in (*outlook(result, table), *refusals(result), *told, *used_up(result)):
        found += textwrap.wrap(sentence, tasks.WIDTH)
    return found


@contextmanager
def shown() -> Iterator[Callable[[RunResult], None]]:
    """For whoever shows a run's error and nothing else: the error of the block then begins with the
    evidence of the run that the block gets told of (`failed` of run_program)."""
    left: list[RunResult] = []
    try:
        yield left.append
    except MelanionError as error:
        if not left:
            raise
        found = [line for each in left for line in (*printed(each.console), *lines(each))]
        raise RunError("\n".join([*found, error.message]), error.exit_code) from error


def printed(console: str) -> list[str]:
    """The last lines of a console, for a report that holds several runs."""
    lines = console.splitlines()
    left = len(lines) - MOST_LINES
    head = [f"the last {MOST_LINES} of {len(lines)} lines that it printed:"] if left > 0 else []
    return [*head, *lines[-MOST_LINES:]]


def outlook(result: RunResult, table: Table) -> list[str]:
    """Whether anything could still happen after the last event."""
    if not result.system.kernel_info.replayed:
        return _idle(result)
    if table.settled is None:
        return []
    sleeps = location(result.program.elf, int(result.events[-1]["c"])).startswith(SLEEP)
    if not sleeps:
        return []  # something runs outside the tasks
    pulses = result.counts.pulses_left
    to_come = [f"Pulses of the interrupt generator to come: {pulses}."] if pulses else []
    if {row.state for row in table.rows} <= {"dormant"}:
        none = f"No task is left since cycle {table.settled}: each has ended or was never started."
        return [none, *to_come]
    return to_come or [
        f"Nothing can happen any more since cycle {table.settled}: every task waits without limit"
        " or is stopped, no timer runs, and no interrupt is to come."
    ]


def _idle(result: RunResult) -> list[str]:
    """Line for a kernel whose calls no model follows: only its switches are known."""
    switches = result.events[result.events["kind"] == TraceKind.DISPATCH]
    if len(switches) == 0 or int(switches["a"][-1]) != result.system.parameters.tasks:
        return []
    since = int(switches["cycle"][-1])
    return [f"Only the idle task has run since cycle {since}."]


def refusals(result: RunResult) -> list[str]:
    """Refused calls of the program, and its accesses that the hardware unit refused."""
    commands = _refused(result.events)
    found = []
    if len(commands):
        number = Counter(_status(int(word)) for word in commands["d"])
        statuses = ", ".join(f"{count} × {name}" for name, count in sorted(number.items()))
        last = commands[-1]
        call = command_name(int(last["a"]) & 0xFF, replaying.own(result.system))
        found.append(
            f"Refused calls: {statuses}; the last in cycle {last['cycle']}: {call} of id"
            f" {last['b']}{_allowed(result, call, int(last['d']))}."
        )
    counts = result.counts
    # Without a unit nobody counts.
    if counts.refused is not None and (illegal := counts.refused - len(commands)):
        found.append(f"Accesses of the unit that are no command, and did nothing: {illegal}.")
    if counts.lost:
        found.append(f"Interrupt edges that the unit lost: {counts.lost}.")
    return found


def _refused(events: Events) -> Events:
    """The commands that the register `refused` counts."""
    commands = events[events["kind"] == TraceKind.COMMAND]
    wrong = [status + INT32 for status in COUNTED]
    refused: Events = commands[np.isin(commands["d"], wrong)]
    return refused


def _allowed(result: RunResult, call: str, status: int) -> str:
    """Which numbers the system has, if the number was what was wrong."""
    if status - INT32 != Status.E_ID:
        return ""
    sizes = result.system.parameters
    for noun, count in (
        ("task", sizes.tasks),
        ("semaphore", sizes.semaphores),
        ("mutex", sizes.mutexes),
        ("event_flags", sizes.event_flags),
        ("queue", sizes.queues),
        ("timer", sizes.timers),
    ):
        if call.startswith(f"{noun}_"):
            has = f"has the ids 0 to {count - 1}" if count else "has none"
            return f", and {result.system.name} {has}"
    return ""


def _status(word: int) -> str:
    return name_of(Status, word - INT32).upper()
