# SPDX-License-Identifier: Apache-2.0
"""Events and states of the model in words, for messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from mel_gen import Command, Context, IrqAction, Status, TraceKind

from melanion.model.kernel import Kernel
from melanion.model.state import NEVER, Core, Limits, OwnCommand

Names = Mapping[int, str]  # task number to name

NONE: Mapping[int, OwnCommand] = {}
INT32 = 1 << 32
HANDLER_ANSWER = 0xFFFF  # in place of a task: a handler of interrupts
WAITS = 2  # the status of a call whose caller now waits


def name_of(kind: type[IntEnum], value: int) -> str:
    """The name of a value in lower case; the number when it has none."""
    try:
        return kind(value).name.lower()
    except ValueError:
        return str(value)


def status_text(status: int) -> str:
    """A status as its name; also unsigned 32-bit, as traces hold it."""
    if status >= INT32 >> 1:
        status -= INT32
    if status == WAITS:
        return "the caller waits"
    return name_of(Status, status).upper()


def task_text(number: int, names: Names) -> str:
    name = names.get(number)
    return f"task {number}" + (f" ({name})" if name else "")


def runner_text(number: int, limits: Limits, names: Names) -> str:
    """A task, idle or a handler."""
    if number == limits.tasks:
        return "idle"
    return "a handler" if number == HANDLER_ANSWER else task_text(number, names)


def command_name(op: int, own: Mapping[int, OwnCommand]) -> str:
    """The name of a command, of the kernel or of a user; the number when it has none."""
    return own[op].name if op in own else name_of(Command, op)


def describe_event(event: Sequence[int], names: Names, own: Mapping[int, OwnCommand] = NONE) -> str:
    """One trace record in words. `own`: commands of a user."""
    _, kind, core, a, b, c, d = event
    where = f"core {core} "
    match kind:
        case TraceKind.COMMAND:
            caller = name_of(Context, a >> 8)
            call = f"{command_name(a & 0xFF, own)} id {b} argument {c:#x}"
            return f"{where}command {call} by {caller}: {status_text(d)}"
        case TraceKind.DISPATCH:
            return f"{where}dispatch {task_text(a, names)} after {task_text(b, names)}" + (
                ", ends a handler" if c else ""
            )
        case TraceKind.TICK:
            return f"tick {b | c << 32}"
        case TraceKind.TIMEOUT | TraceKind.RELEASE:
            return f"{TraceKind(kind).name.lower()} {task_text(a, names)}: {status_text(d)}"
        case TraceKind.TURN | TraceKind.SLICE:
            what = "turn" if kind == TraceKind.TURN else "end of the slice"
            return f"{where}{what} of {task_text(a, names)}"
        case TraceKind.MISS:
            return f"{'budget' if b else 'deadline'} of {task_text(a, names)} missed"
        case TraceKind.ORPHAN:
            return f"mutex {b} of ended {task_text(c, names)}: to {task_text(a, names)}"
        case TraceKind.INHERIT:
            return f"{task_text(a, names)} inherits priority {c}"
        case TraceKind.OPERAND:
            return f"{where}operand {c:#x}"
        case TraceKind.VALUE:
            return f"{where}value to {task_text(a, names)}: {c:#x}"
        case TraceKind.IRQ:
            return f"irq {a}: {name_of(IrqAction, b)} {c}: {status_text(d)}"
        case TraceKind.ANSWER:
            return f"{where}answer to {task_text(a, names)}: {status_text(d)}"
    return f"{where}{name_of(TraceKind, kind)} a={a:#x} b={b:#x} c={c:#x} d={d:#x}"


def _numbers(tasks: Iterable[int]) -> str:
    return ", ".join(map(str, tasks)) or "none"


def _core(kernel: Kernel, core: Core, names: Names) -> str:
    running, chosen = (
        "idle" if number is None else task_text(number, names)
        for number in (core.running, kernel.chosen(core))
    )
    return (
        (f"core {core.number}: " if len(kernel.cores) > 1 else "")
        + f"running {running}, chosen {chosen}"
        + (" (it has ended)" if core.ended else "")
        + (", in a handler" if core.in_handler else "")
        + (", its quantum used" if core.spent else "")
        + ("" if core.dispatch_enabled else ", dispatch disabled")
    )


def describe_state(kernel: Kernel, names: Names) -> str:
    """The model's state, some lines: core, time, ready lists, tasks, objects."""
    lines = [_core(kernel, core, names) for core in kernel.cores]
    lines.append(f"tick counter {kernel.time}, tick {kernel.tick_cycles} cycles")
    for priority, line in enumerate(kernel.ready):
        if line:
            lines.append(f"ready at priority {priority}: {', '.join(map(str, line))}")
    for number, task in sorted(kernel.tasks.items()):
        text = f"{task_text(number, names)}: {task.state.name.lower()}, priority {task.priority}"
        if task.wait:
            text += f", waits for {task.wait.value}"
        if task.expiry != NEVER:
            text += f" until tick {task.expiry}"
        if task.wakeups:
            text += f", {task.wakeups} wake-ups"
        if task.notification.pending:
            text += ", a notification pending"
        if task.notification.value:
            text += f", notification value {task.notification.value:#x}"
        lines.append(text)
    lines += [f"task {n} is released from its event flags" for n in sorted(kernel.released)]
    for number, semaphore in sorted(kernel.semaphores.items()):
        counts = f"{semaphore.count} of {semaphore.maximum}"
        lines.append(f"semaphore {number}: {counts}, waiting: {_numbers(semaphore.waiting)}")
    for number, group in sorted(kernel.event_flags.items()):
        lines.append(
            f"event flags {number}: {group.flags:#010x}, waiting: {_numbers(group.waiting)}"
        )
    for number, queue in sorted(kernel.queues.items()):
        counts = f"{len(queue.messages)} of {queue.capacity}"
        lines.append(f"queue {number}: {counts}, waiting: {_numbers(queue.waiting)}")
    for number, mutex in sorted(kernel.mutexes.items()):
        owner = "nobody" if mutex.owner is None else task_text(mutex.owner, names)
        lines.append(f"mutex {number}: of {owner}, waiting: {_numbers(mutex.waiting)}")
    for (kind, number), gone in kernel.dying.items():
        lines.append(f"{kind.value} {number} (deleted): waiting: {_numbers(gone.waiting)}")
    return "  model:    " + "\n            ".join(lines)
