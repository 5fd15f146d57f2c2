# SPDX-License-Identifier: Apache-2.0
"""Rules of a configuration that concern several keys: kernel and core, tick and tasks, locks,
bridge, contexts."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from mel_gen import PARAMETERS

from melanion.config.schema import Core, Mixed, Span, System
from melanion.spec.check import sentence, show
from melanion.spec.yaml_file import KeyPath, YamlFile

# Interrupt lines of the controller of software kernels (soc/devices/mel_intc.sv).
CONTROLLER_LINES = 64
FREERTOS_PRIORITIES = 32
VARIANTS = {"ibex": ("main", "small"), "vexriscv": ("linux",)}

_VALUE = re.compile(r"^is [^;,]+")

# Key of a core → why all cores of a system have the same.
_IN_COMMON = {
    "type": "one program serves all, with one entry for traps and one map of addresses",
    "pmp": "one program serves all, and sets it up on each",
    "resident": "all cores have one kind of store of contexts",
}


def _wrong(file: YamlFile, path: KeyPath, rest: str) -> str:
    """A sentence; a value that the file does not say is called the default."""
    summed = (path[0], 0) in file.lines and len(path) < 3  # sum over a list of cores
    if file.lines and path not in file.lines and not summed and not rest.startswith("is given"):
        rest = _VALUE.sub(r"\g<0> (default)", rest, count=1)
    return sentence(file, path, rest)


def broken(system: System, file: YamlFile) -> list[str]:
    """Rules that involve more than one key, of a system whose kernel there is."""
    wrong = partial(_wrong, file)

    found = []
    if system.coupling != system.kernel_info.coupling:
        own = system.kernel_info.coupling
        needs = "has no hardware" if own == "none" else f"needs the coupling {own}"
        rest = (
            f"is {system.coupling!r}; the kernel {system.kernel} {needs}; write `coupling: {own}`"
        )
        found.append(wrong(("coupling",), rest))
    found += _wrong_sizes(system, wrong)
    found += _wrong_core(system, wrong)
    found += _wrong_for_freertos(system, wrong)
    found += _wrong_bridge(system, wrong)
    found += _wrong_locks(system, wrong)
    found += _wrong_components(system, wrong)
    if system.unit_clock is not None and not system.unit:
        rest = f"is {system.unit_clock}, and the kernel {system.kernel} has no hardware unit"
        found.append(
            wrong(("unit_clock",), f"{rest}; remove the key, or take a kernel with one (hwrtos)")
        )
    if system.unit_stage and system.clock_ratio == 1:
        rest = "is true, and the unit has no clock of twice the cores'"
        found.append(wrong(("unit_stage",), f"{rest}; remove the key, or write unit_clock: 2"))
    if system.unit_protection != "none" and not system.unit:
        rest = f"is {system.unit_protection!r}, and the kernel {system.kernel} has no hardware unit"
        found.append(
            wrong(
                ("unit_protection",), f"{rest}; remove the key, or take a kernel with one (hwrtos)"
            )
        )
    found += _wrong_commands(system, wrong)
    if system.coupling == "banked":
        found += _without_contexts(system, wrong)
    least = system.tick_cycles_minimum
    if system.tick_cycles < least:
        fits = -(-least // system.clock_mhz)
        found.append(
            wrong(
                ("tick_us",),
                f"is {system.tick_us} µs, at {system.clock_mhz} MHz {system.tick_cycles} cycles;"
                f" {system.parameters.tasks} tasks need at least {least} cycles ({fits} µs);"
                " lengthen the tick, raise clock_mhz or lower parameters.tasks",
            )
        )
    found += _too_many_lines(system, wrong)
    return found


def _wrong_sizes(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """A size that is none of its values, or that the unit cannot have beside another one."""
    found = []
    sizes = system.unit_parameters.model_dump()
    for name, info in PARAMETERS.items():
        value = sizes.get(name, info.default)
        path: KeyPath = ("parameters", name)
        if (value - info.minimum) % info.step:
            found.append(wrong(path, f"is {value}; allowed is {info.allowed}; correct it"))
            continue
        if not value or not info.needs:
            continue
        if not system.unit:
            rest = f"is {value}, and the kernel {system.kernel} has no hardware unit"
            found.append(wrong(path, f"{rest}; write 0, or take a kernel with one (hwrtos)"))
            continue
        for other, (least, most) in info.needs.items():
            if not least <= sizes[other] <= most:
                rest = f"is {value}, and the unit has {sizes[other]} {other}; allowed with it is"
                more = f"{least} … {most}; change parameters.{other}, or write {name}: 0"
                found.append(wrong(path, f"{rest} {more}"))
    return found


def _wrong_commands(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """A user's commands without a unit that can have them."""
    if system.commands is None:
        return []
    rest = ""
    if not system.unit:
        rest = f"is given, and the kernel {system.kernel} has no hardware unit; take"
    elif system.view:
        rest = f"is given, and the kernel {system.kernel} keeps objects in C; take"
    return [wrong(("commands",), f"{rest} hwrtos, port or banked")] if rest else []


def _too_many_lines(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """The controller of a software kernel serves the lines of its timers and of reports, too."""
    if system.unit or system.lines <= CONTROLLER_LINES:
        return []
    interrupts, timers = system.parameters.interrupts, system.parameters.timers
    rest = (
        f"is {interrupts}; with {timers} timers and the line of reports a kernel without the"
        f" hardware unit needs {system.lines} lines, and its interrupt controller has"
        f" {CONTROLLER_LINES}; allowed is 0 … {CONTROLLER_LINES - 1 - timers}; lower interrupts or"
        " timers"
    )
    return [wrong(("parameters", "interrupts"), rest)]


def _wrong_for_freertos(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """Settings for which FreeRTOS is not configured here (docs/decisions/0025). On several cores it
    searches its lists of ready tasks, however many these are."""
    found: list[str] = []
    if system.kernel_info.of != "freertos":
        return found
    priorities = system.parameters.priorities
    if system.core.count == 1 and priorities > FREERTOS_PRIORITIES:
        rest = f"its port keeps ready priorities in one word; allowed is 2 … {FREERTOS_PRIORITIES}"
        found.append(
            wrong(("parameters", "priorities"), f"is {priorities}; {rest}; lower the number")
        )
    return found


def _wrong_locks(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """Locks or calls between cores on a system of one core; a lock cache that no kernel uses, or
    one with fewer long locks than the kernel needs."""
    found, locks, kernel = [], system.locks, system.kernel
    if system.core.count == 1 and (locks or "ipi" in system.kernel_info.implementations):
        rest = "is about what cores tell each other; allowed is 2 … 4"
        more = "write more, or take the kernel sw"
        found.append(wrong(("core", "count"), f"is 1; the kernel {kernel} {rest}; {more}"))
    if system.lock_cache and not locks:
        rest = "remove the key, or take the kernel lockcache"
        found.append(wrong(("lock_cache",), f"is given; the kernel {kernel} has none; {rest}"))
    semaphores = system.parameters.semaphores
    if locks and locks.long_locks < semaphores:
        rest = f"is {locks.long_locks}; each of {semaphores} semaphores has a long lock; allowed is"
        more = f"{semaphores} … 128; raise it, or lower parameters.semaphores"
        found.append(wrong(("lock_cache", "long_locks"), f"{rest} {more}"))
    return found


def _wrong_components(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """Components of which there is none, behind a bridge, or without an interrupt line."""
    found: list[str] = []
    if system.components is None:
        return found
    if not system.components.names:
        some = ", ".join(type(system.components).model_fields)
        rest = f"has none; name one of {some}, or remove the key"
        found.append(wrong(("components",), rest))
    if system.bridge:
        rest = "are on the cores' own buses, and the bridge leads to the unit alone; remove one key"
        found.append(wrong(("components",), f"{rest}"))
    lines, deadlock = system.parameters.interrupts, system.deadlock
    if deadlock and deadlock.interrupt is not None and not 0 <= deadlock.interrupt < lines:
        path: KeyPath = ("components", "deadlock")
        if lines == 0:
            rest = "raises an interrupt, and parameters.interrupts is 0; write 1 at least there"
        else:
            path = (*path, "interrupt")
            rest = f"is {deadlock.interrupt}; with parameters.interrupts {lines} allowed is"
            rest += f" 0 … {lines - 1}; lower it, or raise that"
        found.append(wrong(path, rest))
    return found + _wrong_ethernet(system, wrong)


def _wrong_ethernet(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """A MAC without its two interrupt lines."""
    lines, ethernet = system.parameters.interrupts, system.ethernet
    if ethernet is None or ethernet.interrupt is None or 0 <= ethernet.interrupt <= lines - 2:
        return []
    path: KeyPath = ("components", "ethernet")
    if system.components and system.components.ethernet == ethernet:
        rest = f"is {ethernet.interrupt}; with parameters.interrupts {lines} allowed is"
        rest += f" 0 … {lines - 2}, since the next line is that of free slots; lower it, or raise"
        return [wrong((*path, "interrupt"), f"{rest} that")]
    rest = f"raises interrupts, and parameters.interrupts is {lines}; write 3 at least there"
    return [wrong(path, rest)]


def _wrong_bridge(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """A bridge where there is no way to one, or with an empty span."""
    bridge = system.bridge
    if bridge is None:
        return []
    if system.coupling != "bus" or not system.unit:
        rest = f"is given, and the kernel {system.kernel} has no bus to the hardware unit"
        return [wrong(("bridge",), f"{rest}; remove the key, or take a kernel on the bus (hwrtos)")]
    spans: dict[str, Span] = {"read_ns": bridge.read_ns, "write_ns": bridge.write_ns}
    return [
        wrong(
            ("bridge", key, "least"),
            f"is {span.least}, more than most ({span.most}); allowed is 0 … {span.most};"
            " correct one of them",
        )
        for key, span in spans.items()
        if span.least > span.most
    ]


def kinds(system: System) -> list[tuple[KeyPath, Core]]:
    """Each kind of core, with its key in the file."""
    if isinstance(system.core, Mixed):
        return [(("core", i), kind) for i, kind in enumerate(system.core.kinds)]
    return [(("core",), system.core)]


def _wrong_core(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """Settings that this type of core does not support."""
    found = []
    for path, core in kinds(system):
        if core.variant not in VARIANTS[core.type]:
            some = ", ".join(VARIANTS[core.type])
            rest = f"of the core {core.type} allowed is {some}; correct the value"
            found.append(wrong((*path, "variant"), f"is {core.variant!r}; {rest}"))
    if isinstance(system.core, Mixed):
        found += _wrong_mixture(system.core, wrong)
    if found or system.core.type == "ibex":
        return found
    return _wrong_vexriscv(system, wrong)


def _wrong_mixture(core: Mixed, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """Settings that differ between the kinds but must be equal."""
    found = []
    for i, kind in enumerate(core.kinds):
        for key, why in _IN_COMMON.items():
            mine, first = getattr(kind, key), getattr(core, key)
            if mine != first:
                rest = f"is {show(mine)}, and core[0].{key} is {show(first)}; {why}; write the same"
                found.append(wrong(("core", i, key), rest))
    most = PARAMETERS["cores"].maximum
    if core.count > most:
        rest = f"has {core.count} cores together; allowed is 2 … {most}; lower a count"
        found.append(wrong(("core",), rest))
    return found


def _wrong_vexriscv(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    core, found = system.core, []
    if core.count > 1:
        rest = f"is {core.count}; the data cache of vexriscv does not see what others write into"
        found.append(wrong(("core", "count"), f"{rest} memory; write 1, or take the core ibex"))
    if system.memory.cache:
        rest = "vexriscv has caches of its own; remove the key, or take the core ibex"
        found.append(wrong(("memory", "cache"), f"is given; the core {rest}"))
    if core.pmp:
        rest = "vexriscv has no physical memory protection; write false, or take the core ibex"
        found.append(wrong(("core", "pmp"), f"is true; the core {rest}"))
    if system.coupling == "banked":
        rest = "needs a core whose registers are outside it; take the core ibex, or the kernel port"
        found.append(wrong(("coupling",), f"is 'banked'; that {rest}"))
    return found


def _without_contexts(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """Settings that a store of contexts does not support."""
    if not system.core.pmp:
        return []
    rest = "the coupling banked has no user mode; write false, or take the kernel port"
    return [wrong(("core", "pmp"), f"is true; {rest}")]
