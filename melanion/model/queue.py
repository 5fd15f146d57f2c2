# SPDX-License-Identifier: Apache-2.0
"""Message queue commands of the golden model.

Tasks wait in one list: receivers while the queue is empty, senders while it is full.
"""

from __future__ import annotations

from bisect import insort

from mel_gen import MESSAGE_PRIORITIES, Command, IdKind, Status

from melanion.model.state import Core, Queue, Wait
from melanion.model.waiting import Handler, Waiting

LEAST_URGENT = MESSAGE_PRIORITIES - 1


def create(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if number in kernel.queues:
        return Status.E_OBJ
    kernel.check_released(IdKind.QUEUE, number)
    reserved = sum(queue.capacity for queue in kernel.queues.values())
    if reserved + argument > kernel.limits.messages:
        return Status.E_NOMEM
    kernel.queues[number] = Queue(argument)
    kernel.purges = False
    return Status.E_OK


def delete(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.queues.pop(number)
    kernel.purges = kernel.purges or bool(subject.messages)
    kernel.release_waiters(IdKind.QUEUE, number, subject)
    return Status.E_OK


def enter(kernel: Waiting, number: int, priority: int, word: int) -> Status:
    """A word goes to the first waiting receiver, or behind the messages as urgent or more."""
    subject = kernel.queues[number]
    if not subject.messages and subject.waiting:
        receiver = subject.waiting[0]
        kernel.words[receiver].value = word
        kernel.end_wait(kernel.tasks[receiver], Status.E_OK)
    elif len(subject.messages) == subject.capacity:
        return Status.E_QOVR
    else:
        insort(subject.messages, (priority, word), key=lambda message: message[0])
    return Status.E_OK


def send(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    if enter(kernel, number, LEAST_URGENT, argument) == Status.E_OK:
        return Status.E_OK
    timeout = kernel.words_of(core).operand
    if timeout == 0:
        return Status.E_TMOUT
    caller = kernel.running_task(core)
    caller.word = argument
    return kernel.start_wait(caller, Wait.QUEUE, timeout, kernel.queues[number].waiting)


def post(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    return enter(kernel, number, kernel.words_of(core).operand, argument)


def receive(kernel: Waiting, core: Core, number: int, argument: int) -> int:
    subject = kernel.queues[number]
    if not subject.messages:
        if argument == 0:
            return Status.E_TMOUT
        caller = kernel.running_task(core)
        return kernel.start_wait(caller, Wait.QUEUE, argument, subject.waiting)
    _, kernel.words_of(core).value = subject.messages.pop(0)
    if subject.waiting:
        sender = kernel.tasks[subject.waiting[0]]
        insort(subject.messages, (LEAST_URGENT, sender.word), key=lambda message: message[0])
        kernel.end_wait(sender, Status.E_OK)
    return Status.E_OK


COMMANDS: dict[Command, Handler] = {
    Command.QUEUE_CREATE: create,
    Command.QUEUE_DELETE: delete,
    Command.QUEUE_SEND: send,
    Command.QUEUE_RECEIVE: receive,
    Command.QUEUE_POST: post,
}
