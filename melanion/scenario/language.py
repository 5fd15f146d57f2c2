# SPDX-License-Identifier: Apache-2.0
"""Parts of a scenario: calls with their arguments, programs, expected results.

The kernel calls, their arguments and statuses are those of spec/commands.yaml; added are the
queries of spec/registers.yaml and two steps that are no kernel calls (`PSEUDO`). A call whose
operand is not its argument has it as one more named argument (`timeout`, `priority`, …).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from mel_gen import COMMANDS, Blocks, Command, CommandInfo, Context, IdKind, Query, Status

from melanion.errors import MelanionError
from melanion.model import Limits
from melanion.model.kernel import QUERY_KINDS
from melanion.spec.own import OwnCommand
from melanion.spec.schema import bits

WORD = 0xFFFF_FFFF
FOREVER = WORD
OWN_PRIORITY = WORD
TICK_CYCLES = 20_000  # a tick holds what tasks do between two waits

# Steps that are no kernel calls. They leave no entry in the log.
SPIN = "spin"  # keep the core busy until the tick counter has advanced by `ticks`
EDGE = "edge"  # the line rises as soon as every task waits, has ended or spins
PSEUDO = {SPIN: ("ticks",), EDGE: ("interrupt",)}
# A run time depends on cycles.
QUERIES = {
    query.name.lower(): kind for query, kind in QUERY_KINDS.items() if query != Query.RUN_TIME
}
COMMAND_OF: dict[str, CommandInfo] = {
    command.name.lower(): info for command, info in COMMANDS.items()
}


def _arguments(info: CommandInfo) -> tuple[str, ...]:
    return (
        *((info.id.value,) if info.id != IdKind.NONE else ()),
        *info.fields,
        *((info.operand,) if info.operand else ()),
    )


# call -> names of its arguments; the first is the object's number where there is one.
CALLS: dict[str, tuple[str, ...]] = {
    **{name: _arguments(info) for name, info in COMMAND_OF.items()},
    **{name: (kind.value,) for name, kind in QUERIES.items()},
    **PSEUDO,
}
TIMES = "times"  # so often; any call can have it
TIMES_MAXIMUM = 1000
OPTIONAL = {"word": 0, "core": 0}  # arguments that may be left out, and what they then are

# Calls that give a value in addition to E_OK, by name: queries, and commands with a value.
BRINGS = {*QUERIES, *(name for name, info in COMMAND_OF.items() if info.value)}


def add(rows: Mapping[str, OwnCommand]) -> None:
    """From now on scenarios of this process know a user's commands, too; a later one replaces an
    earlier one of its name."""
    for name, row in rows.items():
        info = CommandInfo(
            command=cast(Command, row.op),
            id=IdKind(row.id),
            callers=frozenset(Context[caller.upper()] for caller in row.callers),
            blocks=Blocks(row.blocks),
            statuses=tuple(Status[status] for status in row.status),
            text=row.text,
            fields={field: bits(place) for field, place in row.argument.items()},
            operand="".join(row.operand or {}),
            operand_text="".join((row.operand or {}).values()),
            value=row.value or "",
        )
        COMMAND_OF[name], CALLS[name] = info, _arguments(info)
        (BRINGS.add if info.value else BRINGS.discard)(name)


REPORT = "report"  # the handler of the line of reports
IDLE = "main"  # caller before the kernel starts


class ScenarioError(MelanionError):
    """A scenario is wrong, or a run of it differs: one sentence per line of the message."""


@dataclass(frozen=True)
class Call:
    """One step: `number` the object, `argument` the command's 32-bit word (pseudo: ticks).

    `operand`: the word that the caller writes before; 0 for commands that have none. `times`: so
    often one after the other; the last one is logged.
    """

    name: str
    number: int
    argument: int
    operand: int = 0
    line: int = 0
    logged: bool = True
    times: int = 1

    def each(self) -> list[Call]:
        """Its calls, one by one."""
        return [*[replace(self, logged=False)] * (self.times - 1), self]


@dataclass(frozen=True)
class Entry:
    """A completed call: who made it (task, interrupt, timer or `main`) and what it gave."""

    who: str
    call: str
    result: str

    def __str__(self) -> str:
        return f"{self.who} {self.call} {self.result}"


@dataclass(frozen=True)
class Scenario:
    """One scenario, names resolved. Objects have the numbers of their order in the file.

    `interrupts` holds the lines of the timers too. `main` holds the calls that make the given
    objects (not logged), then those of the file.
    `expect_lines` are the lines of the expected entries.
    """

    name: str
    text: str
    limits: Limits
    tasks: dict[str, int]
    interrupts: dict[str, int]
    main: tuple[Call, ...]
    steps: dict[str, tuple[Call, ...]]  # steps of tasks and of interrupt handlers, by name
    priorities: dict[str, int]
    expect: tuple[Entry, ...]
    expect_lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def file(self) -> str:
        return f"{self.name}.yaml"
