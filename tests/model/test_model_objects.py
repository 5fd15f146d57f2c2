# SPDX-License-Identifier: Apache-2.0
"""The golden model: rules of event flags, queues and timers that hold in any run, by brute force.

Mutexes as far as ownership goes; what is inherited: test_model_mutex.py.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from mel_gen import LOCKS_LIMIT, Command, Status, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.replay import Event
from melanion.model.state import NEVER, ModelError, Task, Wait
from melanion.model.waiting import FOREVER
from tests.model import test_model
from tests.model.model_driver import SMALL
from tests.model.planted_flags import FLAG_BUGS
from tests.model.planted_model import Plant
from tests.model.planted_mutex import MUTEX_BUGS
from tests.model.planted_queues import QUEUE_BUGS
from tests.model.planted_timers import TIMER_BUGS
from tests.model.test_model import RUNS, SOURCES, watch, watch_states

WAITS = 2
FLAG_WAITS = {  # command: all flags of the pattern, and they are cleared
    Command.EVENT_FLAGS_WAIT_ANY: (False, False),
    Command.EVENT_FLAGS_WAIT_ALL: (True, False),
    Command.EVENT_FLAGS_TAKE_ANY: (False, True),
    Command.EVENT_FLAGS_TAKE_ALL: (True, True),
}
SENDS = (Command.QUEUE_SEND, Command.QUEUE_POST)


def ended_waits(old: Kernel, kernel: Kernel) -> list[int]:
    """Tasks whose wait ended with success in the last event."""
    return [
        n
        for n, task in old.tasks.items()
        if task.wait
        and n in kernel.tasks
        and not kernel.tasks[n].wait
        and not kernel.tasks[n].dormant
        and kernel.tasks[n].result == Status.E_OK
    ]


@RUNS
@given(SOURCES)
def test_objects_are_consistent(source: random.Random) -> None:
    def after(kernel: Kernel) -> None:
        for group in kernel.event_flags.values():
            assert not any(c.holds(group.flags) for c in group.waiting.values())
        for number, how in kernel.released.items():
            task = kernel.tasks[number]
            assert task.wait == Wait.EVENT_FLAGS
            assert how.result == Status.E_DLT or task.expiry == NEVER
        assert sum(q.capacity for q in kernel.queues.values()) <= SMALL.messages
        for queue in kernel.queues.values():
            levels = [level for level, _ in queue.messages]
            assert levels == sorted(levels)
            assert len(levels) <= queue.capacity
            assert not queue.waiting or len(levels) in (0, queue.capacity)
        for mutex in kernel.mutexes.values():
            owners = [n for n, task in kernel.tasks.items() if mutex in task.owned]
            assert owners == ([] if mutex.owner is None else [mutex.owner])
            assert (mutex.locks == 0) == (mutex.owner is None)
            assert mutex.locks <= LOCKS_LIMIT
            assert mutex.owner is not None or not mutex.waiting
            assert all(kernel.tasks[n].awaited is mutex for n in mutex.waiting)
        for timer in kernel.timers:
            assert timer.expiry == NEVER or timer.expiry > kernel.now
        assert all(n >= SMALL.interrupts for n in kernel.raised)
        assert all(kernel.interrupts[n].enabled for n in kernel.raised)

    watch_states(source, after)


@RUNS
@given(SOURCES)
def test_a_priority_is_the_most_urgent_of_base_ceilings_and_waiters(source: random.Random) -> None:
    def after(kernel: Kernel) -> None:
        for task in kernel.tasks.values():
            if task.number == kernel.linked:
                continue  # the next of a chain of owners, which inherits at its turn
            levels = [task.base_priority]
            for mutex in [] if task.dormant else task.owned:
                levels += [kernel.tasks[n].priority for n in mutex.waiting]
                levels += [] if mutex.ceiling is None else [mutex.ceiling]
            assert task.priority == min(levels)

    watch_states(source, after)


@RUNS
@given(SOURCES)
def test_no_message_is_lost_doubled_or_late(source: random.Random) -> None:
    """Messages in a queue = messages sent - messages received, as programs see them, in order."""
    inside: dict[int, Counter[int]] = {}
    calls: dict[int, tuple[int, int, int]] = {}  # command, queue, word of a waiting task

    def came_out(number: int, word: int) -> None:
        inside[number][word] -= 1
        assert inside[number][word] >= 0

    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        _, kind, _, a, number, argument, status = event
        op, core = a & 0xFF, kernel.cores[0]
        if kind == TraceKind.COMMAND and status == 0:
            if op == Command.QUEUE_CREATE:
                inside[number] = Counter()
            elif op in SENDS:
                inside[number][argument] += 1
            elif op == Command.QUEUE_RECEIVE:
                value = kernel.words_of(core).value
                came_out(number, value)
                assert value == old.queues[number].messages[0][1]
        elif kind == TraceKind.COMMAND and status == WAITS and core.running is not None:
            calls[core.running] = (op, number, argument)
        elif kind == TraceKind.IRQ and number == 5 and status == 0:
            inside[argument][old.interrupts[a].word] += 1
        for task in ended_waits(old, kernel):
            op, queue, word = calls[task]
            if op == Command.QUEUE_SEND:
                inside[queue][word] += 1
            elif op == Command.QUEUE_RECEIVE:
                came_out(queue, kernel.words[task].value)
        for n, subject in kernel.queues.items():
            assert +inside[n] == Counter(word for _, word in subject.messages)

    watch(source, after)


@RUNS
@given(SOURCES)
def test_a_wait_for_flags_ends_when_its_condition_holds(source: random.Random) -> None:
    """By value, condition and the flags that remain: nothing is set or cleared by the way."""
    calls: dict[int, tuple[Command, int]] = {}  # command, pattern of a waiting task

    def check(command: Command, pattern: int, value: int) -> None:
        every, _ = FLAG_WAITS[command]
        assert value & pattern == pattern if every else value & pattern

    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        _, kind, _, a, number, argument, status = event
        op, core = a & 0xFF, kernel.cores[0]
        changed = {number} if kind == TraceKind.COMMAND else set()
        if kind == TraceKind.COMMAND and op in FLAG_WAITS and status == 0:
            value = kernel.words_of(core).value
            check(Command(op), argument, value)
            assert value == old.event_flags[number].flags
            kept = ~argument if FLAG_WAITS[Command(op)][1] else ~0
            assert kernel.event_flags[number].flags == value & kept
        elif kind == TraceKind.COMMAND and op in FLAG_WAITS and status == WAITS:
            assert core.running is not None
            calls[core.running] = (Command(op), argument)
        elif kind == TraceKind.COMMAND and op == Command.EVENT_FLAGS_SET and status == 0:
            judge_set(old, kernel, number, argument, calls)
        elif kind == TraceKind.IRQ and number == 4 and status == 0:
            judge_set(old, kernel, argument, old.interrupts[a].word, calls)
            changed = {argument}
        elif kind == TraceKind.RELEASE and status == 0:
            check(*calls[a], kernel.words[a].value)
        for n, group in kernel.event_flags.items():
            assert n in changed or group.flags == old.event_flags[n].flags

    watch(source, after)


def judge_set(
    old: Kernel, kernel: Kernel, number: int, pattern: int, calls: dict[int, tuple[Command, int]]
) -> None:
    """All are judged by the same flags; what released takes asked for is cleared."""
    flags = old.event_flags[number].flags | pattern
    left = flags
    for task in old.event_flags[number].waiting:
        command, wanted = calls[task]
        every, takes = FLAG_WAITS[command]
        holds = flags & wanted == wanted if every else flags & wanted != 0
        assert holds == (task in kernel.released)
        if holds and takes:
            left &= ~wanted
    assert kernel.event_flags[number].flags == left


@RUNS
@given(SOURCES)
def test_timers_expire_when_they_are_due_and_never_else(source: random.Random) -> None:
    """Against a list of expiries that the test keeps itself."""
    expiries: dict[int, tuple[int, int]] = {}  # tick, period of a running timer

    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        _, kind, _, a, number, argument, status = event
        op = a & 0xFF if kind == TraceKind.COMMAND and status == 0 else 0
        due = []
        if op == Command.TIMER_START:
            period = old.words_of(old.cores[0]).operand
            expiries[number] = kernel.now + argument, period
        elif op == Command.TIMER_STOP:
            del expiries[number]
        elif kind == TraceKind.TICK:
            due = [n for n, (tick, _) in expiries.items() if tick == kernel.now]
            for n in due:
                _, period = expiries.pop(n)
                if period:
                    expiries[n] = kernel.now + period, period
        lines = {SMALL.interrupts + n for n in due}
        enabled = {n for n in lines if old.interrupts[n].enabled}
        if kind == TraceKind.TICK:
            assert kernel.raised == old.raised | enabled
        elif op not in (Command.IRQ_RAISE, Command.IRQ_DISABLE) and kind != TraceKind.IRQ:
            assert kernel.raised == old.raised
        assert {n for n, t in enumerate(kernel.timers) if t.expiry != NEVER} == set(expiries)

    watch(source, after)


# ---- the rules themselves -----------------------------------------------------------------------


def _woken_task_stays_in_its_wait_list(patch: pytest.MonkeyPatch) -> None:
    def end_wait(self: Kernel, subject: Task, result: Status) -> None:
        line = subject.queue
        right(self, subject, result)
        if line is not None:
            self.queue_waiter(line, subject)

    right = Kernel.end_wait
    patch.setattr(Kernel, "end_wait", end_wait)


BUGS = FLAG_BUGS | QUEUE_BUGS | MUTEX_BUGS | TIMER_BUGS
ONE_PLACE = test_model.test_a_task_stands_in_one_list_at_most
BROKEN: list[tuple[Any, Plant]] = [
    (ONE_PLACE, _woken_task_stays_in_its_wait_list),
    (test_objects_are_consistent, BUGS["sender_stays_when_there_is_room"]),
    (test_objects_are_consistent, BUGS["capacity_is_not_reserved"]),
    (test_objects_are_consistent, BUGS["orphan_to_nobody"]),
    (test_objects_are_consistent, BUGS["released_task_times_out"]),
    (
        test_a_priority_is_the_most_urgent_of_base_ceilings_and_waiters,
        BUGS["nothing_is_inherited"],
    ),
    (test_no_message_is_lost_doubled_or_late, BUGS["waiting_senders_word_lost"]),
    (test_no_message_is_lost_doubled_or_late, BUGS["message_to_a_receiver_is_kept_too"]),
    (test_a_wait_for_flags_ends_when_its_condition_holds, BUGS["all_is_any"]),
    (test_a_wait_for_flags_ends_when_its_condition_holds, BUGS["waiters_judged_one_by_one"]),
    (test_timers_expire_when_they_are_due_and_never_else, BUGS["alarm_repeats"]),
    (test_timers_expire_when_they_are_due_and_never_else, BUGS["stopped_timer_expires"]),
    (test_model.test_ready_lists_keep_their_order, BUGS["inherited_change_goes_to_the_tail"]),
    (test_model.test_a_refused_call_changes_nothing, BUGS["operand_is_consumed"]),
]


@pytest.mark.parametrize(
    ("rule", "plant"), BROKEN, ids=lambda item: item.__name__.removeprefix("test_").strip("_")
)
def test_a_planted_bug_breaks_the_rule(
    rule: Any, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(40):
            rule.hypothesis.inner_test(random.Random(seed))


# ---- single rules -------------------------------------------------------------------------------


def two_tasks(limits: Limits = SMALL) -> Kernel:
    """Task 0 (urgent) runs, task 1 is ready."""
    kernel = Kernel(limits)
    for number in (0, 1):
        kernel.command(0, Command.TASK_CREATE, number, number)
        kernel.command(0, Command.TASK_START, number, 0)
    kernel.command(0, Command.DISPATCH_ENABLE, 0, 0)
    kernel.dispatch(0)
    return kernel


def test_operand_and_value_belong_to_the_context() -> None:
    kernel = two_tasks()
    core = kernel.cores[0]
    kernel.words_of(core).operand = 7
    kernel.claim(0)
    assert kernel.words_of(core).operand == 0
    kernel.words_of(core).operand = 8
    kernel.dispatch(0)
    assert kernel.words_of(core).operand == 7
    kernel.command(0, Command.TASK_SLEEP, 0, FOREVER)
    kernel.dispatch(0)
    assert kernel.words_of(core).operand == 0
    kernel.claim(0)
    assert kernel.words_of(core).operand == 8


@pytest.mark.parametrize("how", [Command.TASK_TERMINATE, None])
def test_a_released_task_that_ends_keeps_its_value(how: Command | None) -> None:
    kernel = two_tasks()
    kernel.command(0, Command.EVENT_FLAGS_CREATE, 0, 0)
    kernel.words[0].operand = FOREVER
    kernel.words[0].value = 0x55
    kernel.command(0, Command.EVENT_FLAGS_WAIT_ANY, 0, 2)
    kernel.dispatch(0)
    kernel.command(0, Command.EVENT_FLAGS_SET, 0, 6)
    if how is None:
        kernel.release(0)
    else:
        kernel.command(0, how, 0, 0)
    assert not kernel.released
    assert kernel.words[0].value == (6 if how is None else 0x55)


def test_locks_are_counted_up_to_the_limit() -> None:
    kernel = two_tasks()
    kernel.command(0, Command.MUTEX_CREATE, 0, 0)
    statuses = [kernel.command(0, Command.MUTEX_LOCK, 0, 0) for _ in range(LOCKS_LIMIT + 1)]
    assert statuses == [Status.E_OK] * LOCKS_LIMIT + [Status.E_QOVR]
    for _ in range(LOCKS_LIMIT):
        assert kernel.command(0, Command.MUTEX_UNLOCK, 0, 0) == Status.E_OK
    assert kernel.command(0, Command.MUTEX_UNLOCK, 0, 0) == Status.E_OBJ


def test_a_task_whose_mutexes_are_left_is_not_started_again() -> None:
    from melanion.model import ModelError

    kernel = two_tasks()
    kernel.command(0, Command.MUTEX_CREATE, 1, 0)
    kernel.command(0, Command.MUTEX_LOCK, 1, 0)
    kernel.command(0, Command.TASK_EXIT, 0, 0)
    kernel.dispatch(0)
    for command in (Command.TASK_START, Command.TASK_DELETE):
        with pytest.raises(ModelError, match=r"mutexes \[1\] of ended task 0 are unlocked first"):
            kernel.command(0, command, 0, 0)
    with pytest.raises(ModelError, match="mutex 0 is not owned by a task 0 that ended"):
        kernel.orphan(0, 0)
    assert kernel.orphan(1, 0) is None
    assert kernel.command(0, Command.TASK_START, 0, 0) == Status.E_OK


def test_a_core_keeps_the_answer_of_a_task_that_ended_and_was_started_again() -> None:
    """Another core terminates it, starts it, and terminates it once more meanwhile."""
    kernel = Kernel(Limits(tasks=4, priorities=3, cores=2))
    for core in range(2):
        kernel.command(core, Command.DISPATCH_ENABLE, 0, 0)
    for call in (Command.TASK_CREATE, Command.TASK_START):
        assert kernel.command(1, call, 0, 0) == Status.E_OK
    host = next(core.number for core in kernel.cores if kernel.dispatch_due(core))
    assert kernel.dispatch(host) == 0
    other = 1 - host
    assert kernel.command(other, Command.TASK_TERMINATE, 0, 0) == Status.E_OK
    assert kernel.command(other, Command.TASK_START, 0, 0) == Status.E_OK
    assert kernel.command(host, Command.TASK_SLEEP, 0, FOREVER) == Status.E_CTX
    assert kernel.command(other, Command.TASK_TERMINATE, 0, 0) == Status.E_OK
    assert kernel.answer(host) == Status.E_CTX


# ---- flags and slices ----------------------------------------------------------------------------


def leaving_at_a_tick(kernel: Kernel) -> None:
    """Task 1 runs, with a quantum of a tick; flags have released task 0, whose wait ends with the
    next tick at the latest, and it has not left yet when that comes."""
    for number in (0, 1):
        kernel.command(0, Command.TASK_CREATE, number, 1)
        kernel.command(0, Command.TASK_START, number, 0)
    kernel.command(0, Command.EVENT_FLAGS_CREATE, 0, 0)
    kernel.command(0, Command.QUANTUM_SET, 0, 1 << 16 | 1)
    kernel.command(0, Command.DISPATCH_ENABLE, 0, 0)
    assert kernel.dispatch(0) == 0
    kernel.words_of(kernel.cores[0]).operand = 1
    kernel.command(0, Command.EVENT_FLAGS_WAIT_ANY, 0, 1)
    assert kernel.dispatch(0) == 1
    kernel.command(0, Command.EVENT_FLAGS_SET, 0, 1)
    kernel.tick()
    kernel.command(0, Command.SEMAPHORE_GIVE, 0, 0)


def test_who_leaves_flags_with_a_tick_may_take_a_turn() -> None:
    """Slices are judged when the waits that end with the tick have ended, this one among them."""
    kernel = Kernel(SMALL)
    leaving_at_a_tick(kernel)
    kernel.release(0)
    assert kernel.slice(0) == 1


def test_who_left_flags_before_has_no_part_in_the_tick() -> None:
    """The control: task 0 would have waited longer."""
    kernel = Kernel(SMALL)
    usual = kernel.find_late

    def later() -> None:
        kernel.leaving = {number: expiry + 1 for number, expiry in kernel.leaving.items()}
        usual()

    kernel.find_late = later  # type: ignore[method-assign]
    leaving_at_a_tick(kernel)
    kernel.release(0)
    with pytest.raises(ModelError, match="has used its quantum"):
        kernel.slice(0)
