# SPDX-License-Identifier: Apache-2.0
"""The signal list of a wave: what to look at first, with names for tasks, calls and places.

A save file of GTKWave (`out.gtkw` beside `out.fst`), and a folder `out.names` of tables from values
to names, which that file refers to. From the GTKWave manual: an `@` line holds the display flags of
the signals behind it (0x2: hexadecimal, 0x8: binary, 0x20: right-justified, 0x200: a comment,
0x2000: named by the table of the `^` line); a table has a value, in the radix of the display, and
its name per line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from mel_gen import COMMANDS, WINDOW_BYTES, IdKind, Register, Status

import melanion.run.replaying as replaying
from melanion.build import Program
from melanion.config import System
from melanion.run.errors import RunError
from melanion.soc import MEMORY_BASE

_BINARY, _HEX, _NAMED, _COMMENT = "28", "22", "2022", "200"
_TOP = "TOP.mel_top"
_OP_BYTES, _ID_BYTES = 1024, 4  # mel_spec.h: MEL_COMMAND_OFFSET
_IDS = _OP_BYTES // _ID_BYTES
_OFFSET_BITS = (WINDOW_BYTES - 1).bit_length()


@dataclass(frozen=True)
class Signal:
    """`width` 0: one bit, no vector; `table`: whose names it has, empty: none."""

    name: str
    width: int = 0
    table: str = ""

    @property
    def full(self) -> str:
        """As GTKWave calls it."""
        if self.width == 0:
            return self.name
        return f"{self.name}[0]" if self.width == 1 else f"{self.name}[{self.width - 1}:0]"


def signals(system: System) -> dict[str, list[Signal]]:
    """Group → its signals. With several cores what the unit has of each of them is one vector,
    core 0 the lowest, and has no names."""
    cores = system.core.count
    groups: dict[str, list[Signal]] = {}
    for core in range(cores):
        probe = f"{_TOP}.gen_core[{core}].u_tile.gen_core.u_core.u_probe"
        groups[f"core {core}"] = [
            Signal(f"{probe}.pc_id_i", 32, "places"),
            Signal(f"{probe}.retired_i"),
            Signal(f"{probe}.pc_i", 32, "places"),
            Signal(f"{probe}.mie_i"),
            Signal(f"{probe}.trap_i"),
            Signal(f"{probe}.mret_i"),
            *([Signal(f"{probe}.bank_i", 9)] if system.coupling == "banked" else []),
        ]
    if system.unit:
        unit, one = f"{_TOP}.gen_unit.u_tile.u_unit", cores == 1
        is_netlist = system.unit_protection != "none"
        status = "u_netlist.u_engine_status" if is_netlist else "u_engine.status"
        groups["unit"] = [
            Signal(f"{unit}.running_o", 9 * cores, "tasks" if one else ""),
            Signal(f"{unit}.req_valid_i", cores),
            Signal(f"{unit}.req_write_i", cores),
            Signal(f"{unit}.req_addr_i", _OFFSET_BITS * cores, "calls" if one else ""),
            Signal(f"{unit}.req_wdata_i", 32 * cores),
            Signal(f"{unit}.{status}", 8, "statuses"),
            Signal(f"{unit}.irq_dispatch_o", cores),
            Signal(f"{unit}.irq_handler_o", cores),
        ]
    groups["interrupt lines"] = [Signal(f"{_TOP}.irq_i", 64)]
    return groups


def tables(system: System, program: Program, names: Mapping[int, str]) -> dict[str, dict[int, str]]:
    """Table → value → name; `places`: function and offset of every halfword of code."""
    idle = system.parameters.tasks
    tasks = {n: f"{n} {names.get(n, '')}".strip() for n in range(idle)}
    calls = {int(register): register.name.lower() for register in Register}
    kinds = {int(op): (op.name.lower(), info.id) for op, info in COMMANDS.items()}
    kinds |= {op: (each.name, each.id) for op, each in replaying.own(system).items()}
    for op, (name, kind) in kinds.items():
        for number in range(1 if kind == IdKind.NONE else _IDS):
            words = name + ("" if kind == IdKind.NONE else f" {number}")
            calls[op * _OP_BYTES + number * _ID_BYTES] = words
    return {
        "tasks": {**tasks, idle: "idle"},
        "calls": calls,
        "statuses": {status & 0xFF: status.name for status in Status},
        "places": _places(program),
    }


def _places(program: Program) -> dict[int, str]:
    """Names of all addresses of the image; data have names as well, which do no harm."""
    end = MEMORY_BASE + len(program.content.data)
    labels = {
        address: name
        for name, address in sorted(program.content.symbols.items(), reverse=True)
        if MEMORY_BASE <= address < end and not name.startswith((".", "$"))
    }
    found: dict[int, str] = {}
    for begin, after in pairwise([*sorted(labels), end]):
        for address in range(begin, after, 2):
            found[address] = labels[begin] + (f"+{address - begin}" if address != begin else "")
    return found


def save_list(wave: Path, system: System, program: Program, names: Mapping[int, str]) -> Path:
    """Write the list beside a wave, and return the save file; `names`: of tasks. Raises
    RunError."""
    folder, file = wave.with_suffix(".names"), wave.with_suffix(".gtkw")
    groups = signals(system)
    widths = {s.table: s.width for group in groups.values() for s in group if s.table}
    try:
        folder.mkdir(exist_ok=True)
        for name, table in tables(system, program, names).items():
            if name in widths:
                text = _lines(table, widths[name])
                (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        file.write_text(_save_file(wave, folder, groups), encoding="utf-8")
    except OSError as error:
        raise RunError(
            f"{file}: the signal list cannot be written ({error.strerror}); name another place"
            " with --wave."
        ) from error
    return file


def _lines(table: Mapping[int, str], width: int) -> str:
    digits = -(-width // 4)
    return "".join(f"{value:0{digits}x} {name}\n" for value, name in sorted(table.items()))


def _save_file(wave: Path, folder: Path, groups: Mapping[str, Iterable[Signal]]) -> str:
    lines = [f'[dumpfile] "{wave.resolve()}"', "[timestart] 0"]
    number = 0
    for group, found in groups.items():
        lines += [f"@{_COMMENT}", f"-{group}"]
        for signal in found:
            if signal.table:
                number += 1
                place = (folder / f"{signal.table}.txt").resolve()
                lines += [f"@{_NAMED}", f"^{number} {place}"]
            else:
                lines.append(f"@{_BINARY if signal.width <= 1 else _HEX}")
            lines.append(signal.full)
    return "\n".join(lines) + "\n"
