"""Situations that a random run must reach, counted from the trace and the model that follows it."""

from __future__ import annotations

from collections import Counter

from mel_gen import COMMANDS, Command, Context, IrqAction, Status, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from melanion.model.state import NEVER, Wait

WAITS = 2
KNOWN = frozenset(map(int, Command))


def _status(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def status_name(word: int) -> str:
    """The name of a status in a trace record."""
    value = _status(word)
    return "waits" if value == WAITS else Status(value).name


def before(counter: Counter[str], kernel: Kernel, event: Event) -> None:
    """Count what this event meets; the model has not executed it yet."""
    _, kind, _, a, b, c, d = event
    if kind == TraceKind.COMMAND:
        _command(counter, kernel, a & 0xFF, Context(a >> 8), b, c, d)
    elif kind == TraceKind.DISPATCH:
        _dispatch(counter, kernel, a, b, bool(c))
    elif kind == TraceKind.TIMEOUT:
        task = kernel.tasks[a]
        assert task.wait is not None
        counter[f"timeout of a {task.wait.value}"] += 1
        counter["timeout of a suspended task"] += task.suspended
        counter["timeout while others are late"] += len(kernel.late) > 1
        counter["timeout while dying"] += any(a in gone.waiting for gone in kernel.dying.values())
        counter["timeout in a handler"] += kernel.cores[0].in_handler
        counter["timeout of the running task"] += kernel.cores[0].running == a
    elif kind == TraceKind.RELEASE:
        counter["release of a deleted semaphore's waiter"] += 1
        counter["release of a suspended task"] += kernel.tasks[a].suspended
        counter["release with a time limit"] += kernel.tasks[a].deadline != NEVER
    elif kind == TraceKind.IRQ:
        handler = " and handler" if kernel.interrupts[a].handler else ""
        counter[f"irq {IrqAction(b).name.lower()}{handler}: {status_name(d)}"] += 1
        counter["irq while a handler runs"] += kernel.cores[0].in_handler
    elif kind == TraceKind.CLAIM:
        counter["claim, spurious" if a == 0xFFFF else "claim"] += 1
        counter["claim with several pending"] += len(kernel.cores[0].handler_irqs) > 1
        counter["claim inside a handler"] += kernel.cores[0].in_handler
    elif kind == TraceKind.TICK:
        counter["tick"] += 1
        counter["tick while tasks are late"] += bool(kernel.late)
    elif kind == TraceKind.ANSWER:
        counter[f"answer {status_name(d)}"] += 1


def after(counter: Counter[str], kernel: Kernel, event: Event) -> None:
    """Count what this event led to."""
    if event[1] == TraceKind.TICK and kernel.late:
        counter[
            "tick with 1 timeout" if len(kernel.late) == 1 else "tick with several timeouts"
        ] += 1
    if event[1] == TraceKind.TICK and kernel.time in (0, 1 << 32):
        counter["tick counter wraps a word"] += 1
    if event[1] in (TraceKind.COMMAND, TraceKind.IRQ, TraceKind.TIMEOUT) and kernel.dispatch_due(
        kernel.cores[0]
    ):
        counter[f"dispatch due after {TraceKind(event[1]).name.lower()}"] += 1


def _command(
    counter: Counter[str],
    kernel: Kernel,
    op: int,
    context: Context,
    number: int,
    argument: int,
    d: int,
) -> None:
    counter[f"commands by {context.name.lower()}"] += 1
    if op not in KNOWN:
        counter[f"unknown command: {status_name(d)}"] += 1
        return
    command = Command(op)
    counter[f"{command.name.lower()}: {status_name(d)}"] += 1
    counter[f"{command.name.lower()} by {context.name.lower()}"] += 1
    core = kernel.cores[0]
    if kernel.dispatch_due(core):
        counter["command while a dispatch is due"] += 1
    if kernel.late:
        counter["command while tasks are late"] += 1
    if kernel.dying:
        counter["command while an object is dying"] += 1
    if _status(d) < 0:
        return
    if not core.dispatch_enabled and context == Context.TASK:
        counter["command with dispatch disabled"] += 1
    task = kernel.tasks.get(number)
    name = command.name.lower()
    if COMMANDS[command].id.value == "task" and task is not None:
        if any(number in gone.waiting for gone in kernel.dying.values()):
            counter[f"{name} of a dying waiter"] += 1
        if number in kernel.late:
            counter[f"{name} of a late task"] += 1
        state = "running" if core.running == number and task.runnable else task.state.name.lower()
        counter[f"{name} of a {state} task"] += 1
        if (
            command == Command.TASK_SET_PRIORITY
            and task.wait == Wait.SEMAPHORE
            and task.queue
            and len(task.queue) > 1
        ):
            counter["set_priority within a wait list"] += 1
    if command == Command.SEMAPHORE_GIVE:
        waiting = kernel.semaphores[number].waiting
        priorities = [kernel.tasks[n].priority for n in waiting]
        counter["give to one of several"] += len(waiting) > 1
        counter["give to the first of equals"] += (
            len(waiting) > 1 and priorities[0] == priorities[1]
        )
    if command == Command.SEMAPHORE_DELETE:
        counter["delete with several waiters"] += len(kernel.semaphores[number].waiting) > 1
    if command == Command.TASK_ROTATE:
        priority = (
            kernel.tasks[core.running].priority
            if argument == 0xFFFF_FFFF and core.running is not None
            else argument
        )
        line = kernel.ready[priority]
        counter["rotate of several"] += len(line) > 1
        counter["rotate of one"] += len(line) == 1
        counter["rotate of none"] += not line
        counter["rotate of another priority"] += len(line) > 1 and core.running not in line


def _dispatch(
    counter: Counter[str], kernel: Kernel, chosen: int, before_: int, handler: bool
) -> None:
    idle = kernel.limits.tasks
    counter["dispatch at a handler's end"] += handler
    counter["dispatch to idle"] += chosen == idle and before_ != idle
    counter["dispatch from idle"] += before_ == idle and chosen != idle
    counter["dispatch of the running task"] += chosen == before_ != idle
    task = kernel.tasks.get(before_)
    if task is not None and chosen != before_:
        counter["preemption"] += task.runnable


def expected() -> set[str]:
    """Names that a campaign over all sizes must reach: each command with each of its statuses, …"""
    names = set(SITUATIONS)
    for info in COMMANDS.values():
        name = info.command.name.lower()
        statuses = {*info.statuses, Status.E_OK}
        if info.id.value != "none":
            statuses.add(Status.E_ID)
            if info.id.value != "interrupt" and not name.endswith("create"):
                statuses.add(Status.E_NOEXS)
        if len(info.callers) < 3:
            statuses.add(Status.E_CTX)
        statuses -= NEVER_SEEN.get(info.command, set())
        names |= {f"{name}: {status.name}" for status in statuses}
        if info.blocks.value != "never":
            names.add(f"{name}: waits")
        names |= {f"{name} by {context.name.lower()}" for context in info.callers}
    return names


NEVER_SEEN: dict[Command, set[Status]] = {
    Command.TASK_DELAY_UNTIL: {Status.E_OK},  # it waits, or is too late
}

_TEXT = """
tick; tick with 1 timeout; tick with several timeouts; tick counter wraps a word
timeout of a sleep; timeout of a delay; timeout of a semaphore; timeout of a suspended task
timeout while others are late; timeout in a handler; timeout of the running task
timeout while dying; release of a deleted semaphore's waiter; release of a suspended task
release with a time limit; unknown command: E_RSFN
irq none: E_NOEXS; irq none and handler: E_OK; irq none and handler: E_QOVR
irq semaphore_give: E_OK; irq semaphore_give and handler: E_OK; irq semaphore_give: E_QOVR
irq semaphore_give: E_NOEXS; irq task_wakeup: E_OK; irq task_wakeup: E_OBJ
irq task_wakeup: E_QOVR; irq task_wakeup: E_NOEXS; irq task_release: E_OK; irq task_release: E_OBJ
irq task_release: E_NOEXS; irq while a handler runs; edge while the line is pending; claim
claim, spurious; claim with several pending; claim inside a handler; answer E_OK; answer E_TMOUT
answer E_DLT; answer E_RLWAI; answer E_CTX; answer E_PAR; answer E_OBJ; dispatch due after command
dispatch due after irq; dispatch due after timeout; dispatch at a handler's end; dispatch to idle
dispatch from idle; dispatch of the running task; preemption; command while a dispatch is due
command while tasks are late; command while an object is dying; command with dispatch disabled
set_priority within a wait list; give to one of several; give to the first of equals
delete with several waiters; rotate of several; rotate of one; rotate of none
rotate of another priority; task_set_priority of a dying waiter; task_suspend of a dying waiter
task_release of a dying waiter; task_terminate of a dying waiter; task_release of a late task
task_set_priority of a late task; task_suspend of a waiting task
task_resume of a waiting_suspended task; task_wakeup of a waiting_suspended task
task_release of a waiting_suspended task; task_set_priority of a running task
task_set_priority of a ready task; task_set_priority of a waiting task
task_set_priority of a suspended task; task_terminate of a ready task
task_terminate of a waiting task; task_terminate of a suspended task
task_suspend of a running task; illegal read; illegal write; illegal partial write
illegal partial read; query
"""
SITUATIONS = frozenset(
    name.strip() for line in _TEXT.splitlines() for name in line.split(";") if name.strip()
)
