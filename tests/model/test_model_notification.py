# SPDX-License-Identifier: Apache-2.0
"""The golden model: no notification is lost or doubled in any run, by brute force; single rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from mel_gen import Command, Status, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.replay import Event
from melanion.model.state import Wait
from melanion.model.waiting import FOREVER
from tests.model.planted_model import Plant
from tests.model.planted_notifications import NOTIFICATION_BUGS
from tests.model.test_model import RUNS, SOURCES, watch

WAITS = 2
Rules = dict[Command, Callable[[int, int], int]]
CHANGES: Rules = {  # command: the value that a notification makes
    Command.NOTIFICATION_SET: lambda value, bits: value | bits,
    Command.NOTIFICATION_GIVE: lambda value, _: (value + 1) % (1 << 32),
    Command.NOTIFICATION_OVERWRITE: lambda _, word: word,
    Command.NOTIFICATION_SEND: lambda _, word: word,
}
ACTIONS = {6: Command.NOTIFICATION_SET, 7: Command.NOTIFICATION_GIVE}
CONSUMING: Rules = {  # command: what it leaves
    Command.NOTIFICATION_WAIT: lambda value, bits: value & ~bits,
    Command.NOTIFICATION_TAKE: lambda value, _: max(value - 1, 0),
    Command.NOTIFICATION_TAKE_ALL: lambda value, _: 0,
}


@RUNS
@given(SOURCES)
def test_no_notification_is_lost_or_doubled(source: random.Random) -> None:
    """Against values and marks that the test keeps itself, from what the programs see."""
    notes: dict[int, tuple[int, bool]] = {}  # value and mark of each task that is not dormant
    calls: dict[int, tuple[Command, int]] = {}  # command, argument of a waiting task

    def consumed(kernel: Kernel, number: int, command: Command, argument: int) -> None:
        value, _ = notes[number]
        assert kernel.words[number].value == value
        notes[number] = CONSUMING[command](value, argument), False

    def notified(old: Kernel, kernel: Kernel, number: int, command: Command, word: int) -> None:
        value, pending = notes[number]
        assert command != Command.NOTIFICATION_SEND or not pending
        notes[number] = CHANGES[command](value, word), True
        if old.tasks[number].wait == Wait.NOTIFICATION:
            assert not kernel.tasks[number].wait
            consumed(kernel, number, *calls[number])

    def after(old: Kernel, kernel: Kernel, event: Event) -> None:
        _, kind, _, a, number, argument, status = event
        op = a & 0xFF if kind == TraceKind.COMMAND and status in (0, WAITS) else 0
        running = old.cores[0].running
        if op == Command.TASK_START:
            notes[number] = 0, False
        elif op in CHANGES:
            notified(old, kernel, number, Command(op), argument)
        elif op == Command.NOTIFICATION_CLEAR:
            assert kernel.words_of(kernel.cores[0]).value == notes[number][0]
            notes[number] = notes[number][0] & ~argument, notes[number][1]
        elif op == Command.NOTIFICATION_CANCEL:
            assert notes[number][1]
            notes[number] = notes[number][0], False
        elif op in CONSUMING and running is not None and status == WAITS:
            value, pending = notes[running]
            assert not (pending if op == Command.NOTIFICATION_WAIT else value)
            calls[running] = Command(op), argument
            notes[running] = value, False
        elif op in CONSUMING and running is not None:
            consumed(kernel, running, Command(op), argument)
        elif kind == TraceKind.IRQ and number in ACTIONS and status == 0:
            notified(old, kernel, argument, ACTIONS[number], old.interrupts[a].word)
        for n, task in kernel.tasks.items():
            if not task.dormant:
                assert (task.notification.value, task.notification.pending) == notes[n]
                assert not (task.wait == Wait.NOTIFICATION and task.notification.pending)

    watch(source, after)


# ---- the rule itself ----------------------------------------------------------------------------

RULE: Any = test_no_notification_is_lost_or_doubled


@pytest.mark.parametrize("plant", NOTIFICATION_BUGS.values(), ids=NOTIFICATION_BUGS)
def test_a_planted_bug_breaks_the_rule(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(40):
            RULE.hypothesis.inner_test(random.Random(seed))


# ---- single rules -------------------------------------------------------------------------------


def test_a_task_is_notified_from_another_core() -> None:
    """Before it has left its core, and when it has."""
    kernel = Kernel(Limits(tasks=4, priorities=3, cores=2))
    for number in (0, 1):
        kernel.command(0, Command.TASK_CREATE, number, number | number + 1 << 8)
        kernel.command(0, Command.TASK_START, number, 0)
    for core in (0, 1):
        kernel.command(core, Command.DISPATCH_ENABLE, 0, 0)
        assert kernel.dispatch(core) == core

    kernel.words[0].operand = FOREVER
    assert kernel.command(0, Command.NOTIFICATION_WAIT, 0, 1) == WAITS
    assert kernel.command(1, Command.NOTIFICATION_SET, 0, 3) == Status.E_OK
    assert kernel.dispatch(0) == 0  # its own core found it again
    assert (kernel.answer(0), kernel.words[0].value) == (Status.E_OK, 3)

    assert kernel.command(0, Command.NOTIFICATION_TAKE_ALL, 0, FOREVER) == Status.E_OK
    assert kernel.command(0, Command.NOTIFICATION_TAKE_ALL, 0, FOREVER) == WAITS
    assert kernel.dispatch(0) is None
    assert kernel.command(1, Command.NOTIFICATION_GIVE, 0, 0) == Status.E_OK
    assert kernel.dispatch(0) == 0
    assert (kernel.answer(0), kernel.words[0].value) == (Status.E_OK, 1)
