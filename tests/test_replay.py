"""The replay: correct runs pass; every planted difference is found where it is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from mel_gen import KERNELS, Command, Status, TraceKind

from melanion.model import Limits, ModelError, Patience, ReplayError, replay
from melanion.model.replay import Event
from tests.model_driver import SMALL, Driver
from tests.planted_model import BUGS, Plant

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
    """A floor far below what is measured (650 000 events/s), in CPU time: a busy machine passes."""
    array = np.array(run(1, 40_000, Limits()), dtype=DTYPE)
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        replay(array, Limits(), UNIT, patience=PATIENT)
        best = max(best, len(array) / (time.process_time() - start))
    print(f"replay: {best:.0f} events/s")
    assert best > EVENTS_PER_SECOND


# ---- a bug in the kernel ------------------------------------------------------------------------


@pytest.mark.parametrize("plant", BUGS.values(), ids=BUGS)
def test_a_planted_kernel_bug_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run comes from a model with the bug; the model without it must reject the run."""
    for seed in range(40):
        with monkeypatch.context() as patch:
            plant(patch)
            driver = Driver(random.Random(seed))
            # The bug may break its own model: then what was recorded before must show it.
            with suppress(ModelError, AssertionError, KeyError, ValueError, IndexError):
                driver.run(500)
            driver.cycle += 10 * STALLED.dispatch
            driver.record(TraceKind.EXIT)
        try:
            replay(driver.events, SMALL, UNIT, patience=STALLED)
        except ReplayError:
            return
    pytest.fail("40 runs with the bug passed the replay")


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
    "irq_action": (TraceKind.IRQ, change(4, lambda action: (action + 1) % 4)),
    "irq_that_is_not_there": (TraceKind.IRQ, change(3, lambda irq: irq + 99)),
    "claim_interrupt": (TraceKind.CLAIM, change(3, lambda irq: (irq + 1) % SMALL.interrupts)),
    "answer_status": (TraceKind.ANSWER, OTHER_STATUS),
    "answer_reader": (TraceKind.ANSWER, NEXT_TASK),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_wrong_event_is_found(name: str) -> None:
    kind, apply = CHANGES[name]
    checked = 0
    for seed in range(10):
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


# ---- what is owed -------------------------------------------------------------------------------

SHORT = Patience(step=50, dispatch=200)


class Script(Driver):
    """A run that is written down, with its own clock."""

    def __init__(self) -> None:
        super().__init__(random.Random(0))

    def at(self, cycle: int) -> Script:
        self.cycle = cycle
        return self

    def record(self, kind: TraceKind, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        self.events.append((self.cycle, int(kind), 0, a, b, c, d & 0xFFFF_FFFF))

    def boot_two_tasks(self) -> None:
        """Task 1 (urgent) waits for semaphore 0 with a limit of 1 tick, task 0 runs."""
        self.command(Command.SEMAPHORE_CREATE, 0, 1 << 16)
        for number, priority in ((0, 2), (1, 1)):
            self.command(Command.TASK_CREATE, number, priority)
            self.command(Command.TASK_START, number, 0)
        self.command(Command.DISPATCH_ENABLE, 0, 0)
        self.dispatch()
        self.command(Command.SEMAPHORE_TAKE, 0, 1)
        self.dispatch()

    def end(self, cycle: int) -> list[Event]:
        self.at(cycle).record(TraceKind.EXIT)
        return self.events


def owed(events: list[Event]) -> str:
    with pytest.raises(ReplayError) as caught:
        replay(events, SMALL, UNIT, patience=SHORT, names={1: "urgent"})
    return caught.value.message


def test_a_timeout_that_does_not_come() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(500).tick()
    assert "the wait of task 1 (urgent) ends by timeout, not done in 50 cycles" in owed(
        script.end(551)
    )
    script.events.pop()
    replay(script.end(550), SMALL, UNIT, patience=SHORT)


def test_a_software_timeout_comes_in_its_tick() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(500).tick()
    script.at(510).tick()
    with pytest.raises(ReplayError, match="the wait of task 1 ends by timeout before the next"):
        replay(script.events, SMALL, KERNELS["sw"])
    replay(script.events, SMALL, UNIT)


def test_a_dispatch_that_does_not_come() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(500).command(Command.SEMAPHORE_GIVE, 0, 0)
    message = owed(script.end(701))
    assert "task 1 (urgent) runs, not dispatched in 200 cycles" in message
    script.events.pop()
    script.at(690).dispatch()
    replay(script.end(10_000), SMALL, UNIT, patience=SHORT)


def test_no_dispatch_is_owed_in_a_handler() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(500).command(Command.SEMAPHORE_GIVE, 0, 0)
    script.at(510).claim()
    script.at(5000).dispatch()
    replay(script.end(6000), SMALL, UNIT, patience=SHORT)


def test_a_release_that_does_not_come() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(500).command(Command.SEMAPHORE_DELETE, 0, 0)
    assert "task 1 (urgent) is released with E_DLT, not done in 50" in owed(script.end(551))


def test_a_tick_that_does_not_come() -> None:
    script = Script()
    script.command(Command.TICK_SET, 0, 1000)
    script.at(1100).tick()
    assert "a tick every 1000 cycles, none for 50 more" in owed(script.end(2151))


def test_a_shorter_tick_counts_from_the_next_one_on() -> None:
    script = Script()
    script.command(Command.TICK_SET, 0, 5000)
    script.at(200).command(Command.TICK_SET, 0, 1000)
    script.at(300).command(Command.TICK_SET, 0, 1000)
    script.at(5100).tick()
    assert "a tick every 1000 cycles" in owed(script.end(6151))


def test_an_edge_that_is_not_served() -> None:
    script = Script()
    script.command(Command.IRQ_ENABLE, 2, 0)
    script.at(500).record(TraceKind.IRQ_WIRE, 2)
    assert "interrupt 2 is served, not done in 50 cycles" in owed(script.end(551))


def test_a_raised_interrupt_that_is_not_served() -> None:
    script = Script()
    script.command(Command.IRQ_ENABLE, 2, 0)
    script.at(500).command(Command.IRQ_RAISE, 2, 0)
    assert "interrupt 2 is served, not done in 50 cycles" in owed(script.end(551))


@pytest.mark.parametrize("edge", [500, 690])
def test_an_edge_of_a_disabled_line_is_not_owed(edge: int) -> None:
    script = Script()
    if edge == 690:
        script.command(Command.IRQ_ENABLE, 2, 0)
    script.at(edge).record(TraceKind.IRQ_WIRE, 2)
    script.at(700).command(Command.IRQ_DISABLE, 2, 0)
    replay(script.end(6000), SMALL, UNIT, patience=SHORT)


def test_the_order_of_timeouts_is_the_kernels() -> None:
    """Most urgent first on the unit; any order where the kernel says so."""
    script = Script()
    script.boot_two_tasks()
    script.command(Command.TASK_SLEEP, 0, 1)
    script.dispatch()
    script.tick()
    script.record(TraceKind.TIMEOUT, 0, d=script.kernel.timeout(0))
    script.record(TraceKind.TIMEOUT, 1, d=script.kernel.timeout(1))
    assert "task 1 (urgent) times out first, being the most urgent of those due" in owed(
        script.events
    )
    replay(script.events, SMALL, KERNELS["sw"], patience=SHORT)


def test_a_call_of_a_task_that_waits() -> None:
    script = Script()
    script.boot_two_tasks()
    script.command(Command.TASK_SLEEP, 0, 1)
    script.record(TraceKind.COMMAND, Command.SEMAPHORE_GIVE, 0, 0, 0)
    assert "task 0 is waiting and cannot call" in owed(script.events)


# ---- the message --------------------------------------------------------------------------------


def test_the_message_says_everything() -> None:
    script = Script()
    script.boot_two_tasks()
    script.at(777).record(TraceKind.DISPATCH, 0, 1, 0)
    with pytest.raises(ReplayError) as caught:
        replay(script.events, SMALL, UNIT, patience=SHORT, names={0: "background", 1: "urgent"})
    assert caught.value.message == (
        "event 10 at cycle 777: the run differs from the model.\n"
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
    assert (caught.value.event, caught.value.cycle) == (10, 777)


def test_commands_are_decoded() -> None:
    script = Script()
    script.record(TraceKind.COMMAND, Command.TASK_START | 3 << 8, 5, 0, Status.E_OK)
    with pytest.raises(ReplayError) as caught:
        replay(script.events, SMALL, UNIT)
    assert "command task_start id 5 argument 0x0 by unknown: E_OK" in caught.value.message
    assert "expected: the status is E_NOEXS, the run says E_OK" in caught.value.message
