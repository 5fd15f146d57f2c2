# SPDX-License-Identifier: Apache-2.0
"""Checks before the program, as mel_engine makes them: E_CTX and E_ID."""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from melanion.micro.output import BLOCKS
from tests.symbolic.paths import Expr
from tests.symbolic.state import const

if TYPE_CHECKING:
    from tests.symbolic.machine import Machine

# Kind of a number → the limit of its numbers.
LIMIT_OF = {
    **{"task": "tasks", "semaphore": "semaphores", "interrupt": "lines", "queue": "queues"},
    **{"event_flags": "event_flags", "mutex": "mutexes", "timer": "timers"},
}


def may_wait(m: Machine) -> Expr:
    core = m.state.core
    return z3.And(core.of_task, core.enabled, core.runnable)


def _bad_context(m: Machine) -> Expr:
    core, contexts = m.state.core, m.words.tables.spec.trace.context.model_dump()
    row = m.words.checks(m.request.op, write=m.request.write)

    def allowed(name: str) -> Expr:
        return z3.BoolVal(bool(row["callers"] >> contexts[name] & 1))

    caller = z3.If(core.in_handler, allowed("handler"),
                   z3.If(core.running_valid, allowed("task"), allowed("idle")))  # fmt: skip
    away = z3.And(core.of_task, z3.Or(core.ended, core.waits))
    may_block = {"always": z3.BoolVal(True), "timeout": m.request.argument != 0}
    blocks = may_block.get(BLOCKS[row["blocks"]], z3.BoolVal(False))
    return z3.Or(z3.Not(caller), away, z3.And(blocks, z3.Not(may_wait(m))))


def refuses(m: Machine) -> Expr:
    limit = m.state.limits.get(LIMIT_OF.get(m.request.kind, ""), const(256, 16))
    bad_number = z3.UGE(z3.ZeroExt(8, m.request.number), limit)
    return z3.Or(_bad_context(m), bad_number) if m.request.write else bad_number


def refused(m: Machine) -> int:
    """Address at which a refusal goes on; the status is for device.refusal."""
    statuses, row = m.words.tables.statuses, m.words.checks(m.request.op, write=True)
    bad = m.request.write and m.paths.decide(_bad_context(m))
    m.refusal = const(statuses["E_CTX" if bad else "E_ID"], 8)
    by_operand = BLOCKS[row["blocks"]] == "operand" and not bad
    plain = m.request.write and not (by_operand and not m.paths.decide(may_wait(m)))
    return m.words.slot("refuse" if plain else "refuse_other")
