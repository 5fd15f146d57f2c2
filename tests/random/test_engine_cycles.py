# SPDX-License-Identifier: Apache-2.0
"""U of the microprogrammed unit's commands in the states that programs are in most of the time.

U: cycles from the word that chooses the request to the answer (tests/random/cycles.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mel_gen import Command, Register

from tests.random.campaign import Case, execute
from tests.random.cycles import alone
from tests.random.script import Entry, Kind, access

APART = 150  # cycles between commands: accounts have ended


def _call(command: Command, number: int = 0, argument: int = 0) -> Entry:
    return Entry(Kind.COMMAND, command, number, argument, delay=APART)


def _operand(value: int) -> Entry:
    return access(Register.OPERAND, write=True, data=value, delay=APART)


def _tasks(*priorities: int) -> Iterator[Entry]:
    """The first of them runs."""
    for number, priority in enumerate(priorities):
        yield _call(Command.TASK_CREATE, number, priority)
        yield _call(Command.TASK_START, number)
    yield _call(Command.DISPATCH_ENABLE)


def _cycles(*script: Entry) -> dict[str, list[int]]:
    """U by command and outcome."""
    case = Case("small", "mixed", 1, len(script))
    entries = [*script, Entry(Kind.WAIT, argument=APART)]
    unit = execute(case.build(), case.limits, entries, case.seed).unit
    return {name: sorted(found) for name, found in unit.items()}


CREATE = {
    "mutex": [_call(Command.MUTEX_CREATE)],
    "queue": [_call(Command.QUEUE_CREATE, 0, 1)],
    "event_flags": [_call(Command.EVENT_FLAGS_CREATE, 0, 2)],
    "task": [],
}
LOCK = _call(Command.MUTEX_LOCK)
SEND = _call(Command.QUEUE_SEND, 0, 5)
CASES = [
    ("mutex_lock ok", [LOCK], 7),
    ("what lowers owners, owners 1", [LOCK, _call(Command.MUTEX_UNLOCK)], 7),
    ("queue_send ok", [SEND], 10),
    ("queue_send refused", [SEND, SEND], 13),
    ("queue_send waits", [SEND, _operand(9), SEND], 15),
    ("queue_post ok", [_operand(3), _call(Command.QUEUE_POST, 0, 5)], 10),
    ("queue_post refused", [_operand(9), _call(Command.QUEUE_POST, 0, 5)], 9),
    ("queue_receive ok", [SEND, _call(Command.QUEUE_RECEIVE)], 9),
    ("queue_receive refused", [_call(Command.QUEUE_RECEIVE)], 8),
    ("queue_receive waits", [_call(Command.QUEUE_RECEIVE, 0, 9)], 12),
    ("event_flags_wait_any ok", [_call(Command.EVENT_FLAGS_WAIT_ANY, 0, 6)], 10),
    ("event_flags_take_all ok", [_call(Command.EVENT_FLAGS_TAKE_ALL, 0, 2)], 12),
    ("event_flags_wait_all refused", [_call(Command.EVENT_FLAGS_WAIT_ALL, 0, 0)], 8),
    ("event_flags_wait_any waits", [_operand(9), _call(Command.EVENT_FLAGS_WAIT_ANY, 0, 1)], 15),
    ("event_flags_take_all waits", [_operand(9), _call(Command.EVENT_FLAGS_TAKE_ALL, 0, 3)], 16),
    ("task_rotate ok", [_call(Command.TASK_ROTATE, 0, 0xFFFFFFFF)], 8),
]


@pytest.mark.parametrize("name, script, cycles", CASES, ids=[name for name, _, _ in CASES])
def test_a_command_takes(name: str, script: list[Entry], cycles: int) -> None:
    kind = next((k for k in CREATE if any(_of(entry, k) for entry in script)), "task")
    found = _cycles(*_tasks(1, 1), *CREATE[kind], *script)
    assert found[name] == [cycles]


def _chain(owners: int) -> list[Entry]:
    """Task 0 owns mutex 0; task n owns mutex n and waits for the one of task n - 1."""
    script = [_call(Command.DISPATCH_ENABLE)]
    script += [_call(Command.MUTEX_CREATE, number) for number in range(owners)]
    for number in range(owners + 1):
        script += [
            _call(Command.TASK_CREATE, number, 20 - number),
            _call(Command.TASK_START, number),
            *([_call(Command.MUTEX_LOCK, number)] if number < owners else []),
            *([_call(Command.MUTEX_LOCK, number - 1, 0xFFFFFFFF)] if number else []),
        ]
    return [*script, _call(Command.TASK_SET_PRIORITY, owners, 1)]


def _longest(script: list[Entry], size: str = "small") -> int:
    """U of the last command of a script."""
    case = Case(size, "mixed", 1, len(script))
    entries = [*script, Entry(Kind.WAIT, argument=APART)]
    run = execute(case.build(), case.limits, entries, case.seed).run
    store, load, event = list(alone(run))[-1]
    assert event[3] & 0xFF == script[-1].op
    return load.answered - store.accepted - 1


def test_an_owner_of_a_chain_takes() -> None:
    """One, two and three, whose last waiter becomes more urgent, which is answered behind the
    first; and who lock before that."""
    raised = [_longest(_chain(owners), "default") for owners in (1, 2, 3)]
    assert raised == [29, 29, 29]
    searched = [_longest(_chain(owners)[:-1], "default") for owners in (1, 2, 3)]
    assert searched == [31, 39, 47]


def _group(*priorities: int) -> list[Entry]:
    """Tasks that wait for flag 0, and the last of them for flag 1."""
    script = [*_tasks(30), _call(Command.EVENT_FLAGS_CREATE)]
    for number, priority in enumerate(priorities, 1):
        pattern = 2 if number == len(priorities) else 1
        script += [
            _call(Command.TASK_CREATE, number, priority),
            _call(Command.TASK_START, number),
            _operand(0xFFFFFFFF),
            _call(Command.EVENT_FLAGS_WAIT_ANY, 0, pattern),
        ]
    return script


@pytest.mark.parametrize(
    "priorities, cycles", [((9,), 27), ((9, 9), 35), ((9, 9, 9), 39), ((8, 9), 35), ((7, 8, 9), 42)]
)
def test_a_waiter_that_flags_pass_over_takes(priorities: tuple[int, ...], cycles: int) -> None:
    """4 cycles, 3 more when the next waiter has another priority, and 4 for the first of them."""
    set_ = _call(Command.EVENT_FLAGS_SET, 0, 2)
    assert _longest([*_group(*priorities), set_], "default") == cycles


def _of(entry: Entry, kind: str) -> bool:
    return entry.kind == Kind.COMMAND and Command(entry.op).name.lower().startswith(kind)
