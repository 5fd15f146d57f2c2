# SPDX-License-Identifier: Apache-2.0
"""Why a run failed, as one sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from mel_gen import ExitReason, Status, TraceKind

from melanion.build import Program, Stack
from melanion.build.image import HEAP, MADE_WHILE_RUNNING, SHARED
from melanion.build.symbols import location
from melanion.run.errors import RunError
from melanion.trace import Events

# kernel/include/melanion/kernel.h: the kernel's exception handler ended the run.
EXIT_CODE_FAULT = 251
MORE_CYCLES = "allow more with --max-cycles"
SLEEP = "mel_idle"  # kernel/arch/riscv/start.S: a core with nothing to do

# RISC-V privileged specification, mcause of exceptions. 5 and 7 in user mode: also what its memory
# protection forbids; the kernel's own sentence, which follows, says so.
_CAUSES = {
    0: "a jump to a misaligned address",
    1: "an instruction fetch from an address that is no memory",
    2: "an illegal instruction",
    3: "a breakpoint (ebreak)",
    4: "a misaligned load",
    5: "a load from an address that nobody owns",
    6: "a misaligned store",
    7: "a store to an address that nobody owns",
    8: "a system call (ecall)",
    11: "a system call (ecall)",
}
_ECALLS = (8, 11)
# kernel/arch/riscv/processor/vexriscv.h: the interrupt by which VexRiscv hears that the bus refused
# an access behind which it has gone on. Ibex has no interrupt of that number.
_REFUSED_LATE = 9
_STATUS = re.compile(r"\bstatus (-\d+)$")


@dataclass(frozen=True)
class Ending:
    """End of a run: the last record of its trace, the limit it had, its output."""

    reason: ExitReason
    code: int
    pc: int
    cycles: int
    max_cycles: int
    console: str


def ending(events: Events, max_cycles: int, console: str) -> Ending:
    """From the last record of a trace."""
    end = events[-1]
    reason, code, cycles = ExitReason(int(end["a"])), int(end["b"]), int(end["cycle"])
    return Ending(reason, code, int(end["c"]), cycles, max_cycles, console)


def lost(end: Ending) -> bool:
    """The program took an exception, so that its last events say nothing about the kernel."""
    return end.reason == ExitReason.FAULT or (
        end.reason == ExitReason.PROGRAM and end.code == EXIT_CODE_FAULT
    )


def error(end: Ending, program: Program, events: Events, names: Mapping[int, str]) -> RunError:
    """The sentence about a run that did not end with exit code 0; `names`: of tasks."""
    name = program.app.name
    where = location(program.elf, end.pc)
    if end.reason == ExitReason.CYCLE_LIMIT:
        asleep = where.startswith(SLEEP)
        state = "it slept: no task was ready" if asleep else f"it was at {where}"
        remedy = (
            "let a task end it with mel_exit()" if asleep else "let it end by returning from main"
        )
        return RunError(
            f"{name}: the program did not exit within {end.max_cycles} cycles ({state}); {remedy},"
            f" or {MORE_CYCLES}."
        )
    if end.reason == ExitReason.STACK_OVERFLOW:
        return RunError(
            f"{name}: {_overflow(end, program, events, names)} at {where} in cycle {end.cycles}"
        )
    printed = [line for line in end.console.splitlines() if line.strip()]
    last = f"; it printed last: {_named(printed[-1].strip())}" if printed else ""
    if lost(end):
        traps = events[events["kind"] == TraceKind.TRAP]
        exceptions = traps[traps["a"] >> 15 == 0]
        if len(traps) and not len(exceptions) and traps[-1]["a"] & 0x7FFF == _REFUSED_LATE:
            pc = int(traps[-1]["b"])
            return RunError(
                f"{name}: an access of an address that nobody owns, shortly before"
                f" {location(program.elf, pc)}, ended the program in cycle {end.cycles}; correct"
                f" that code{last}"
            )
        if not len(exceptions):
            taken = f"interrupt {traps[-1]['a'] & 0x7FFF}" if len(traps) else "an interrupt"
            return RunError(
                f"{name}: {taken}, which nothing serves, ended the program in cycle {end.cycles};"
                f" map or disable it{last}"
            )
        asked = np.isin(exceptions["a"], _ECALLS)  # they may have been served
        fault = exceptions[-1] if asked.all() else exceptions[~asked][0]
        cause = _CAUSES.get(int(fault["a"]), f"exception {fault['a']}")
        where = location(program.elf, int(fault["b"]))
        other = (
            ", or make the stack of its task or of a neighbour larger: overflows inside of"
            " memory that holds all stacks are not watched"
            if _unwatched(program.content.stacks)
            else ""
        )
        return RunError(
            f"{name}: {cause} at {where} in cycle {fault['cycle']}; correct that code{other}{last}"
        )
    return RunError(
        f"{name}: the program ended with exit code {end.code} in cycle {end.cycles}{last};"
        " exit code 0 means success."
    )


def _named(line: str) -> str:
    """A line that ends with the number of a status, as `unexpected status -17`, with its name."""
    match = _STATUS.search(line)
    number = int(match[1]) if match else 0
    known = number in Status.__members__.values()
    return f"{line} ({Status(number).name})" if match and known else line


def _overflow(end: Ending, program: Program, events: Events, names: Mapping[int, str]) -> str:
    record = events[events["kind"] == TraceKind.STACK][-1]
    pointer = int(record["b"])
    if int(record["a"]) == MADE_WHILE_RUNNING:
        return (
            f"the stack of {_running(events, names)} overflowed: sp became 0x{pointer:08x}, below"
            f" its lowest address 0x{int(record['d']):08x}; make it larger. It was"
        )
    for stack in program.content.stacks:
        if stack.number == int(record["a"]):
            if stack.shared:
                return _left(stack, pointer, events, names)
            return (
                f"the stack of {stack.owner} ({stack.symbol}, {stack.size} bytes from"
                f" 0x{stack.base:08x}) overflowed: sp became"
                f" 0x{pointer:08x}; make it larger. It was"
            )
    return f"sp became 0x{pointer:08x}, which is in no stack; correct what sets it. It was"


def _unwatched(stacks: Sequence[Stack]) -> bool:
    """Tasks have stacks that the simulation does not know: the kernel is FreeRTOS itself."""
    shared = {stack.number for stack in stacks if stack.shared}
    return bool(shared) and HEAP not in shared


def _running(events: Events, names: Mapping[int, str]) -> str:
    """The task that ran last."""
    switches = events[events["kind"] == TraceKind.DISPATCH]
    if not len(switches):
        return "a task"
    last = int(switches["a"][-1])
    return f"task {last}" + (f" ({names[last]})" if last in names else "")


def _left(stack: Stack, pointer: int, events: Events, names: Mapping[int, str]) -> str:
    return (
        f"the stack of {_running(events, names)} overflowed: sp became 0x{pointer:08x}, outside"
        f" {SHARED[stack.number]} ({stack.size} bytes from 0x{stack.base:08x}), which holds the"
        " stacks of all tasks; make that task's larger. It was"
    )
