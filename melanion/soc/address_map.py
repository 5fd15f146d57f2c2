# SPDX-License-Identifier: Apache-2.0
"""The memory map of a system (docs/decisions/0002); the RTL of soc/ decodes the same.

Devices and unit are where the core does not cache (docs/decisions/0016).
"""

from __future__ import annotations

from dataclasses import dataclass

from mel_gen import WINDOW_BYTES

from melanion.config import System

MEMORY_BASE = 0x1000_0000
RESET_PC = MEMORY_BASE + 0x80


@dataclass(frozen=True)
class _Uncached:
    devices: int
    unit: int


_BY_CORE = {
    "ibex": _Uncached(devices=0x2000_0000, unit=0x4000_0000),  # it has no cache
    "vexriscv": _Uncached(devices=0xE000_0000, unit=0xF000_0000),
}
_DEVICES = {"timer": 0x0000, "intc": 0x1000, "io": 0x2000, "irqgen": 0x3000, "cycle": 0x4000}
COMPONENT_BYTES = 4096  # window of a component, the first right behind that of a hardware unit
_SHARED = {"timer": 0x0000, "intc": 0x1000, "locks": 0x2000}  # mel_shared_devices.sv


def device_base(system: System) -> int:
    """Base address of the devices' 64 KiB."""
    return _BY_CORE[system.core.type].devices


def addresses(system: System) -> dict[str, int]:
    """As mel_system.h names them, with MEL_ before."""
    base, unit = device_base(system), _BY_CORE[system.core.type].unit
    shared = dict(_SHARED) if system.shares_devices else {}
    if system.locks:
        shared["lock_cache"] = 0x3000  # mel_lock_windows.sv
    components = system.components.names if system.components else ()
    shared |= {
        name: WINDOW_BYTES + i * COMPONENT_BYTES  # mel_component_tile.sv
        for i, name in enumerate(components)
    }
    return {
        "memory_base": MEMORY_BASE,
        **{f"{name}_base": base + offset for name, offset in _DEVICES.items()},
        **{f"{name}_base": unit + offset for name, offset in shared.items()},
        "unit_base": unit,
    }
