# SPDX-License-Identifier: Apache-2.0
"""Equality of the program and the model when both have executed a command: status, fields of all
tasks and objects that one of them touched, lists by their operations, the core. And what always
holds, holds again."""

from __future__ import annotations

from collections.abc import Iterator

import z3

from tests.symbolic.columns import (
    Columns,
    flags_columns,
    mutex_columns,
    quantum_columns,
    semaphore_columns,
    task_columns,
    timer_columns,
    word_columns,
)
from tests.symbolic.lists import Operation
from tests.symbolic.machine import Machine
from tests.symbolic.model import SymbolicKernel
from tests.symbolic.numbers import low
from tests.symbolic.paths import Expr
from tests.symbolic.state import (
    OF_TASK,
    WAIT_FLAGS,
    WAIT_NOTIFICATION,
    WAIT_QUEUE,
    Unsupported,
    bit,
    const,
    of_core,
    of_flags,
    of_semaphore,
    of_task,
    of_timer,
)

Claim = tuple[str, Expr]
# Fields that mean something only when another one is set, or while a task is not dormant.
WHEN = {
    **{"queue_key": "queued", "expiry_at": "expires", "deadline_at": "watched"},
    **{"owner_number": "is_owned", "locks": "is_owned", "ceiling_level": "has_ceiling"},
}
WAITS = {"rest_code": WAIT_NOTIFICATION, "rest_bits": WAIT_NOTIFICATION, "word": WAIT_QUEUE,
         "pattern": WAIT_FLAGS, "every": WAIT_FLAGS, "takes": WAIT_FLAGS}  # fmt: skip
KEPT = {"semaphore": of_semaphore, "flags_more": of_flags, "timer": of_timer}  # invariants by page
WORDS = frozenset(("expiry_at", "deadline_at"))  # the machine keeps the low word
AWAKE = frozenset(("notification_value", "notification_pending", "result"))
RUNNABLE = frozenset(("used",))  # a task that becomes ready begins a new slice


def claims(machine: Machine, kernel: SymbolicKernel, answer: int, waiting: int) -> Iterator[Claim]:
    """All that must hold; `answer`: the model's, `waiting`: that of a caller that waits."""
    done = machine.answer
    if done is None:
        raise Unsupported(f"{machine.at}: the step ends without an answer")
    if not machine.request.write:
        word = low(answer, 32)
        yield "the word of the query", done.word == word
        yield from _invariants(machine, kernel)
        return
    yield "that the caller waits", z3.BoolVal((done.status is None) == (answer == waiting))
    if done.status is not None and answer != waiting:
        yield "the status", done.status == const(int(answer) & 0xFF, 8)
    yield from _tables(machine, kernel)
    yield from _core(machine, kernel)
    yield from _lists(machine, kernel)
    yield from _invariants(machine, kernel)


def unchanged(machine: Machine) -> Iterator[Claim]:
    """A command that is answered E_BUSY has done nothing, and a job is under way that it waits
    for."""
    yield "nothing done", z3.BoolVal(not machine.state.said)
    yield "a job that it waits for", machine.initial.jobs != 0
    for page, before in machine.initial.pages.items():
        same = z3.BoolVal(z3.eq(before, machine.state.pages[page]))
        if page == machine.words.page("ceiling"):  # without its mutex it means nothing
            same = z3.Or(
                same, z3.Not(bit(machine.initial.word("mutex", machine.request.number), 27))
            )
        yield "memories unchanged", same
    yield "lists unchanged", z3.BoolVal(not machine.state.waits.log + machine.state.ready.log)


# ---- tables --------------------------------------------------------------------------------------


def _distinct(numbers: list[Expr]) -> list[Expr]:
    found: dict[int, Expr] = {}
    for number in map(z3.simplify, numbers):
        found.setdefault(number.get_id(), number)
    return list(found.values())


def _numbers(machine: Machine, pages: frozenset[str], columns: Columns) -> list[Expr]:
    """Numbers of the rows that one side touched."""
    found = [n for page in pages for n in machine.touched.get(page, [])]
    return _distinct([*found, *(n for column in columns.values() for n, _ in column.writes)])


def _tasks(machine: Machine, kernel: SymbolicKernel) -> list[Expr]:
    pages = OF_TASK | {"expiry", "results"}
    return _numbers(machine, pages, kernel.tasks.columns)


def _rows(name: str, mine: Columns, its: Columns, numbers: list[Expr]) -> Iterator[Claim]:
    """Each field of each row."""
    for number in numbers:
        exists = its["exists"].get(number) if "exists" in its else z3.BoolVal(True)
        for field, column in mine.items():
            when = exists if field != "exists" else z3.BoolVal(True)
            if field in WHEN:
                means = "runs" if name == "timer" else WHEN[field]
                when = z3.And(when, its[means].get(number))
            if name == "timer" and field == "period":
                when = z3.And(when, its["runs"].get(number))
            if field in AWAKE | RUNNABLE:
                when = z3.And(when, z3.Not(its["dormant"].get(number)))
            if field in RUNNABLE:
                held = z3.Or(its["suspended"].get(number), its["waits"].get(number) != 0)
                when = z3.And(when, z3.Not(held))
            if field in WAITS:
                when = z3.And(when, its["waits"].get(number) == WAITS[field])
            if field == "rest_bits":
                when = z3.And(when, its["rest_code"].get(number) == 0)
            if field == "expiry_at" and name == "task":  # an expiry that has come is no longer kept
                when = z3.And(when, z3.Not(its["late"].get(number)))
            one, other = column.get(number), its[field].get(number)
            if field in WORDS:
                one, other = (z3.Extract(31, 0, value) for value in (one, other))
            same = one == other
            yield f"{name} {field}", z3.Implies(when, same)


def _tables(machine: Machine, kernel: SymbolicKernel) -> Iterator[Claim]:
    state = machine.state
    tasks = _tasks(machine, kernel)
    mine, its = task_columns(state), kernel.tasks.columns
    yield from _rows("task", mine, its, tasks)
    for name, pages, mine, table in (
        ("semaphore", {"semaphore"}, semaphore_columns(state), kernel.semaphores),
        ("word", {"operand", "value"}, word_columns(state, ""), kernel.words),
        ("event_flags", {"flags", "flags_more"}, flags_columns(state), kernel.event_flags),
        ("mutex", {"mutex", "ceiling"}, mutex_columns(state), kernel.mutexes),
        ("timer", {"timer", "period"}, timer_columns(state), kernel.timers),
        ("quantum", {"quantum"}, quantum_columns(state), kernel.quanta),
        ("core's word", {"operand_core", "value_core"}, word_columns(state, "_core"),
         kernel.core_words),
    ):  # fmt: skip
        yield from _rows(name, mine, table.columns,
                         _numbers(machine, frozenset(pages), table.columns))  # fmt: skip
    yield from _counters(machine, kernel)


def _counters(machine: Machine, kernel: SymbolicKernel) -> Iterator[Claim]:
    state, refused = machine.state, kernel.refused.expr
    most = const(0xFFFF_FFFF, 64)
    counted = z3.ZeroExt(32, state.index("register", "refused"))
    yield "the count of refusals", counted == z3.If(z3.UGT(refused, most), most, refused)
    for page, name, value in (("system", "claim_limit", kernel.claim_limit),
                              ("system", "claims_left", kernel.claims_left),
                              ("register", "tick_cycles", kernel.tick_cycles)):  # fmt: skip
        yield name, state.index(page, name) == low(value, 32)
    lengths = [result for name, result in state.said if name == "tick_set"]
    length = lengths[-1] if lengths else machine.initial.index("register", "tick_cycles")
    yield "the length of a tick", length == low(kernel.tick_cycles, 32)


# ---- core and lists ------------------------------------------------------------------------------


def _core(machine: Machine, kernel: SymbolicKernel) -> Iterator[Claim]:
    mine, its = machine.state.core, kernel.state.core
    valid = its.running_valid
    yield "whether a task runs", mine.running_valid == valid
    yield "the running task", z3.Implies(valid, mine.running == its.running)
    yield "the turn of the running task", mine.apart == z3.And(valid, kernel.core.is_apart)
    for name in ("ended", "in_handler", "enabled", "handler_result", "idle_result"):
        yield f"{name} of the core", getattr(mine, name) == getattr(its, name)
    ended = z3.Implies(mine.ended, mine.task_result == its.task_result)
    yield "the result of a task that ended", ended


def _same(mine: list[Operation], its: list[Operation], name: str) -> Iterator[Claim]:
    listed = [[op.name for op in side] for side in (mine, its)]
    yield (
        f"operations on {name}: {listed[0]}, by the model {listed[1]}",
        z3.BoolVal(listed[0] == listed[1]),
    )
    for one, other in zip(mine, its, strict=False):
        for part in ("key", "level", "node"):
            same = getattr(one, part) == getattr(other, part)
            yield f"{part} of an operation on {name}", same


def _lists(machine: Machine, kernel: SymbolicKernel) -> Iterator[Claim]:
    mine, its = machine.state, kernel.state
    yield from _same(mine.waits.log, its.waits.log, "waits")
    yield from _same(mine.ready.log, its.ready.log, "ready and due tasks")
    drains = kernel.dying.added
    started = z3.Extract(6, 6, mine.jobs) == 1
    begun = z3.Extract(6, 6, machine.initial.jobs) == 1
    yield "that waiters are released", started == z3.Or(begun, z3.BoolVal(bool(drains)))
    orphans = kernel.orphans.added
    job = machine.words.tables.machine.jobs["orphan"]
    started, begun = (z3.Extract(job, job, jobs) == 1 for jobs in (mine.jobs, machine.initial.jobs))
    yield "that mutexes are unlocked", started == z3.Or(begun, z3.BoolVal(bool(orphans)))
    for kind, number in drains:
        word = mine.index("system", "drained")
        code = {"semaphore": 0, "event_flags": 1, "queue": 2, "mutex": 3}[kind.value]
        yield "whose waiters", z3.And(z3.Extract(23, 16, word) == number,
                                      z3.Extract(25, 24, word) == code)  # fmt: skip


def _invariants(machine: Machine, kernel: SymbolicKernel) -> Iterator[Claim]:
    yield "invariant of the core", of_core(machine.state)
    for number in _tasks(machine, kernel):
        yield "invariant of a task", of_task(machine.state, number)
    for page, holds in KEPT.items():
        for number in _distinct(machine.touched.get(page, [])):
            yield f"invariant of {page}", holds(machine.state, number)
