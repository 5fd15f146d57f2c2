# SPDX-License-Identifier: Apache-2.0
"""Situations that a random run must reach, counted from the trace and the model that follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from mel_gen import COMMANDS, Blocks, Command, Context, IdKind, IrqAction, Status, TraceKind

from melanion.model import Kernel, Limits
from melanion.model.checks import RULES
from melanion.model.replay import BUSY, Event
from melanion.model.state import NEVER, Core, Wait
from tests.random import coverage_cores, coverage_objects
from tests.random.coverage_objects import TEXT

WAITS = 2
NAMES = {int(command): command.name.lower() for command in Command}
KNOWN = frozenset(NAMES)
CONTEXTS = {int(context): context.name.lower() for context in Context}


def _status(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


@cache
def status_name(word: int) -> str:
    """The name of a status in a trace record."""
    value = _status(word)
    return "waits" if value == WAITS else Status(value).name


def execute(kernel: Kernel, event: Event) -> None:
    """Let the model follow one event of a trace that agrees with it."""
    _, kind, number, a, b, c, d = event
    core = kernel.cores[number]
    match kind:
        case TraceKind.COMMAND:
            if d == BUSY:
                kernel.busy(number, a & 0xFF)
            else:
                kernel.command(number, a & 0xFF, b, c)
        case TraceKind.DISPATCH:
            kernel.dispatch(number)
        case TraceKind.TICK:
            kernel.tick()
        case TraceKind.TIMEOUT:
            kernel.timeout(a)
        case TraceKind.RELEASE:
            kernel.release(a)
        case TraceKind.ORPHAN:
            kernel.orphan(b, c)
        case TraceKind.INHERIT:
            kernel.link(a)
        case TraceKind.TURN:
            kernel.turn(number)
        case TraceKind.SLICE:
            kernel.slice(number)
        case TraceKind.MISS:
            kernel.miss(a, bool(b))
        case TraceKind.OPERAND:
            kernel.words_of(core).operand = c
        case TraceKind.IRQ:
            kernel.irq(a)
        case TraceKind.CLAIM:
            kernel.claim(number)


def follow(limits: Limits, events: Iterable[Event]) -> Counter[str]:
    """The situations of a trace that agrees with the model."""
    kernel = Kernel(limits)
    kernel.links = True
    counter: Counter[str] = Counter()
    for event in events:
        before(counter, kernel, event)
        execute(kernel, event)
        after(counter, kernel, event)
    return counter


def before(counter: Counter[str], kernel: Kernel, event: Event) -> None:
    """Count what this event meets; the model has not executed it yet."""
    _, kind, number, a, b, c, d = event
    core = kernel.cores[number]
    coverage_cores.before(counter, kernel, event)
    if kind == TraceKind.COMMAND:
        _command(counter, kernel, core, event)
    elif kind == TraceKind.DISPATCH:
        _dispatch(counter, kernel, a, b, bool(c))
    elif kind == TraceKind.TIMEOUT:
        task = kernel.tasks[a]
        assert task.wait is not None
        wait = "wait for event flags" if task.wait == Wait.EVENT_FLAGS else task.wait.value
        counter[f"timeout of a {wait}"] += 1
        counter["timeout of a suspended task"] += task.suspended
        counter["timeout while others are late"] += len(kernel.late) > 1
        counter["timeout while dying"] += any(a in gone.waiting for gone in kernel.dying.values())
        counter["timeout in a handler"] += kernel.cores[0].in_handler
        counter["timeout of the running task"] += kernel.running_core(a) is not None
    elif kind == TraceKind.RELEASE:
        coverage_objects.release(counter, kernel, a)
        counter["release with a timeout"] += kernel.tasks[a].expiry != NEVER
    elif kind == TraceKind.ORPHAN:
        coverage_objects.orphan(counter, kernel, a)
    elif kind == TraceKind.SLICE:
        counter["slice"] += 1
        counter["slice with dispatch disabled"] += not core.dispatch_enabled
        counter["slice in a handler"] += core.in_handler
        counter["slice of several ticks"] += kernel.tasks[a].used > 1
        counter["slice of a task that was alone when it ended"] += (
            kernel.quanta[kernel.tasks[a].priority] < kernel.tasks[a].used
        )
    elif kind == TraceKind.MISS:
        what = "budget" if b else "deadline"
        counter[f"miss of a {what}"] += 1
        counter["miss of several deadlines in a tick"] += len(kernel.overdue) > 1
        counter[f"miss of a {what} of a waiting task"] += bool(kernel.tasks[a].wait)
        counter["miss while the report line is pending"] += bool(
            kernel.raised & {kernel.limits.lines - 1}
        )
    elif kind == TraceKind.OPERAND:
        counter[f"operand by {CONTEXTS[kernel.context(core)]}"] += 1
    elif kind == TraceKind.VALUE:
        counter[f"value to {CONTEXTS[kernel.context(core)]}"] += 1
    elif kind == TraceKind.IRQ:
        _irq(counter, kernel, a, b, d)
    elif kind == TraceKind.CLAIM:
        counter["claim, spurious" if a == 0xFFFF else "claim"] += 1
        counter["claim beyond the limit"] += a == 0xFFFF and bool(core.handler_irqs)
        counter["claim with several pending"] += len(core.handler_irqs) > 1
        counter["claim inside a handler"] += core.in_handler
    elif kind == TraceKind.TICK:
        coverage_objects.expiry(counter, kernel)
        counter["tick"] += 1
        counter["tick while handlers are held back"] += bool(
            kernel.cores[0].handler_irqs and not kernel.handler_due(kernel.cores[0])
        )
        counter["tick while tasks are late"] += bool(kernel.late)
    elif kind == TraceKind.ANSWER:
        counter[f"answer {status_name(d)}"] += 1


def _irq(counter: Counter[str], kernel: Kernel, number: int, action: int, d: int) -> None:
    line = kernel.interrupts[number]
    handler = " and handler" if line.handler else ""
    counter[f"irq {IrqAction(action).name.lower()}{handler}: {status_name(d)}"] += 1
    counter["irq while a handler runs"] += kernel.cores[0].in_handler
    if number >= kernel.limits.interrupts:
        counter["irq of a timer" + (", with handler" if handler else "")] += 1
    if action == IrqAction.EVENT_FLAGS_SET and line.target in kernel.event_flags:
        coverage_objects.flags(counter, kernel, line.target, line.word, "irq set")


def after(counter: Counter[str], kernel: Kernel, event: Event) -> None:
    """Count what this event led to."""
    coverage_cores.after(counter, kernel, event)
    if event[1] == TraceKind.TICK and kernel.late:
        counter[
            "tick with 1 timeout" if len(kernel.late) == 1 else "tick with several timeouts"
        ] += 1
    if event[1] == TraceKind.TICK and any(core.spent for core in kernel.cores):
        over = any(map(kernel.slice_over, kernel.cores))
        left = "while waits are to end" if kernel.expired else "with another" if over else "alone"
        counter[f"quantum used {left}"] += 1
    if event[1] == TraceKind.TICK and kernel.time in (0, 1 << 32):
        counter[WRAP] += 1
    led = event[1] in (TraceKind.COMMAND, TraceKind.IRQ, TraceKind.TIMEOUT)
    if led and any(map(kernel.dispatch_due, kernel.cores)):
        counter[f"dispatch due after {TraceKind(event[1]).name.lower()}"] += 1


def _command(counter: Counter[str], kernel: Kernel, core: Core, event: Event) -> None:
    _, _, _, a, number, argument, d = event
    op, context = a & 0xFF, a >> 8
    counter[f"commands by {CONTEXTS[context]}"] += 1
    if op not in KNOWN:
        counter[f"unknown command: {status_name(d)}"] += 1
        return
    command, name = Command(op), NAMES[op]
    counter[f"{name}: {status_name(d)}"] += 1
    counter[f"{name} by {CONTEXTS[context]}"] += 1
    if kernel.dispatch_due(core):
        counter["command while a dispatch is due"] += 1
    noun = COMMANDS[command].id
    for what in coverage_objects.background(kernel):
        counter[f"command while {what}"] += 1
        if noun in coverage_objects.NOUNS:
            counter[f"{noun.value} command while {what}"] += 1
    if _status(d) < 0:
        coverage_objects.refused(counter, kernel, core, command, number, _status(d))
        return
    coverage_objects.command(counter, kernel, core, command, number, argument, d)
    if not core.dispatch_enabled and context == Context.TASK:
        counter["command with dispatch disabled"] += 1
    task = kernel.tasks.get(number)
    if noun == IdKind.TASK and task is not None:
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
    if chosen != before_ and chosen != idle:
        counter["dispatch goes on with a slice"] += kernel.tasks[chosen].used > 0


def expected() -> set[str]:
    """Names that a campaign over all sizes must reach: each command with each of its statuses, …"""
    names = set(SITUATIONS)
    for info in COMMANDS.values():
        rule = RULES[info.command]
        name = info.command.name.lower()
        statuses = {*info.statuses, Status.E_OK}
        if info.id != IdKind.NONE:
            statuses.add(Status.E_ID)
        if rule.bad is not None:
            statuses.add(Status.E_PAR)
        if rule.must_exist:
            statuses.add(Status.E_NOEXS)
        if len(info.callers) < 3 or info.blocks != Blocks.NEVER:
            statuses.add(Status.E_CTX)
        statuses -= NEVER_SEEN.get(info.command, set())
        names |= {f"{name}: {status.name}" for status in statuses}
        if info.blocks != Blocks.NEVER:
            names.add(f"{name}: waits")
        names |= {f"{name} by {context.name.lower()}" for context in info.callers}
    return names


WRAP = "tick counter wraps a word"  # only with a time base that starts near it

NEVER_SEEN: dict[Command, set[Status]] = {
    Command.TASK_DELAY_UNTIL: {Status.E_OK},  # it waits, or is too late
}

_TEXT = """
tick; tick with 1 timeout; tick with several timeouts; tick counter wraps a word
timeout of a sleep; timeout of a delay; timeout of a semaphore; timeout of a suspended task
timeout while others are late; timeout in a handler; timeout of the running task
timeout while dying
release with a timeout; unknown command: E_RSFN
irq none: E_NOEXS; irq none and handler: E_OK; irq none and handler: E_QOVR
irq semaphore_give: E_OK; irq semaphore_give and handler: E_OK; irq semaphore_give: E_QOVR
irq semaphore_give: E_NOEXS; irq task_wakeup: E_OK; irq task_wakeup: E_OBJ
irq task_wakeup: E_QOVR; irq task_wakeup: E_NOEXS; irq task_release: E_OK; irq task_release: E_OBJ
irq task_release: E_NOEXS; irq while a handler runs; edge while the line is pending; claim
claim, spurious; claim beyond the limit; tick while handlers are held back
claim with several pending; claim inside a handler; answer E_OK; answer E_TMOUT
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
illegal partial read; query; miss of a budget; miss of a deadline
miss of several deadlines in a tick; miss of a deadline of a waiting task
miss while the report line is pending; a task runs after an interrupt
slice; slice with dispatch disabled; slice in a handler
slice of several ticks; slice of a task that was alone when it ended; dispatch goes on with a slice
quantum used alone; quantum used with another; quantum used while waits are to end
"""


def _names(text: str) -> frozenset[str]:
    names = (name.strip() for line in text.splitlines() for name in line.split(";"))
    return frozenset(filter(None, names))


SITUATIONS = _names(_TEXT + TEXT)
# Seldom before the background work is done; reached in long campaigns.
RARE = frozenset(
    {
        "queue command while an object is dying", "task_suspend of a dying waiter",
        "task_set_priority of a dying waiter", "mutex_create: E_BUSY", "task_exit: E_BUSY",
    }
)  # fmt: skip
OF_CORES = _names(coverage_cores.TEXT)  # situations of several cores
# Not counted from the trace, but from what the bench did.
BY_ACCESSES = frozenset(
    {
        "illegal read", "illegal write", "illegal partial read", "illegal partial write", "query",
        "edge while the line is pending", "claim inside a handler", "claim, spurious",
        "claim beyond the limit",
    }
)  # fmt: skip
# Budgets are used up by cycles, which the model alone does not count; nothing waits there.
BY_CYCLES = frozenset({"miss of a budget", "miss while the report line is pending"})
# Rare where the background work of the model alone is done at once.
BY_RACES = frozenset(name for name in SITUATIONS if " while " in name or " of a dying " in name)
