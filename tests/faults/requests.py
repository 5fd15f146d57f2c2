# SPDX-License-Identifier: Apache-2.0
"""Illegal requests (rows 1 to 4): each gets its status, changes nothing, and is counted.

What is illegal is said here by hand or taken from the tables of spec/; the model's own rules are
not asked. Around every batch everything loadable is loaded; afterwards all that waits is let out,
so that a change of a list or a timeout, which no load shows, is seen by the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from mel_gen import (
    COMMANDS,
    MESSAGE_PRIORITIES,
    WINDOW_BYTES,
    Blocks,
    Command,
    Context,
    IdKind,
    IrqAction,
    Register,
    Status,
)

from tests.faults.stage import (
    DELETED,
    DORMANT,
    FOREVER,
    FULL,
    GONE,
    HANDLER_ENTRIES,
    LIMITS,
    MISSING,
    NEVER_MADE,
    UNUSED,
    USED,
    USED_UP,
    Request,
    Stage,
)
from tests.random.operands import FLAG_WAITS

OPS = {*range(WINDOW_BYTES // 1024)} - {Register.IDENTITY // 1024}  # that is the registers'
KNOWN = frozenset(map(int, Command))
TOP = 1 << 31
Expected = tuple[Request, Status]

# Contexts in which a request can arrive; the second of two is with dispatch disabled.
CONTEXTS = {
    "task": (Context.TASK, True),
    "task with dispatch disabled": (Context.TASK, False),
    "handler": (Context.HANDLER, True),
    "idle": (Context.IDLE, True),
}

# Arguments at the boundaries of their range (row 3): those that are refused, those that are not.
BAD: dict[Command, list[int]] = {
    Command.TASK_CREATE: [
        LIMITS.priorities, 255, 1 << 8 | LIMITS.priorities, LIMITS.cores + 1 << 8, TOP, FOREVER,
    ],
    Command.TASK_SET_PRIORITY: [LIMITS.priorities, 255, 256, 1 << 8, TOP, FOREVER],
    Command.TASK_ROTATE: [LIMITS.priorities, 255, 256, TOP, FOREVER - 1],
    Command.SEMAPHORE_CREATE: [0, 1, 65535, 1 << 16 | 2, 65534 << 16 | 65535],
    **{command: [0] for command in FLAG_WAITS},
    Command.QUEUE_CREATE: [0, LIMITS.messages + 1, 255, 65535, 1 << 16 | 1, FOREVER],
    Command.MUTEX_CREATE: [1 << 8 | LIMITS.priorities, 1 << 8 | 255, FOREVER],
    Command.TIMER_START: [0, TOP, FOREVER],
    Command.IRQ_MAP: [
        LIMITS.event_flags << 8 | IrqAction.EVENT_FLAGS_SET,
        LIMITS.queues << 8 | IrqAction.QUEUE_POST,
        LIMITS.tasks << 8 | IrqAction.NOTIFICATION_SET,
        255 << 8 | IrqAction.NOTIFICATION_GIVE,
        LIMITS.semaphores << 8 | IrqAction.SEMAPHORE_GIVE,
        LIMITS.tasks << 8 | IrqAction.TASK_WAKEUP,
        LIMITS.tasks << 8 | IrqAction.TASK_RELEASE,
        255 << 8 | 1 << 4 | IrqAction.TASK_RELEASE,
    ],
    Command.CLAIM_LIMIT: [0x1_0000, TOP, FOREVER],
    Command.TICK_SET: [1, 2, LIMITS.tick_cycles_minimum - 1],
    Command.QUANTUM_SET: [LIMITS.priorities << 16, 255 << 16, 1 << 24, TOP, FOREVER],
}  # fmt: skip
BAD_OPERANDS: dict[Command, list[int]] = {
    Command.QUEUE_POST: [MESSAGE_PRIORITIES, 255, 256, TOP, FOREVER],
    Command.TIMER_START: [TOP, FOREVER],
}
GOOD: list[Request] = [
    Request(Command.TASK_CREATE, MISSING, LIMITS.priorities - 1),
    Request(Command.TASK_SET_PRIORITY, DORMANT - 5, LIMITS.priorities - 1),
    Request(Command.TASK_SET_PRIORITY, DORMANT - 5, 0),
    Request(Command.TASK_ROTATE, 0, LIMITS.priorities - 1),
    Request(Command.TASK_ROTATE, 0, FOREVER),
    Request(Command.SEMAPHORE_CREATE, NEVER_MADE, 65535 << 16 | 65535),
    Request(Command.SEMAPHORE_CREATE, GONE, 1 << 16),
    Request(Command.TASK_CREATE, LIMITS.tasks - 1, LIMITS.cores << 8),
    Request(Command.EVENT_FLAGS_CREATE, UNUSED, FOREVER),
    Request(Command.EVENT_FLAGS_WAIT_ALL, UNUSED, FOREVER, 0),
    Request(Command.EVENT_FLAGS_TAKE_ANY, UNUSED, TOP, FOREVER),
    Request(Command.QUEUE_CREATE, UNUSED, 1),
    Request(Command.QUEUE_DELETE, UNUSED, 0),
    Request(Command.QUEUE_DELETE, USED, 0),
    Request(Command.MUTEX_CREATE, UNUSED, 1 << 8 | LIMITS.priorities - 1),
    Request(Command.MUTEX_CREATE, USED_UP, LIMITS.priorities),  # no ceiling: no bit 8
    Request(Command.TIMER_START, LIMITS.timers - 1, TOP - 1, TOP - 1),
    Request(Command.TIMER_START, 0, 1, 0),
    Request(Command.IRQ_MAP, 3, (LIMITS.event_flags - 1) << 8 | IrqAction.EVENT_FLAGS_SET, 0),
    Request(Command.IRQ_MAP, LIMITS.lines - 1, (LIMITS.queues - 1) << 8 | IrqAction.QUEUE_POST, 0),
    Request(Command.IRQ_MAP, 3, (LIMITS.semaphores - 1) << 8 | IrqAction.SEMAPHORE_GIVE),
    Request(Command.IRQ_MAP, 3, (LIMITS.tasks - 1) << 8 | IrqAction.TASK_RELEASE),
    Request(Command.IRQ_MAP, 3, (LIMITS.tasks - 1) << 8 | IrqAction.NOTIFICATION_GIVE),
    Request(Command.IRQ_MAP, 3, 255 << 8 | IrqAction.NONE),
    Request(Command.CLAIM_LIMIT, 0, 0xFFFF),
    Request(Command.CLAIM_LIMIT, 0, 1),
    Request(Command.CLAIM_LIMIT, 0, 0),
    Request(Command.TICK_SET, 0, LIMITS.tick_cycles_minimum),
    Request(Command.TICK_SET, 0, FOREVER),
    Request(Command.TICK_SET, 0, 0),
    Request(Command.QUANTUM_SET, 0, (LIMITS.priorities - 1) << 16 | 65535),
    Request(Command.QUANTUM_SET, 0, 0),
    # All messages are free again: those of the queue that was deleted have been cleared away.
    Request(Command.QUEUE_CREATE, USED_UP, LIMITS.messages),
    Request(Command.QUEUE_POST, USED_UP, FOREVER, MESSAGE_PRIORITIES - 1),
]
COUNTS = {
    IdKind.TASK: LIMITS.tasks,
    IdKind.SEMAPHORE: LIMITS.semaphores,
    IdKind.INTERRUPT: LIMITS.lines,
    IdKind.EVENT_FLAGS: LIMITS.event_flags,
    IdKind.QUEUE: LIMITS.queues,
    IdKind.MUTEX: LIMITS.mutexes,
    IdKind.TIMER: LIMITS.timers,
}
MAKERS = {command for command in Command if command.name.endswith("_CREATE")}
NO_OBJECT = {
    IdKind.TASK: (MISSING, DELETED, LIMITS.tasks - 1),
    IdKind.SEMAPHORE: (GONE, NEVER_MADE, LIMITS.semaphores - 1),
    **{kind: (USED_UP, UNUSED, COUNTS[kind] - 1)
       for kind in (IdKind.EVENT_FLAGS, IdKind.QUEUE, IdKind.MUTEX)},
}  # fmt: skip


def legal(where: str, request: Request) -> bool:
    """spec/commands.yaml lets the command be called there."""
    command = Command(request.op)
    info = COMMANDS[command]
    context, enabled = CONTEXTS[where]
    rotates = (command, request.argument) == (Command.TASK_ROTATE, FOREVER)
    task_only = command == Command.TASK_SLEEP or rotates
    if context not in info.callers or (task_only and context != Context.TASK):
        return False
    may_block = (
        info.blocks == Blocks.ALWAYS
        or (info.blocks == Blocks.TIMEOUT and request.argument != 0)
        or (info.blocks == Blocks.OPERAND and request.operand != 0)
    )
    return not may_block or (context == Context.TASK and enabled)


def plain(command: Command, number: int = 0) -> Request:
    """Argument and operand are in range; a timeout is 0: it does not wait."""
    arguments = {
        Command.SEMAPHORE_CREATE: 1 << 16,
        Command.QUEUE_CREATE: 1,
        Command.TIMER_START: 1,
        **dict.fromkeys(FLAG_WAITS, 1),
    }
    operand = 0 if COMMANDS[command].operand else None
    return Request(command, number, arguments.get(command, 0), operand)


def numbers(where: str, contexts: Sequence[str], first: int, whole: bool) -> Iterable[int]:
    """All from `first` on; unless `whole`, dealt out among the contexts, the boundaries to each."""
    if whole:
        return range(first, 256)
    dealt = range(first + contexts.index(where), 256, len(contexts))
    return sorted({first, first + 1, 255, *dealt} & set(range(first, 256)))


def unknown_ops(where: str, whole: bool) -> Iterator[Expected]:
    """Row 1."""
    for op in sorted(set(OPS) - KNOWN):
        for number in numbers(where, list(CONTEXTS), 0, whole):
            for argument in (0, FOREVER) if number < 2 else (1,):
                yield Request(op, number, argument), Status.E_RSFN


def bad_numbers(where: str, whole: bool) -> Iterator[Expected]:
    """Row 2: every number beyond the last, and numbers of objects that were never made or are no
    more."""
    for command, info in COMMANDS.items():
        request = plain(command)
        if info.id == IdKind.NONE or not legal(where, request):
            continue
        contexts = [context for context in CONTEXTS if legal(context, request)]
        for number in numbers(where, contexts, COUNTS[info.id], whole):
            yield replace(request, number=number), Status.E_ID
        if command not in MAKERS:
            for number in NO_OBJECT.get(info.id, ()):
                yield replace(request, number=number), Status.E_NOEXS


def bad_parameters(where: str) -> Iterator[Expected]:
    """Row 3; a bad argument or operand comes before a missing object, after a bad number."""
    bad = [replace(plain(c), argument=value) for c, values in BAD.items() for value in values]
    bad += [replace(plain(c), operand=word) for c, words in BAD_OPERANDS.items() for word in words]
    for request in bad:
        if not legal(where, request):
            continue
        kind = COMMANDS[Command(request.op)].id
        for number in (0, *NO_OBJECT.get(kind, ())):
            yield replace(request, number=number), Status.E_PAR
        if kind != IdKind.NONE:
            yield replace(request, number=255), Status.E_ID


def wrong_contexts(where: str) -> Iterator[Expected]:
    """Row 4: every call that is not allowed here, with every kind of timeout; also where it
    would not wait."""
    for command, info in COMMANDS.items():
        request = plain(command)
        for limit in (None, 1, FOREVER):
            if limit is not None and info.blocks == Blocks.OPERAND:
                request = replace(request, operand=limit)
            elif limit is not None:
                request = replace(request, argument=limit)
            if legal(where, request):
                continue
            numbers = (0,) if info.id == IdKind.NONE else (0, FULL, MISSING, 255)
            for number in numbers:
                yield replace(request, number=number), Status.E_CTX


def requests(where: str, whole: bool = False) -> list[Expected]:
    """Illegal requests of a context; unless `whole`, with its share of the numbers: together the
    contexts cover all."""
    found = [*unknown_ops(where, whole), *bad_numbers(where, whole)]
    return [*found, *bad_parameters(where), *wrong_contexts(where)]


def stage_in(where: str) -> Stage:
    """Populated, and in the context (a handler begins with each batch)."""
    stage = Stage()
    stage.populate()
    if where == "task with dispatch disabled":
        stage.call(Command.DISPATCH_DISABLE)
    if where == "idle":  # no task is left that could run: those that could are held
        for number in (11, 1, 0):
            stage.call(Command.TASK_SUSPEND, number)
    return stage


def check_refused(program: Path, where: str, whole: bool = False) -> int:
    """Every illegal request of one context (`requests`); returns how many. Raises AssertionError or
    RejectedError."""
    stage = stage_in(where)
    before = sum(entry.kind == 0 for entry in stage.entries)
    context, enabled = CONTEXTS[where]
    wanted = requests(where, whole)
    size = HANDLER_ENTRIES - 2 * stage.look_length - 1
    batches = [wanted[i : i + size] for i in range(0, len(wanted), size)]
    expected: list[Status] = []
    for batch in batches:
        if context == Context.HANDLER:
            stage.enter_handler(len(batch) + 2 * stage.look_length)
            expected.append(Status.E_OK)
        assert (stage.context, stage.driver.core.dispatch_enabled) == (context, enabled)
        stage.look()
        for request, status in batch:
            stage.call(request.op, request.number, request.argument, request.operand)
            expected.append(status)
        stage.look()
    if where == "idle":
        stage.call(Command.TASK_RESUME, 0)
    stage.unwind()
    played = stage.play(program)
    found = played.statuses[before : before + len(expected)]
    assert found == expected
    for i, batch in enumerate(batches):
        (state, refused), (state_after, refused_after) = (played.look(2 * i + k) for k in (0, 1))
        assert state == state_after
        assert refused_after - refused == sum(
            status in (Status.E_RSFN, Status.E_ID, Status.E_PAR, Status.E_CTX)
            for _, status in batch
        )
    return len(wanted)


def check_accepted(program: Path) -> None:
    """The values next to the refused ones are taken."""
    stage = Stage()
    stage.populate()
    before = sum(entry.kind == 0 for entry in stage.entries)
    for request in GOOD:
        stage.call(request.op, request.number, request.argument, request.operand)
    stage.unwind()
    statuses = stage.play(program).statuses[before : before + len(GOOD)]
    assert statuses == [Status.E_OK] * len(GOOD)
