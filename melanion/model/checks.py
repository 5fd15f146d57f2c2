# SPDX-License-Identifier: Apache-2.0
"""Checks before a command is executed, in the order of spec/commands.yaml.

E_RSFN, E_CTX (caller), E_ID, E_PAR, E_NOEXS; the command's own checks stand with the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mel_gen import COMMANDS, MESSAGE_PRIORITIES, Blocks, Command, Context, IdKind, Status

import melanion.model.interrupt as interrupt
import melanion.model.mutex as mutex
import melanion.model.quantum as quantum
import melanion.model.task as task
from melanion.model.state import Core, State

Test = Callable[[State, int, int], bool]  # (kernel, argument, operand): one of them is bad


@dataclass(frozen=True, slots=True)
class Rule:
    """The checks of one command. `bad` is None when every argument and operand is good."""

    callers: frozenset[Context]
    blocks: Blocks
    id: IdKind
    must_exist: bool
    bad: Test | None


def refusal(
    kernel: State, core: Core, context: Context, op: int, number: int, argument: int
) -> Status | None:
    """The status of the first check that fails; None when the command may be executed."""
    rule = RULES.get(op) or kernel.limits.own.get(op)
    if rule is None:
        return Status.E_RSFN
    if context not in rule.callers or (context == Context.TASK and core.ended):
        return Status.E_CTX
    if context != Context.TASK and (op, argument) in TASK_ONLY:
        return Status.E_CTX
    operand = kernel.words_of(core).operand
    may_block = (
        rule.blocks == Blocks.ALWAYS
        or (rule.blocks == Blocks.TIMEOUT and argument != 0)
        or (rule.blocks == Blocks.OPERAND and operand != 0)
    )
    if may_block and (context != Context.TASK or not core.dispatch_enabled):
        return Status.E_CTX
    if may_block and not kernel.running_task(core).runnable:  # another core suspended it
        return Status.E_CTX
    if rule.id != IdKind.NONE and number >= kernel.counts[rule.id]:
        return Status.E_ID
    if rule.bad is not None and rule.bad(kernel, argument, operand):
        return Status.E_PAR
    if rule.must_exist and number not in kernel.objects[rule.id]:
        return Status.E_NOEXS
    return None


# Calls whose argument has a meaning for tasks only (a sleep that may block is refused anyway).
TASK_ONLY = {(Command.TASK_SLEEP, 0), (Command.TASK_ROTATE, task.OWN_PRIORITY)}


def _bad_priority(kernel: State, argument: int, operand: int) -> bool:
    return argument >= kernel.limits.priorities


def _bad_task(kernel: State, argument: int, operand: int) -> bool:
    return argument >> 8 > kernel.limits.cores or argument & 0xFF >= kernel.limits.priorities


def _bad_rotation(kernel: State, argument: int, operand: int) -> bool:
    return argument != task.OWN_PRIORITY and argument >= kernel.limits.priorities


def _bad_semaphore(kernel: State, argument: int, operand: int) -> bool:
    maximum, initial = argument >> 16, argument & 0xFFFF
    return maximum == 0 or initial > maximum


def _bad_tick(kernel: State, argument: int, operand: int) -> bool:
    return 0 < argument < kernel.limits.tick_cycles_minimum


def _bad_limit(kernel: State, argument: int, operand: int) -> bool:
    return argument > 0xFFFF


def _bad_pattern(kernel: State, argument: int, operand: int) -> bool:
    return argument == 0


def _bad_capacity(kernel: State, argument: int, operand: int) -> bool:
    return not 0 < argument <= kernel.limits.messages


def _bad_message_priority(kernel: State, argument: int, operand: int) -> bool:
    return operand >= MESSAGE_PRIORITIES


def _bad_ceiling(kernel: State, argument: int, operand: int) -> bool:
    return mutex.ceiling(argument) is not None and argument & 0xFF >= kernel.limits.priorities


def _bad_timer(kernel: State, argument: int, operand: int) -> bool:
    return not (0 < argument < 1 << 31 and operand < 1 << 31)


BAD: dict[Command, Test] = {
    Command.TASK_CREATE: _bad_task,
    Command.TASK_SET_PRIORITY: _bad_priority,
    Command.TASK_ROTATE: _bad_rotation,
    Command.SEMAPHORE_CREATE: _bad_semaphore,
    Command.EVENT_FLAGS_WAIT_ANY: _bad_pattern,
    Command.EVENT_FLAGS_WAIT_ALL: _bad_pattern,
    Command.EVENT_FLAGS_TAKE_ANY: _bad_pattern,
    Command.EVENT_FLAGS_TAKE_ALL: _bad_pattern,
    Command.QUEUE_CREATE: _bad_capacity,
    Command.QUEUE_POST: _bad_message_priority,
    Command.MUTEX_CREATE: _bad_ceiling,
    Command.TIMER_START: _bad_timer,
    Command.IRQ_MAP: interrupt.bad_map,
    Command.CLAIM_LIMIT: _bad_limit,
    Command.TICK_SET: _bad_tick,
    Command.QUANTUM_SET: quantum.bad_quantum,
}
MAKERS = frozenset(
    {
        Command.TASK_CREATE,
        Command.SEMAPHORE_CREATE,
        Command.EVENT_FLAGS_CREATE,
        Command.QUEUE_CREATE,
        Command.MUTEX_CREATE,
    }
)
PERMANENT = frozenset({IdKind.NONE, IdKind.INTERRUPT, IdKind.TIMER})

RULES: dict[int, Rule] = {
    int(command): Rule(
        callers=info.callers,
        blocks=info.blocks,
        id=info.id,
        must_exist=info.id not in PERMANENT and command not in MAKERS,
        bad=BAD.get(command),
    )
    for command, info in COMMANDS.items()
}
