# SPDX-License-Identifier: Apache-2.0
"""Effects that others hear of a step: `note`, `done`, `report`, operations of devices and jobs."""

from __future__ import annotations

import re

from melanion.micro.errors import EffectError
from melanion.micro.expression import constant, known
from melanion.micro.operands import end_step, without_slot
from melanion.micro.word import Word

_DONE = re.compile(r"done (?P<status>\w+)(?P<silently> silently)?(?P<on> ?, ?go on)?$")


def note(word: Word, effect: str) -> None:
    """`note FLAG …`."""
    flags, value = word.tables.machine.note_flags, 0
    names = effect.split()[1:]
    for name in names:
        if name not in flags:
            raise EffectError(f"{name!r} in `{effect}` is no flag; known are {known(flags)}")
        value |= 1 << flags[name]
    if not names:
        raise EffectError("`note` says nothing; add flags, such as `note gets_ready`")
    word.set("note", 1, effect)
    _check_status(word)
    word.set("immediate", value, effect)


def done(word: Word, effect: str) -> None:
    """`done E_OK|result [silently] [, go on]`, or with `after next`."""
    text, slot = without_slot(effect)
    match = _DONE.match(text)
    if not match or (slot and match["on"]):
        raise EffectError(
            f"`{effect}` is no end of a command; write `done E_… [silently] [, go on]` or"
            " `done result …`"
        )
    status = match["status"]
    word.set("done", 1, effect)
    word.set("status", int(status == "result"), effect)
    _check_status(word)
    if status in word.tables.statuses:
        word.set("immediate", word.tables.statuses[status], effect)
    elif status != "result":
        raise EffectError(
            f"{status!r} in `{effect}` is no status; write `result` or a name of spec/status.yaml"
        )
    if not match["silently"]:
        word.set("report", "command", effect)
    if not match["on"]:
        end_step(word, slot, effect)


def _check_status(word: Word) -> None:
    """The immediate cannot be the status and flags of a note."""
    if word.get("note") and word.get("done") and not word.get("status"):
        raise EffectError(
            "with `note` the status is the top byte of the result; write `done result` and make"
            " the status the result, such as `= E_OK`"
        )


def report(word: Word, effect: str) -> None:
    """`report NAME`: an event of the trace."""
    name = effect.partition(" ")[2]
    events = word.tables.values["report"]
    if name not in events:
        raise EffectError(f"`{effect}` is no event; known are {known(events)}")
    word.set("report", name, effect)


def device(word: Word, effect: str) -> None:
    """`device NAME`, `device NAME(NUMBER)`."""
    match = re.match(r"device\s+(\w+)\s*(?:\((.*)\))?$", effect)
    devices = word.tables.values["device"]
    if not match or match[1] not in devices:
        raise EffectError(
            f"`{effect}` is no operation of a device; known are {known(devices)}: add it to"
            " device_operations of machine.yaml"
        )
    word.set("device", match[1], effect)
    if match[2] is not None:
        word.set("immediate", constant(match[2], word.tables), effect)


def job(word: Word, effect: str) -> None:
    """`job.start(NAME)`, `job.end(NAME)`."""
    match = re.match(r"job\.(\w+)\s*\(\s*(\w+)\s*\)$", effect)
    devices, jobs = word.tables.values["device"], word.tables.machine.jobs
    if not match or f"job_{match[1]}" not in devices:
        raise EffectError(
            f"`{effect}` is no operation of a job; write `job.start(NAME)` or `job.end(NAME)`, and"
            " have job_start and job_end in device_operations of machine.yaml"
        )
    if match[2] not in jobs:
        raise EffectError(f"{match[2]!r} in `{effect}` is no job; known are {known(jobs)}")
    word.set("device", f"job_{match[1]}", effect)
    word.set("immediate", jobs[match[2]], effect)


def sets_result(word: Word) -> bool:
    """A note that gives the subject the top byte of the result."""
    flag = word.tables.machine.note_flags.get("sets_result")
    return bool(word.get("note")) and flag is not None and bool(word.get("immediate") >> flag & 1)
