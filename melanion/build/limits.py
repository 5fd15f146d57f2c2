# SPDX-License-Identifier: Apache-2.0
"""Numbers of objects: those that a program for FreeRTOS has memory for, counted in its ELF file,
compared with those of the system; and what to do when a system has too few.

Memory of one's own is the one sure sign of an object before the run: a call in a loop makes any
number. So more memory than objects is told, and not refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from melanion import config
from melanion.build.app import App
from melanion.build.source_names import FREERTOS, MELANION
from melanion.config import System
from melanion.errors import MelanionError

# Type of the memory → key of the configuration, how many of them an object takes.
_TAKES = {"StaticTask_t": ("tasks", 1), "StaticQueue_t": ("semaphores", 2)}
_MENTIONED = re.compile("|".join(_TAKES))
_FILE = "objects.json"  # beside program.elf
_STATIC = 3  # first byte of a location that is an address, as static variables have it (DWARF)


def keep(app: App, folder: Path) -> None:
    """Write what the program in `folder` has memory for beside it."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in app.sources)
    if app.compat is None or not any(_MENTIONED.search(text) for text in texts):
        return
    counts = _counted(folder / "program.elf")
    (folder / _FILE).write_text(json.dumps(counts, sort_keys=True), encoding="ascii")


def notes(system: System, app: App, folder: Path) -> tuple[str, ...]:
    """Sentences about objects that the program in `folder` has memory for and its system has too
    few of. Programs that an earlier version built have none."""
    if not (folder / _FILE).is_file():
        return ()
    found = []
    for name, count in json.loads((folder / _FILE).read_text(encoding="ascii")).items():
        key, each = _TAKES[name]
        most, needed = getattr(system.parameters, key), count * each
        if needed > most:
            takes = f", which take {needed} {key}" if each > 1 else ""
            found.append(
                f"{app.name} has memory for {count} {name}{takes}, and {system.name} has {most}"
                f" {key}: creating more fails; {remedy(system, key, needed)}"
            )
    return tuple(found)


def remedy(system: System, key: str, needed: int) -> str:
    """What to do when a system has fewer than `needed` objects."""
    raised = f"raise parameters: {key} of its configuration"
    name = f"{system.name}[{key}={1 << (needed - 1).bit_length()}]"
    try:
        config.find(name)
    except MelanionError:
        return raised
    return f"run it on {name}, or {raised}"


def _counted(elf: Path) -> dict[str, int]:
    """Type of the memory → number of its variables with static storage, also in arrays and
    structures."""
    counts = dict.fromkeys(_TAKES, 0)
    with elf.open("rb") as file:
        for unit in ELFFile(file).get_dwarf_info().iter_CUs():
            name = unit.get_top_DIE().get_full_path()
            if re.search(rf"(^|/)({MELANION}|{FREERTOS})/", name):
                continue
            for variable in _variables(unit):
                for kind, count in _of_type(variable).items():
                    counts[kind] += count
    return counts


def _variables(unit: CompileUnit) -> Iterator[DIE]:
    for die in unit.iter_DIEs():
        place = die.attributes.get("DW_AT_location")
        if die.tag != "DW_TAG_variable" or place is None or not isinstance(place.value, list):
            continue
        if place.value[0] == _STATIC and any(place.value[1:]):  # 0: the linker left it out
            yield die


def _of_type(die: DIE) -> dict[str, int]:
    """Objects in the type of a variable, of a member, or of an array's elements."""
    if "DW_AT_type" not in die.attributes:
        return {}
    kind = die.get_DIE_from_attribute("DW_AT_type")
    name = kind.attributes.get("DW_AT_name")
    if name is not None and name.value.decode() in _TAKES:
        return {name.value.decode(): 1}
    if kind.tag in ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type"):
        return _of_type(kind)
    if kind.tag == "DW_TAG_array_type":
        number = 1
        for each in kind.iter_children():
            last = each.attributes.get("DW_AT_upper_bound")
            number *= last.value + 1 if last is not None and isinstance(last.value, int) else 0
        return {held: number * count for held, count in _of_type(kind).items()}
    counts: dict[str, int] = {}
    if kind.tag in ("DW_TAG_structure_type", "DW_TAG_class_type"):
        for member in kind.iter_children():
            if member.tag == "DW_TAG_member":
                for held, count in _of_type(member).items():
                    counts[held] = counts.get(held, 0) + count
    return counts
