# SPDX-License-Identifier: Apache-2.0
"""Renders the files of one system from the templates in soc/tops."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from mel_gen import MEANINGS, PARAMETERS, SPEC_HASH

from melanion import paths
from melanion.config import System
from melanion.soc.address_map import MEMORY_BASE, RESET_PC, addresses, device_base
from melanion.templates import environment


@cache
def _environment(folder: Path) -> jinja2.Environment:
    """Made once: it keeps what it compiled, and to compile takes longer than a short run.
    `folder`: resolved, so that data folders that link to one have one."""
    return environment(jinja2.FileSystemLoader(folder))


def _render(template: str, system: System, at: dict[str, int] | None = None) -> str:
    made = _environment((paths.data_root() / "soc" / "tops").resolve())
    return made.get_template(template).render(
        system=system,
        addresses=at or addresses(system),
        memory_base=at["memory_base"] if at else MEMORY_BASE,
        reset_pc=RESET_PC,
        device_base=device_base(system),
        unit_base=addresses(system)["unit_base"],
        lines=system.lines,
        sizes=system.sizes,
        sv_parameters=unit_parameters(system),
        lacks=[word for word in MEANINGS if word in system.kernel_info.lacks],
    )


def unit_parameters(system: System) -> dict[str, int]:
    """The sizes of the hardware unit, by their names in SystemVerilog."""
    return {PARAMETERS[n].sv: v for n, v in system.hashed_parameters.items()}


def hardware_parameters(system: System) -> dict[str, Any]:
    """Settings on which the hardware depends; the rest of a configuration is run time or
    software."""
    return {
        "unit": system.unit,
        **({"port": True} if system.coupling in ("port", "banked") else {}),
        **({"banked": True} if system.coupling == "banked" else {}),
        **({"view": True, "clock_mhz": system.clock_mhz} if system.view else {}),
        **({"unit_clock": system.clock_ratio} if system.clock_ratio > 1 else {}),
        **({"unit_stage": True} if system.unit_stage else {}),
        "core": system.core.model_dump(),
        "memory_kib": system.memory.kib,
        **({"cache": system.memory.cache.model_dump()} if system.memory.cache else {}),
        **({"posted": system.bridge.posted} if system.bridge else {}),
        **_lock_cache(system),
        **({"deadlock": system.deadlock.model_dump()} if system.deadlock else {}),
        **({"dmmu": system.dmmu.model_dump(exclude={"block_bytes"})} if system.dmmu else {}),
        **({"ethernet": system.ethernet.model_dump()} if system.ethernet else {}),
        "interrupts": system.parameters.interrupts,
        "lines": system.lines,
        **({"parameters": system.unit_parameters.model_dump()} if system.unit else {}),
    }


def _lock_cache(system: System) -> dict[str, Any]:
    if system.locks is None:
        return {}
    return {"lock_cache": system.locks.model_dump() | {"priorities": system.parameters.priorities}}


def system_package(system: System) -> str:
    """The SystemVerilog package of the sizes and parts of a system, for soc/tops/mel_top.sv."""
    return _render("mel_system_pkg.sv.j2", system)


def protected_unit(system: System, groups: Sequence[str]) -> str:
    """The SystemVerilog around the netlist of a protected unit; `groups`: bits of its faults."""
    made = _environment((paths.data_root() / "soc" / "tops").resolve())
    return made.get_template("mel_unit_protected.sv.j2").render(
        groups=groups,
        ratio=system.clock_ratio,
        cores=system.core.count,
        lines=max(system.parameters.interrupts, 1),
        idle=system.parameters.tasks,
    )


def files(
    system: System, decided: dict[str, Any], at: dict[str, int] | None = None
) -> dict[str, str]:
    """Name → content. `decided` is what the build adds to system.json (flags, tools, sources);
    `at`: addresses of a SoC that is not ours, named as those of `addresses`."""
    at = at or addresses(system)
    record = {
        "schema": 1,
        "system": system.model_dump(),
        "derived": {
            "clock_hz": system.clock_hz,
            "tick_cycles": system.tick_cycles,
            "tick_cycles_minimum": system.tick_cycles_minimum,
            "unit": system.unit,
            "implementations": system.implementations,
        },
        "hashes": {
            "spec": SPEC_HASH,
            "parameters": f"{system.parameter_hash_word:08x}",
            "hashed_parameters": system.hashed_parameters,
        },
        "addresses": {name: f"0x{address:08x}" for name, address in at.items()},
        **decided,
    }
    return {
        "mel_system_pkg.sv": system_package(system),
        "mel_system.h": _render("mel_system.h.j2", system, at),
        "link.ld": _render("link.ld.j2", system, at),
        "system.json": json.dumps(record, indent=2, ensure_ascii=False) + "\n",
    }
