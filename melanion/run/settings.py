# SPDX-License-Identifier: Apache-2.0
"""The settings of a run: what its caller chooses, and what is then decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from melanion.build import App
from melanion.config import System
from melanion.run.console_input import ConsoleInput, line
from melanion.run.errors import RunError
from melanion.run.waits import BAD_USE, Waits

LATENCY_MOST = 10_000  # cycles of a way over the bridge: of the longest at the fastest clock


@dataclass(frozen=True)
class Settings:
    """The choices of a run; what is None comes from the configuration or the application.

    `wait_states`: cycles added to each access of memory, `data_wait_states`: of its data port when
    they differ, `unit_wait_states`: of a device or the unit; a number, or a range "0-7" from which
    each access draws by `seed`. `data`: files that are loaded at addresses; `wave`: write a
    waveform (FST) there; `defines`: macros of the program instead of the application's;
    `must_succeed`: a run that does not end with exit code 0 is an error; `endless`: a run that
    `max_cycles` ends has succeeded; `speed`: also time the simulation without a trace; `received`:
    the input of the console, which has a receive side only then; `pulses`: interrupt lines that
    rise, and in which cycles, beside what the program asks for; `variables`: words of the program
    that have another value when it begins.
    """

    seed: int = 1
    max_cycles: int | None = None
    wait_states: int | str | Waits | None = None
    data_wait_states: int | str | Waits | None = None
    unit_wait_states: int | str | Waits | None = None
    data: tuple[tuple[Path, int], ...] = ()
    wave: Path | None = None
    defines: Mapping[str, int | str] = field(default_factory=dict)
    must_succeed: bool = True
    endless: bool = False
    speed: bool = False
    received: ConsoleInput | None = None
    pulses: tuple[tuple[int, int], ...] = ()
    variables: Mapping[str, int] = field(default_factory=dict)

    def decide(self, system: System, app: App) -> Decided:
        """Fill in what the system and the application decide. Raises RunError."""
        memory = system.memory
        data = self.data_wait_states
        if data is None:
            data = memory.data_waits if self.wait_states is None else self.wait_states
        return Decided(
            seed=self.seed,
            max_cycles=app.max_cycles if self.max_cycles is None else self.max_cycles,
            wait_states=_waits(self.wait_states, memory.wait_states),
            data_wait_states=Waits.of(data),
            unit_wait_states=_waits(self.unit_wait_states, system.unit_wait_states),
            bridge=_latencies(system),
            data=self.data,
            wave=self.wave,
            received=self.received,
            input_line=line(system),
            pulses=_pulses(system, self.pulses),
            variables={**app.loaded, **self.variables},
        )


@dataclass(frozen=True)
class Decided:
    """The settings of one simulation: nothing is left open."""

    seed: int
    max_cycles: int
    wait_states: Waits  # instruction fetches
    data_wait_states: Waits
    unit_wait_states: Waits
    bridge: tuple[Waits, Waits] | None  # latencies of loads and stores, in cycles
    data: tuple[tuple[Path, int], ...]
    wave: Path | None
    received: ConsoleInput | None = None
    input_line: int = 0
    pulses: tuple[tuple[int, int], ...] = ()
    variables: Mapping[str, int] = field(default_factory=dict)

    @property
    def provenance(self) -> dict[str, int | str]:
        """The choices that decide the run."""
        return {
            "seed": self.seed,
            "max_cycles": self.max_cycles,
            "wait_states": self.wait_states.decided,
            "data_wait_states": self.data_wait_states.decided,
            "unit_wait_states": self.unit_wait_states.decided,
            **({f"bridge_{way}": waits.decided for way, waits in self.ways}),
            **(self.received.provenance if self.received else {}),
            **({"pulses": pulses_text(self.pulses)} if self.pulses else {}),
            **{f"variable_{name}": value for name, value in sorted(self.variables.items())},
        }

    @property
    def ways(self) -> list[tuple[str, Waits]]:
        """The latencies of the bridge; none without one."""
        return [] if self.bridge is None else list(zip(("read", "write"), self.bridge, strict=True))


def speeds(system: System) -> dict[str, int | str]:
    """Default speeds of a run, from the configuration: wait states, and the latencies of the
    bridge. A result that is kept has them in its key."""
    ways = zip(("read", "write"), _latencies(system) or (), strict=False)
    return {
        "wait_states": system.memory.wait_states,
        "data_wait_states": system.memory.data_waits,
        "unit_wait_states": system.unit_wait_states,
        **{f"bridge_{way}": waits.decided for way, waits in ways},
    }


def _latencies(system: System) -> tuple[Waits, Waits] | None:
    """Latencies of the bridge's loads and stores, in cycles of the system's clock."""
    if system.bridge is None:
        return None
    read, write = (
        Waits(*span.cycles(system.clock_mhz), limit=LATENCY_MOST)
        for span in (system.bridge.read_ns, system.bridge.write_ns)
    )
    return read, write


def pulses_text(pulses: tuple[tuple[int, int], ...]) -> str:
    """`3@1200 3@1500 4@90`."""
    return " ".join(f"{number}@{cycle}" for number, cycle in pulses)


def _pulses(system: System, pulses: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Raises RunError when the system has not all of these lines."""
    lines = system.parameters.interrupts
    for number, cycle in pulses:
        if number >= lines:
            allowed = f"0 to {lines - 1}" if lines else "none"
            raise RunError(
                f"pulse {number}@{cycle}: {system.name} has no interrupt line {number} (it has"
                f" {allowed}); name another line, or a system with more interrupts.",
                BAD_USE,
            )
    return pulses


def _waits(chosen: int | str | Waits | None, default: int | str | Waits) -> Waits:
    return Waits.of(default if chosen is None else chosen)
