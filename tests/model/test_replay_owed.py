# SPDX-License-Identifier: Apache-2.0
"""The replay: what the model owes must come, when it must and in the kernel's order."""

from __future__ import annotations

import pytest
from mel_gen import KERNELS, Command, TraceKind

from melanion.model import ReplayError, replay
from melanion.model.replay import Event
from tests.model.model_driver import SMALL
from tests.model.model_script import SHORT, Script

UNIT = KERNELS["hwrtos"]


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


def test_a_task_that_flags_released_and_that_does_not_leave() -> None:
    script = Script()
    script.boot_two_tasks()
    script.command(Command.EVENT_FLAGS_CREATE, 0, 0)
    script.operand(5)
    script.command(Command.EVENT_FLAGS_WAIT_ANY, 0, 1)
    script.dispatch()
    script.at(500).command(Command.EVENT_FLAGS_SET, 0, 1)
    assert "task 0 leaves the flags that released it, not done in 50 cycles" in owed(
        script.end(551)
    )


def test_a_less_urgent_task_leaves_the_flags_first() -> None:
    script = Script()
    script.boot_two_tasks()
    script.command(Command.EVENT_FLAGS_CREATE, 0, 0)
    script.command(Command.SEMAPHORE_GIVE, 0, 0)
    for _ in range(2):
        script.dispatch()
        script.operand(0xFFFF_FFFF)
        script.command(Command.EVENT_FLAGS_WAIT_ANY, 0, 1)
    script.dispatch()
    script.command(Command.EVENT_FLAGS_SET, 0, 1)
    script.record(TraceKind.RELEASE, 0)
    assert "a waiter with priority 1 leaves before task 0" in owed(script.events)


def test_a_mutex_of_an_ended_task_that_is_not_unlocked() -> None:
    script = Script()
    script.boot_two_tasks()
    script.command(Command.MUTEX_CREATE, 0, 0)
    script.command(Command.MUTEX_LOCK, 0, 0)
    script.at(500).command(Command.TASK_EXIT, 0, 0)
    script.at(510).dispatch()
    assert "the mutexes of task 0, which ended, are unlocked, not done in 50" in owed(
        script.end(551)
    )


def test_a_mutex_that_goes_to_somebody_else() -> None:
    script = Script()
    script.boot_two_tasks()
    script.command(Command.MUTEX_CREATE, 0, 0)
    script.command(Command.MUTEX_LOCK, 0, 0)
    script.command(Command.TASK_EXIT, 0, 0)
    script.record(TraceKind.ORPHAN, 1, 0, 0)
    assert "mutex 0 now belongs to nobody, the run says task 1 (urgent)" in owed(script.events)


def test_a_timer_whose_edge_is_not_served() -> None:
    script = Script()
    line = SMALL.interrupts
    script.command(Command.IRQ_ENABLE, line, 0)
    script.command(Command.TIMER_START, 0, 1)
    script.at(500).tick()
    assert f"interrupt {line} is served, not done in 50 cycles" in owed(script.end(551))


def test_a_wire_with_the_number_of_a_timer_is_nobodys() -> None:
    script = Script()
    script.command(Command.IRQ_ENABLE, SMALL.interrupts, 0)
    script.at(500).record(TraceKind.IRQ_WIRE, SMALL.interrupts)
    replay(script.end(6000), SMALL, UNIT, patience=SHORT)


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


def test_a_claim_beyond_the_limit() -> None:
    script = Script()
    script.command(Command.TICK_SET, 0, 1000)
    script.command(Command.CLAIM_LIMIT, 0, 1)
    for line in (1, 2):
        script.command(Command.IRQ_MAP, line, 1 << 4)
        script.command(Command.IRQ_ENABLE, line, 0)
        script.record(TraceKind.IRQ, line)
    script.record(TraceKind.CLAIM, 1)
    script.record(TraceKind.DISPATCH, SMALL.tasks, SMALL.tasks, 1)
    script.record(TraceKind.CLAIM, 2)
    assert "none (spurious) begins, the run says 2" in owed(script.events)


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
