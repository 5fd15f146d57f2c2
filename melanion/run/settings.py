# SPDX-License-Identifier: Apache-2.0
"""The run-time choices of a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from melanion.build import App
from melanion.config import System
from melanion.run.waits import Waits

LATENCY_MOST = 10_000  # cycles of a way over the bridge: of the longest at the fastest clock


@dataclass(frozen=True)
class Settings:
    """The run-time choices of a simulation."""

    seed: int
    max_cycles: int
    wait_states: Waits  # instruction fetches
    data_wait_states: Waits
    unit_wait_states: Waits
    bridge: tuple[Waits, Waits] | None  # latencies of loads and stores, in cycles
    data: tuple[tuple[Path, int], ...]
    wave: Path | None

    @property
    def decided(self) -> dict[str, int | str]:
        """The choices that decide the run, for its provenance."""
        return {
            "seed": self.seed,
            "max_cycles": self.max_cycles,
            "wait_states": self.wait_states.decided,
            "data_wait_states": self.data_wait_states.decided,
            "unit_wait_states": self.unit_wait_states.decided,
            **({f"bridge_{way}": waits.decided for way, waits in self.ways}),
        }

    @property
    def ways(self) -> list[tuple[str, Waits]]:
        """The latencies of the bridge; none without one."""
        return [] if self.bridge is None else list(zip(("read", "write"), self.bridge, strict=True))


def settings_of(
    system: System,
    app: App,
    *,
    seed: int = 1,
    max_cycles: int | None = None,
    wait_states: int | str | Waits | None = None,
    data_wait_states: int | str | Waits | None = None,
    unit_wait_states: int | str | Waits | None = None,
    data: tuple[tuple[Path, int], ...] = (),
    wave: Path | None = None,
) -> Settings:
    """The choices of a run; what is None comes from the configuration or the application."""
    if data_wait_states is None:
        data_wait_states = system.memory.data_waits if wait_states is None else wait_states
    return Settings(
        seed=seed,
        max_cycles=app.max_cycles if max_cycles is None else max_cycles,
        wait_states=Waits.of(system.memory.wait_states if wait_states is None else wait_states),
        data_wait_states=Waits.of(data_wait_states),
        unit_wait_states=Waits.of(
            system.unit_wait_states if unit_wait_states is None else unit_wait_states
        ),
        bridge=_latencies(system),
        data=data,
        wave=wave,
    )


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
