# SPDX-License-Identifier: Apache-2.0
"""Meaning of the command rendezvous_meet: two tasks meet at a semaphore and swap a word."""

from __future__ import annotations

from mel_gen import Status

from melanion.model.state import Core, Wait
from melanion.model.waiting import Waiting


def meet(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    """The first waits, the second wakes it."""
    place, words = kernel.semaphores[number], kernel.words_of(core)
    if place.waiting:
        partner = kernel.tasks[place.waiting[0]]
        words.value, kernel.words[partner.number].value = partner.word, argument
        kernel.end_wait(partner, Status.E_OK)
        return Status.E_OK
    if words.operand == 0:
        return Status.E_TMOUT
    caller = kernel.running_task(core)
    caller.word = argument
    return kernel.start_wait(caller, Wait.SEMAPHORE, words.operand, place.waiting)


COMMANDS = {"rendezvous_meet": meet}
