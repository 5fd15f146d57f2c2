# SPDX-License-Identifier: Apache-2.0
"""The fields of the model, by what the machine's memories hold: the relation of both."""

from __future__ import annotations

from collections.abc import Callable

import z3

from tests.symbolic.paths import Expr
from tests.symbolic.state import OBJECTS, WAIT_MUTEX, State, bit, const, key

STALE = 11  # bit of a task's record: its slice means something


class Column:
    """A field of all rows of a table: contents in the beginning, and the writes since."""

    def __init__(self, initial: Callable[[Expr], Expr]) -> None:
        self._initial = initial
        self.writes: list[tuple[Expr, Expr]] = []

    def get(self, number: Expr) -> Expr:
        value = self._initial(number)
        for place, written in self.writes:
            value = z3.If(number == place, written, value)
        return value

    def set(self, number: Expr, value: Expr) -> None:
        self.writes.append((number, z3.simplify(value)))


Columns = dict[str, Column]


class Contents:
    """The state store as it is now."""

    def __init__(self, state: State) -> None:
        self._pages, self._numbers = dict(state.pages), state.machine.pages

    def word(self, page: str, number: Expr) -> Expr:
        return z3.Select(self._pages[self._numbers[page]], number)

    def field(self, page: str, high: int, lowest: int) -> Column:
        return Column(lambda n: z3.Extract(high, lowest, self.word(page, n)))

    def flag(self, page: str, number: int) -> Column:
        return Column(lambda n: bit(self.word(page, n), number))


def task_columns(state: State) -> Columns:
    """`queued`: it waits in the list of a semaphore, queue or mutex; `expires`: its wait has an
    expiry; `late`: that has come."""
    now, core, results = Contents(state), state.core, state.results
    word = now.word
    runs = z3.And(core.running_valid, z3.Not(core.ended))
    running, task_result = core.running, core.task_result
    armed, value = state.expiry.armed, state.expiry.value
    watched, deadline = state.deadline.armed, state.deadline.value

    def queue_key(n: Expr) -> Expr:
        record = word("task", n)
        return key(OBJECTS, z3.Extract(25, 24, record), z3.Extract(23, 16, record))

    def queued(n: Expr) -> Expr:
        record = word("task", n)
        return z3.And(bit(record, 26), z3.Extract(25, 24, record) != 1)

    def used(n: Expr) -> Expr:
        fresh = bit(word("task", n), STALE)
        return z3.If(fresh, z3.Extract(31, 16, word("slice", n)), const(0, 16))

    return {
        "exists": now.flag("task", 27),
        "dormant": now.flag("task", 28),
        "suspended": now.flag("task", 29),
        "waits": now.field("task", 26, 24),
        "queued": Column(queued),
        "queue_key": Column(queue_key),
        "awaits": Column(lambda n: z3.Extract(26, 24, word("task", n)) == WAIT_MUTEX),
        "wakeups": now.field("task", 15, 12),
        "priority": now.field("task", 7, 0),
        "base_priority": now.field("base", 7, 0),
        "initial_priority": now.field("more", 7, 0),
        "used": Column(used),
        "notification_value": now.field("notification", 31, 0),
        "notification_pending": now.flag("more", 27),
        "rest_code": now.field("task", 17, 16),
        "rest_bits": now.field("word", 31, 0),
        "pattern": now.field("word", 31, 0),
        "every": now.flag("mode", 25),
        "takes": now.flag("mode", 24),
        "expires": Column(lambda n: z3.Or(z3.Select(armed, n), bit(word("task", n), 30))),
        "expiry_at": Column(lambda n: z3.ZeroExt(32, z3.Select(value, n))),
        "watched": Column(lambda n: z3.Select(watched, n)),
        "deadline_at": Column(lambda n: z3.ZeroExt(32, z3.Select(deadline, n))),
        "budget": now.field("budget", 31, 0),
        "word": now.field("word", 31, 0),
        "late": now.flag("task", 30),
        "result": Column(
            lambda n: z3.If(z3.And(runs, running == n), task_result, z3.Select(results, n))
        ),
    }


def semaphore_columns(state: State) -> Columns:
    now = Contents(state)

    def maximum(n: Expr) -> Expr:
        record = now.word("semaphore", n)
        return z3.Extract(15, 0, record) + z3.Extract(31, 16, record)

    return {
        "exists": Column(lambda n: now.word("semaphore", n) != 0),
        "count": now.field("semaphore", 15, 0),
        "maximum": Column(maximum),
    }


def flags_columns(state: State) -> Columns:
    now = Contents(state)
    return {"exists": now.flag("flags_more", 27), "flags": now.field("flags", 31, 0)}


def timer_columns(state: State) -> Columns:
    """A timer whose line rises with the next tick is `noted`: the machine then keeps no expiry, or
    that of the next period."""
    now = Contents(state)
    noted, armed, value = state.noted, state.timer.armed, state.timer.value
    next_tick = z3.Extract(31, 0, state.now) + 1

    def expiry(n: Expr) -> Expr:
        return z3.ZeroExt(32, z3.If(z3.Select(noted, n), next_tick, z3.Select(value, n)))

    def period(n: Expr) -> Expr:
        return z3.If(bit(now.word("timer", n), 30), now.word("period", n), const(0, 32))

    return {
        "runs": Column(lambda n: z3.Or(z3.Select(noted, n), z3.Select(armed, n))),
        "expiry_at": Column(expiry),
        "period": Column(period),
    }


def mutex_columns(state: State) -> Columns:
    now = Contents(state)
    return {
        "exists": now.flag("mutex", 27),
        "is_owned": now.flag("mutex", 26),
        "abandoned": now.flag("mutex", 25),
        "has_ceiling": now.flag("mutex", 24),
        "locks": now.field("mutex", 23, 16),
        "owner_number": now.field("mutex", 7, 0),
        "ceiling_level": now.field("ceiling", 7, 0),
    }


def queue_columns(state: State) -> Columns:
    now = Contents(state)
    return {
        "exists": Column(lambda n: now.word("queue", n) != 0),
        "count": now.field("queue", 15, 0),
    }


def quantum_columns(state: State) -> Columns:
    """The machine keeps minus the ticks, in the upper half."""
    now = Contents(state)
    return {"ticks": Column(lambda n: -z3.Extract(31, 16, now.word("quantum", n)))}


def word_columns(state: State, which: str) -> Columns:
    """`which`: of tasks, or `_core`: of the handler level and of idle."""
    now = Contents(state)
    return {name: now.field(f"{name}{which}", 31, 0) for name in ("operand", "value")}
