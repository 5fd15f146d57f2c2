# SPDX-License-Identifier: Apache-2.0
"""The proof of one command or query: all paths of its program against the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from unittest import mock

import z3
from mel_gen import ANSWER_WAITING, Query, Status

import melanion.model.kernel as kernel_module
from melanion.model import checks
from melanion.model.state import ModelError
from tests.symbolic.machine import Machine, Request
from tests.symbolic.model import SymbolicKernel
from tests.symbolic.numbers import Num
from tests.symbolic.paths import Difference, Paths
from tests.symbolic.program import Words
from tests.symbolic.relation import Claim, claims, unchanged
from tests.symbolic.rows import Messages
from tests.symbolic.state import WAIT_MUTEX, State, begin

Given = Callable[[State, Request], z3.BoolRef]


def _waits_for_no_mutex(state: State, request: Request) -> z3.BoolRef:
    record = state.word("task", request.number)
    return z3.Extract(26, 24, record) != WAIT_MUTEX


# Command or query that is proved → condition under which, when that is not all.
NO_MUTEX = "tasks that wait for no mutex"
PROVED: dict[str, str] = {
    **dict.fromkeys(
        (
            *("semaphore_create", "semaphore_give", "semaphore_take"),
            *("semaphore_count", "task_create", "task_delete", "task_start", "task_exit"),
            *("task_suspend", "task_resume", "task_sleep", "task_wakeup", "task_delay"),
            *("task_delay_until", "task_state"),
            *("notification_set", "notification_give", "notification_overwrite"),
            *("notification_send", "notification_clear", "notification_cancel"),
            *("notification_wait", "notification_take", "notification_take_all"),
            *("dispatch_enable", "dispatch_disable", "deadline_set", "quantum_set", "claim_limit"),
            *("tick_set", "event_flags_create", "event_flags_clear", "event_flags_wait_any"),
            *("event_flags_wait_all", "event_flags_take_any", "event_flags_take_all"),
            *("timer_start", "timer_stop", "mutex_create", "mutex_state", "task_rotate"),
            "queue_count",
        ),
        "",
    ),
    "task_release": NO_MUTEX,
    "task_terminate": NO_MUTEX,
}
GIVEN: dict[str, Given] = {NO_MUTEX: _waits_for_no_mutex}


@dataclass(frozen=True)
class Count:
    """Paths that a state can take, and what was required on them."""

    paths: int
    requirements: int


class Pairs:
    """checks.TASK_ONLY, for arguments that are symbols."""

    def __init__(self, pairs: Iterable[tuple[int, int]]) -> None:
        self._pairs = pairs

    def __contains__(self, pair: tuple[int, Num]) -> bool:
        return any(pair[0] == op and bool(pair[1] == argument) for op, argument in self._pairs)


def _length(messages: Messages) -> Num:
    """`len`, of messages whose number is a symbol."""
    return messages.count


def request_of(words: Words, name: str) -> Request:
    spec = words.tables.spec
    number, argument = z3.BitVec("number", 8), z3.BitVec("argument", 32)
    if name in spec.commands.commands:
        command = spec.commands.commands[name]
        return Request(name, command.op, command.id, number, argument)
    query = spec.registers.queries[name]
    return Request(name, query.op, query.id, number, argument, write=False)


def prove(words: Words, name: str) -> Count:
    """Prove a command or query. Raises Difference, which names the words of the path."""
    request, feasible = request_of(words, name), 0

    def once(paths: Paths) -> None:
        nonlocal feasible
        tables = words.tables.machine
        initial, state = begin(tables, paths), begin(tables, paths)
        core = initial.core
        paths.assume(z3.Not(z3.And(core.of_task, z3.Not(core.ended), core.waits)))  # it cannot call
        if PROVED.get(name):
            paths.assume(GIVEN[PROVED[name]](initial, request))
        machine = Machine(words, initial, state, request)
        try:
            machine.run()
            if paths.impossible():
                return
            feasible += 1
            for what, fact in _claims(paths, machine):
                paths.require(fact, what)
        except ModelError as error:
            raise Difference(
                f"{name}: the model allows no such step: {error}\n{machine.path()}"
            ) from None
        except Difference as difference:
            raise Difference(f"{name}: {difference}\n{machine.path()}") from None

    paths = Paths()
    paths.run(once)
    return Count(feasible, paths.required)


def _is(found: z3.BitVecRef | None, status: Status) -> bool:
    return found is not None and z3.is_true(z3.simplify(found == status & 0xFF))


def _claims(paths: Paths, machine: Machine) -> Iterator[Claim]:
    request = machine.request
    if machine.answer is not None and _is(machine.answer.status, Status.E_BUSY):
        yield from unchanged(machine)
        return
    kernel = SymbolicKernel(begin(machine.words.tables.machine, paths))
    number, argument = Num(paths, request.number), Num(paths, request.argument)
    if request.write:
        with mock.patch.object(checks, "TASK_ONLY", Pairs(checks.TASK_ONLY)):
            answer = kernel.command(0, request.op, number, argument)  # type: ignore[arg-type]
    else:
        with mock.patch.object(kernel_module, "len", _length, create=True):
            answer = kernel.query(Query(request.op), number)  # type: ignore[arg-type]
    yield from claims(machine, kernel, answer, ANSWER_WAITING)
