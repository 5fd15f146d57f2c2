# SPDX-License-Identifier: Apache-2.0
"""Bugs of message queues, and of posts by interrupts, for the golden model (see planted_model)."""

from __future__ import annotations

import pytest
from mel_gen import MESSAGE_PRIORITIES, Command, Status

from melanion.model import checks, interrupt, queue, service
from melanion.model.kernel import Kernel
from melanion.model.state import Core, Queue
from tests.model.planted_model import Plant, plant_command


def _message_priority_ignored(patch: pytest.MonkeyPatch) -> None:
    right = queue.enter

    def enter(kernel: Kernel, number: int, priority: int, word: int) -> Status:
        return right(kernel, number, MESSAGE_PRIORITIES - 1, word)

    patch.setattr(queue, "enter", enter)


def _equal_messages_last_first(patch: pytest.MonkeyPatch) -> None:
    def insort(messages: list[tuple[int, int]], message: tuple[int, int], key: object) -> None:
        place = sum(1 for other in messages if other[0] < message[0])
        messages.insert(place, message)

    patch.setattr(queue, "insort", insort)


def _one_message_more(patch: pytest.MonkeyPatch) -> None:
    def create(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = queue.create(kernel, core, number, argument)
        if status == Status.E_OK:
            kernel.queues[number].capacity += 1
        return status

    plant_command(patch, Command.QUEUE_CREATE, create)


def _capacity_is_not_reserved(patch: pytest.MonkeyPatch) -> None:
    def create(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = queue.create(kernel, core, number, argument)
        if status == Status.E_NOMEM:
            kernel.queues[number] = Queue(argument)
            return Status.E_OK
        return status

    plant_command(patch, Command.QUEUE_CREATE, create)


def _waiting_senders_word_lost(patch: pytest.MonkeyPatch) -> None:
    def receive(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.queues[number]
        sender = kernel.tasks[subject.waiting[0]] if subject.waiting else None
        words = [word for _, word in subject.messages]
        status = queue.receive(kernel, core, number, argument)
        if sender is not None and words and status == Status.E_OK:
            subject.messages.pop()
        return status

    plant_command(patch, Command.QUEUE_RECEIVE, receive)


def _sender_stays_when_there_is_room(patch: pytest.MonkeyPatch) -> None:
    def receive(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        subject = kernel.queues[number]
        if not subject.messages:
            return queue.receive(kernel, core, number, argument)
        _, kernel.words_of(core).value = subject.messages.pop(0)
        return Status.E_OK

    plant_command(patch, Command.QUEUE_RECEIVE, receive)


def _message_to_a_receiver_is_kept_too(patch: pytest.MonkeyPatch) -> None:
    right = queue.enter

    def enter(kernel: Kernel, number: int, priority: int, word: int) -> Status:
        subject = kernel.queues[number]
        direct = bool(subject.waiting) and not subject.messages
        status = right(kernel, number, priority, word)
        if direct:
            subject.messages.append((priority, word))
        return status

    patch.setattr(queue, "enter", enter)


def _value_of_the_receiver_not_set(patch: pytest.MonkeyPatch) -> None:
    right = queue.enter

    def enter(kernel: Kernel, number: int, priority: int, word: int) -> Status:
        values = [words.value for words in kernel.words]
        status = right(kernel, number, priority, word)
        for words, value in zip(kernel.words, values, strict=True):
            words.value = value
        return status

    patch.setattr(queue, "enter", enter)


def _post_waits_for_nobody_but_counts_as_sent(patch: pytest.MonkeyPatch) -> None:
    def post(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = queue.post(kernel, core, number, argument)
        return Status.E_OK if status == Status.E_QOVR else status

    plant_command(patch, Command.QUEUE_POST, post)


def _interrupt_posts_most_urgent(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(service, "MESSAGE_PRIORITIES", 1)


def _interrupt_without_its_word(patch: pytest.MonkeyPatch) -> None:
    def map_(kernel: Kernel, core: Core, number: int, argument: int) -> int:
        status = interrupt.map_(kernel, core, number, argument)
        kernel.interrupts[number].word = 0
        return status

    plant_command(patch, Command.IRQ_MAP, map_)


def _nine_message_priorities(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(checks, "MESSAGE_PRIORITIES", MESSAGE_PRIORITIES + 1)


QUEUE_BUGS: dict[str, Plant] = {
    plant.__name__.strip("_"): plant
    for plant in (
        _message_priority_ignored,
        _equal_messages_last_first,
        _one_message_more,
        _capacity_is_not_reserved,
        _waiting_senders_word_lost,
        _sender_stays_when_there_is_room,
        _message_to_a_receiver_is_kept_too,
        _value_of_the_receiver_not_set,
        _post_waits_for_nobody_but_counts_as_sent,
        _interrupt_posts_most_urgent,
        _interrupt_without_its_word,
        _nine_message_priorities,
    )
}
