# SPDX-License-Identifier: Apache-2.0
"""Runs of programs that documents show instruction by instruction."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from mel_gen import TraceKind

from melanion import build, config, trace
from melanion.build import tools
from melanion.docs.errors import DocsError
from melanion.docs.table import fenced
from melanion.model.describe import describe_event
from melanion.trace import Events

PROBED = 0xFFFF  # the tracepoint that stands for "this instruction is first in the ID stage"
WALK_CYCLES = 200_000  # far beyond the shown calls
ALL_CYCLES = 5_000_000  # far beyond the interrupts of the benchmark `latency`
TRACEPOINT_START, TRACEPOINT_END = (
    1,
    2,
)  # tracepoints of the calls that the benchmark `latency` measures
ROUND = 3  # number of the shown one of these calls, and of these interrupts
LINE_TASK = 2  # the interrupt that wakes a task there


@dataclass(frozen=True)
class Instruction:
    """One line of a disassembly. `offset`: bytes from the start of its function."""

    function: str
    offset: int
    text: str


class Walk:
    """A program on a kernel: its instructions, and a run in which each of them reports itself."""

    def __init__(
        self,
        kernel: str,
        app: str,
        names: dict[int, str] | None = None,
        functions: tuple[str, ...] = (),
    ) -> None:
        """`names`: of the tasks. `functions`: only their instructions report themselves, in a
        longer run; none: all do."""
        self.kernel, self.app, self.names = kernel, app, names or {}
        self.functions = functions

    @cached_property
    def program(self) -> build.Program:
        return build.program(config.find(self.kernel), build.application(self.app))

    @cached_property
    def code(self) -> dict[int, Instruction]:
        """Address → instruction. Addresses in operands become names, so that a change of other
        code leaves the documents as they are."""
        objdump = tools.find("riscv64-unknown-elf-objdump")
        listing = tools.run([objdump, "-d", "--no-show-raw-insn", str(self.program.elf)]).output
        found: dict[int, Instruction] = {}
        function, start = "", 0
        names: dict[str, str] = {}
        for line in listing.splitlines():
            if match := re.fullmatch(r"([0-9a-f]+) <(.+)>:", line):
                function, start, names = match[2], int(match[1], 16), {}
            elif match := re.fullmatch(r"\s*([0-9a-f]+):\s+(\S.*)", line):
                address = int(match[1], 16)
                text = _operands(match[2], names)
                found[address] = Instruction(function, address - start, text)
        return found

    @cached_property
    def events(self) -> Events:
        """A run of the program, with one more tracepoint on each of its instructions."""
        simulator = build.hardware(config.find(self.kernel)).simulator
        tracepoints = self.program.tracepoints.read_text(encoding="ascii")
        tracepoints += "".join(
            f"{address:x} {TraceKind.TRACEPOINT:d} i{PROBED} i{address} i0 i0\n"
            for address, instruction in self.code.items()
            if not self.functions or instruction.function in self.functions
        )
        cycles = ALL_CYCLES if self.functions else WALK_CYCLES
        with tempfile.TemporaryDirectory(prefix="melanion-") as folder:
            work = Path(folder)
            (work / "tracepoints").write_text(tracepoints, encoding="ascii")
            words = [
                simulator,
                "--image",
                self.program.image,
                "--tracepoints",
                work / "tracepoints",
            ]
            words += ["--trace", work / "trace", "--console", work / "console"]
            done = tools.run([str(word) for word in words] + ["--max-cycles", str(cycles)])
            if done.status:
                raise DocsError(f"the simulation of {self.app} failed: {done.output.strip()}")
            return trace.read(work / "trace")

    def at(self, i: int) -> tuple[str, int] | None:
        """Function and offset, when event `i` is a probed instruction."""
        event = self.events[i]
        if event["kind"] != TraceKind.TRACEPOINT or event["a"] != PROBED:
            return None
        found = self.code[int(event["b"])]
        return found.function, found.offset

    def measured(self, function: str) -> tuple[int, int]:
        """Indices of the tracepoints that begin and end a call that this function measures."""
        events = self.events
        tracepoints = events["kind"] == TraceKind.TRACEPOINT
        starts = map(int, np.flatnonzero(tracepoints & (events["a"] == TRACEPOINT_START)))
        own = [i for i in starts if function in {(self.at(j) or ("",))[0] for j in (i - 1, i + 1)}]
        first = int(own[ROUND - 1])
        ends = np.flatnonzero(tracepoints & (events["a"] == TRACEPOINT_END))
        return first, int(next(i for i in ends if i > first))

    def interrupt(self) -> tuple[int, int]:
        """Indices of an interrupt's edge that wakes a task of the benchmark `latency`, and of the
        tracepoint that the task then passes."""
        events = self.events
        edges = (events["kind"] == TraceKind.IRQ_WIRE) & (events["a"] == LINE_TASK)
        first = int(np.flatnonzero(edges)[ROUND - 1])
        ends = (events["kind"] == TraceKind.TRACEPOINT) & (events["a"] == TRACEPOINT_END)
        return first, int(next(i for i in np.flatnonzero(ends) if i > first))


def _operands(text: str, names: dict[str, str]) -> str:
    """`names`: operands of the same function that objdump has named, and what they became."""
    if match := re.search(r"(-?\d+(\(\w+\))) # [0-9a-f]+ <(mel_\w+)>", text):
        names[match[1]] = f"%lo({match[3]}){match[2]}"
    for number, name in names.items():
        text = text.replace(f",{number}", f",{name}")
    text = re.sub(r"-?\d+ # [0-9a-f]+ <(mel_\w+)>", r"%lo(\1)", text)
    text = re.sub(r" # [0-9a-f]+ <.*>", "", text)
    mnemonic, _, rest = re.sub(r"\b[0-9a-f]{8} <", "<", text).partition("\t")
    return f"{mnemonic:<7}{rest}".rstrip()


def timeline(walk: Walk, first: int, last: int) -> str:
    """Events `first` to `last`; the cycle of `first` is 0."""
    rows: list[str] = []
    run: list[str] = []
    kind = ""
    start = int(walk.events["cycle"][first])
    for event in walk.events[first : last + 1]:
        row, moves = _timeline_row(walk, start, event)
        if moves != kind:
            rows += _short(run)
            run = []
        kind = moves
        run.append(row)
    return fenced([f"{'cycle':>5}  {'function':<16}first in the ID stage", *rows, *_short(run)])


def _timeline_row(walk: Walk, start: int, event: np.void) -> tuple[str, str]:
    """The line, and a key: equal keys in a row are one run that may be shortened."""
    cycle = f"{int(event['cycle']) - start:5d}  "
    if event["kind"] != TraceKind.TRACEPOINT:
        words = _words(walk, event)
        return f"{cycle}{'':<16}{'':<30}◂ {words}", words
    if event["a"] != PROBED:
        return f"{cycle}{'':<16}{'':<30}◂ tracepoint {event['a']}", ""
    found = walk.code[int(event["b"])]
    moves = re.match(r"[ls]w\s+\w+,\d+\(sp\)", found.text)
    key = found.text[:2] if moves else f"{event['cycle']}"
    return f"{cycle}{found.function:<15} {found.text}".rstrip(), key


def _short(run: list[str]) -> list[str]:
    return [run[0], f"{'…':>5}", run[-1]] if len(run) > 3 else run


def _words(walk: Walk, event: np.void) -> str:
    """A trace event in words; what the model does not know, too."""
    if event["kind"] == TraceKind.IRQ_OFF:
        return f"interrupts were off for {int(event['b'])} cycles"
    if event["kind"] == TraceKind.IRQ_WIRE:
        return f"interrupt line {event['a']} rises"
    if event["kind"] == TraceKind.TRAP:
        return "the core takes the interrupt"
    if event["kind"] == TraceKind.MRET:
        return "the core returns from it"
    numbers = [int(event[key]) for key in ("cycle", "kind", "core", "a", "b", "c", "d")]
    return describe_event(numbers, walk.names).removeprefix("core 0 ")
