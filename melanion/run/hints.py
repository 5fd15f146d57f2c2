# SPDX-License-Identifier: Apache-2.0
"""Hints about a run that nothing else tells: calls that are not allowed where they were made, calls
and edges that found no object, and interrupt lines that rose without effect.

A program may mean all of that, so a run that ends well stays one. What the kernel does not report
is unknown: kernels whose calls no model follows have no hints, and who is attached to a line is no
call of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from mel_gen import Command, ExitReason, IrqAction, Status, TraceKind

import melanion.run.console_input as console_input
import melanion.run.replaying as replaying
from melanion.build.symbols import location
from melanion.model.describe import INT32, command_name, name_of
from melanion.run.judge import SLEEP
from melanion.run.result import RunResult

_HANDLER = 1 << 4  # bit of the argument of irq_map: the line has a handler, too
_ACTION = 7
_LISTED = 8  # calls that are named, at most
_KINDS = (TraceKind.COMMAND, TraceKind.CLAIM, TraceKind.DISPATCH, TraceKind.IRQ, TraceKind.IRQ_WIRE)
_OF_LAYERS = (Command.TASK_TERMINATE, Command.TASK_DELETE)  # layers try, and clear away later
_WRONG = {
    Status.E_CTX: "E_CTX (not allowed there)",
    Status.E_NOEXS: "E_NOEXS (there is no such object)",
}


@dataclass
class _Line:
    """Facts of an interrupt line. `told`: a call named it; `argument`: of the last
    irq_map."""

    rises: int = 0
    told: bool = False
    enabled: bool = False
    argument: int | None = None
    missed: int = 0  # edges whose action found no object
    target: str = ""


@dataclass
class _Record:
    lines: dict[int, _Line] = field(default_factory=dict)
    calls: dict[tuple[str, str, str], list[int]] = field(default_factory=dict)

    def line(self, number: int) -> _Line:
        return self.lines.setdefault(number, _Line())


def of(result: RunResult, *, failed: bool) -> list[str]:
    """A sentence about a core that is stuck, about each status that calls were refused with (a run
    that failed: E_NOEXS alone, for its evidence has the others), and about each interrupt line that
    rose without effect."""
    record = _record(result)
    statuses = (Status.E_NOEXS,) if failed else tuple(_WRONG)
    return [
        *stuck(result, failed=failed),
        *_calls(record, result, statuses),
        *_lines(record, result),
    ]


def _lines(record: _Record, result: RunResult) -> list[str]:
    # Input that nobody takes is told by itself.
    received = result.counts.input_lost is not None
    of_input = console_input.line(result.system) if received else None
    return [
        sentence
        for number, line in sorted(record.lines.items())
        if line.rises and number != of_input
        for sentence in _line(number, line)
    ]


def stuck(result: RunResult, *, failed: bool) -> list[str]:
    """A sentence about a core that took no interrupt for long before the limit of cycles, outside
    of idle code. Whether interrupts are off there is not in the record, so it says if. A run that
    did not fail: only on a kernel that would have to take its ticks."""
    if result.reason != ExitReason.CYCLE_LIMIT or not (failed or _ticks_interrupt(result)):
        return []
    events = result.events
    own = events[events["core"] == events[-1]["core"]]
    taken = own["cycle"][own["kind"] == TraceKind.TRAP]
    on = own["cycle"][np.isin(own["kind"], (TraceKind.TRAP, TraceKind.MRET, TraceKind.IRQ_OFF))]
    since = int(on[-1]) if len(on) else 0
    # Interrupts of before say how long none may come, but for one tick at least.
    longest = int(np.diff(taken).max()) if len(taken) > 1 else 0
    if result.cycles - since <= max(result.system.tick_cycles, 0 if failed else 4 * longest):
        return []
    where = location(result.program.elf, int(events[-1]["c"]))
    if where.startswith(SLEEP):
        return []
    return [
        f"{result.program.app.name}: no interrupt was taken since cycle {since}, and the core was"
        f" at {where} in the end: if interrupts are off there, as in a configASSERT that failed,"
        " nothing else runs."
    ]


def _ticks_interrupt(result: RunResult) -> bool:
    return not result.system.kernel_info.replayed


def _record(result: RunResult) -> _Record:
    record, system = _Record(), result.system
    if not system.kernel_info.replayed:
        return record
    own, layered = replaying.own(system), result.program.app.compat is not None
    claimed: dict[int, int] = {}  # core → the line whose handler runs
    chosen = result.events[np.isin(result.events["kind"], _KINDS)]
    for cycle, kind, core, a, b, c, d in chosen.tolist():
        if kind == TraceKind.IRQ_WIRE:
            record.line(a).rises += 1
        elif kind == TraceKind.CLAIM:
            claimed[core] = a
        elif kind == TraceKind.DISPATCH and c == 1:
            claimed.pop(core, None)
        elif kind == TraceKind.IRQ and d == Status.E_NOEXS + INT32 and b != IrqAction.NONE:
            line = record.line(a)
            line.missed += 1
            line.target = f"{name_of(IrqAction, b)} of id {c}"
        elif kind == TraceKind.COMMAND:
            _command(record, a & 0xFF, b, c, d)
            if d - INT32 in _WRONG and not (layered and a & 0xFF in _OF_LAYERS):
                where = f" in the handler of line {claimed[core]}" if core in claimed else ""
                key = (_WRONG[Status(d - INT32)], f"{command_name(a & 0xFF, own)} of id {b}", where)
                record.calls.setdefault(key, []).append(cycle)
    return record


def _command(record: _Record, op: int, number: int, argument: int, status: int) -> None:
    """Note the facts of an interrupt line that an accepted call tells."""
    if status != Status.E_OK or op not in (Command.IRQ_MAP, Command.IRQ_ENABLE):
        return
    line = record.line(number)
    line.told = True
    if op == Command.IRQ_ENABLE:
        line.enabled = True
    else:
        line.argument = argument


def _calls(record: _Record, result: RunResult, statuses: tuple[Status, ...]) -> list[str]:
    name = result.program.app.name
    found = []
    for status in statuses:
        calls = [
            f"{call}{where} ({_times(len(cycles))}, first in cycle {cycles[0]})"
            for (why, call, where), cycles in record.calls.items()
            if why == _WRONG[status]
        ]
        if calls:
            more = f" and {len(calls) - _LISTED} more" if len(calls) > _LISTED else ""
            listed = ", ".join(calls[:_LISTED])
            found.append(f"{name}: calls refused with {_WRONG[status]}: {listed}{more}.")
    return found


def _line(number: int, line: _Line) -> Iterator[str]:
    rose = f"interrupt line {number} rose {_times(line.rises)}"
    if not line.enabled:
        first = "" if line.told else ", and no call of the program names it"
        yield f"{rose} and was never enabled{first}: call mel_irq_enable({number})."
    elif line.argument is None:
        yield (
            f"{rose} and was never mapped: say with mel_irq_map({number}, …) what its edges do, an"
            " action, or true as its last argument for the attached handler."
        )
    elif not line.argument & (_HANDLER | _ACTION):
        yield (
            f"{rose} and is mapped to nothing: name an action in mel_irq_map({number}, …), or give"
            " true as its last argument for the attached handler."
        )
    if line.missed:
        yield (
            f"interrupt line {number} rose {_times(line.missed)} without an object for its action"
            f" ({line.target}): make it before the line is enabled."
        )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
