# SPDX-License-Identifier: Apache-2.0
"""Reads configuration files, and finds systems by name."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from mel_gen import KERNELS, PARAMETERS

import melanion.config.composed as composed
from melanion.config.errors import ConfigError
from melanion.config.name import Name, parse
from melanion.config.places import UnitPlace, memories, units
from melanion.config.rules import broken, kinds
from melanion.config.schema import (
    COUPLINGS,
    Bridge,
    Memory,
    System,
    SystemOfKinds,
    own_commands,
)
from melanion.errors import meant
from melanion.spec.check import check, sentence
from melanion.spec.yaml_file import YamlFile, read

WAIT_STATES_MAXIMUM = 1000
OLD_COUPLING = "attachment"  # the key of files before version 0.3
CORES = "cores"  # the parameter that is `core.count` of a configuration

_log = logging.getLogger(__name__)
_warned: set[str] = set()  # each sentence once, however often a system is looked for


def find(text: str) -> System:
    """A system by name (`hwrtos`, `hwrtos@bus:20`, `hwrtos@port-4`, `hwrtos@pci`, `sw+lm`,
    `banked[tasks=128]`) or by file (`./my.yaml`). Raises ConfigError."""
    if text.endswith((".yaml", ".yml")) or "/" in text:
        return load(Path(text))
    places = _places(text)
    name = parse(text, KERNELS, {*COUPLINGS, *places})
    if name is None and text.count("[") != text.count("]"):
        raise ConfigError(
            f"{text!r} is no system: its sizes stand in no pair of brackets; write them as in"
            " banked[tasks=128,queues=4].",
            2,
        )
    if name is None:
        raise ConfigError(
            f"{text!r} is no system; write kernel, kernel@coupling, kernel@coupling:waits,"
            " each with [size=number] and +memory, or the path of a .yaml file.",
            2,
        )
    if name.kernel not in KERNELS:
        raise ConfigError(_unknown(text, name.kernel), 2)
    place = places.get(name.coupling or "")
    kernel = name.kernel if place or not name.coupling else _coupled(name, name.coupling)
    system = _valid(composed.compose(name, kernel))
    update: dict[str, object] = {}
    if place:
        update["bridge"] = _bridge(name, system, place)
    if name.waits is not None:
        update["unit_wait_states"] = _waits(text, name.waits)
    if name.memory is not None:
        update["memory"] = _memory(text, system, name.memory)
    if not update and not name.sizes:
        return system
    return system.model_copy(update={"name": re.sub("[^a-z0-9]+", "-", text).strip("-"), **update})


def is_name(text: str) -> bool:
    """Whether a text names a system: a known kernel, with words of axes behind it."""
    name = parse(text, KERNELS, {*COUPLINGS, *_places(text)})
    return (
        name is not None
        and name.kernel in KERNELS
        and set(name.words) <= set(composed.systems().words)
    )


def _places(text: str) -> dict[str, UnitPlace]:
    """Places of the unit that a name can mean: none without a coupling, then no file is read."""
    return units() if "@" in text else {}


def _coupled(name: Name, coupling: str) -> str:
    """The variant of a kernel with that coupling."""
    found = composed.variant(name.kernel, coupling)
    if found:
        return found
    kernel = KERNELS[name.kernel]
    raise ConfigError(
        f"{name.text}: {kernel.name} has the coupling {kernel.coupling}, not {coupling!r};"
        f" write {kernel.name}" + (f" or {kernel.name}@{kernel.coupling}." if kernel.unit else "."),
        2,
    )


def _bridge(name: Name, system: System, place: UnitPlace) -> Bridge:
    """The way to the unit in that place."""
    if system.coupling != "bus" or not system.unit:
        own = system.coupling
        has = "no such unit" if own == "bus" else f"the coupling {own}"
        raise ConfigError(
            f"{name.text}: {name.coupling} is a place of the hardware unit on the coupling bus, and"
            f" {system.name} has {has}; take a kernel on the bus, as hwrtos@{name.coupling}.",
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
    if "vexriscv" in {kind.type for _, kind in kinds(system)}:
        raise ConfigError(
            f"{text}: {name} is a memory behind caches, and the core vexriscv of {system.name} has"
            " its own; take a system with the core ibex.",
            2,
        )
    return system.memory.model_copy(update={**waits, "cache": place.cache})


def _waits(text: str, waits: str) -> int:
    if not waits.isdecimal() or int(waits) > WAIT_STATES_MAXIMUM:
        raise ConfigError(
            f"{text}: the wait states are {waits!r}; allowed is a whole number"
            f" 0 … {WAIT_STATES_MAXIMUM}; correct the number after the colon.",
            2,
        )
    return int(waits)


def _unknown(text: str, kernel: str) -> str:
    there = composed.names()
    if hint := meant(kernel, [*KERNELS, *there], ""):
        return f"{text!r} is no system; {hint} (`melanion systems` lists all)."
    return (
        f"{text!r} is no system; there are {', '.join(there)}; name one of them, or the path of a"
        " .yaml file."
    )


def load(path: Path, name: str | None = None) -> System:
    """Read one configuration file; messages call it `name`. Raises ConfigError with every error."""
    file = read(path, name or str(path))
    return _with_commands(_valid(file), path, file)


def _with_commands(system: System, path: Path, file: YamlFile) -> System:
    """The user's commands by their place from here, and correct."""
    if system.commands is None:
        return system
    place = path.parent / system.commands
    if not place.is_file():
        rest = f"is {system.commands!r}, and {place} is no file; correct the path, which begins at"
        rest += " the folder of this file"
        raise ConfigError(sentence(file, ("commands",), rest), 2)
    found = system.model_copy(update={"commands": str(place)})
    own_commands(str(place))
    return found


def _valid(file: YamlFile) -> System:
    """The system of a configuration. Raises ConfigError with every error."""
    first = [*_wrong_kernel(file), *_misplaced(file)]
    _choose_variant(file)
    system, problems = _checked(file)
    if system is not None and not first:
        problems = broken(system, file)
        if not problems:
            _warn(system, file)
            return system
    raise ConfigError("\n".join([*first, *problems]), 2)


def _wrong_kernel(file: YamlFile) -> list[str]:
    """A sentence about a kernel that there is not, before all others. What follows from it is left
    out: the rest is checked as if it were `sw`."""
    value: dict[str, Any] = file.value
    if not isinstance(value, dict) or not isinstance(value.get("kernel", ""), str):
        return []
    kernel = value.get("kernel")
    if kernel in KERNELS:
        return []
    if kernel is None:
        found = f"is missing; add it: one of {', '.join(KERNELS)}"
    else:
        allowed = f"is {kernel!r}; allowed is one of {', '.join(KERNELS)}"
        found = f"{allowed}; {meant(kernel, KERNELS, 'correct the name')}"
    value["kernel"] = "sw"
    value["coupling"] = KERNELS["sw"].coupling
    return [sentence(file, ("kernel",), found)]


def _misplaced(file: YamlFile) -> list[str]:
    """Sentences about sizes at another place than theirs; they are taken out."""
    value: dict[str, Any] = file.value
    if not isinstance(value, dict):
        return []
    found = []
    sizes = value.get("parameters")
    if isinstance(sizes, dict) and CORES in sizes:
        del sizes[CORES]
        rest = "is no size here; write core.count instead"
        found.append(sentence(file, ("parameters", CORES), rest))
    for key in [key for key in value if key in PARAMETERS]:
        where = "write core.count instead" if key == CORES else "it belongs under `parameters`"
        found.append(sentence(file, (key,), f"is a size; {where}"))
        del value[key]
    return found


def _warn(system: System, file: YamlFile) -> None:
    """Tell of a kernel whose name stands for sizes of 0, in a file with others: it is the same
    unit."""
    usual = composed.systems().kernels.get(system.kernel, {}).get("parameters", {})
    more = [name for name, most in usual.items() if not most and getattr(system.parameters, name)]
    if more:
        zero = ", ".join(f"{name}: 0" for name in more)
        text = (
            f"{file.name}: the kernel {system.kernel} stands for a unit without"
            f" {', '.join(more)}, and this system has them; write `parameters: {{{zero}}}`, or take"
            f" the kernel {system.kernel_info.of}."
        )
        if text not in _warned:
            _warned.add(text)
            _log.warning(text)


def _choose_variant(file: YamlFile) -> None:
    """Replace kernel and coupling by the variant that they say: files may write `hwrtos` and
    `port`, or `port` alone. A pair without a variant is left to the rules."""
    value: dict[str, Any] = file.value
    if not isinstance(value, dict) or value.get("kernel") not in KERNELS:
        return
    if OLD_COUPLING in value and "coupling" not in value:
        file.lines[("coupling",)] = file.line((OLD_COUPLING,))
        value["coupling"] = value.pop(OLD_COUPLING)
    kernel = value["kernel"]
    coupling = value.setdefault("coupling", KERNELS[kernel].coupling)
    if coupling in COUPLINGS:
        value["kernel"] = composed.variant(kernel, coupling) or kernel


def _checked(file: YamlFile) -> tuple[System | None, list[str]]:
    """One kind of core, or a list of them: two shapes, so that messages name the keys of one."""
    if not isinstance(file.value, dict) or not isinstance(file.value.get("core"), list):
        return check(System, file)
    found, problems = check(SystemOfKinds, file)
    return (found.system() if found else None), problems
