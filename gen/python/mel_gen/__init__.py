# SPDX-License-Identifier: Apache-2.0
"""The facts of spec/ in Python: enums, tables, limits and hashes. Pure data, no input or output.

Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum

SPEC_HASH = "9974779d7951f049b1e805715639cf234db04fc0ecdf4d51730d7c30ee7149c9"
SPEC_HASH_WORD = 0x9974779d
IDENTITY = 0x4D454C31
WINDOW_BYTES = 131072
REGISTERS_END = 0x10000  # offset behind the registers
USER_OPS = range(96, 128)  # numbers of commands of users
PORT_BASE = 0xFFFFF800
PORT_BYTES = 2048
PORT_OBJECT_BITS = 8
PORT_PACKED = 0x000
PORT_PLAIN = 0x100
PORT_REGISTERS = 0x400
BANK_SWITCH = 0xFFFFFE00
BANK_SWITCH_TRAP = 0xFFFFFE04
BANK_FORGET = 0xFFFFFE0C
BANK_FRAME = 0xFFFFFF00
ANSWER_DISPATCH_DUE = 1
ANSWER_WAITING = 2
ANSWER_UNSETTLED = 4
WAKEUPS_LIMIT = 15
SEMAPHORE_COUNT_LIMIT = 65535
LOCKS_LIMIT = 255
MESSAGE_PRIORITIES = 8


class Status(IntEnum):
    """Statuses of kernel calls: the µITRON 4.0 numbers."""

    E_OK = 0
    E_SYS = -5
    E_RSFN = -10
    E_PAR = -17
    E_ID = -18
    E_CTX = -25
    E_OACV = -27
    E_ILUSE = -28
    E_NOMEM = -33
    E_OBJ = -41
    E_NOEXS = -42
    E_QOVR = -43
    E_RLWAI = -49
    E_TMOUT = -50
    E_DLT = -51
    E_BUSY = -97


class Command(IntEnum):
    """Commands; the value is the op."""

    TASK_CREATE = 1
    TASK_DELETE = 2
    TASK_START = 3
    TASK_EXIT = 4
    TASK_TERMINATE = 5
    TASK_SUSPEND = 6
    TASK_RESUME = 7
    TASK_SET_PRIORITY = 8
    TASK_ROTATE = 9
    TASK_RELEASE = 10
    TASK_SLEEP = 11
    TASK_WAKEUP = 12
    TASK_DELAY = 13
    TASK_DELAY_UNTIL = 14
    SEMAPHORE_CREATE = 16
    SEMAPHORE_DELETE = 17
    SEMAPHORE_GIVE = 18
    SEMAPHORE_TAKE = 19
    EVENT_FLAGS_CREATE = 20
    EVENT_FLAGS_DELETE = 21
    EVENT_FLAGS_SET = 22
    EVENT_FLAGS_CLEAR = 23
    EVENT_FLAGS_WAIT_ANY = 24
    EVENT_FLAGS_WAIT_ALL = 25
    EVENT_FLAGS_TAKE_ANY = 26
    EVENT_FLAGS_TAKE_ALL = 27
    QUEUE_CREATE = 28
    QUEUE_DELETE = 29
    QUEUE_SEND = 30
    QUEUE_RECEIVE = 31
    IRQ_MAP = 32
    IRQ_ENABLE = 33
    IRQ_DISABLE = 34
    IRQ_RAISE = 35
    CLAIM_LIMIT = 15
    MUTEX_CREATE = 36
    MUTEX_DELETE = 37
    MUTEX_LOCK = 38
    MUTEX_UNLOCK = 39
    TICK_SET = 40
    DISPATCH_DISABLE = 41
    DISPATCH_ENABLE = 42
    TIMER_START = 43
    TIMER_STOP = 44
    QUEUE_POST = 45
    QUANTUM_SET = 56
    DEADLINE_SET = 57
    BUDGET_SET = 58
    NOTIFICATION_SET = 59
    NOTIFICATION_GIVE = 60
    NOTIFICATION_OVERWRITE = 61
    NOTIFICATION_SEND = 62
    NOTIFICATION_CLEAR = 46
    NOTIFICATION_CANCEL = 47
    NOTIFICATION_WAIT = 53
    NOTIFICATION_TAKE = 54
    NOTIFICATION_TAKE_ALL = 55


class Query(IntEnum):
    """Queries; the value is the slot in the command region."""

    TASK_STATE = 48
    SEMAPHORE_COUNT = 49
    QUEUE_COUNT = 50
    MUTEX_STATE = 51
    RUN_TIME = 52


class Register(IntEnum):
    """Registers; the value is the byte offset in the window."""

    IDENTITY = 0xFC00
    SPEC_HASH = 0xFC04
    PARAMETER_HASH = 0xFC08
    READY = 0xFC0C
    DISPATCH = 0xFC10
    CLAIM = 0xFC14
    RUNNING = 0xFC18
    TIME_LOW = 0xFC20
    TIME_HIGH = 0xFC24
    TICK_CYCLES = 0xFC28
    REFUSED = 0xFC2C
    LOST_IRQS = 0xFC30
    OPERAND = 0xFC34
    VALUE = 0xFC38
    MONITOR = 0xFC40
    LONGEST_WAIT = 0xFC44
    MISSED_DEADLINES = 0xFC48
    BUDGET_OVERRUNS = 0xFC4C
    REPORTED = 0xFC50
    LATENCY_0 = 0xFC80
    LATENCY_1 = 0xFC84
    LATENCY_2 = 0xFC88
    LATENCY_3 = 0xFC8C
    LATENCY_4 = 0xFC90
    LATENCY_5 = 0xFC94
    LATENCY_6 = 0xFC98
    LATENCY_7 = 0xFC9C
    LATENCY_8 = 0xFCA0
    LATENCY_9 = 0xFCA4
    LATENCY_10 = 0xFCA8
    LATENCY_11 = 0xFCAC
    LATENCY_12 = 0xFCB0
    LATENCY_13 = 0xFCB4
    LATENCY_14 = 0xFCB8
    LATENCY_15 = 0xFCBC


class IrqAction(IntEnum):
    """What the edge of an interrupt does."""

    NONE = 0
    SEMAPHORE_GIVE = 1
    TASK_WAKEUP = 2
    TASK_RELEASE = 3
    EVENT_FLAGS_SET = 4
    QUEUE_POST = 5
    NOTIFICATION_SET = 6
    NOTIFICATION_GIVE = 7


class TaskState(IntEnum):
    """States that the query task_state reports."""

    RUNNING = 0
    READY = 1
    WAITING = 2
    SUSPENDED = 3
    WAITING_SUSPENDED = 4
    DORMANT = 5


class Context(IntEnum):
    """Contexts from which a program calls."""

    TASK = 0
    HANDLER = 1
    IDLE = 2
    UNKNOWN = 3


class TraceKind(IntEnum):
    """Kinds of trace records."""

    COMMAND = 1
    DISPATCH = 2
    TICK = 3
    TIMEOUT = 4
    RELEASE = 5
    IRQ = 6
    CLAIM = 7
    ANSWER = 8
    OPERAND = 9
    VALUE = 10
    ORPHAN = 11
    TURN = 12
    SLICE = 13
    MISS = 14
    INHERIT = 15
    TRAP = 16
    MRET = 17
    IRQ_OFF = 18
    IRQ_WIRE = 19
    TRACEPOINT = 20
    MARKER = 21
    EXIT = 22
    STACK = 23


class ExitReason(IntEnum):
    """Why a run ended."""

    PROGRAM = 0
    CYCLE_LIMIT = 1
    STACK_OVERFLOW = 2
    FAULT = 3
    WATCHDOG = 4


class Blocks(Enum):
    """When a command may block; TIMEOUT, OPERAND: only when its argument, its operand is not 0."""

    NEVER = "never"
    ALWAYS = "always"
    TIMEOUT = "timeout"
    OPERAND = "operand"


class IdKind(Enum):
    """What the number in a command's address is."""

    NONE = "none"
    TASK = "task"
    SEMAPHORE = "semaphore"
    INTERRUPT = "interrupt"
    EVENT_FLAGS = "event_flags"
    QUEUE = "queue"
    MUTEX = "mutex"
    TIMER = "timer"


@dataclass(frozen=True)
class CommandInfo:
    """One command. `fields`: bit ranges (high, low) of the argument; `statuses`: those of the call's own checks.

    `operand`, `value`: what it takes from and leaves in the words of its caller; empty: nothing.
    The operand has a name, and a text that says what it is.
    """

    command: Command
    id: IdKind
    callers: frozenset[Context]
    blocks: Blocks
    statuses: tuple[Status, ...]
    text: str
    fields: Mapping[str, tuple[int, int]]
    operand: str
    operand_text: str
    value: str


@dataclass(frozen=True)
class KernelInfo:
    """One named kernel, a variant of `of` (or itself); `implementations`: of the interfaces that leave a choice (kernel/sources.yaml);
    `coupling`: how cores reach its hardware; `lacks`: commands, queries and MEANINGS; `in_c`: parameters of what C keeps although there is a hardware unit, whose own are 0;
    `replayed`: its runs are, by the golden model."""

    name: str
    of: str
    coupling: str
    implementations: Mapping[str, str]
    unit: bool
    timeout_order: str
    lacks: frozenset[str]
    in_c: tuple[str, ...]
    replayed: bool
    text: str


@dataclass(frozen=True)
class ParameterInfo:
    """One parameter of the unit; `hash`: it is part of the parameter hash; `step`: of its values; `needs`: least and greatest value of others
    when it is not 0."""

    name: str
    sv: str
    default: int
    minimum: int
    maximum: int
    unit: str
    hash: bool
    text: str
    step: int = 1
    needs: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """Its values, for a reader."""
        if self.step == 1:
            return f"{self.minimum} … {self.maximum}"
        return ", ".join(map(str, range(self.minimum, self.maximum + 1, self.step)))


STATUS_TEXT: dict[Status, str] = {
    Status.E_OK: "done",
    Status.E_SYS: "the hardware unit is absent, silent or of another build",
    Status.E_RSFN: "no such command",
    Status.E_PAR: "a parameter is out of range",
    Status.E_ID: "an object number is out of range",
    Status.E_CTX: "not allowed from this context (handler, idle, dispatch disabled)",
    Status.E_OACV: "the window of another core",
    Status.E_ILUSE: "illegal use of the call",
    Status.E_NOMEM: "not enough memory of the kernel is free",
    Status.E_OBJ: "the object is in the wrong state for this call",
    Status.E_NOEXS: "the object does not exist",
    Status.E_QOVR: "a count or queue is at its limit; nothing was changed",
    Status.E_RLWAI: "the wait was released by force",
    Status.E_TMOUT: "the timeout passed, or a poll found nothing",
    Status.E_DLT: "the object that was waited for was deleted",
    Status.E_BUSY: "the unit is not done with what an earlier deletion left; nothing was changed. No call of the C library returns it",
}

COMMANDS: dict[Command, CommandInfo] = {
    Command.TASK_CREATE: CommandInfo(
        command=Command.TASK_CREATE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="make task `id`, dormant, with this base priority. core 0: it may run on any core; n: only on core n - 1. E_PAR: priority or core out of range",
        fields={"core": (10, 8), "priority": (7, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_DELETE: CommandInfo(
        command=Command.TASK_DELETE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_BUSY),
        text="remove a dormant task",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_START: CommandInfo(
        command=Command.TASK_START,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_BUSY),
        text="dormant to ready, at its base priority, wake-up count and notification value 0, no notification pending",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_EXIT: CommandInfo(
        command=Command.TASK_EXIT,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_BUSY,),
        text="the calling task becomes dormant; enables dispatch. Never returns",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_TERMINATE: CommandInfo(
        command=Command.TASK_TERMINATE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_ILUSE, Status.E_CTX, Status.E_OBJ, Status.E_BUSY),
        text="another task becomes dormant, whatever it waits for (E_ILUSE for the caller itself). E_CTX: it runs with dispatch disabled",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_SUSPEND: CommandInfo(
        command=Command.TASK_SUSPEND,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_CTX, Status.E_OBJ, Status.E_QOVR),
        text="hold a task; a waiting task is then waiting and suspended. E_CTX: it runs with dispatch disabled. E_OBJ: dormant. E_QOVR: already suspended",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_RESUME: CommandInfo(
        command=Command.TASK_RESUME,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="end a suspension (E_OBJ: not suspended); a task that becomes ready goes to the tail of its priority",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_SET_PRIORITY: CommandInfo(
        command=Command.TASK_SET_PRIORITY,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="change the current priority until the task exits; ready or running: behind the others of the new priority; waiting: the same in its wait list. E_OBJ: dormant",
        fields={"priority": (7, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_ROTATE: CommandInfo(
        command=Command.TASK_ROTATE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the first task of a priority goes behind the others of it: the running task of the caller's core if it has this priority, else the first of the ready tasks that may run on any core; 0xFFFFFFFF: the caller's own priority, which is yield (E_CTX from handler or idle)",
        fields={"priority": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_RELEASE: CommandInfo(
        command=Command.TASK_RELEASE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="end a task's wait with E_RLWAI (E_OBJ: it does not wait)",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_SLEEP: CommandInfo(
        command=Command.TASK_SLEEP,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_CTX, Status.E_TMOUT),
        text="consume one wake-up, or wait for one. From a handler or idle: E_CTX always",
        fields={"timeout": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_WAKEUP: CommandInfo(
        command=Command.TASK_WAKEUP,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_QOVR),
        text="end a sleep, or count one wake-up (at most 15). E_OBJ: dormant",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_DELAY: CommandInfo(
        command=Command.TASK_DELAY,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.ALWAYS,
        statuses=(),
        text="wait until the tick counter has advanced by `ticks`, then E_OK; 0 returns at once. 0xFFFFFFFF waits for task_release",
        fields={"ticks": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TASK_DELAY_UNTIL: CommandInfo(
        command=Command.TASK_DELAY_UNTIL,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.ALWAYS,
        statuses=(Status.E_TMOUT,),
        text="wait until the low word of the tick counter is `time`, then E_OK. E_TMOUT, at once, when that is not in the next 2^31-1 ticks (it is now or has passed)",
        fields={"time": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.SEMAPHORE_CREATE: CommandInfo(
        command=Command.SEMAPHORE_CREATE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_BUSY),
        text="make a semaphore. E_PAR: maximum 0, initial above maximum",
        fields={"maximum": (31, 16), "initial": (15, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.SEMAPHORE_DELETE: CommandInfo(
        command=Command.SEMAPHORE_DELETE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_BUSY,),
        text="remove a semaphore; its waiting tasks get E_DLT, the most urgent first",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.SEMAPHORE_GIVE: CommandInfo(
        command=Command.SEMAPHORE_GIVE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_QOVR,),
        text="hand one unit to the first of the most urgent waiting tasks, or count it",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.SEMAPHORE_TAKE: CommandInfo(
        command=Command.SEMAPHORE_TAKE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_TMOUT,),
        text="take one unit, waiting in priority order, equal priorities in order of arrival",
        fields={"timeout": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.EVENT_FLAGS_CREATE: CommandInfo(
        command=Command.EVENT_FLAGS_CREATE,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_BUSY),
        text="make a group of 32 event flags",
        fields={"initial": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.EVENT_FLAGS_DELETE: CommandInfo(
        command=Command.EVENT_FLAGS_DELETE,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_BUSY,),
        text="remove a group; its waiting tasks get E_DLT, the most urgent first",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.EVENT_FLAGS_SET: CommandInfo(
        command=Command.EVENT_FLAGS_SET,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="set flags; every waiting task whose condition now holds is released: all are judged by the same flags, then the flags that released takes asked for are cleared; the most urgent leaves first, equal priorities in no promised order",
        fields={"pattern": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.EVENT_FLAGS_CLEAR: CommandInfo(
        command=Command.EVENT_FLAGS_CLEAR,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="clear the flags that are 1 in the pattern",
        fields={"pattern": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.EVENT_FLAGS_WAIT_ANY: CommandInfo(
        command=Command.EVENT_FLAGS_WAIT_ANY,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.OPERAND,
        statuses=(Status.E_TMOUT,),
        text="wait until at least one flag of the pattern is set. E_PAR: empty pattern",
        fields={"pattern": (31, 0)},
        operand="timeout",
        operand_text="in ticks",
        value="the flags",
    ),
    Command.EVENT_FLAGS_WAIT_ALL: CommandInfo(
        command=Command.EVENT_FLAGS_WAIT_ALL,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.OPERAND,
        statuses=(Status.E_TMOUT,),
        text="wait until all flags of the pattern are set. E_PAR: empty pattern",
        fields={"pattern": (31, 0)},
        operand="timeout",
        operand_text="in ticks",
        value="the flags",
    ),
    Command.EVENT_FLAGS_TAKE_ANY: CommandInfo(
        command=Command.EVENT_FLAGS_TAKE_ANY,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.OPERAND,
        statuses=(Status.E_TMOUT,),
        text="as event_flags_wait_any, and clear the flags of the pattern",
        fields={"pattern": (31, 0)},
        operand="timeout",
        operand_text="in ticks",
        value="the flags before they are cleared",
    ),
    Command.EVENT_FLAGS_TAKE_ALL: CommandInfo(
        command=Command.EVENT_FLAGS_TAKE_ALL,
        id=IdKind.EVENT_FLAGS,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.OPERAND,
        statuses=(Status.E_TMOUT,),
        text="as event_flags_wait_all, and clear the flags of the pattern",
        fields={"pattern": (31, 0)},
        operand="timeout",
        operand_text="in ticks",
        value="the flags before they are cleared",
    ),
    Command.QUEUE_CREATE: CommandInfo(
        command=Command.QUEUE_CREATE,
        id=IdKind.QUEUE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_BUSY, Status.E_NOMEM),
        text="make a message queue for `capacity` words. E_PAR: 0, or above the messages of the system. E_NOMEM: other queues reserve too many of them",
        fields={"capacity": (15, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.QUEUE_DELETE: CommandInfo(
        command=Command.QUEUE_DELETE,
        id=IdKind.QUEUE,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_BUSY,),
        text="remove a queue and its messages; its waiting tasks get E_DLT, the most urgent first",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.QUEUE_SEND: CommandInfo(
        command=Command.QUEUE_SEND,
        id=IdKind.QUEUE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.OPERAND,
        statuses=(Status.E_TMOUT,),
        text="hand a word to the first of the most urgent waiting receivers, or append it with the least urgent message priority, waiting for room in priority order, equal priorities in order of arrival",
        fields={"message": (31, 0)},
        operand="timeout",
        operand_text="in ticks",
        value="",
    ),
    Command.QUEUE_RECEIVE: CommandInfo(
        command=Command.QUEUE_RECEIVE,
        id=IdKind.QUEUE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_TMOUT,),
        text="take the oldest of the most urgent messages, waiting for one in priority order, equal priorities in order of arrival; the first waiting sender's word then enters the queue",
        fields={"timeout": (31, 0)},
        operand="",
        operand_text="",
        value="the message",
    ),
    Command.IRQ_MAP: CommandInfo(
        command=Command.IRQ_MAP,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="what a rising edge of an interrupt does: action (irq_action), and, with `handler`, the interrupt is also offered to a C handler. E_PAR: no such action, or object number out of range for it",
        fields={"object": (15, 8), "handler": (4, 4), "action": (2, 0)},
        operand="word",
        operand_text="the flags or the message of the action",
        value="",
    ),
    Command.IRQ_ENABLE: CommandInfo(
        command=Command.IRQ_ENABLE,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="edges count from now on (edges before are forgotten)",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.IRQ_DISABLE: CommandInfo(
        command=Command.IRQ_DISABLE,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="edges are ignored; a pending one is forgotten",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.IRQ_RAISE: CommandInfo(
        command=Command.IRQ_RAISE,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="behave as if the interrupt line rose",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.CLAIM_LIMIT: CommandInfo(
        command=Command.CLAIM_LIMIT,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="how many interrupts C handlers may claim in a tick; 0: as many as come, as after reset. When that many have been claimed, the next handler begins behind the next tick: until then no interrupt asks for it and a claim is spurious, while actions, and the counting of losses, go on. The count begins anew with each tick and with this command; without ticks there is no limit. E_PAR: above 65535",
        fields={"claims": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.MUTEX_CREATE: CommandInfo(
        command=Command.MUTEX_CREATE,
        id=IdKind.MUTEX,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_BUSY),
        text="make a mutex. protocol 0: its owner inherits the priority of its most urgent waiter; 1: besides, the owner has at least the priority `ceiling` (E_PAR: out of range)",
        fields={"protocol": (8, 8), "ceiling": (7, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.MUTEX_DELETE: CommandInfo(
        command=Command.MUTEX_DELETE,
        id=IdKind.MUTEX,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_BUSY,),
        text="remove a mutex; its owner no longer owns it, its waiting tasks get E_DLT, the most urgent first",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.MUTEX_LOCK: CommandInfo(
        command=Command.MUTEX_LOCK,
        id=IdKind.MUTEX,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_ILUSE, Status.E_QOVR, Status.E_TMOUT),
        text="become its owner, or, as the owner, count one lock more (E_QOVR: at most 255), waiting in priority order, equal priorities in order of arrival. E_ILUSE: the caller's base priority is above the ceiling, or the wait would close a cycle of owners and waiters",
        fields={"timeout": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.MUTEX_UNLOCK: CommandInfo(
        command=Command.MUTEX_UNLOCK,
        id=IdKind.MUTEX,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_ILUSE),
        text="take back one lock; the last one makes the first of the most urgent waiting tasks the owner. E_OBJ: nobody owns it. E_ILUSE: another task does",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TICK_SET: CommandInfo(
        command=Command.TICK_SET,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="length of a tick in clock cycles, from the next tick on; 0 stops ticks. E_PAR: 1 … tick_cycles_minimum - 1",
        fields={"cycles": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.DISPATCH_DISABLE: CommandInfo(
        command=Command.DISPATCH_DISABLE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the running task keeps this core until dispatch_enable",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.DISPATCH_ENABLE: CommandInfo(
        command=Command.DISPATCH_ENABLE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the most urgent task runs again. In the idle context at boot (dispatch starts disabled): starts the kernel",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.TIMER_START: CommandInfo(
        command=Command.TIMER_START,
        id=IdKind.TIMER,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="when the tick counter has advanced by `ticks`, and then every period, behave as if the interrupt line with the number of interrupts + `id` rose: an alarm or cyclic handler, or any action without one. Starts again a timer that runs. E_PAR: 0, or above 2^31-1; likewise the period",
        fields={"ticks": (31, 0)},
        operand="period",
        operand_text="in ticks; 0: once",
        value="",
    ),
    Command.TIMER_STOP: CommandInfo(
        command=Command.TIMER_STOP,
        id=IdKind.TIMER,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="E_OBJ: it does not run",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.QUEUE_POST: CommandInfo(
        command=Command.QUEUE_POST,
        id=IdKind.QUEUE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_QOVR,),
        text="hand a word to the first of the most urgent waiting receivers, or put it behind the messages that are as urgent or more; never waits. E_PAR: message priority above 7",
        fields={"message": (31, 0)},
        operand="priority",
        operand_text="of the message: 0 is the most urgent",
        value="",
    ),
    Command.QUANTUM_SET: CommandInfo(
        command=Command.QUANTUM_SET,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="round robin: how many ticks a task of this priority runs before others of it have their turn, judged at each tick; 0: as long as it likes. A tick counts for the running task of each core (unless it lost its turn) since it last became ready, got another priority or lost its turn: being preempted keeps the count, so does task_rotate while it does not run. When at a tick the count has reached the quantum of its priority, the task goes behind the others as task_rotate would do, if the first ready task of any core or that of its own core has its priority when the waits that end with the tick have ended; else it goes on, and is judged again at the next tick. E_PAR: priority out of range, or other bits set",
        fields={"priority": (23, 16), "ticks": (15, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.DEADLINE_SET: CommandInfo(
        command=Command.DEADLINE_SET,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="watch a task: when the tick counter has advanced by `ticks` and nothing has ended the watch, its deadline is missed, which is counted and reported (event `miss`, an edge of the interrupt line with the number of interrupts + timers, register `reported`); the task goes on. 0 ends the watch, so does the end of the task; a missed deadline is no longer watched. E_OBJ: dormant",
        fields={"ticks": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.BUDGET_SET: CommandInfo(
        command=Command.BUDGET_SET,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="how many cycles a task may still run, handlers not included; when they are used up, that is counted and reported as a missed deadline is (the register says which it was); the task goes on. 0: no budget, as after the end of the task and after the report. E_OBJ: dormant",
        fields={"cycles": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.NOTIFICATION_SET: CommandInfo(
        command=Command.NOTIFICATION_SET,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="notify a task: set bits of its notification value. A task that waits for a notification is released, any other has one pending from now on; 0 changes no bit and notifies all the same. E_OBJ: dormant",
        fields={"bits": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.NOTIFICATION_GIVE: CommandInfo(
        command=Command.NOTIFICATION_GIVE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="notify a task: add one to its notification value, which begins again after 2^32-1. E_OBJ: dormant",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.NOTIFICATION_OVERWRITE: CommandInfo(
        command=Command.NOTIFICATION_OVERWRITE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="notify a task: its notification value becomes `value`. E_OBJ: dormant",
        fields={"value": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.NOTIFICATION_SEND: CommandInfo(
        command=Command.NOTIFICATION_SEND,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_QOVR),
        text="as notification_overwrite, unless a notification is pending (E_QOVR). E_OBJ: dormant",
        fields={"value": (31, 0)},
        operand="",
        operand_text="",
        value="",
    ),
    Command.NOTIFICATION_CLEAR: CommandInfo(
        command=Command.NOTIFICATION_CLEAR,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="clear bits of a task's notification value; 0 only reads it. Neither notifies nor takes a notification back. E_OBJ: dormant",
        fields={"bits": (31, 0)},
        operand="",
        operand_text="",
        value="the notification value before",
    ),
    Command.NOTIFICATION_CANCEL: CommandInfo(
        command=Command.NOTIFICATION_CANCEL,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="take a pending notification back; the value stays. E_OBJ: none is pending, or dormant",
        fields={},
        operand="",
        operand_text="",
        value="",
    ),
    Command.NOTIFICATION_WAIT: CommandInfo(
        command=Command.NOTIFICATION_WAIT,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.OPERAND,
        statuses=(Status.E_TMOUT,),
        text="wait until the caller is notified, or consume the notification that is pending; then clear bits of its notification value",
        fields={"clear": (31, 0)},
        operand="timeout",
        operand_text="in ticks",
        value="the notification value before",
    ),
    Command.NOTIFICATION_TAKE: CommandInfo(
        command=Command.NOTIFICATION_TAKE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_TMOUT,),
        text="when the caller's notification value is not 0, subtract one and consume the notification that is pending, if any; else wait until it is notified, and then subtract one unless the value still is 0",
        fields={"timeout": (31, 0)},
        operand="",
        operand_text="",
        value="the notification value before that",
    ),
    Command.NOTIFICATION_TAKE_ALL: CommandInfo(
        command=Command.NOTIFICATION_TAKE_ALL,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_TMOUT,),
        text="as notification_take, but the value becomes 0",
        fields={"timeout": (31, 0)},
        operand="",
        operand_text="",
        value="the notification value before that",
    ),
}

KERNELS: dict[str, KernelInfo] = {
    "sw": KernelInfo(
        name="sw",
        of="sw",
        coupling="none",
        implementations={"run_queue": "bitmap", "wait_queue": "priority_list", "lock": "none"},
        unit=False,
        timeout_order="any",
        lacks=frozenset({"deadline_set", "budget_set", "claim_limit", "run_time"}),
        in_c=(),
        replayed=True,
        text="software kernel: bitmap ready queue, sorted timeout list, tick interrupt",
    ),
    "hwrtos": KernelInfo(
        name="hwrtos",
        of="hwrtos",
        coupling="bus",
        implementations={"objects": "unit"},
        unit=True,
        timeout_order="most_urgent_first",
        lacks=frozenset({}),
        in_c=(),
        replayed=True,
        text="the hardware unit on the bus",
    ),
    "booster": KernelInfo(
        name="booster",
        of="booster",
        coupling="bus",
        implementations={"objects": "booster", "wait_queue": "priority_list"},
        unit=True,
        timeout_order="most_urgent_first",
        lacks=frozenset({"mutex_create", "mutex_delete", "mutex_lock", "mutex_unlock", "mutex_state"}),
        in_c=("semaphores", "event_flags", "queues", "messages", "mutexes",),
        replayed=True,
        text="scheduling and time in hardware, objects in C",
    ),
    "freertos": KernelInfo(
        name="freertos",
        of="freertos",
        coupling="none",
        implementations={"current": "freertos"},
        unit=False,
        timeout_order="any",
        lacks=frozenset({"quantum_set", "deadline_set", "budget_set", "claim_limit", "timer_start", "timer_stop", "task_state", "mutex_state", "run_time", "suspended_wait", "waited_delete"}),
        in_c=(),
        replayed=False,
        text="FreeRTOS-Kernel V11.2.0, unmodified",
    ),
    "port": KernelInfo(
        name="port",
        of="hwrtos",
        coupling="port",
        implementations={"objects": "unit"},
        unit=True,
        timeout_order="most_urgent_first",
        lacks=frozenset({}),
        in_c=(),
        replayed=True,
        text="the hardware unit on an x0-addressed port, calls inline",
    ),
    "banked": KernelInfo(
        name="banked",
        of="hwrtos",
        coupling="banked",
        implementations={"objects": "unit"},
        unit=True,
        timeout_order="most_urgent_first",
        lacks=frozenset({}),
        in_c=(),
        replayed=True,
        text="the hardware unit with a store of contexts",
    ),
    "rtu": KernelInfo(
        name="rtu",
        of="hwrtos",
        coupling="bus",
        implementations={"objects": "unit"},
        unit=True,
        timeout_order="most_urgent_first",
        lacks=frozenset({}),
        in_c=(),
        replayed=True,
        text="the hardware unit with the objects of the RTU: semaphores and message queues",
    ),
    "sw-sorted": KernelInfo(
        name="sw-sorted",
        of="sw",
        coupling="none",
        implementations={"run_queue": "bitmap", "wait_queue": "sorted_list", "lock": "none"},
        unit=False,
        timeout_order="any",
        lacks=frozenset({"deadline_set", "budget_set", "claim_limit", "run_time"}),
        in_c=(),
        replayed=True,
        text="software kernel with one sorted wait list per object (the white paper's)",
    ),
    "sw-poll": KernelInfo(
        name="sw-poll",
        of="sw",
        coupling="none",
        implementations={"run_queue": "bitmap", "wait_queue": "priority_list", "lock": "none", "ipi": "poll"},
        unit=False,
        timeout_order="any",
        lacks=frozenset({"deadline_set", "budget_set", "claim_limit", "run_time"}),
        in_c=(),
        replayed=True,
        text="software kernel on several cores that do not notify each other (the RTU paper's)",
    ),
    "lockcache": KernelInfo(
        name="lockcache",
        of="sw",
        coupling="bus",
        implementations={"run_queue": "bitmap", "wait_queue": "priority_list", "lock": "lock_cache"},
        unit=False,
        timeout_order="any",
        lacks=frozenset({"deadline_set", "budget_set", "claim_limit", "run_time"}),
        in_c=(),
        replayed=True,
        text="software kernel on several cores, locks in hardware: the lock cache calls the core of a task that waits",
    ),
}

MEANINGS: dict[str, str] = {
    "suspended_wait": "the wait of a task goes on while the task is suspended",
    "waited_delete": "who deletes an object ends the waits of its tasks",
}

PARAMETERS: dict[str, ParameterInfo] = {
    "tasks": ParameterInfo(
        name="tasks",
        sv="Tasks",
        default=64,
        minimum=4,
        maximum=256,
        unit="tasks",
        hash=True,
        text="",
    ),
    "priorities": ParameterInfo(
        name="priorities",
        sv="Priorities",
        default=32,
        minimum=2,
        maximum=256,
        unit="priorities",
        hash=True,
        text="0 is the most urgent",
    ),
    "semaphores": ParameterInfo(
        name="semaphores",
        sv="Semaphores",
        default=64,
        minimum=0,
        maximum=128,
        unit="semaphores",
        hash=True,
        text="",
    ),
    "event_flags": ParameterInfo(
        name="event_flags",
        sv="EventFlags",
        default=16,
        minimum=0,
        maximum=128,
        unit="groups of 32 event flags",
        hash=True,
        text="",
    ),
    "mutexes": ParameterInfo(
        name="mutexes",
        sv="Mutexes",
        default=16,
        minimum=0,
        maximum=128,
        unit="mutexes",
        hash=True,
        text="",
    ),
    "queues": ParameterInfo(
        name="queues",
        sv="Queues",
        default=16,
        minimum=0,
        maximum=128,
        unit="message queues",
        hash=True,
        text="",
    ),
    "messages": ParameterInfo(
        name="messages",
        sv="Messages",
        default=64,
        minimum=0,
        maximum=256,
        unit="words in all message queues",
        hash=True,
        text="",
    ),
    "timers": ParameterInfo(
        name="timers",
        sv="Timers",
        default=8,
        minimum=0,
        maximum=16,
        unit="alarm and cyclic timers",
        hash=True,
        text="",
    ),
    "interrupts": ParameterInfo(
        name="interrupts",
        sv="Interrupts",
        default=32,
        minimum=0,
        maximum=64,
        unit="interrupt lines",
        hash=True,
        text="",
    ),
    "cores": ParameterInfo(
        name="cores",
        sv="Cores",
        default=1,
        minimum=1,
        maximum=4,
        unit="cores",
        hash=True,
        text="",
    ),
    "monitor": ParameterInfo(
        name="monitor",
        sv="Monitor",
        default=1,
        minimum=0,
        maximum=1,
        unit="1: the unit measures run times and latencies",
        hash=True,
        text="0: it does not; what it would say reads as 0",
    ),
    "flag_lanes": ParameterInfo(
        name="flag_lanes",
        sv="FlagLanes",
        default=0,
        minimum=0,
        maximum=4,
        unit="tasks that a set of event flags looks at in a cycle",
        hash=True,
        text="0: one after the other, by program; 4: a set takes the same cycles whatever waits (decision 0050)",
        step=4,
        needs={"tasks": (4, 64), "event_flags": (1, 128)},
    ),
    "time_reset": ParameterInfo(
        name="time_reset",
        sv="TimeReset",
        default=0,
        minimum=0,
        maximum=18446744073709551615,
        unit="ticks",
        hash=False,
        text="tick counter at reset (tests start near the wrap)",
    ),
}


@dataclass(frozen=True)
class Sizes:
    """A value of each row of PARAMETERS."""

    tasks: int = 64
    priorities: int = 32
    semaphores: int = 64
    event_flags: int = 16
    mutexes: int = 16
    queues: int = 16
    messages: int = 64
    timers: int = 8
    interrupts: int = 32
    cores: int = 1
    monitor: int = 1
    flag_lanes: int = 0
    time_reset: int = 0


def tick_cycles_minimum(*, tasks: int, cores: int) -> int:
    """In cycles."""
    return 8 * tasks + 64 * cores


def parameter_hash_word(**parameters: int) -> int:
    """First 32 bits of sha256 over "tasks=64,priorities=32,…"; parameters that are not given have their default."""
    unknown = sorted(set(parameters) - set(PARAMETERS))
    if unknown:
        raise ValueError(f"no such parameter: {', '.join(unknown)}; known are {', '.join(PARAMETERS)}")
    text = ",".join(
        f"{name}={parameters.get(name, info.default)}" for name, info in PARAMETERS.items() if info.hash
    )
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:4], "big")


def sv_sizes(**parameters: int) -> str:
    """mel_pkg::sizes_t as one number, as `-G Sizes=` of Verilator and slang takes it; parameters that are not given have their default."""
    words = [parameters.get(name, info.default) for name, info in PARAMETERS.items() if info.hash]
    return f"{32 * len(words)}'h" + "".join(f"{word:08x}" for word in words)
