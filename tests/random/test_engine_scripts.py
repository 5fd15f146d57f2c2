# SPDX-License-Identifier: Apache-2.0
"""The microprogrammed unit (hw/engine): written scripts for situations that random ones miss."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mel_gen import WINDOW_BYTES, Command, Register, Status, TraceKind

from tests.random import bench
from tests.random.campaign import Case, Result, execute
from tests.random.records import LOAD, RejectedError
from tests.random.script import NO_FLAGS, Entry, Flag, Kind, access

STAY = Flag.IGNORE_DUE | Flag.IGNORE_DISPATCH  # the caller goes on, though another should run
STORE = 0x80 | 0xF  # byte enables of a store of a whole word
TICK = 1000  # cycles
QUIET = Entry(Kind.WAIT, argument=200)


def _call(
    command: Command, number: int = 0, argument: int = 0, flags: Flag = NO_FLAGS, delay: int = 0
) -> Entry:
    return Entry(Kind.COMMAND, command, number, argument, flags, delay)


def _store(command: Command, number: int, argument: int = 0) -> Entry:
    """A call by a raw store, though the driver would dispatch before it."""
    offset = command * 1024 + number * 4
    high, low = offset >> 8, offset & 0xFF
    return Entry(Kind.ACCESS, high, low, argument, STAY, byte_enable=STORE)


def _run(size: str, script: list[Entry]) -> Result:
    case = Case(size, "mutexes", 1, len(script))
    return execute(case.build(), case.limits, script, case.seed)


def _boot(*priorities: int) -> Iterator[Entry]:
    for number, priority in enumerate(priorities):
        yield _call(Command.TASK_CREATE, number, priority)
        yield _call(Command.TASK_START, number)


def test_a_suspended_task_that_still_runs_locks_a_mutex_with_a_ceiling() -> None:
    """Its priority rises, and it stands in no ready list."""
    script = [
        *_boot(2, 3),
        _call(Command.MUTEX_CREATE, 0, 0x100),
        _call(Command.DISPATCH_ENABLE),
        _store(Command.TASK_SUSPEND, 0),
        _store(Command.MUTEX_LOCK, 0),
        _store(Command.MUTEX_UNLOCK, 0),
        QUIET,
        _call(Command.TASK_RESUME, 0),
        QUIET,
    ]
    _run("small", script)


@pytest.mark.parametrize("size", ["two", "three"])
def test_another_core_suspends_the_task_that_locks(size: str) -> None:
    meetings = [Entry(Kind.MEET, argument=number) for number in (1, 2)]
    others = range(1, 3 if size == "three" else 2)
    first, second = ([entry._replace(core=core) for core in others] for entry in meetings)
    script = [
        *_boot(2),
        _call(Command.MUTEX_CREATE, 0, 0x100),
        _call(Command.DISPATCH_ENABLE),
        meetings[0],
        *first,
        _call(Command.TASK_SUSPEND, 0)._replace(core=1),
        *second,
        meetings[1]._replace(flags=STAY),
        _call(Command.MUTEX_LOCK, 0, flags=STAY),
        _call(Command.MUTEX_UNLOCK, 0, flags=STAY),
        QUIET,
        _call(Command.TASK_RESUME, 0),
        QUIET,
    ]
    _run(size, script)


@pytest.mark.parametrize("delay", range(TICK - 120, TICK + 60, 20))
def test_a_task_that_is_due_keeps_its_tick_when_its_priority_changes(delay: int) -> None:
    """It moves within the list of those that are due; ticks end at once, and none comes to help."""
    script = [
        *_boot(1, 2),
        _call(Command.DISPATCH_ENABLE),
        _call(Command.TICK_SET, 0, TICK),
        _call(Command.TASK_SLEEP, 0, 1),
        _call(Command.TASK_SET_PRIORITY, 0, 3, flags=STAY, delay=delay - 60),
        _call(Command.TASK_SET_PRIORITY, 0, 0, flags=STAY),
        _call(Command.TASK_SET_PRIORITY, 0, 3, flags=STAY),
        _call(Command.TASK_SET_PRIORITY, 0, 1, flags=STAY),
        _call(Command.TICK_SET, 0, 0, flags=STAY),
        *[QUIET] * 12,
        _call(Command.TASK_RESUME, 1),
        QUIET,
    ]
    _run("small", script)


UNKNOWN = sorted({*range(WINDOW_BYTES // 1024)} - set(Command) - {Register.IDENTITY // 1024})


def _unknown() -> list[Entry]:
    """Every number without a command, as a command and then the load of its answer."""
    asked = [
        entry
        for op in UNKNOWN
        for number in (0, 3, 255)
        for entry in (
            access(op * 1024 + 4 * number, write=True, data=1 << 16 | 1),
            access(0),
        )
    ]
    return [
        *_boot(1), _call(Command.DISPATCH_ENABLE), QUIET, *asked, access(Register.REFUSED),
    ]  # fmt: skip


def test_numbers_without_a_command_are_refused_and_counted() -> None:
    """In both halves of the window, and nothing else happens: no number stands for another one."""
    run = _run("small", _unknown()).run
    refused = [event for event in run.events if event[1] == TraceKind.COMMAND and event[6]]
    assert [event[3] & 0xFF for event in refused] == [op for op in UNKNOWN for _ in range(3)]
    assert {event[6] for event in refused} == {Status.E_RSFN & 0xFFFF_FFFF}
    last = [log for log in run.accesses if log.kind == LOAD][-1]
    assert (last.address, last.read) == (Register.REFUSED, 3 * len(UNKNOWN))
    assert len(UNKNOWN) > 60


def test_a_number_that_loses_its_top_bit_is_noticed(tmp_path: Path) -> None:
    """The control is the test above."""
    old, new = "= request.addr[16:10];", "= {1'b0, request.addr[15:10]};"
    for file in bench.RTL.iterdir():
        text = file.read_text(encoding="utf-8")
        if file.name == "mel_access.sv":
            assert text.count(old) == 1
            text = text.replace(old, new)
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    case = Case("small", "mutexes", 1, 1)
    with pytest.raises(RejectedError, match="load of 0xfc2c"):  # fewer are refused
        execute(case.build(tmp_path), case.limits, _unknown(), case.seed)


def test_an_answer_is_loaded_from_both_halves_of_the_window() -> None:
    script = [*_boot(1), access(0), access(WINDOW_BYTES - 4), access(Register.REFUSED)]
    loads = [log for log in _run("small", script).run.accesses if log.kind == LOAD]
    assert [log.read for log in loads[-3:]] == [0, 0, 0]
