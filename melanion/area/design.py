# SPDX-License-Identifier: Apache-2.0
"""Designs to synthesize: the hardware unit at chosen sizes; for comparison the Ibex core, also with
the registers of all tasks; and the modules that attach the unit to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mel_gen import PARAMETERS, sv_sizes

import melanion.area.program as program
from melanion import config, paths, soc
from melanion.area.errors import AreaError
from melanion.config import System

# Parameters that size the unit; the others are values at reset.
SIZES = {name: info for name, info in PARAMETERS.items() if info.hash}
# Parameters that count the objects that tasks wait for. `objects` on the command line is divided
# equally among them.
OBJECTS = ("semaphores", "event_flags", "mutexes", "queues")
OBJECTS_MAX = len(OBJECTS) * min(SIZES[name].maximum for name in OBJECTS)
UNIT_TOP = "mel_unit"
CORE_TOP = "mel_core_ibex"
BANKED_CORE_TOP = "mel_core_ibex_banked"
STORE_TOP = "mel_context_store"
LOCKS_TOP = "mel_lock_cache"
DEADLOCK_TOP = "mel_deadlock"
DMMU_TOP = "mel_dmmu"
ETHERNET_TOP = "mel_ethernet"
GUARD_TOP = "mel_guard"
# Units of their own, by their folders in hw/.
ALONE = {
    LOCKS_TOP: "lock_cache",
    DEADLOCK_TOP: "deadlock",
    DMMU_TOP: "dmmu",
    ETHERNET_TOP: "ethernet",
    GUARD_TOP: "protect",
}
# Designs that are no part of the unit: the core, what attaches the unit to it, units of their own.
BESIDE = (
    CORE_TOP,
    BANKED_CORE_TOP,
    "mel_port",
    STORE_TOP,
    "mel_context_exchange",
    "mel_bank_switch",
    "mel_bank_fetch",
    "mel_bank_ask",
    *ALONE,
)
NO_PROTECTION = "none"
# Simulation and bus are no part of them.
_OUTSIDE = ("probes", "bus", "mem", "devices")
# Files of the unit that others read, too.
_SHARED = ("mel_pkg.sv", "mel_sizes_check.sv")


@dataclass(frozen=True)
class Design:
    """One thing to synthesize: `mel_unit`, a module of it, or one of BESIDE. `sizes`: parameter →
    value, of the unit in the order of spec/parameters.yaml, of others by their SystemVerilog names.
    `modules`: keep the hierarchy, to see what each module takes (larger and slower: nothing is
    optimized across modules). `trace`: with the unit's trace port, which is otherwise left open.
    `flip_flops`: memories too. `protection`: of the unit, as of a system's `unit_protection`,
    without its guards. Of the unit, with any program (melanion/area/program.py)."""

    top: str
    sizes: tuple[tuple[str, int], ...] = ()
    modules: bool = False
    trace: bool = False
    flip_flops: bool = False
    protection: str = NO_PROTECTION

    @property
    def unit(self) -> bool:
        """It is the unit, or a part of it."""
        return self.top not in BESIDE

    @property
    def name(self) -> str:
        """For messages: all sizes; what is not the unit, too."""
        what = [] if self.unit else ["ibex" if self.top == CORE_TOP else self.top]
        what += [f"{value} {key}" for key, value in self.sizes]
        what += ["flip-flops"] if self.flip_flops else []
        if self.protection != NO_PROTECTION:
            what.append(f"protected: {self.protection}")
        return ", ".join(what)

    def size(self, name: str) -> int:
        return dict(self.sizes)[name]

    @property
    def objects(self) -> int:
        """All objects that tasks can wait for."""
        return sum(self.size(name) for name in OBJECTS)

    @property
    def parameters(self) -> dict[str, int | str]:
        """SystemVerilog parameter → value."""
        if self.top == UNIT_TOP:
            return {"Sizes": sv_sizes(**dict(self.sizes))}
        return {SIZES[name].sv if self.unit else name: value for name, value in self.sizes}

    def sources(self) -> soc.Sources:
        """Files in compile order, and include folders."""
        root = paths.data_root()
        if self.top in ALONE:
            folder = root / "hw" / ALONE[self.top]
            names = (folder / f"{self.top}.f").read_text(encoding="utf-8").split()
            return soc.Sources(tuple((folder / name).resolve() for name in names))
        unit = soc.unit_sources()
        if self.unit:
            return soc.Sources(tuple(unit))
        found = soc.rtl_sources(config.find("banked"))
        files = tuple(
            file
            for file in found.files
            if file.parent.name not in _OUTSIDE and (file not in unit or file.name in _SHARED)
        )
        return soc.Sources(files, found.includes)

    def contents(self) -> list[tuple[str, bytes]]:
        """Name and content of every file that its synthesis reads, in compile order."""
        found = contents(self.sources())
        if not self.unit:
            return found
        return [
            (name, program.filled(text) if name == program.FILE else text) for name, text in found
        ]


CORE = Design(CORE_TOP)


def guard(tasks: int) -> Design:
    """The module in front of a core's access port to a protected unit."""
    return Design(GUARD_TOP, (("Idle", tasks),))


def designs(
    words: Sequence[str],
    sweep: Mapping[str, str | None],
    *,
    modules: bool = False,
    trace: bool = False,
) -> list[Design]:
    """The units that the command line names, without repetitions. A word is a system (`hwrtos`, a
    .yaml file) or sizes (`tasks=16,semaphores=64`; others have their defaults). `sweep`: size, or
    `objects`, → numbers separated by commas; every word is measured with each. Raises AreaError,
    ConfigError."""
    bases = [_base(word) for word in words or ["hwrtos"]]
    lists = [_chosen(key, text) for key, text in sweep.items() if text is not None]
    found: dict[Design, None] = {}
    for base, protection in bases:
        if modules and protection != NO_PROTECTION:
            raise AreaError(
                "a protected unit is one netlist, without modules; leave --modules out, or name a"
                " system without protection.",
                2,
            )
        for values in itertools.product(*lists):
            sizes = dict(base)
            for chosen in values:
                sizes |= chosen
            _refuse(sizes)
            design = Design(UNIT_TOP, tuple(sizes.items()), modules, trace, protection=protection)
            found[design] = None
    return list(found)


def _base(word: str) -> tuple[dict[str, int], str]:
    """All sizes of one word, and its protection."""
    if "=" in word:
        sizes = {name: info.default for name, info in SIZES.items()}
        for part in word.split(","):
            name, _, text = part.partition("=")
            if name not in SIZES:
                raise AreaError(
                    f"{part!r} is no size of the unit; write one of {', '.join(SIZES)}, as in"
                    " tasks=16,semaphores=64.",
                    2,
                )
            sizes[name] = _number(name, text)
        return sizes, NO_PROTECTION
    system = config.find(word)
    if not system.unit:
        raise AreaError(
            f"{word} has no hardware unit to synthesize; name a system that has one, such as"
            " hwrtos, or sizes such as tasks=16,semaphores=64.",
            2,
        )
    return sizes_of(system), system.unit_protection


def sizes_of(system: System) -> dict[str, int]:
    """All sizes of a system's unit, without what its kernel keeps in C."""
    return dict(system.hashed_parameters)


def _chosen(name: str, text: str) -> list[dict[str, int]]:
    """The sizes that each number of a list stands for."""
    parts = [part.strip() for part in text.split(",")]
    if name != "objects":
        return [{name: _number(name, part)} for part in parts]
    return [dict.fromkeys(OBJECTS, _objects(part) // len(OBJECTS)) for part in parts]


def _objects(text: str) -> int:
    kinds = len(OBJECTS)
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > OBJECTS_MAX or int(text) % kinds:
        raise AreaError(
            f"objects is {text!r}; allowed is a multiple of {kinds}, 0 … {OBJECTS_MAX}, a quarter"
            f" for each of {', '.join(OBJECTS)}; correct it.",
            2,
        )
    return int(text)


def _refuse(sizes: Mapping[str, int]) -> None:
    """Raise AreaError: a size beside which the unit cannot have another."""
    for name, info in SIZES.items():
        for other, (least, most) in info.needs.items():
            if sizes[name] and not least <= sizes[other] <= most:
                raise AreaError(
                    f"{name} is {sizes[name]}, and {other} {sizes[other]}; allowed with it is"
                    f" {least} … {most}; change {other}, or write {name}=0.",
                    2,
                )


def _number(name: str, text: str) -> int:
    info = SIZES[name]
    if not re.fullmatch(r"[0-9]{1,9}", text) or not info.minimum <= int(text) <= info.maximum:
        raise AreaError(
            f"{name} is {text!r}; allowed is a whole number {info.minimum} … {info.maximum};"
            " correct it.",
            2,
        )
    if (int(text) - info.minimum) % info.step:
        raise AreaError(f"{name} is {text!r}; allowed is {info.allowed}; correct it.", 2)
    return int(text)


def contents(sources: soc.Sources) -> list[tuple[str, bytes]]:
    """Name and content of every file that a synthesis reads, in compile order, headers last."""
    headers = [path for folder in sources.includes for path in sorted(folder.glob("*.sv*"))]
    found: dict[str, Path] = {}
    for path in (*sources.files, *headers):
        assert path.name not in found or found[path.name] == path, path
        found[path.name] = path
    try:
        return [(name, path.read_bytes()) for name, path in found.items()]
    except OSError as error:
        raise AreaError(
            f"{error.filename}: this RTL file cannot be read ({error.strerror}); restore it."
        ) from error
