# SPDX-License-Identifier: Apache-2.0
"""State of the unit, part by part: bits, bits whose flip raises an alarm, and the effect of one
that nothing notices.

A part is a bit of `fault_o` (melanion/protect): instances of hw/engine/mel_unit.sv, or its own
registers. The trace port is none of the unit's function, and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from melanion.protect import Netlist
from melanion.protect.netlist import STATIC
from melanion.safety.structure import Structure

# Part of the unit → effect of a flip in it that nothing notices.
EFFECTS: Mapping[str, str] = {
    "accounts": "a task's run time or load is wrong",
    "clock_edge": "an answer comes in a wrong cycle of the core",
    "core": "an access is refused, or gets the answer of another one; another task is dispatched",
    "datapath": "a task or an object has another state, priority or owner",
    "engine": "another word of the microprogram runs: any answer, any task",
    "interrupts": "an interrupt is lost, or one comes without a cause",
    "ready": "a ready task is never chosen, or a less urgent one is",
    "results": "a task that was woken reads a wrong result",
    "time": "a timeout or a timer expires early, late or never",
    "unit": "a call does something else, or its answer is wrong",
    "waits": "a waiting task is never released, or released before its turn",
}
PROTECTION = "protection"
OWN = ("fault_o", STATIC)  # alarms, and what a read port had asked for
FALSE_ALARM = "a false alarm"
_PART = re.compile(r"(?:u_|gen_)(\w+?)(?:\[\d+\])?\.")
_OBSERVERS = re.compile(r"u_trace\..*|trace_.*")
_SHADOW = ".shadow"  # in the name of the second register of a pair

Mechanism = Literal["doubled", "parity", "alarm", "none"]


@dataclass(frozen=True)
class State:
    """Registers of a part together, or one memory. `watched`: bits whose flip raises an alarm;
    `rows`, `width`: of a memory, else 0."""

    part: str
    name: str
    bits: int
    watched: int
    mechanism: Mechanism
    rows: int = 0
    width: int = 0

    @property
    def effect(self) -> str:
        """Effect of a flip that nothing notices."""
        return FALSE_ALARM if self.part == PROTECTION else EFFECTS[self.part]


def states(module: Mapping[str, Any]) -> tuple[State, ...]:
    """`module`: a protected netlist of the unit, of the JSON document."""
    names, structure = Netlist(dict(module)), Structure(module)
    registers = _registers(names, set(structure.unwatched_registers()))
    found = [*registers, *_memories(names, structure)]
    return tuple(sorted(found, key=lambda each: (each.part, each.rows > 0, each.name)))


def is_observer(name: str) -> bool:
    """State or a port with this name is none of the unit's function."""
    return _OBSERVERS.fullmatch(name) is not None


def part(name: str) -> str:
    """Part that holds state with this name."""
    found = _PART.match(name)
    return found[1] if found else "unit"


def _registers(names: Netlist, unwatched: set[int | str]) -> Iterator[State]:
    bits: dict[str, list[int | str]] = {}
    for cell in names.cells.values():
        if "dff" not in cell["type"]:
            continue
        name = names.name(cell["connections"]["Q"])
        if _SHADOW in name or is_observer(name):
            continue
        of = PROTECTION if name in OWN else part(name)
        bits.setdefault(of, []).extend(cell["connections"]["Q"])
    for of, mine in bits.items():
        if of == PROTECTION:
            yield State(of, "alarms, and parity of addresses", len(mine), len(mine), "alarm")
        else:
            watched = sum(bit not in unwatched for bit in mine)
            yield State(of, "registers", len(mine), watched, "doubled" if watched else "none")


def _memories(names: Netlist, structure: Structure) -> Iterator[State]:
    holes = {line.partition(":")[0] for line in structure.unwatched_memories()}
    for cell in names.cells.values():
        if cell["type"] != "$mem_v2":
            continue
        memory = cell["parameters"]["MEMID"]
        name = memory.removeprefix("\\")
        if name.startswith("$"):  # a table that yosys made of a case statement
            name = names.name(cell["connections"]["RD_DATA"])
        rows, width = (int(cell["parameters"][key], 2) for key in ("SIZE", "WIDTH"))
        is_watched = memory not in holes
        bits = rows * width
        last = name.rpartition(".")[2] if name != STATIC else "a table of constants"
        yield State(
            part(name),
            last,
            bits,
            bits if is_watched else 0,
            "parity" if is_watched else "none",
            rows,
            width,
        )
