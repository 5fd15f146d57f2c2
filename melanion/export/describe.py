# SPDX-License-Identifier: Apache-2.0
"""Text of a folder's README about its system: memory map, interrupts, parameters."""

from __future__ import annotations

from dataclasses import dataclass

from mel_gen import PARAMETERS, PORT_BASE, PORT_BYTES, WINDOW_BYTES
from mel_gen.deadlock import WINDOW_BYTES as DEADLOCK_BYTES
from mel_gen.dmmu import WINDOW_BYTES as DMMU_BYTES
from mel_gen.ethernet import WINDOW_BYTES as ETHERNET_BYTES
from mel_gen.lock_cache import WINDOW_BYTES as LOCK_CACHE_BYTES

from melanion import soc
from melanion.config import System

_DEVICE_BYTES = 0x1000
_SIMULATION = "simulation only"


@dataclass(frozen=True)
class Region:
    """A range of addresses of a core."""

    first: int
    bytes: int
    text: str

    @property
    def last(self) -> int:
        return self.first + self.bytes - 1


def regions(system: System) -> list[Region]:
    """The memory map, by address."""
    at = soc.addresses(system)
    found = [
        Region(soc.MEMORY_BASE, system.memory.kib * 1024, "memory, code and data"),
        Region(
            at["io_base"],
            _DEVICE_BYTES,
            "console (0x0, store: a character), exit (0x4, store: exit code), markers (0x100 + 4·n,"
            f" store: a value); {_SIMULATION}",
        ),
        Region(
            at["irqgen_base"],
            _DEVICE_BYTES,
            f"interrupt generator: line n at 0x10·n: delay, minimum, maximum, count; {_SIMULATION}",
        ),
        Region(at["cycle_base"], _DEVICE_BYTES, f"cycle counter (load); {_SIMULATION}"),
    ]
    if system.unit:
        text = "the hardware unit: this core's window (`sw/gen/melanion/mel_spec.h`)"
        found.append(Region(at["unit_base"], WINDOW_BYTES, text))
    else:
        timer = "timer: mtime 0x0, 0x4, mtimecmp 0x8, 0xC"
        controller = "interrupt controller: pending 0x0, enable 0x4, claim 0x8, raise 0xC"
        shared = "; the same for all cores" if system.shares_devices else ""
        each = "; one per core" if system.shares_devices else ""
        found.append(Region(at["timer_base"], _DEVICE_BYTES, timer + each))
        found.append(Region(at["intc_base"], _DEVICE_BYTES, controller + shared))
    if system.shares_devices:
        text = f"locks and doorbells between the cores{shared}"
        found.append(Region(at["locks_base"], _DEVICE_BYTES, text))
    if system.locks:
        text = "the lock cache: this core's window (`sw/gen/melanion/mel_lock_cache.h`)"
        found.append(Region(at["lock_cache_base"], LOCK_CACHE_BYTES, text))
    if system.deadlock:
        text = "the deadlock detection unit: this core's window"
        text += " (`sw/gen/melanion/mel_deadlock.h`)"
        found.append(Region(at["deadlock_base"], DEADLOCK_BYTES, text))
    if system.dmmu:
        text = "the memory management unit: this core's window (`sw/gen/melanion/mel_dmmu.h`)"
        found.append(Region(at["dmmu_base"], DMMU_BYTES, text))
    if system.ethernet:
        text = "the Ethernet MAC: this core's window (`sw/gen/melanion/mel_ethernet.h`)"
        found.append(Region(at["ethernet_base"], ETHERNET_BYTES, text))
    if system.coupling in ("port", "banked"):
        text = "the port: the unit in short form, within reach of one instruction (`mel_port.sv`)"
        found.append(Region(PORT_BASE, PORT_BYTES, text))
    return sorted(found, key=lambda region: region.first)


def interrupts(system: System) -> list[tuple[int, str, str]]:
    """Cause, wire, meaning."""
    found = []
    if system.unit:
        found += [
            (3, "irq_dispatch_o", "the unit: another task should run on this core"),
            (11, "irq_handler_o", "the unit: an interrupt waits for its handler in C"),
        ]
    else:
        if system.shares_devices:
            notice = ", or the lock cache has a notice for this core" if system.locks else ""
            found.append((3, "irq_software_o", f"the doorbell: another core asks{notice}"))
        found += [
            (7, "irq_timer_o", "the timer: a tick"),
            (11, "irq_external_o", "the interrupt controller: a line is pending"),
        ]
    if system.core.type == "vexriscv":
        found.append((9, "-", "a bus error, told late by the core's adapter"))
    return sorted(found)


def parameters(system: System) -> list[tuple[str, str, int, str]]:
    """Name, name in SystemVerilog, value, unit; of those that the system was made with."""
    sizes = {**system.parameters.model_dump(), "cores": system.core.count}
    return [(n, info.sv, sizes[n], info.unit) for n, info in PARAMETERS.items()]


def run_flags(system: System) -> list[str]:
    """Arguments of the simulation that follow from the configuration."""
    memory = system.memory
    words = ["--wait-states", str(memory.wait_states)]
    words += ["--data-wait-states", str(memory.data_waits)]
    words += ["--unit-wait-states", str(system.unit_wait_states)]
    if bridge := system.bridge:
        for way, span in (("read", bridge.read_ns), ("write", bridge.write_ns)):
            least, most = span.cycles(system.clock_mhz)
            words += [f"--bridge-{way}", f"{least}-{most}"]
    return words
