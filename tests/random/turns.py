"""Whose turn it is: how long a core's command waits while the other cores are busy.

The unit does one step at a time. Fault row 6 (docs of the faults): a command waits for at most one
step of every other source, so no core is served again and again before another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mel_gen import Command, TraceKind

from melanion.model import Kernel
from melanion.model.replay import Event
from tests.model_calls import held_up
from tests.random.records import Access, RejectedError

# Steps that a core asks for.
ASKED = frozenset(
    {TraceKind.COMMAND, TraceKind.OPERAND, TraceKind.VALUE, TraceKind.DISPATCH, TraceKind.CLAIM}
)
TWICE = 2  # one step may be under way when the command comes


@dataclass
class Waiting:
    """A command that was taken, and what was served since."""

    op: int
    number: int
    since: int
    held: bool = False  # it waits for what an earlier command left to be done
    steps: dict[int, int] = field(default_factory=dict)  # by other cores


class Turns:
    """Follows the commands of all cores. `longest` in cycles, `overtaken` in steps of a core."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.waiting: list[list[Waiting]] = [[] for _ in kernel.cores]
        self.longest = self.overtaken = 0

    def begin(self, access: Access) -> None:
        """A command's store is taken."""
        op, number = access.address >> 10, access.address >> 2 & 0xFF
        self.waiting[access.core].append(Waiting(op, number, access.accepted))

    def event(self, event: Event) -> None:
        """The model is about to execute it."""
        cycle, kind, core = event[:3]
        for commands in self.waiting:
            if commands:
                commands[0].held |= held_up(self.kernel, commands[0].op, commands[0].number)
        if kind not in ASKED:
            return
        for other, commands in enumerate(self.waiting):
            if other != core and commands:
                steps = commands[0].steps
                steps[core] = steps.get(core, 0) + (cycle > commands[0].since)
        if kind == TraceKind.COMMAND:
            self._served(core, cycle)

    def _served(self, core: int, cycle: int) -> None:
        if not self.waiting[core]:
            raise RejectedError(f"core {core}: a command in the trace that no store asked for")
        done = self.waiting[core].pop(0)
        # The messages of a deleted queue leave without an event.
        done.held |= done.op == Command.QUEUE_CREATE
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
