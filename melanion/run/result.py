"""What a run gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mel_gen import ExitReason

from melanion.build import Program
from melanion.config import System
from melanion.model.replay import ReplayReport
from melanion.trace import Events


@dataclass(frozen=True)
class RunResult:
    """One run. `cycles` from reset to the end; `seconds` that the simulation took.

    `provenance`: everything that decides the run, for reports (system, program, seed, wait states,
    commit, tool versions).
    """

    system: System
    program: Program
    console: str
    events: Events
    reason: ExitReason
    code: int
    cycles: int
    instructions: int
    seconds: float
    replay: ReplayReport
    provenance: dict[str, Any]

    @property
    def cycles_per_second(self) -> float:
        """Speed of the simulation."""
        return self.cycles / self.seconds if self.seconds else float("inf")

    def as_json(self) -> dict[str, Any]:
        """The document of `melanion run --json`; events are counted, not listed."""
        return {
            "schema": 1,
            "provenance": self.provenance,
            "exit": {"reason": self.reason.name.lower(), "code": self.code},
            "cycles": self.cycles,
            "instructions": self.instructions,
            "events": len(self.events),
            "replay": {
                "events": self.replay.events,
                "commands": self.replay.commands,
                "dispatches": self.replay.dispatches,
                "ticks": self.replay.ticks,
            },
            "seconds": round(self.seconds, 3),
            "cycles_per_second": round(self.cycles_per_second),
            "console": self.console,
        }
