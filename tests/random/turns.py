# SPDX-License-Identifier: Apache-2.0
"""Turns of the cores: bound on the wait of a core's command while the other cores are busy.

The unit does one step at a time. Fault row 6 (docs of the faults): a command waits for at most one
step of every other source, so no core is served again and again before another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mel_gen import USER_OPS, Command, Status, TraceKind

from melanion import paths
from melanion.micro.tables import FOLDER, load_tables
from melanion.model import Kernel
from melanion.model.replay import Event
from melanion.spec import load
from tests.model.model_calls import MOVES_WAITERS
from tests.random.records import Access, RejectedError

# Steps that a core asks for.
ASKED = frozenset(
    {TraceKind.COMMAND, TraceKind.OPERAND, TraceKind.VALUE, TraceKind.DISPATCH, TraceKind.CLAIM}
)
_TABLES = load_tables(paths.data_root() / FOLDER, load())
# Ops of commands that wait while a set of event flags or a chain of owners goes on.
HELD = frozenset({*(Command[name.upper()] for name in _TABLES.machine.held_back), *USER_OPS})
TWICE = 2  # one step may be under way when the command comes
END = 512  # cycles in which the unit finds, without an event, that it is done


def begins_chain(event: Event) -> bool:
    """A chain of owners may begin with this event."""
    kind, op = event[1], event[3] & 0xFF
    if kind == TraceKind.COMMAND:
        return op in MOVES_WAITERS
    return kind in (TraceKind.TIMEOUT, TraceKind.IRQ)


@dataclass
class Waiting:
    """A command that was taken, and what was served since."""

    op: int
    number: int
    since: int
    held: bool = False  # it waits till a set or a chain is done
    steps: dict[int, int] = field(default_factory=dict)  # by other cores


class Turns:
    """Follows the commands of all cores. `longest` in cycles, `overtaken` in steps of a core."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.waiting: list[list[Waiting]] = [[] for _ in kernel.cores]
        self.longest = self.overtaken = 0
        self.now, self.walked = 0, -END  # cycles: of this event, and when one last went on

    def begin(self, access: Access) -> None:
        """A command's store is taken."""
        op, number = access.address >> 10, access.address >> 2 & 0xFF
        self.waiting[access.core].append(Waiting(op, number, access.accepted))

    def event(self, event: Event) -> None:
        """The model is about to execute it."""
        cycle, kind, core = event[:3]
        self.now = cycle
        sets = any(how.result == Status.E_OK for how in self.kernel.released.values())
        if sets or self.kernel.linked is not None or begins_chain(event):
            self.walked = cycle
        for commands in self.waiting:
            if commands:
                commands[0].held |= self.held_up(commands[0])
        if kind not in ASKED:
            return
        for other, commands in enumerate(self.waiting):
            if other != core and commands:
                steps = commands[0].steps
                steps[core] = steps.get(core, 0) + (cycle > commands[0].since)
        if kind == TraceKind.COMMAND:
            self._served(core, cycle)

    def held_up(self, waiting: Waiting) -> bool:
        """A set or a chain goes on, and the command waits for that (jobs `walk`, `link`)."""
        return waiting.op in HELD and self.now - self.walked < END

    def _served(self, core: int, cycle: int) -> None:
        if not self.waiting[core]:
            raise RejectedError(f"core {core}: a command in the trace that no store asked for")
        done = self.waiting[core].pop(0)
        done.held |= self.held_up(done)
        if self.waiting[core]:  # till now it waited for its own core's
            self.waiting[core][0].since = cycle
        if done.held:
            return
        self.longest = max(self.longest, cycle - done.since)
        for other, steps in done.steps.items():
            self.overtaken = max(self.overtaken, steps)
            if steps > TWICE:
                raise RejectedError(
                    f"core {other} was served {steps} times while a command of core {core} waited"
                    f" since cycle {done.since}"
                )
