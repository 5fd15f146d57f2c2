# SPDX-License-Identifier: Apache-2.0
"""Effects of a word on others: list engines, dispatchers (mel_dispatcher), devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from tests.symbolic.lists import Lists, Top
from tests.symbolic.paths import Expr
from tests.symbolic.state import (
    DUE,
    HELD,
    MESSAGES,
    OBJECTS,
    READY,
    Answer,
    Unsupported,
    const,
    key,
    look,
    node,
)

if TYPE_CHECKING:
    from tests.symbolic.machine import Machine

# Operations of devices that concern neither tasks nor objects: accounts, and what lines follow.
SILENT = frozenset(
    (
        *("none", "kind", "settled", "unsettled", "slice_spent", "limits_used"),
        *("budget_arm", "budget_drop", "budget_ended", "core_of_subject", "core"),
    )
)


# ---- lists ---------------------------------------------------------------------------------------


def _level(m: Machine) -> Expr:
    match m.word["level"]:
        case "memory":
            return z3.Extract(7, 0, m.memory)
        case "loaded":
            return m.level
        case "running":
            return m.state.core.prio
    raise Unsupported(f"{m.at}: level of before")


def lists(m: Machine, a: Expr) -> None:
    """The operations on u_waits and u_ready."""
    if m.word["waits"] != "none":
        m.top = _waits(m, a)
    if m.word["ready"] != "none":
        _ready(m)


def _waits(m: Machine, a: Expr) -> Top:
    """Returns the top that the engine says from now on: that of before."""
    word, waits = m.word, m.state.waits
    wait_key = {
        "object": key(OBJECTS, m.kind, m.object),
        "held": key(HELD, const(0, 2), m.subject),
        "messages": key(MESSAGES, const(0, 2), m.object),
        "memory": key(OBJECTS, z3.Extract(25, 24, m.memory), z3.Extract(23, 16, m.memory)),
    }[str(word["waits_key"])]
    member = {
        "subject": node(0, m.subject),
        "object": node(1, m.object),
        "a": node(2, z3.Extract(7, 0, a)),
    }[str(word["waits_node"])]
    top = look(m.initial, m.state, wait_key)
    if word["waits"] == "walk":
        raise Unsupported(f"{m.at}: walk")
    if word["waits"] != "look":
        _change(m, waits, str(word["waits"]), wait_key, member)
    return top


def _ready(m: Machine) -> None:
    word, ready = m.word, m.state.ready
    if word["unless_held"] and m.paths.decide(z3.Extract(30, 29, m.memory) != 0):
        return
    if word["ready"] == "first":
        m.first = m.state.first_of(_level(m))
        return
    list_key = const(DUE if word["due"] else READY, 1)
    _change(m, ready, str(word["ready"]), list_key, m.subject)


def _change(m: Machine, which: Lists, operation: str, where: Expr, member: Expr) -> None:
    if operation == "remove":
        which.remove(where, _level(m), member, at=m.at)
    else:
        which.insert(where, _level(m), member, head=operation == "head", at=m.at)


# ---- dispatchers ---------------------------------------------------------------------------------


def say(m: Machine, result: Expr, status: Expr) -> None:
    """A note, the end of a command, an event."""
    flags = int(m.word["immediate"]) if m.word["note"] else 0
    if m.word["note"]:
        _note(m, flags, status)
    if m.word["done"]:
        by_result = m.word["note"] or m.word["status"]
        _done(m, result, status if by_result else const(int(m.word["immediate"]), 8), flags)
    if m.word["report"] not in ("none", "command"):
        m.reports.append(str(m.word["report"]))


def _note(m: Machine, flags: int, status: Expr) -> None:
    names = m.words.tables.machine.note_flags
    said = {name for name, at in names.items() if flags >> at & 1}
    core = m.state.core
    hit = z3.And(core.running_valid, core.running == m.subject)
    ended = core.ended

    def change(name: str, value: Expr, when: Expr = hit) -> None:
        setattr(core, name, z3.simplify(z3.If(when, value, getattr(core, name))))

    yes, no = z3.BoolVal(True), z3.BoolVal(False)
    if "leaves_wait" in said:
        change("waits", no)
    if said & {"gets_ready", "requeues"}:
        change("listed", yes)
    if "gets_ready" in said:
        change("runnable", yes)
    if "gets_unready" in said:
        change("runnable", no)
        change("listed", no)
        if "ends" in said:
            change("ended", yes)
    if "sets_result" in said:
        change("task_result", status, z3.And(hit, z3.Not(ended)))
        m.state.results = z3.Store(m.state.results, m.subject, status)
    if "sets_prio" in said:
        change("prio", m.level)


def _done(m: Machine, result: Expr, status: Expr, flags: int) -> None:
    if m.answer is not None:
        raise Unsupported(f"{m.at}: a command ends twice")
    waits = bool(flags >> m.words.tables.machine.note_flags["waits"] & 1)
    m.answer = Answer(None if waits else z3.simplify(status), result)
    if not m.request.write:
        return
    core = m.state.core
    if waits:
        core.runnable, core.listed, core.waits = (z3.BoolVal(x) for x in (False, False, True))
        return
    idle = z3.Not(z3.Or(core.in_handler, core.running_valid))
    core.handler_result = z3.If(core.in_handler, status, core.handler_result)
    core.task_result = z3.If(core.of_task, status, core.task_result)
    core.idle_result = z3.If(idle, status, core.idle_result)


# ---- devices -------------------------------------------------------------------------------------


def devices(m: Machine, result: Expr) -> None:
    name, state = str(m.word["device"]), m.state
    alarm, _, operation = name.rpartition("_")
    if alarm in ("expiry", "deadline", "timer") and operation in ("arm", "drop"):
        alarms = {"expiry": state.expiry, "deadline": state.deadline, "timer": state.timer}[alarm]
        number = m.object if alarm == "timer" else m.subject
        alarms.set(number, result if operation == "arm" else None)
        m.touched.setdefault(alarm, []).append(number)
    elif name == "job_start":
        state.jobs = state.jobs | const(1 << int(m.word["immediate"]), 16)
    elif name in ("enable_dispatch", "disable_dispatch"):
        state.core.enabled = z3.BoolVal(name == "enable_dispatch")
    elif name in ("timer_note", "timer_unnote"):
        state.noted = z3.Store(state.noted, m.object, z3.BoolVal(name == "timer_note"))
    elif name in ("irq_enable", "irq_disable", "irq_raise", "tick_set", "claims_spent",
                  "claims_free"):  # fmt: skip
        state.said.append((name, result if name == "tick_set" else m.object))
    elif name not in SILENT:
        raise Unsupported(f"{m.at}: device {name}")


def device_read(m: Machine) -> Expr:
    """Operand A of a device."""
    rows = m.words.tables.machine.device_reads
    name = next(n for n, row in rows.items() if row.number == m.word["a"] and n != "before")
    core, before = m.state.core, m.before
    match name:
        case "swapped":
            return z3.Concat(z3.Extract(15, 0, before), z3.Extract(31, 16, before))
        case "refusal":
            return z3.Concat(m.refusal, z3.BitVec(f"before_{len(m.trail)}", 24))
        case "refused":
            return z3.SignExt(24, m.refusal)
        case "running":
            tasks = z3.ZeroExt(16, m.state.limits["tasks"])
            return z3.If(core.running_valid, z3.ZeroExt(24, core.running), tasks)
    return z3.BitVec(f"{name}_{len(m.trail)}", 32)  # free


def device_test(m: Machine, position: int) -> Expr:
    names = {at: name for name, at in m.words.tables.machine.device_tests.items()}
    core, jobs, name = m.state.core, m.words.tables.machine.jobs, names[position]
    begun = {"draining": "drain", "orphan": "orphan", "purging": "purge"}
    if name in begun:
        return z3.Extract(jobs[begun[name]], jobs[begun[name]], m.state.jobs) == 1
    known = {
        "by_irq": z3.BoolVal(False),
        "in_task": core.of_task,
        "in_handler": core.in_handler,
        "has_turn": z3.And(core.of_task, core.apart),
        "has_task": core.running_valid,
        "goes_on": core.apart,
        "listed": core.listed,
        "command": z3.BoolVal(m.request.write),
        "query": z3.BoolVal(not m.request.write),
        "noted": z3.Select(m.state.noted, m.object),
    }
    return known.get(name, z3.Bool(f"{name}_{len(m.trail)}"))  # others are free
