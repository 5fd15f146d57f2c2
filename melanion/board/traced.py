# SPDX-License-Identifier: Apache-2.0
"""The golden model beside a board: its trace, decoded and replayed while it comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mel_gen import Command, TraceKind

from melanion.board.design import Design
from melanion.model.owed import Patience
from melanion.model.replay import Player, ReplayError
from melanion.run.replaying import limits
from melanion.trace.stream import Begun, Event, Lost, Source, Stream

# Cores that wait for the trace reach their dispatch later: so many times the usual patience.
SLOWER = 10


@dataclass
class Verdict:
    """So far. `compared`: events that the model agreed with; `untold`: events behind the first
    loss, which nobody can compare; `losses`: each of them; `lossless`: the cores waited for the
    trace, None: the stream has not begun; `commands`: of the events compared; `compared_to`: cycle
    of the last of them; `cycle`: of the last check."""

    compared: int = 0
    commands: int = 0
    untold: int = 0
    lossless: bool | None = None
    compared_to: int = 0
    cycle: int = 0
    losses: list[Lost] = field(default_factory=list)

    @property
    def lost(self) -> int:
        return sum(loss.count for loss in self.losses)


class Follower:
    """Decodes a stream and replays it. The unit gives no snapshot of its states, so the replay ends
    at the first loss. `keep`: the events that were compared stay in `kept`."""

    def __init__(
        self, design: Design, names: Mapping[int, str] | None = None, *, keep: bool = False
    ) -> None:
        system = design.system
        self.stream = Stream(
            Source(system.clock_ratio, system.parameters.time_reset, system.parameter_hash_word)
        )
        usual = Patience.of(system.kernel_info)
        patience = Patience(usual.step, usual.dispatch * SLOWER)
        sizes = limits(system, system.parameters)
        self.player = Player(sizes, system.kernel_info, patience, names or {})
        self.pace = Pace(patience.step)
        self.verdict = Verdict()
        self.keep = keep
        self.kept: list[Event] = []

    def feed(self, data: bytes) -> Verdict:
        """Bytes as they come. Raises TraceError: damaged; ReplayError: the board differs from the
        model."""
        verdict = self.verdict
        for item in self.stream.feed(data):
            if isinstance(item, Begun):
                verdict.lossless = item.lossless
            elif isinstance(item, Lost):
                verdict.losses.append(item)
            elif verdict.losses:
                verdict.untold += 1
            else:
                self._compare(item)
        verdict.cycle = self.stream.cycle_of_check
        return verdict

    def _compare(self, event: Event) -> None:
        self.player.play([event])
        if self.keep:
            self.kept.append(event)
        self.verdict.compared += 1
        self.verdict.compared_to = event[0]
        self.verdict.commands = self.player.commands
        if late := self.pace.wrong(event, self.player.kernel.tick_cycles):
            raise ReplayError(
                f"event {self.verdict.compared - 1} at cycle {event[0]}: {late}; the cycles of the"
                " trace are wrong.",
                self.verdict.compared - 1,
                event[0],
            )


class Pace:
    """Cycles of a trace, held against its ticks: the unit counts both by itself. They may drift
    apart by `slack` cycles, the longest time for which the unit puts a tick off."""

    def __init__(self, slack: int) -> None:
        self.slack = slack
        self.length = 0  # a tick
        self.ahead: list[int] = []  # least and most cycles by which ticks came late

    def wrong(self, event: Event, tick_cycles: int) -> str:
        """A sentence when the cycles up to this event cannot be right."""
        cycle, kind, _, a, *_ = event
        if kind == TraceKind.COMMAND and a & 0xFF == Command.TICK_SET:
            self.length = 0  # the tick that runs may have the old length
        if kind != TraceKind.TICK:
            return ""
        if self.length != tick_cycles or not self.length:
            self.length, self.due, self.ahead = tick_cycles, cycle, [0, 0]
            return ""
        self.due += self.length
        late = cycle - self.due
        self.ahead = [min(self.ahead[0], late), max(self.ahead[1], late)]
        if self.ahead[1] - self.ahead[0] <= self.slack:
            return ""
        return (
            f"the ticks are {self.length} cycles apart, but this one comes"
            f" {self.ahead[1] - self.ahead[0]} cycles off its time"
        )
