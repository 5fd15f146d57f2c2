# SPDX-License-Identifier: Apache-2.0
"""Reads configuration files, and finds systems by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mel_gen import KERNELS, PARAMETERS

from melanion import paths
from melanion.config.places import UnitPlace, memories, units
from melanion.config.schema import (
    Bridge,
    Core,
    Memory,
    Mixed,
    Span,
    System,
    SystemOfKinds,
)
from melanion.errors import MelanionError
from melanion.spec.check import check, sentence, show
from melanion.spec.yaml_file import KeyPath, YamlFile, read

# Interrupt lines of the controller of software kernels (soc/devices/mel_intc.sv).
CONTROLLER_LINES = 64
WAIT_STATES_MAXIMUM = 1000
FREERTOS_PRIORITIES = 32
VARIANTS = {"ibex": ("main", "small"), "vexriscv": ("linux",)}

# Key of a core → why all cores of a system have the same.
_IN_COMMON = {
    "type": "one program serves all, with one entry for traps and one map of addresses",
    "pmp": "one program serves all, and sets it up on each",
    "banks": "one table of banks serves all",
}

_NAME = re.compile(
    r"(?P<kernel>[^@:+]+)(@(?P<attachment>[^@:+]+)(:(?P<waits>[^@:+]+))?)?(\+(?P<memory>[^@:+]+))?"
)


class ConfigError(MelanionError):
    """A configuration is wrong, or a system's name unknown: one sentence per line."""


def names() -> list[str]:
    """The configurations that come with Melanion."""
    return sorted(path.stem for path in (paths.data_root() / "configs").glob("*.yaml"))


def find(text: str) -> System:
    """A system by name (`hwrtos`, `hwrtos@bus:20`, `hwrtos@port`, `hwrtos@pci`, `sw+lm`) or by file
    (`./my.yaml`). Raises ConfigError."""
    if text.endswith((".yaml", ".yml")) or "/" in text:
        return load(Path(text))
    match = _NAME.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"{text!r} is no system; write kernel, kernel@attachment, kernel@attachment:waits,"
            " each with +memory, or the path of a .yaml file.",
            2,
        )
    kernel, attachment = match["kernel"], match["attachment"]
    if kernel not in names():
        raise ConfigError(_unknown(kernel), 2)
    kernel = _other(kernel, attachment)
    system = load(paths.data_root() / "configs" / f"{kernel}.yaml", f"configs/{kernel}.yaml")
    update: dict[str, object] = {}
    if attachment is not None and attachment in (places := units()):
        update["bridge"] = _bridge(text, system, attachment, places[attachment])
    elif attachment is not None and attachment != system.attachment:
        raise ConfigError(
            f"{text}: {kernel} has the attachment {system.attachment}, not {attachment!r};"
            f" write {kernel}" + (f" or {kernel}@{system.attachment}." if system.unit else "."),
            2,
        )
    if match["waits"] is not None:
        update["unit_wait_states"] = _waits(text, match["waits"])
    if match["memory"] is not None:
        update["memory"] = _memory(text, system, match["memory"])
    if not update:
        return system
    return system.model_copy(update={"name": re.sub("[@:+]", "-", text), **update})


def _bridge(text: str, system: System, name: str, place: UnitPlace) -> Bridge:
    """The way to the unit in that place."""
    if system.attachment != "bus" or not system.unit:
        own = system.attachment
        has = "no such unit" if own == "bus" else f"the attachment {own}"
        raise ConfigError(
            f"{text}: {name} is a place of the hardware unit on the attachment bus, and"
            f" {system.name} has {has}; take a kernel on the bus, as hwrtos@{name}.",
            2,
        )
    return place.bridge


def _memory(text: str, system: System, name: str) -> Memory:
    """The system's memory with the wait states of that place, and its caches if it has any."""
    places = memories()
    if name not in places:
        raise ConfigError(
            f"{text}: {name!r} is no memory; there are {', '.join(sorted(places))}"
            " (configs/places/memories.yaml); name one of them.",
            2,
        )
    place = places[name]
    waits = place.model_dump(include={"wait_states", "data_wait_states"})
    if place.cache is None:
        return system.memory.model_copy(update=waits)
    if "vexriscv" in {kind.type for _, kind in _kinds(system)}:
        raise ConfigError(
            f"{text}: {name} is a memory behind caches, and the core vexriscv of {system.name} has"
            " its own; take a system with the core ibex.",
            2,
        )
    return system.memory.model_copy(update={**waits, "cache": place.cache})


def _other(kernel: str, attachment: str | None) -> str:
    """`port` is short for `hwrtos@port`, `port-2` for `hwrtos-2@port`."""
    if attachment not in KERNELS:
        return kernel
    other = re.sub(r"^hwrtos\b", attachment, kernel)
    return other if other in names() else kernel


def _waits(text: str, waits: str) -> int:
    if not waits.isdecimal() or int(waits) > WAIT_STATES_MAXIMUM:
        raise ConfigError(
            f"{text}: the wait states are {waits!r}; allowed is a whole number"
            f" 0 … {WAIT_STATES_MAXIMUM}; correct the number after the colon.",
            2,
        )
    return int(waits)


def _unknown(kernel: str) -> str:
    if kernel in KERNELS:
        return f"{_planned(kernel)}."
    close = difflib.get_close_matches(kernel, [*KERNELS, *names()], n=1)
    hint = f"did you mean {close[0]}" if close else "name one of them, or the path of a .yaml file"
    return f"{kernel!r} is no system; there are {', '.join(names())}; {hint}."


def planned(text: str) -> bool:
    """A system that an experiment names and nobody can build yet: `rtu-3` before there is
    configs/rtu-3.yaml, of a kernel of spec/kernels.yaml."""
    system = re.split("[@+]", text)[0]
    kernel = re.sub(r"(-\d+)+$", "", system)
    return system not in names() and kernel in KERNELS


def _planned(kernel: str) -> str:
    works = ", ".join(name for name, info in KERNELS.items() if info.status == "works")
    text = KERNELS[kernel].text
    return f"the kernel {kernel} ({text}) is planned and does not work yet; use one of {works}"


def load(path: Path, name: str | None = None) -> System:
    """Read one configuration file; messages call it `name`. Raises ConfigError with every error."""
    file = read(path, name or str(path))
    system, problems = _checked(file)
    if system is not None:
        problems = _broken_rules(system, file)
        if not problems:
            return system
    raise ConfigError("\n".join(problems), 2)


def _checked(file: YamlFile) -> tuple[System | None, list[str]]:
    """One kind of core, or a list of them: two shapes, so that messages name the keys of one."""
    if not isinstance(file.value, dict) or not isinstance(file.value.get("core"), list):
        return check(System, file)
    kinds, problems = check(SystemOfKinds, file)
    return (kinds.system() if kinds else None), problems


def _broken_rules(system: System, file: YamlFile) -> list[str]:
    """What no single key can see."""
    wrong = partial(sentence, file)

    if system.kernel not in KERNELS:
        rest = f"is {system.kernel!r}; allowed is one of {', '.join(KERNELS)}; correct the name"
        return [wrong(("kernel",), rest)]
    if KERNELS[system.kernel].status != "works":
        return [wrong(("kernel",), f"is {system.kernel!r}: {_planned(system.kernel)}")]
    found = []
    if system.attachment != system.kernel_info.attachment:
        found.append(
            wrong(
                ("attachment",),
                f"is {system.attachment!r}; the kernel {system.kernel} needs"
                f" {system.kernel_info.attachment}; write that",
            )
        )
    found += _wrong_core(system, wrong)
    found += _wrong_for_freertos(system, wrong)
    found += _wrong_bridge(system, wrong)
    found += _wrong_locks(system, wrong)
    if system.attachment == "banked":
        found += _without_banks(system, wrong)
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
    """What FreeRTOS is not configured for here (docs/decisions/0025)."""
    found: list[str] = []
    if system.kernel_info.parts.get("kernel") != "freertos":
        return found
    if system.core.count > 1:
        rest = "the kernel freertos is FreeRTOS for one core; write 1, or take the kernel sw"
        found.append(wrong(("core", "count"), f"is {system.core.count}; {rest}"))
    priorities = system.parameters.priorities
    if priorities > FREERTOS_PRIORITIES:
        rest = f"its port keeps ready priorities in one word; allowed is 2 … {FREERTOS_PRIORITIES}"
        found.append(
            wrong(("parameters", "priorities"), f"is {priorities}; {rest}; lower the number")
        )
    return found


def _wrong_locks(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """What cores tell each other, where there is one; a lock cache that nobody uses, or with fewer
    long locks than the kernel needs."""
    found, locks, kernel = [], system.locks, system.kernel
    if system.core.count == 1 and (locks or "notify" in system.kernel_info.parts):
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


def _wrong_bridge(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """A bridge where there is no way to one, or with an empty span."""
    bridge = system.bridge
    if bridge is None:
        return []
    if system.attachment != "bus" or not system.unit:
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


def _kinds(system: System) -> list[tuple[KeyPath, Core]]:
    """Where the file says each kind of core, and what."""
    if isinstance(system.core, Mixed):
        return [(("core", i), kind) for i, kind in enumerate(system.core.kinds)]
    return [(("core",), system.core)]


def _wrong_core(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """What this type of core is not made with."""
    found = []
    for path, core in _kinds(system):
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
    """What cores of several kinds do not have in common."""
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
    if system.attachment == "banked":
        rest = "needs a core whose registers are outside it; take the core ibex, or the kernel port"
        found.append(wrong(("attachment",), f"is 'banked'; that {rest}"))
    return found


def _without_banks(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """What register banks do not serve."""
    found = []
    if system.core.banks <= system.core.count:
        least = f"{system.core.count + 1} … 64"
        rest = f"with {system.core.count} cores allowed is {least}: each may lend one; write more"
        found.append(wrong(("core", "banks"), f"is {system.core.banks}; {rest}"))
    if system.core.pmp:
        rest = "the attachment banked has no user mode; write false, or take the kernel port"
        found.append(wrong(("core", "pmp"), f"is true; {rest}"))
    return found
