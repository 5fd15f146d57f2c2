"""What a scenario is made of: calls with their arguments, programs, expected results.

The kernel calls, their arguments and statuses are those of spec/commands.yaml; added are two
queries and two steps that are no kernel calls (`PSEUDO`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mel_gen import COMMANDS, CommandInfo, IdKind, Query, Status, TaskState

from melanion.errors import MelanionError
from melanion.model import Limits

WORD = 0xFFFF_FFFF
FOREVER = WORD
OWN_PRIORITY = WORD

# Steps that are no kernel calls. They leave no entry in the log.
SPIN = "spin"  # keep the core busy until the tick counter has advanced by `ticks`
EDGE = "edge"  # the line rises as soon as every task waits, has ended or spins
PSEUDO = {SPIN: ("ticks",), EDGE: ("interrupt",)}
QUERIES = {Query.TASK_STATE.name.lower(): "task", Query.SEMAPHORE_COUNT.name.lower(): "semaphore"}
COMMAND_OF: dict[str, CommandInfo] = {
    command.name.lower(): info for command, info in COMMANDS.items()
}

# call -> names of its arguments; the first is the object's number where there is one.
CALLS: dict[str, tuple[str, ...]] = {
    **{
        name: ((info.id.value,) if info.id != IdKind.NONE else ()) + tuple(info.fields)
        for name, info in COMMAND_OF.items()
    },
    **{name: (kind,) for name, kind in QUERIES.items()},
    **PSEUDO,
}

IDLE = "main"  # who makes the calls before the kernel starts


class ScenarioError(MelanionError):
    """A scenario is wrong, or a run of it differs: one sentence per line of the message."""


@dataclass(frozen=True)
class Call:
    """One step: `number` the object, `argument` the command's 32-bit word (pseudo: ticks)."""

    name: str
    number: int
    argument: int
    line: int = 0
    logged: bool = True


@dataclass(frozen=True)
class Entry:
    """A completed call: who made it (task, interrupt or `main`) and what it gave."""

    who: str
    call: str
    result: str

    def __str__(self) -> str:
        return f"{self.who} {self.call} {self.result}"


@dataclass(frozen=True)
class Scenario:
    """One scenario, names resolved. Numbers of tasks and interrupts follow their order in the file.

    `main` holds the calls that make the given objects (not logged), then those of the file.
    `expect_lines` are the lines of the expected entries.
    """

    name: str
    text: str
    limits: Limits
    tasks: dict[str, int]
    semaphores: dict[str, int]
    interrupts: dict[str, int]
    main: tuple[Call, ...]
    steps: dict[str, tuple[Call, ...]]  # of tasks and of interrupt handlers, by name
    priorities: dict[str, int]
    expect: tuple[Entry, ...]
    expect_lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def file(self) -> str:
        return f"{self.name}.yaml"


def result_text(call: str, value: int) -> str:
    """What a completed call gave, as the log writes it: a status, a task's state or a count."""
    if value < 0 or call not in QUERIES:
        return Status(value).name
    if QUERIES[call] == "task":
        return TaskState(value & 7).name.lower()
    return str(value)


def results_of(call: str) -> tuple[str, ...]:
    """Every result that a log entry of this call can have; a count is any number."""
    failures = ("E_ID", "E_NOEXS")
    if call in QUERIES:
        states = tuple(state.name.lower() for state in TaskState)
        return (states if QUERIES[call] == "task" else ()) + failures
    return tuple(status.name for status in Status)
