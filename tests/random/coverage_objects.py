# SPDX-License-Identifier: Apache-2.0
"""Situations of event flags, queues, mutexes and timers (coverage.py counts the rest)."""

from __future__ import annotations

from collections import Counter

from mel_gen import MESSAGE_PRIORITIES, Command, IdKind, Status

from melanion.model import Kernel
from melanion.model.state import Core, Mutex, Wait


def background(kernel: Kernel) -> list[str]:
    """Return the kinds of work that an earlier command or tick left to be done."""
    if not (kernel.late or kernel.dying or kernel.orphans):
        return []
    found = {
        "tasks are late": kernel.late,
        "an object is dying": kernel.dying,
        "mutexes are orphans": kernel.orphans,
    }
    return [name for name, what in found.items() if what]


def command(
    counter: Counter[str],
    kernel: Kernel,
    core: Core,
    op: Command,
    number: int,
    argument: int,
    status: int,
) -> None:
    """A command that was not refused; the model has not executed it yet."""
    if op == Command.EVENT_FLAGS_SET:
        flags(counter, kernel, number, argument, "set")
    elif op.name.startswith("QUEUE"):
        _queue(counter, kernel, core, op, number)
    elif op.name.startswith("MUTEX"):
        _mutex(counter, kernel, core, op, number, status)
    elif op.name.startswith("NOTIFICATION"):
        _notification(counter, kernel, core, op, number)
    elif op == Command.TIMER_START:
        counter["timer_start of a timer that runs"] += kernel.timers[
            number
        ].expiry <= kernel.now + (1 << 32)
    elif op in (Command.TASK_TERMINATE, Command.TASK_EXIT):
        running = core.running
        ended = kernel.tasks[number] if op == Command.TASK_TERMINATE else None
        if ended is None and running is not None:
            ended = kernel.tasks[running]
        counter["end of an owner of one mutex"] += ended is not None and len(ended.owned) == 1
        counter["end of an owner of several"] += ended is not None and len(ended.owned) > 1


def flags(counter: Counter[str], kernel: Kernel, number: int, pattern: int, name: str) -> None:
    """Flags are set by a command or an interrupt."""
    group = kernel.event_flags[number]
    held = [c for c in group.waiting.values() if c.holds(group.flags | pattern)]
    counter[f"{name} releases none"] += bool(group.waiting) and not held
    counter[f"{name} releases one"] += len(held) == 1
    counter[f"{name} releases several"] += len(held) > 1
    counter[f"{name} leaves some waiting"] += bool(held) and len(held) < len(group.waiting)
    counter[f"{name} releases several takes"] += sum(c.takes for c in held) > 1


def _queue(counter: Counter[str], kernel: Kernel, core: Core, op: Command, number: int) -> None:
    if op == Command.QUEUE_CREATE:
        return
    queue = kernel.queues[number]
    receivers = bool(queue.waiting) and not queue.messages
    senders = bool(queue.waiting) and bool(queue.messages)
    match op:
        case Command.QUEUE_SEND | Command.QUEUE_POST:
            counter[f"{op.name.lower()} to a receiver"] += receivers
            counter[f"{op.name.lower()} to one of several"] += receivers and len(queue.waiting) > 1
        case Command.QUEUE_RECEIVE:
            counter["receive lets a sender in"] += senders
            counter["receive lets one of several in"] += senders and len(queue.waiting) > 1
            levels = [level for level, _ in queue.messages]
            counter["receive of one of several priorities"] += len(set(levels)) > 1
            counter["receive of the oldest of equals"] += len(levels) > len(set(levels))
        case Command.QUEUE_DELETE:
            counter["delete of a queue with messages"] += bool(queue.messages)
            counter["delete of a queue with senders"] += senders
            counter["delete of a queue with receivers"] += receivers
    if op == Command.QUEUE_POST:
        operand = kernel.words_of(core).operand
        least = max((level for level, _ in queue.messages), default=-1)
        counter["post before a less urgent message"] += operand < least < MESSAGE_PRIORITIES


def _notification(
    counter: Counter[str], kernel: Kernel, core: Core, op: Command, number: int
) -> None:
    if op in (Command.NOTIFICATION_WAIT, Command.NOTIFICATION_TAKE, Command.NOTIFICATION_TAKE_ALL):
        assert core.running is not None
        note = kernel.tasks[core.running].notification
        counter["wait for a notification with a value left"] += (
            op == Command.NOTIFICATION_WAIT and not note.pending and note.value != 0
        )
        counter["take without a value but pending"] += (
            op != Command.NOTIFICATION_WAIT and note.pending and note.value == 0
        )
        return
    subject = kernel.tasks[number]
    name = op.name.lower()
    counter[f"{name} while it is pending"] += subject.notification.pending
    counter[f"{name} to a waiter"] += subject.wait == Wait.NOTIFICATION
    counter["notification of the caller"] += number == core.running
    counter["notification value wraps"] += (
        op == Command.NOTIFICATION_GIVE and subject.notification.value == 0xFFFF_FFFF
    )


def chain(kernel: Kernel, mutex: Mutex) -> list[int]:
    """The owner, the owner of what it waits for, …"""
    owners = []
    awaited: Mutex | None = mutex
    while awaited is not None and awaited.owner is not None and awaited.owner not in owners:
        owners.append(awaited.owner)
        awaited = kernel.tasks[awaited.owner].awaited
    return owners


def _mutex(
    counter: Counter[str], kernel: Kernel, core: Core, op: Command, number: int, status: int
) -> None:
    if op == Command.MUTEX_CREATE:
        return
    mutex = kernel.mutexes[number]
    caller = kernel.tasks[core.running] if core.running is not None else None
    if op == Command.MUTEX_DELETE:
        counter["delete of a mutex with owner and waiters"] += bool(mutex.waiting)
    elif op == Command.MUTEX_UNLOCK and caller is not None and mutex.locks == 1:
        counter["unlock with waiters"] += bool(mutex.waiting)
        counter["unlock of not the last locked"] += caller.owned[-1] is not mutex
        counter["unlock while others are owned"] += len(caller.owned) > 1
        counter["unlock that lowers the owner"] += caller.priority < caller.base_priority
    elif op == Command.MUTEX_LOCK and status == 0:
        counter["lock again"] += mutex.owner is not None
        counter["lock that raises to the ceiling"] += (
            mutex.ceiling is not None
            and caller is not None
            and mutex.owner is None
            and mutex.ceiling < caller.priority
        )
    elif op == Command.MUTEX_LOCK and caller is not None:
        owners = chain(kernel, mutex)
        raised = [n for n in owners if kernel.tasks[n].priority > caller.priority]
        counter["wait behind one owner"] += len(owners) == 1
        counter["wait behind a chain of owners"] += len(owners) > 1
        counter["wait behind a chain of three"] += len(owners) > 2
        counter["wait that raises an owner"] += bool(raised)
        counter["wait that raises a chain"] += len(raised) > 1
        counter["wait for a mutex of an ended task"] += kernel.tasks[owners[0]].dormant


def refused(
    counter: Counter[str], kernel: Kernel, core: Core, op: Command, number: int, status: int
) -> None:
    """A command of a task that gets a status of its own."""
    if op != Command.MUTEX_LOCK or status != Status.E_ILUSE:
        return
    mutex = kernel.mutexes[number]
    owners = chain(kernel, mutex)
    above = mutex.ceiling is not None and core.running is not None and (
        kernel.tasks[core.running].base_priority < mutex.ceiling
    )  # fmt: skip
    counter["lock by a task above the ceiling"] += above
    counter["lock that would close a cycle of two"] += not above and len(owners) == 2
    counter["lock that would close a longer cycle"] += not above and len(owners) > 2


def expiry(counter: Counter[str], kernel: Kernel) -> None:
    """A tick comes; the model has not executed it yet."""
    lines = [
        kernel.limits.interrupts + number
        for number, timer in enumerate(kernel.timers)
        if timer.expiry == kernel.now + 1
    ]
    enabled = [line for line in lines if kernel.interrupts[line].enabled]
    counter["timer expires"] += bool(enabled)
    counter["timers expire in one tick"] += len(enabled) > 1
    counter["timer of a disabled line expires"] += len(enabled) < len(lines)


def release(counter: Counter[str], kernel: Kernel, number: int) -> None:
    """A task leaves; the model has not executed it yet."""
    task = kernel.tasks[number]
    if number in kernel.released:
        deleted = kernel.released[number].result == Status.E_DLT
        counter["release from deleted event flags" if deleted else "release by event flags"] += 1
        counter["release by event flags while others leave"] += len(kernel.released) > 1
    else:
        kind = next(kind for (kind, _), gone in kernel.dying.items() if number in gone.waiting)
        counter[f"release of a deleted {kind.value}'s waiter"] += 1
    counter["release of a suspended task"] += task.suspended


def orphan(counter: Counter[str], kernel: Kernel, owner: int) -> None:
    nobody = owner == kernel.limits.tasks
    counter["orphan to nobody" if nobody else "orphan to a waiter"] += 1


NOUNS = frozenset(
    {IdKind.TASK, IdKind.SEMAPHORE, IdKind.EVENT_FLAGS, IdKind.QUEUE, IdKind.MUTEX, IdKind.TIMER}
)
TEXT = """
set releases none; set releases one; set releases several; set leaves some waiting
set releases several takes; irq set releases one; irq set releases several
irq set leaves some waiting; queue_send to a receiver; queue_send to one of several
queue_post to a receiver; queue_post to one of several; receive lets a sender in
receive lets one of several in; receive of one of several priorities
receive of the oldest of equals; delete of a queue with messages; delete of a queue with senders
delete of a queue with receivers; post before a less urgent message
delete of a mutex with owner and waiters; unlock with waiters; unlock of not the last locked
unlock while others are owned; unlock that lowers the owner; lock again
lock that raises to the ceiling; wait behind one owner; wait behind a chain of owners
wait behind a chain of three; wait that raises an owner; wait that raises a chain
wait for a mutex of an ended task; lock by a task above the ceiling
lock that would close a cycle of two; lock that would close a longer cycle
end of an owner of one mutex; end of an owner of several; orphan to nobody; orphan to a waiter
timer expires; timers expire in one tick; timer of a disabled line expires
timer_start of a timer that runs; release by event flags; release from deleted event flags
release by event flags while others leave; release of a deleted semaphore's waiter
release of a deleted queue's waiter; release of a deleted mutex's waiter
release of a suspended task; operand by task; operand by handler; operand by idle; value to task
value to handler; value to idle; timeout of a wait for event flags; timeout of a queue
timeout of a mutex; timeout of a notification; irq event_flags_set: E_OK
irq event_flags_set: E_NOEXS
irq event_flags_set and handler: E_OK; irq queue_post: E_OK; irq queue_post: E_QOVR
irq queue_post: E_NOEXS; irq queue_post and handler: E_OK; irq of a timer
irq of a timer, with handler; irq notification_set: E_OK; irq notification_set: E_OBJ
irq notification_set: E_NOEXS; irq notification_set and handler: E_OK
irq notification_give: E_OK; irq notification_give: E_OBJ; irq notification_give: E_NOEXS
notification_set to a waiter; notification_give to a waiter; notification_overwrite to a waiter
notification_send to a waiter; notification_set while it is pending
notification_give while it is pending; notification_overwrite while it is pending
notification_clear while it is pending; notification of the caller; notification value wraps
wait for a notification with a value left; take without a value but pending
task command while tasks are late; task command while an object is dying
task command while mutexes are orphans
semaphore command while tasks are late; semaphore command while an object is dying
event_flags command while tasks are late; queue command while tasks are late
queue command while an object is dying; mutex command while tasks are late
mutex command while an object is dying; mutex command while mutexes are orphans
timer command while tasks are late; command while mutexes are orphans
"""
