# SPDX-License-Identifier: Apache-2.0
"""Paths from the unit to its cores that have half a cycle of the cores (docs/decisions/0035): those
that begin where a register changes between two edges of the cores' clock, and is seen.

mel_clock_ratio shows a core, for a whole cycle of its own, what the unit says in the first half.
In the second half registers of mel_clock_ratio stand in its place, and its multiplexers let
nothing else through: so all other paths have a whole cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import melanion.board.delays as delays
from melanion.board.delays import Route
from melanion.board.design import Design
from melanion.board.errors import BoardError

# Registers of mel_clock_edge, which is one for all cores, and of each core's mel_clock_ratio.
_EDGE = ("last_q",)
_RATIO = ("ready_q", "rsp_valid_q", "rsp_rdata_q", "irq_handler_q", "irq_dispatch_q")
_BANKED = ("dispatch_q", "running_q", "answer_q")
_ROUNDING = 0.02  # ns
# Registers of a core that look at the unit itself, and have half a cycle therefore.
_STORE, _NEXT = "mel_context_store", "next_q"


def is_split(design: Design) -> bool:
    """Paths of both kinds are told apart. A trace looks at the unit itself, and so do the registers
    behind mel_clock_stage: all their paths have half a cycle."""
    system = design.system
    return system.clock_ratio > 1 and not system.unit_stage and design.trace is None


def selections(design: Design) -> Iterator[str]:
    """Wires whose names must stay in the netlist, as yosys selects them."""
    if is_split(design):
        yield from (f"{module}*/w:*{name}" for module, name in _registers(design))
        if _is_banked(design):
            yield f"{_STORE}*/w:{_NEXT}"


def longest(design: Design, netlist: Path, sdf: Path, whole: float) -> Route | None:
    """The longest path that has half a cycle; none where all have. `whole`: delay of the longest
    from the unit to a core, in ns, as nextpnr says. Raises BoardError."""
    if not is_split(design):
        return None
    names: dict[str, list[str]] = {}
    for module, name in _registers(design):
        names.setdefault(_instance(module), []).append(name)
    if _is_banked(design):
        names[_instance(_STORE)] = [_NEXT]
    nets = delays.registers(netlist, names)
    straight = frozenset().union(*(nets.pop(net) for net in list(nets) if net.endswith(_NEXT)))
    wanted = len(_EDGE) + design.system.core.count * len(_ratio(design))
    there = sum(bool(cells) for cells in nets.values())
    if there != wanted:
        raise BoardError(
            f"{design.name}: the netlist has {there} of {wanted} registers of mel_clock_edge and"
            " mel_clock_ratio, so paths from the unit to a core cannot be judged; name them in"
            " melanion/board/crossing.py as in hw/engine."
        )
    late = frozenset().union(*nets.values())
    found = delays.read(sdf)
    unit = {clock for cell, clock, _ in found.launches.values() if cell in late}
    same = found.longest(lambda _, clock: clock in unit, lambda _, clock: clock not in unit)
    if same is None or abs(same.delay - whole) > _ROUNDING:
        raise BoardError(
            f"{design.name}: the longest path from the unit to a core takes"
            f" {same.delay if same else 0:.2f} ns by the delays of board.sdf, {whole:.2f} ns by"
            " nextpnr's report; read the file anew (melanion/board/delays.py)."
        )
    paths = [found.longest(lambda cell, _: cell in late, lambda _, clock: clock not in unit)]
    if straight:
        paths.append(
            found.longest(lambda _, clock: clock in unit, lambda cell, _: cell in straight)
        )
    return max(filter(None, paths), key=lambda path: path.delay, default=None)


def _ratio(design: Design) -> tuple[str, ...]:
    return _RATIO + _BANKED if _is_banked(design) else _RATIO


def _registers(design: Design) -> Iterator[tuple[str, str]]:
    yield from (("mel_clock_edge", name) for name in _EDGE)
    yield from (("mel_clock_ratio", name) for name in _ratio(design))


def _instance(module: str) -> str:
    return f"u_{module.removeprefix('mel_')}"


def _is_banked(design: Design) -> bool:
    return design.system.coupling == "banked"
