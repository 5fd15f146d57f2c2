# SPDX-License-Identifier: Apache-2.0
"""Result of a completed call, as the log of a scenario writes it.

A status; after E_OK the value of a call that brings one (`E_OK 7`). A query gives what it found: a
task's state, and `notified` when a notification is pending (`ready notified`), a count, or a mutex:
`nobody`, or its owner and the locks that it has counted, and `abandoned` when an owner ended while
it held it (`low 2`, `nobody abandoned`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mel_gen import IdKind, Status, TaskState

from melanion.scenario.language import BRINGS, QUERIES, WORD

NOBODY = "nobody"
ABANDONED = "abandoned"
NOTIFIED = "notified"
COUNTS = (IdKind.SEMAPHORE, IdKind.QUEUE)


def result_text(call: str, status: int, word: int, tasks: Mapping[str, int]) -> str:
    """`word`: what the call brought besides; `tasks`: name to number."""
    if status != Status.E_OK or call not in BRINGS:
        return Status(status).name
    if call not in QUERIES:
        return f"{Status.E_OK.name} {word}"
    if QUERIES[call] == IdKind.TASK:
        return " ".join([TaskState(word & 7).name.lower(), *([NOTIFIED] if word >> 20 & 1 else [])])
    return _mutex_text(word, tasks) if QUERIES[call] == IdKind.MUTEX else str(word)


def _mutex_text(word: int, tasks: Mapping[str, int]) -> str:
    owners = {number: name for name, number in tasks.items()}
    owner = owners.get(word & 0x1FF, NOBODY)
    words = [owner] if owner == NOBODY else [owner, str(word >> 9 & 0xFF)]
    return " ".join([*words, *([ABANDONED] if word >> 17 & 1 else [])])


def read_result(call: str, words: list[str], tasks: Iterable[str]) -> str | None:
    """The words of an expected result in the form of `result_text`; None: not possible."""
    if call in QUERIES:
        if words[0] in FAILURES:
            return words[0] if len(words) == 1 else None
        return _read_found(QUERIES[call], words, tasks)
    if words[0] not in Status.__members__:
        return None
    if call in BRINGS and words[0] == Status.E_OK.name:
        value = _number(words[1]) if len(words) == 2 else None
        return None if value is None else f"{words[0]} {value}"
    return words[0] if len(words) == 1 else None


def _read_found(kind: IdKind, words: list[str], tasks: Iterable[str]) -> str | None:
    if kind == IdKind.MUTEX:
        rest = words[:-1] if words[-1] == ABANDONED else words
        owned = len(rest) == 2 and rest[0] in tasks and rest[1].isdecimal()
        return " ".join(words) if owned or rest == [NOBODY] else None
    if kind == IdKind.TASK:
        known = words[0].upper() in TaskState.__members__ and words[1:] in ([], [NOTIFIED])
        return " ".join(words) if known else None
    if len(words) != 1:
        return None
    return words[0] if words[0].isdecimal() else None


def _number(text: str) -> int | None:
    """A 32-bit number, decimal or with 0x."""
    try:
        value = int(text, 0)
    except ValueError:
        return None
    return value if 0 <= value <= WORD else None


FAILURES = (Status.E_ID.name, Status.E_NOEXS.name)  # failures of queries


def allowed_results(call: str) -> str:
    """Every result that a log entry of this call can have, for a message."""
    if call not in QUERIES:
        names = list(Status.__members__)
        if call in BRINGS:
            names[names.index(Status.E_OK.name)] = "E_OK and the value"
        return ", ".join(names)
    found = {
        IdKind.TASK: ", ".join(state.name.lower() for state in TaskState)
        + f", each with {NOTIFIED} or without",
        IdKind.MUTEX: f"{NOBODY} or a task and its locks, then {ABANDONED} or nothing",
    }
    if QUERIES[call] in COUNTS:
        return ", ".join([*FAILURES, "a count"])
    return ", ".join([found[QUERIES[call]], *FAILURES])
