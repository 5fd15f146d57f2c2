"""The facts of spec/ in Python: enums, tables, limits and hashes. Pure data, no input or output.

Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

SPEC_HASH = "18b2a3dc07027639516fa9c6e121a4c4317878ed8931dccc710639f98b1f6255"
SPEC_HASH_WORD = 0x18b2a3dc
IDENTITY = 0x4D454C31
WINDOW_BYTES = 65536
ANSWER_DISPATCH_DUE = 1
ANSWER_WAITING = 2
WAKEUPS_LIMIT = 15
SEMAPHORE_COUNT_LIMIT = 65535


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
    E_OBJ = -41
    E_NOEXS = -42
    E_QOVR = -43
    E_RLWAI = -49
    E_TMOUT = -50
    E_DLT = -51


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
    IRQ_MAP = 32
    IRQ_ENABLE = 33
    IRQ_DISABLE = 34
    IRQ_RAISE = 35
    TICK_SET = 40
    DISPATCH_DISABLE = 41
    DISPATCH_ENABLE = 42


class Query(IntEnum):
    """Queries; the value is the slot in the command region."""

    TASK_STATE = 48
    SEMAPHORE_COUNT = 49


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


class IrqAction(IntEnum):
    """What the edge of an interrupt does."""

    NONE = 0
    SEMAPHORE_GIVE = 1
    TASK_WAKEUP = 2
    TASK_RELEASE = 3


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
    TRAP = 16
    MRET = 17
    IRQ_OFF = 18
    IRQ_WIRE = 19
    POINT = 20
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
    """When a command may block; TIMEOUT: only when its argument is not 0."""

    NEVER = "never"
    ALWAYS = "always"
    TIMEOUT = "timeout"


class IdKind(Enum):
    """What the number in a command's address is."""

    NONE = "none"
    TASK = "task"
    SEMAPHORE = "semaphore"
    INTERRUPT = "interrupt"


@dataclass(frozen=True)
class CommandInfo:
    """One command. `fields`: bit ranges (high, low) of the argument; `statuses`: those of the call's own checks."""

    command: Command
    id: IdKind
    callers: frozenset[Context]
    blocks: Blocks
    statuses: tuple[Status, ...]
    text: str
    fields: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class KernelInfo:
    """One named kernel; `parts`: the implementation for each seam."""

    name: str
    status: str
    attachment: str
    parts: Mapping[str, str]
    unit: bool
    timeout_order: str
    text: str


@dataclass(frozen=True)
class ParameterInfo:
    """One parameter of the unit; `hash`: it is part of the parameter hash."""

    name: str
    sv: str
    default: int
    minimum: int
    maximum: int
    unit: str
    hash: bool
    text: str


STATUS_TEXT: dict[Status, str] = {
    Status.E_OK: "done",
    Status.E_SYS: "the hardware unit is absent, silent or of another build",
    Status.E_RSFN: "no such command",
    Status.E_PAR: "a parameter is out of range",
    Status.E_ID: "an object number is out of range",
    Status.E_CTX: "not allowed from this context (handler, idle, dispatch disabled)",
    Status.E_OACV: "the window of another core",
    Status.E_ILUSE: "illegal use of the call",
    Status.E_OBJ: "the object is in the wrong state for this call",
    Status.E_NOEXS: "the object does not exist",
    Status.E_QOVR: "a count or queue is at its limit; nothing was changed",
    Status.E_RLWAI: "the wait was released by force",
    Status.E_TMOUT: "the time limit passed, or a poll found nothing",
    Status.E_DLT: "the object that was waited for was deleted",
}

COMMANDS: dict[Command, CommandInfo] = {
    Command.TASK_CREATE: CommandInfo(
        command=Command.TASK_CREATE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="make task `id`, dormant, with this base priority",
        fields={"priority": (7, 0)},
    ),
    Command.TASK_DELETE: CommandInfo(
        command=Command.TASK_DELETE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="remove a dormant task",
        fields={},
    ),
    Command.TASK_START: CommandInfo(
        command=Command.TASK_START,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="dormant to ready, at its base priority, wake-up count 0",
        fields={},
    ),
    Command.TASK_EXIT: CommandInfo(
        command=Command.TASK_EXIT,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the calling task becomes dormant; enables dispatch. Never returns",
        fields={},
    ),
    Command.TASK_TERMINATE: CommandInfo(
        command=Command.TASK_TERMINATE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_ILUSE, Status.E_OBJ),
        text="another task becomes dormant, whatever it waits for (E_ILUSE for the caller itself)",
        fields={},
    ),
    Command.TASK_SUSPEND: CommandInfo(
        command=Command.TASK_SUSPEND,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_CTX, Status.E_OBJ, Status.E_QOVR),
        text="hold a task; a waiting task is then waiting and suspended. E_CTX: it runs with dispatch disabled. E_OBJ: dormant. E_QOVR: already suspended",
        fields={},
    ),
    Command.TASK_RESUME: CommandInfo(
        command=Command.TASK_RESUME,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="end a suspension (E_OBJ: not suspended); a task that becomes ready goes to the tail of its priority",
        fields={},
    ),
    Command.TASK_SET_PRIORITY: CommandInfo(
        command=Command.TASK_SET_PRIORITY,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="change the current priority until the task exits; ready or running: behind the others of the new priority; waiting: the same in its wait list. E_OBJ: dormant",
        fields={"priority": (7, 0)},
    ),
    Command.TASK_ROTATE: CommandInfo(
        command=Command.TASK_ROTATE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the first task of a priority goes behind the others of it; 0xFFFFFFFF: the caller's own priority, which is yield (E_CTX from handler or idle)",
        fields={"priority": (31, 0)},
    ),
    Command.TASK_RELEASE: CommandInfo(
        command=Command.TASK_RELEASE,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="end a task's wait with E_RLWAI (E_OBJ: it does not wait)",
        fields={},
    ),
    Command.TASK_SLEEP: CommandInfo(
        command=Command.TASK_SLEEP,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_CTX, Status.E_TMOUT),
        text="consume one wake-up, or wait for one. From a handler or idle: E_CTX always",
        fields={"timeout": (31, 0)},
    ),
    Command.TASK_WAKEUP: CommandInfo(
        command=Command.TASK_WAKEUP,
        id=IdKind.TASK,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ, Status.E_QOVR),
        text="end a sleep, or count one wake-up (at most 15). E_OBJ: dormant",
        fields={},
    ),
    Command.TASK_DELAY: CommandInfo(
        command=Command.TASK_DELAY,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.ALWAYS,
        statuses=(),
        text="wait until the tick counter has advanced by `ticks`, then E_OK; 0 returns at once. 0xFFFFFFFF waits for task_release",
        fields={"ticks": (31, 0)},
    ),
    Command.TASK_DELAY_UNTIL: CommandInfo(
        command=Command.TASK_DELAY_UNTIL,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.ALWAYS,
        statuses=(Status.E_TMOUT,),
        text="wait until the low word of the tick counter is `time`, then E_OK. E_TMOUT, at once, when that is not in the next 2^31-1 ticks (it is now or has passed)",
        fields={"time": (31, 0)},
    ),
    Command.SEMAPHORE_CREATE: CommandInfo(
        command=Command.SEMAPHORE_CREATE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_OBJ,),
        text="make a semaphore. E_PAR: maximum 0, initial above maximum",
        fields={"maximum": (31, 16), "initial": (15, 0)},
    ),
    Command.SEMAPHORE_DELETE: CommandInfo(
        command=Command.SEMAPHORE_DELETE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="remove a semaphore; its waiting tasks get E_DLT, the most urgent first",
        fields={},
    ),
    Command.SEMAPHORE_GIVE: CommandInfo(
        command=Command.SEMAPHORE_GIVE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(Status.E_QOVR,),
        text="hand one unit to the first of the most urgent waiting tasks, or count it",
        fields={},
    ),
    Command.SEMAPHORE_TAKE: CommandInfo(
        command=Command.SEMAPHORE_TAKE,
        id=IdKind.SEMAPHORE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.TIMEOUT,
        statuses=(Status.E_TMOUT,),
        text="take one unit, waiting in priority order, equal priorities in order of arrival",
        fields={"timeout": (31, 0)},
    ),
    Command.IRQ_MAP: CommandInfo(
        command=Command.IRQ_MAP,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="what a rising edge of an interrupt does: action (irq_action), and, with `handler`, the interrupt is also offered to a C handler. E_PAR: object number out of range for the action",
        fields={"object": (15, 8), "handler": (4, 4), "action": (1, 0)},
    ),
    Command.IRQ_ENABLE: CommandInfo(
        command=Command.IRQ_ENABLE,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="edges count from now on (edges before are forgotten)",
        fields={},
    ),
    Command.IRQ_DISABLE: CommandInfo(
        command=Command.IRQ_DISABLE,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="edges are ignored; a pending one is forgotten",
        fields={},
    ),
    Command.IRQ_RAISE: CommandInfo(
        command=Command.IRQ_RAISE,
        id=IdKind.INTERRUPT,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="behave as if the interrupt line rose",
        fields={},
    ),
    Command.TICK_SET: CommandInfo(
        command=Command.TICK_SET,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.HANDLER, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="length of a tick in clock cycles, from the next tick on; 0 stops ticks. E_PAR: 1 … tick_cycles_minimum - 1",
        fields={"cycles": (31, 0)},
    ),
    Command.DISPATCH_DISABLE: CommandInfo(
        command=Command.DISPATCH_DISABLE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the running task keeps this core until dispatch_enable",
        fields={},
    ),
    Command.DISPATCH_ENABLE: CommandInfo(
        command=Command.DISPATCH_ENABLE,
        id=IdKind.NONE,
        callers=frozenset({Context.TASK, Context.IDLE}),
        blocks=Blocks.NEVER,
        statuses=(),
        text="the most urgent task runs again. In the idle context at boot (dispatch starts disabled): starts the kernel",
        fields={},
    ),
}

KERNELS: dict[str, KernelInfo] = {
    "sw": KernelInfo(
        name="sw",
        status="works",
        attachment="none",
        parts={"sched": "bitmap", "time": "list", "sync": "priority_list", "lock": "none", "context": "c"},
        unit=False,
        timeout_order="any",
        text="software kernel: bitmap ready queue, sorted timeout list, tick interrupt",
    ),
    "hwrtos": KernelInfo(
        name="hwrtos",
        status="works",
        attachment="bus",
        parts={"kernel": "unit", "context": "c"},
        unit=True,
        timeout_order="most_urgent_first",
        text="the hardware unit on the bus",
    ),
    "sw-sorted": KernelInfo(
        name="sw-sorted",
        status="planned",
        attachment="none",
        parts={},
        unit=False,
        timeout_order="any",
        text="software kernel with one sorted wait list per object (the white paper's)",
    ),
    "sw-poll": KernelInfo(
        name="sw-poll",
        status="planned",
        attachment="none",
        parts={},
        unit=False,
        timeout_order="any",
        text="software kernel whose cores poll (the RTU paper's)",
    ),
    "freertos": KernelInfo(
        name="freertos",
        status="planned",
        attachment="none",
        parts={},
        unit=False,
        timeout_order="any",
        text="FreeRTOS-Kernel V11.2.0, unmodified",
    ),
    "lockcache": KernelInfo(
        name="lockcache",
        status="planned",
        attachment="bus",
        parts={},
        unit=False,
        timeout_order="any",
        text="software kernel, locks in hardware",
    ),
    "booster": KernelInfo(
        name="booster",
        status="planned",
        attachment="bus",
        parts={},
        unit=True,
        timeout_order="most_urgent_first",
        text="scheduling and time in hardware",
    ),
    "rtu": KernelInfo(
        name="rtu",
        status="planned",
        attachment="bus",
        parts={},
        unit=True,
        timeout_order="most_urgent_first",
        text="scheduling, time, semaphores, queues in hardware",
    ),
    "port": KernelInfo(
        name="port",
        status="planned",
        attachment="port",
        parts={},
        unit=True,
        timeout_order="most_urgent_first",
        text="the hardware unit on an x0-addressed port",
    ),
    "banked": KernelInfo(
        name="banked",
        status="planned",
        attachment="banked",
        parts={},
        unit=True,
        timeout_order="most_urgent_first",
        text="the hardware unit with register banks",
    ),
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


def tick_cycles_minimum(*, tasks: int) -> int:
    """In cycles."""
    return 8 * tasks + 64


def parameter_hash_word(**parameters: int) -> int:
    """First 32 bits of sha256 over "tasks=64,priorities=32,…"; parameters that are not given have their default."""
    unknown = sorted(set(parameters) - set(PARAMETERS))
    if unknown:
        raise ValueError(f"no such parameter: {', '.join(unknown)}; known are {', '.join(PARAMETERS)}")
    text = ",".join(
        f"{name}={parameters.get(name, info.default)}" for name, info in PARAMETERS.items() if info.hash
    )
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:4], "big")
