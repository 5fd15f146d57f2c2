# SPDX-License-Identifier: Apache-2.0
"""The golden model: rules that hold after every event of any run, checked by brute force."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mel_gen import COMMANDS, WAKEUPS_LIMIT, Command, Status, TaskState, TraceKind

from melanion.model import Kernel, Limits, ModelError
from melanion.model.replay import Event
from melanion.model.state import NEVER, Wait, Waited
from tests.model.model_driver import SMALL, Driver
from tests.random.coverage import execute

STEPS = 250
LONG_STEPS = 800
RUNS = settings(max_examples=20, deadline=None)
SOURCES = st.randoms(use_true_random=True)  # generators with a seed that hypothesis draws and shows


class Watched(Driver):
    """A driver that calls `after(event)` after every event."""

    after: Callable[[Event], None]

    def record(self, kind: TraceKind, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        super().record(kind, a, b, c, d)
        self.after(self.events[-1])


class BehindError(Exception):
    """A second model that executes the same events has another state: the test is wrong."""


def watch(source: random.Random, after: Callable[[Kernel, Kernel, Event], None]) -> None:
    """Calls `after(the model before an event, after it, event)` for every event of a run. The one
    before it is a second model, one event behind: a copy of the first takes 30 times as long."""
    driver = Watched(source)
    old = Kernel(driver.limits)
    old.links = driver.kernel.links

    def both(event: Event) -> None:
        after(old, driver.kernel, event)
        execute(old, event)

    driver.after = both
    driver.run(STEPS)
    if vars(old) != vars(driver.kernel):
        raise BehindError


def watch_states(source: random.Random, after: Callable[[Kernel], None]) -> None:
    """Calls `after(the model)` for every event of a run, which is longer."""
    driver = Watched(source)
    driver.after = lambda event: after(driver.kernel)
    driver.run(LONG_STEPS)


def ready_list_of(kernel: Kernel, number: int) -> list[int]:
    return [p for p, line in enumerate(kernel.ready) for n in line if n == number]


LISTED = (Wait.SEMAPHORE, Wait.QUEUE, Wait.MUTEX)


def lists_by_name(kernel: Kernel) -> dict[str, list[int]]:
    """The wait lists of the objects that exist."""
    objects: dict[str, Waited] = {}
    kinds: tuple[Mapping[int, Waited], ...] = (kernel.semaphores, kernel.queues, kernel.mutexes)
    for kind in kinds:
        objects |= {f"{type(subject).__name__} {n}": subject for n, subject in kind.items()}
    return {name: subject.waiting for name, subject in objects.items()}


@RUNS
@given(SOURCES)
def test_a_task_stands_in_one_list_at_most(source: random.Random) -> None:
    def after(kernel: Kernel) -> None:
        lists = [*lists_by_name(kernel).values(), *(gone.waiting for gone in kernel.dying.values())]
        for task in kernel.tasks.values():
            queues = [line for line in lists if task.number in line]
            assert ready_list_of(kernel, task.number) == [task.priority] * task.runnable
            assert len(queues) == (task.queue is not None)
            assert all(line is task.queue and line.count(task.number) == 1 for line in queues)
            assert (task.queue is not None) == (task.wait in LISTED)
            groups = [g for g in kernel.event_flags.values() if task.number in g.waiting]
            places = len(groups) + (task.number in kernel.released)
            assert places == (task.wait == Wait.EVENT_FLAGS)
        assert kernel.occupied == sum(1 << p for p, line in enumerate(kernel.ready) if line)

    watch_states(source, after)


@RUNS
@given(SOURCES)
def test_the_first_of_the_most_urgent_is_chosen(source: random.Random) -> None:
    def after(kernel: Kernel) -> None:
        core = kernel.cores[0]
        runnable = [t.priority for t in kernel.tasks.values() if t.runnable]
        chosen = kernel.chosen(core)
        if not core.dispatch_enabled:
            assert chosen == core.running
        elif not runnable:
            assert chosen is None
        else:
            assert chosen is not None
            assert kernel.tasks[chosen].priority == min(runnable)
            assert kernel.ready[min(runnable)][0] == chosen

    watch_states(source, after)


@RUNS
@given(SOURCES)
def test_ready_lists_keep_their_order(source: random.Random) -> None:
    """A task that stays keeps its place; one that comes or inherits goes to the tail.

    A running task that inherits goes to the head.
    """

    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        op = event[3] & 0xFF if event[1] == TraceKind.COMMAND else 0
        target = event[4] if op == Command.TASK_SET_PRIORITY and event[6] == 0 else None
        for before, line in zip(old.ready, kernel.ready, strict=True):
            stayed = [n for n in before if n in line]
            if op == Command.TASK_ROTATE and sorted(line) == sorted(before) and line != before:
                stayed = before[1:] + before[:1]
            elif target in stayed:
                stayed.remove(target)
            heirs = [n for n in line if n not in before and n != target and ready_list_of(old, n)]
            runs = [n for n in heirs if n == old.cores[0].running]
            came = [n for n in line if n not in stayed and n not in runs]
            assert line == runs + stayed + came
            assert len([n for n in came if n not in heirs]) <= 1

    watch(source, after)


@RUNS
@given(SOURCES)
def test_wait_lists_are_in_order_of_priority_then_arrival(source: random.Random) -> None:
    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        moved = {
            n
            for n, task in kernel.tasks.items()
            if n not in old.tasks or old.tasks[n].priority != task.priority
        }
        op = event[3] & 0xFF if event[1] == TraceKind.COMMAND else 0
        if op == Command.TASK_SET_PRIORITY and event[6] == 0:
            moved.add(event[4])
        earlier = lists_by_name(old)
        for name, line in lists_by_name(kernel).items():
            priorities = [kernel.tasks[n].priority for n in line]
            assert priorities == sorted(priorities)
            stayed = [n for n in earlier.get(name, []) if n in line and n not in moved]
            assert [n for n in line if n in stayed] == stayed
            for place, n in enumerate(line):
                behind = [m for m in line[place:] if m in stayed]
                equals = [m for m in behind if kernel.tasks[m].priority == priorities[place]]
                assert n in stayed or not equals

    watch(source, after)


@RUNS
@given(SOURCES)
def test_late_tasks_are_those_whose_timeout_passed(source: random.Random) -> None:
    def after(kernel: Kernel) -> None:
        expiries = {t.number: t.expiry for t in kernel.tasks.values()}
        assert kernel.late == {n for n, expiry in expiries.items() if expiry <= kernel.now}
        future = [expiry for expiry in expiries.values() if expiry > kernel.now]
        assert kernel.earliest <= min(future, default=NEVER)
        priorities = [kernel.tasks[n].priority for n in kernel.due()]
        assert priorities == sorted(priorities)

    watch_states(source, after)


@RUNS
@given(SOURCES)
def test_states_are_consistent(source: random.Random) -> None:
    def after(kernel: Kernel) -> None:
        for task in kernel.tasks.values():
            assert 0 <= task.wakeups <= WAKEUPS_LIMIT
            assert task.expiry == NEVER or task.wait
            if task.state == TaskState.DORMANT:
                assert (task.wait, task.wakeups, task.suspended) == (None, 0, False)
                assert task.priority == task.base_priority == task.initial_priority
                assert bool(task.owned) == (task.number in kernel.orphans)
        for semaphore in kernel.semaphores.values():
            assert 0 <= semaphore.count <= semaphore.maximum
            assert semaphore.count == 0 or not semaphore.waiting
        assert all(semaphore.waiting for semaphore in kernel.dying.values())

    watch_states(source, after)


def picture(kernel: Kernel) -> object:
    """The state that a refused call must leave unchanged; no copy of it."""
    tasks = {
        number: {name: value for name, value in vars(task).items() if name != "result"}
        for number, task in kernel.tasks.items()
    }
    core = kernel.cores[0]
    lists = (kernel.ready, kernel.late, core.handler_irqs, kernel.raised, kernel.orphans)
    objects = (kernel.semaphores, kernel.event_flags, kernel.queues, kernel.mutexes, kernel.timers)
    numbers = (kernel.tick_cycles, kernel.now, core.running, core.dispatch_enabled)
    rest = (kernel.dying, kernel.released, kernel.words, kernel.interrupts)
    return tasks, objects, rest, lists, numbers


@RUNS
@given(SOURCES)
def test_a_refused_call_changes_nothing(source: random.Random) -> None:
    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        if event[1] == TraceKind.COMMAND and event[6] >> 31:
            assert picture(kernel) == picture(old)

    watch(source, after)


@RUNS
@given(SOURCES)
def test_no_unit_of_a_semaphore_is_lost_or_made(source: random.Random) -> None:
    """Count = initial + given - taken, as the programs see it."""
    balance: dict[int, int] = {}

    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        _, kind, _, a, number, argument, status = event
        op = a & 0xFF
        if kind == TraceKind.COMMAND and status == 0:
            if op == Command.SEMAPHORE_CREATE:
                balance[number] = argument & 0xFFFF
            elif op == Command.SEMAPHORE_GIVE:
                balance[number] += 1
            elif op == Command.SEMAPHORE_TAKE:
                balance[number] -= 1
        elif kind == TraceKind.IRQ and event[4] == 1 and status == 0:
            number = event[5]
            balance[number] += 1
        for n, semaphore in old.semaphores.items():
            for waiter in semaphore.waiting:
                task = kernel.tasks[waiter]
                if not task.wait and not task.dormant and task.result == Status.E_OK:
                    balance[n] -= 1
        for n, semaphore in kernel.semaphores.items():
            assert semaphore.count == balance[n]

    watch(source, after)


# ---- single rules -------------------------------------------------------------------------------


def test_every_command_of_the_spec_is_executed() -> None:
    from melanion.model.handlers import HANDLERS

    assert set(HANDLERS) == set(COMMANDS)


def test_refused_calls_are_counted() -> None:
    kernel = Kernel(SMALL)
    for op, number, argument in [
        (63, 0, 0),
        (Command.TASK_START, 99, 0),
        (Command.TASK_EXIT, 0, 0),
    ]:
        kernel.command(0, op, number, argument)
    kernel.command(0, Command.TASK_CREATE, 0, SMALL.priorities)
    kernel.command(0, Command.TASK_START, 0, 0)  # E_NOEXS is an answer, not a refusal
    assert kernel.refused == 4


def test_time_wraps_at_64_bits() -> None:
    kernel = Kernel(Limits(time_reset=(1 << 64) - 1))
    assert kernel.tick() == 0
    assert kernel.time == 0


def waiting_kernel() -> Kernel:
    """Task 0 runs, tasks 1 and 2 wait for semaphore 0."""
    kernel = Kernel(SMALL)
    kernel.command(0, Command.SEMAPHORE_CREATE, 0, 1 << 16)
    for number, priority in ((0, 3), (1, 1), (2, 0)):
        kernel.command(0, Command.TASK_CREATE, number, priority)
        kernel.command(0, Command.TASK_START, number, 0)
    kernel.command(0, Command.DISPATCH_ENABLE, 0, 0)
    for _ in range(2):
        kernel.dispatch(0)
        kernel.command(0, Command.SEMAPHORE_TAKE, 0, 5)
    kernel.dispatch(0)
    return kernel


def test_events_that_the_rules_do_not_allow() -> None:
    kernel = waiting_kernel()
    with pytest.raises(ModelError, match="task 1 is not due at tick 0"):
        kernel.timeout(1)
    with pytest.raises(ModelError, match=r"task 1 is neither released nor among \[\]"):
        kernel.release(1)
    kernel.command(0, Command.SEMAPHORE_DELETE, 0, 0)
    with pytest.raises(ModelError, match=r"task 1 is neither released nor among \[2\]"):
        kernel.release(1)
    with pytest.raises(ModelError, match="semaphore 0 still has waiters from before"):
        kernel.command(0, Command.SEMAPHORE_CREATE, 0, 1 << 16)
    with pytest.raises(ModelError, match="interrupt 1 is not enabled"):
        kernel.irq(1)
    kernel.command(0, Command.TASK_DELAY, 0, 1)
    with pytest.raises(ModelError, match="task 0 is waiting and cannot call"):
        kernel.command(0, Command.SEMAPHORE_GIVE, 0, 0)


def test_a_waiter_of_a_deleted_semaphore_may_leave_otherwise() -> None:
    kernel = waiting_kernel()
    kernel.command(0, Command.SEMAPHORE_DELETE, 0, 0)
    assert kernel.command(0, Command.TASK_RELEASE, 2, 0) == Status.E_OK
    assert kernel.release(1) == Status.E_DLT
    assert not kernel.dying
    assert [kernel.tasks[n].result for n in (1, 2)] == [Status.E_DLT, Status.E_RLWAI]
