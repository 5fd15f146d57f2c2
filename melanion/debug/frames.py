# SPDX-License-Identifier: Apache-2.0
"""The registers of a task that no core runs, from where its kernel keeps them.

Layouts: kernel/arch/riscv/frame.h, kernel/common/context.h, kernel/unit/banked/current.h.
"""

from __future__ import annotations

from collections.abc import Callable

PC = 32  # behind x0 … x31

Registers = dict[int, int]
"""Register number → value. What is not there is not kept: the calling convention says that it is
dead, or it belongs to the core."""

Word = Callable[[int], int]
"""A word of memory, by address."""

_SAVED, _FRESH, _ENTRY, _ARGUMENT, _STACK, _STACK_SIZE = 0, 4, 12, 16, 20, 24  # CONTEXT_…
NAME = 28
_CALL, _PREEMPTED, _MASK = 0, 1, 3  # MEL_SAVED_…
_CALL_BYTES, _FRAME_BYTES = 64, 128
_START_BYTES = 16  # MEL_STACK_ALIGNMENT: below the top of a stack
RA, SP, GP, A0 = 1, 2, 3, 10
_CALL_ORDER = (RA, 8, 9, *range(18, 28))
_FRAME_ORDER = (RA, 5, 6, 7, *range(10, 18), *range(28, 32), PC, 8, 9, *range(18, 28))
IDLE_BANK, TASK_BANK = (
    0,
    2,
)  # sets of registers: of a core's idle context, of task 0 (soc/sim/trace.h)


def saved(word: Word, context: int, task_exit: int, *, several: bool) -> Registers:
    """Registers of a context that software saves. `several`: the hardware unit on several cores,
    where a word marks a task that begins; `task_exit`: return address of a task that begins."""
    place = word(context + _SAVED)
    pointer, kind = place & ~_MASK, place & _MASK
    if several and word(context + _FRESH):
        kind = _MASK
    if kind == _CALL:
        found = {number: word(pointer + 4 * i) for i, number in enumerate(_CALL_ORDER)}
        return {**found, SP: pointer + _CALL_BYTES, PC: found[RA]}
    if kind == _PREEMPTED:
        found = {number: word(pointer + 4 * i) for i, number in enumerate(_FRAME_ORDER)}
        return {**found, SP: pointer + _FRAME_BYTES}
    top = word(context + _STACK) + word(context + _STACK_SIZE)
    return {
        RA: task_exit,
        SP: top - _START_BYTES,
        A0: word(context + _ARGUMENT),
        PC: word(context + _ENTRY),
    }


def banked(words: list[int]) -> Registers:
    """Registers from x0 … x31 of a context; x3 holds the PC."""
    return {**dict(enumerate(words)), PC: words[GP]}
