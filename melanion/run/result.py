# SPDX-License-Identifier: Apache-2.0
"""Result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from mel_gen import ExitReason

from melanion.build import Program
from melanion.config import System
from melanion.model.replay import ReplayReport
from melanion.trace import Events


@dataclass(frozen=True)
class CacheCount:
    """Counters of one cache of a core over the whole run. `port`: `instructions` or `data`."""

    core: int
    port: str
    loads: int
    misses: int


@dataclass(frozen=True)
class Counts:
    """Counters at the end of the run: pulses of the interrupt generator that had not come; refused
    commands and illegal accesses of the unit, and interrupt edges that it lost (None: there is no
    unit); bytes of the console's input that found its queue full (None: there is no input)."""

    pulses_left: int
    refused: int | None = None
    lost: int | None = None
    input_lost: int | None = None


@dataclass(frozen=True)
class RunResult:
    """One run. `cycles` from reset to the end; `seconds` that the simulation took, with a trace;
    `untraced_seconds` without, when that was asked for.

    `replay`: None when the program's self-checks alone decided (docs/decisions/0025).
    `provenance`: everything that decides the run, for reports (system, program, seed, wait states,
    commit, tool versions). `failure`: the sentence of a run that failed, which no model judged;
    `names`: of tasks, by number.
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
    replay_seconds: float
    untraced_seconds: float | None
    replay: ReplayReport | None
    provenance: dict[str, Any]
    caches: tuple[CacheCount, ...] = ()
    counts: Counts = Counts(0)
    failure: str = ""
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def cycles_per_second(self) -> float:
        """Speed, traced and replayed."""
        return self.cycles / max(self.seconds + self.replay_seconds, 1e-6)

    @property
    def untraced_cycles_per_second(self) -> float | None:
        """Speed of the bare simulation; None when it was not measured."""
        bare = self.untraced_seconds
        return None if bare is None else self.cycles / max(bare, 1e-6)

    @property
    def judge(self) -> str:
        """Name of the judge that found the run right; `nobody` if it failed."""
        if self.failure:
            return "nobody"
        return "the program's self-checks" if self.replay is None else "golden model"

    def as_json(self) -> dict[str, Any]:
        """The document of `melanion run --json`; events are counted, not listed."""
        bare = self.untraced_cycles_per_second
        return {
            "schema": 1,
            "provenance": self.provenance,
            "exit": {"reason": self.reason.name.lower(), "code": self.code},
            "cycles": self.cycles,
            "instructions": self.instructions,
            "events": len(self.events),
            "judged_by": self.judge,
            **({"failure": self.failure} if self.failure else {}),
            "replay": self.replay
            and {
                "events": self.replay.events,
                "commands": self.replay.commands,
                "dispatches": self.replay.dispatches,
                "ticks": self.replay.ticks,
                "deadlocks": self.replay.deadlocks,
            },
            "speed": {
                "unit": "cycles per processor second",
                "traced_and_replayed": round(self.cycles_per_second),
                "untraced": bare and round(bare),
            },
            **({"input_lost": lost} if (lost := self.counts.input_lost) is not None else {}),
            **({"caches": [asdict(each) for each in self.caches]} if self.caches else {}),
            "console": self.console,
        }
