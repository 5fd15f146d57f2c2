# SPDX-License-Identifier: Apache-2.0
"""The replay: correct runs pass; every planted difference is found where it is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest
from mel_gen import KERNELS, Command, IdKind, IrqAction, Status, TraceKind

from melanion.model import Limits, ModelError, Patience, ReplayError, mutex, replay
from melanion.model.replay import Event
from tests.model.model_calls import FOCUSES, NOTIFICATION, Focus
from tests.model.model_driver import CROWDED, SMALL, Driver
from tests.model.model_script import SHORT, Script
from tests.model.planted_flags import FLAG_BUGS
from tests.model.planted_model import BUGS, Plant
from tests.model.planted_mutex import MUTEX_BUGS
from tests.model.planted_notifications import NOTIFICATION_BUGS
from tests.model.planted_queues import QUEUE_BUGS
from tests.model.planted_timers import TIMER_BUGS

UNIT = KERNELS["hwrtos"]
PATIENT = Patience(step=1 << 40, dispatch=1 << 40)  # random runs have no cycles to speak of
STALLED = Patience(step=1 << 40, dispatch=10_000)  # their dispatches come after some events
DTYPE = np.dtype("u8, u1, u1, u2, u4, u4, u4")
RUN_STEPS = 3000
EVENTS_PER_SECOND = 150_000


def run(seed: int, steps: int = RUN_STEPS, limits: Limits = SMALL) -> list[Event]:
    return Driver(random.Random(seed), limits).run(steps)


@pytest.mark.parametrize("seed", range(8))
def test_a_right_run_passes(seed: int) -> None:
    events = run(seed)
    report = replay(events, SMALL, UNIT, patience=PATIENT)
    kinds = [event[1] for event in events]
    assert report.events == len(events)
    assert report.commands == kinds.count(TraceKind.COMMAND)
    assert report.dispatches == kinds.count(TraceKind.DISPATCH)
    assert report.ticks == kinds.count(TraceKind.TICK)
    assert report.last_cycle == events[-1][0]


def test_arrays_records_and_tuples_are_the_same() -> None:
    events = run(1)
    array = np.array(events, dtype=DTYPE)
    reports = [replay(form, SMALL, UNIT, patience=PATIENT) for form in (events, array, iter(array))]
    assert reports[0] == reports[1] == reports[2]


def test_speed() -> None:
    """A floor below what is measured (200 000 … 650 000 events/s), in CPU time: a busy machine may
    need some more attempts."""
    array = np.array(run(1, 40_000, Limits()), dtype=DTYPE)
    best = 0.0
    for _ in range(12):
        start = time.process_time()
        replay(array, Limits(), UNIT, patience=PATIENT)
        best = max(best, len(array) / (time.process_time() - start))
        if best > EVENTS_PER_SECOND:
            break
    print(f"replay: {best:.0f} events/s")
    assert best > EVENTS_PER_SECOND


# ---- a bug in the kernel ------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """Runs in which these bugs show: their tasks meet on objects of one noun."""

    bugs: dict[str, Plant]
    limits: Limits = SMALL
    focuses: tuple[Focus, ...] = FOCUSES


KINDS = {
    "task": Kind(BUGS),
    "event_flags": Kind(FLAG_BUGS, CROWDED, (IdKind.EVENT_FLAGS,)),
    "queue": Kind(QUEUE_BUGS, focuses=(IdKind.QUEUE,)),
    "mutex": Kind(MUTEX_BUGS, CROWDED, (IdKind.MUTEX,)),
    "timer": Kind(TIMER_BUGS, focuses=(IdKind.TIMER,)),
    "notification": Kind(NOTIFICATION_BUGS, focuses=(NOTIFICATION,)),
}
SEEDS = range(40)
LOCKS = 3  # a run does not lock a mutex 255 times


@pytest.fixture
def few_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutex, "LOCKS_LIMIT", LOCKS)


def recorded(kind: Kind, seed: int) -> list[Event]:
    """A run that comes to rest, then a pause in which nothing may be owed."""
    driver = Driver(random.Random(seed), kind.limits, kind.focuses)
    # A bug may break its own model: then what was recorded before must show it.
    with suppress(ModelError, AssertionError, KeyError, ValueError, IndexError, RecursionError):
        driver.run(500)
        if driver.settle():
            driver.cycle += 10 * STALLED.dispatch
            driver.record(TraceKind.EXIT)
    return driver.events


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.usefixtures("few_locks")
def test_runs_without_a_bug_pass(kind: Kind) -> None:
    """The control of the next test."""
    for seed in SEEDS:
        events = recorded(kind, seed)
        assert events[-1][1] == TraceKind.EXIT, f"run {seed} did not come to rest"
        replay(events, kind.limits, UNIT, patience=STALLED)


@pytest.mark.parametrize(
    ("kind", "plant"),
    [
        pytest.param(kind, plant, id=name)
        for kind in KINDS.values()
        for name, plant in kind.bugs.items()
    ],
)
@pytest.mark.usefixtures("few_locks")
def test_a_planted_kernel_bug_is_found(
    kind: Kind, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run comes from a model with the bug; the model without it must reject the run."""
    for seed in SEEDS:
        with monkeypatch.context() as patch:
            plant(patch)
            events = recorded(kind, seed)
        try:
            replay(events, kind.limits, UNIT, patience=STALLED)
        except ReplayError:
            return
    pytest.fail(f"{len(SEEDS)} runs with the bug passed the replay")


# ---- a wrong event ------------------------------------------------------------------------------

Change = Callable[[list[Event], int], None]


def change(position: int, value: Callable[[int], int]) -> Change:
    def apply(events: list[Event], index: int) -> None:
        event = list(events[index])
        event[position] = value(event[position])
        events[index] = tuple(event)  # type: ignore[assignment]

    return apply


def drop(events: list[Event], index: int) -> None:
    del events[index]


def double(events: list[Event], index: int) -> None:
    events.insert(index, events[index])


NEXT_TASK = change(3, lambda task: (task + 1) % SMALL.tasks)
OTHER_STATUS = change(6, lambda status: (status - 1) & 0xFFFF_FFFF)
CHANGES: dict[str, tuple[TraceKind, Change]] = {
    "command_status": (TraceKind.COMMAND, OTHER_STATUS),
    "command_context": (TraceKind.COMMAND, change(3, lambda a: (a + 256) % 768)),
    "command_on_core_that_is_not_there": (TraceKind.COMMAND, change(2, lambda core: core + 1)),
    "dispatch_task": (TraceKind.DISPATCH, NEXT_TASK),
    "dispatch_before": (TraceKind.DISPATCH, change(4, lambda task: (task + 1) % SMALL.tasks)),
    "dispatch_ends_handler": (TraceKind.DISPATCH, change(5, lambda flag: 1 - flag)),
    "tick_value": (TraceKind.TICK, change(4, lambda low: low + 1)),
    "tick_high_word": (TraceKind.TICK, change(5, lambda high: high + 1)),
    "tick_lost": (TraceKind.TICK, drop),
    "tick_twice": (TraceKind.TICK, double),
    "timeout_task": (TraceKind.TIMEOUT, NEXT_TASK),
    "timeout_status": (TraceKind.TIMEOUT, OTHER_STATUS),
    "timeout_twice": (TraceKind.TIMEOUT, double),
    "release_task": (TraceKind.RELEASE, NEXT_TASK),
    "release_status": (TraceKind.RELEASE, OTHER_STATUS),
    "irq_status": (TraceKind.IRQ, OTHER_STATUS),
    "irq_action": (TraceKind.IRQ, change(4, lambda action: (action + 1) % len(IrqAction))),
    "irq_that_is_not_there": (TraceKind.IRQ, change(3, lambda irq: irq + 99)),
    "claim_interrupt": (TraceKind.CLAIM, change(3, lambda irq: (irq + 1) % SMALL.lines)),
    "orphan_owner": (TraceKind.ORPHAN, change(3, lambda task: (task + 1) % SMALL.tasks)),
    "orphan_mutex": (TraceKind.ORPHAN, change(4, lambda mutex: (mutex + 1) % SMALL.mutexes)),
    "orphan_ended": (TraceKind.ORPHAN, change(5, lambda task: (task + 1) % SMALL.tasks)),
    "orphan_twice": (TraceKind.ORPHAN, double),
    "value_word": (TraceKind.VALUE, change(5, lambda word: word ^ 1)),
    "value_reader": (TraceKind.VALUE, NEXT_TASK),
    "answer_status": (TraceKind.ANSWER, OTHER_STATUS),
    "answer_reader": (TraceKind.ANSWER, NEXT_TASK),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_wrong_event_is_found(name: str) -> None:
    kind, apply = CHANGES[name]
    checked = 0
    for seed in range(60):  # ten of what is frequent, until there are enough of what is rare
        if seed >= 10 and checked >= 5:
            break
        right = run(seed, 800)
        places = [i for i, event in enumerate(right) if event[1] == kind][:-1]
        for index in places[:: max(1, len(places) // 6)]:
            events = list(right)
            apply(events, index)
            if "task" in name and events[index][3] == right[index][3]:
                continue
            with pytest.raises(ReplayError) as caught:
                replay(events, SMALL, UNIT, patience=PATIENT)
            assert caught.value.event >= index
            checked += 1
    assert checked >= 5


def test_another_order_of_two_events_is_found() -> None:
    """Neighbours that do not commute: a dispatch and the answer that the next task reads."""
    checked = 0
    events = run(3)
    for index in range(len(events) - 1):
        first, second = events[index : index + 2]
        kinds = first[1], second[1]
        if kinds == (TraceKind.DISPATCH, TraceKind.ANSWER) and first[3] != first[4]:
            swapped = [*events[:index], second, first, *events[index + 2 :]]
            with pytest.raises(ReplayError):
                replay(swapped, SMALL, UNIT, patience=PATIENT)
            checked += 1
    assert checked >= 3


# ---- the message --------------------------------------------------------------------------------


def test_the_message_says_everything() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(777).record(TraceKind.DISPATCH, 0, 1, 0)
    with pytest.raises(ReplayError) as caught:
        replay(script.events, SMALL, UNIT, patience=SHORT, names={0: "background", 1: "urgent"})
    assert caught.value.message == (
        f"event {len(script.events) - 1} at cycle 777: the run differs from the model.\n"
        "  event:    core 0 dispatch task 0 (background) after task 1 (urgent)\n"
        "  expected: task 0 (background) ran before, the run says task 1 (urgent)\n"
        "  model:    running task 0 (background), chosen task 0 (background)\n"
        "            tick counter 0, tick 0 cycles\n"
        "            ready at priority 2: 0\n"
        "            task 0 (background): ready, priority 2\n"
        "            task 1 (urgent): waiting, priority 1, waits for semaphore until tick 1\n"
        "            semaphore 0: 0 of 1, waiting: 1\n"
        "  look at cycle 777 (last agreeing event: cycle 100)"
    )
    assert (caught.value.event, caught.value.cycle) == (len(script.events) - 1, 777)


def test_commands_are_decoded() -> None:
    script = Script()
    script.record(TraceKind.COMMAND, Command.TASK_START | 3 << 8, 5, 0, Status.E_OK)
    with pytest.raises(ReplayError) as caught:
        replay(script.events, SMALL, UNIT)
    assert "command task_start id 5 argument 0x0 by unknown: E_OK" in caught.value.message
    assert "expected: the status is E_NOEXS, the run says E_OK" in caught.value.message
