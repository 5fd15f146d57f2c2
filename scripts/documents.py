"""Writes what documents show of measurements and runs, so that no figure in them is typed by hand.

`python scripts/documents.py` rewrites every block between `<!-- made: NAME -->` and
`<!-- made: end -->` in README.md and docs/, and docs/latency.svg; with --check it only names those
that are out of date, and its exit code is 1 when there are any. Machine code and cycles depend on
the compiler: with another than the asserted one (melanion/doctor/needs.py) nothing is written.

A commit alone makes no block out of date: it is that of the measurement, older than the document's.
So: commit the change, run this, commit the documents.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from mel_gen import ANSWER_WAITING, Command, TraceKind

from melanion import build, config, paths, trace
from melanion.build import tools
from melanion.doctor.needs import RISCV_GCC_ASSERTED
from melanion.errors import MelanionError
from melanion.experiments.execute import execute
from melanion.experiments.result import Result
from melanion.model.describe import describe_event
from melanion.report import readme
from melanion.soc.address_map import ADDRESSES
from melanion.trace import Events, perfetto

ROOT = paths.data_root()
PICTURE = "docs/latency.svg"
BLOCK = re.compile(
    r"(?<=<!-- made: )(?P<name>[\w-]+) -->\n(?P<body>.*?)<!-- made: end -->", re.DOTALL
)
COMMIT = re.compile(r"commit `[\w-]+`")

KERNELS = ("sw", "hwrtos")
TOUR_APP, TOUR_KERNEL = "pingpong", "hwrtos"
TOUR_NAMES = {0: "ping", 1: "pong"}  # its tasks
TOUR_ROUND = 3  # of its calls that wait, the one that is shown: the program is in its rhythm
PROBED = 0xFFFF  # the point that stands for "this instruction is first in the ID stage"
TOUR_CYCLES = 100_000  # far beyond the shown call


@dataclass(frozen=True)
class Instruction:
    """One line of a disassembly. `offset`: bytes from the start of its function."""

    function: str
    offset: int
    text: str


class Facts:
    """What the documents are made from; each is computed when it is first used."""

    @cached_property
    def result(self) -> Result:
        """The experiment of `make demo`, from the cache when nothing changed."""
        return execute("latency", KERNELS, command="make demo")

    @cached_property
    def program(self) -> build.Program:
        return build.program(config.find(TOUR_KERNEL), build.application(TOUR_APP))

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
        """A run of the tour's program, with one more point on each of its instructions."""
        simulator = build.hardware(config.find(TOUR_KERNEL)).simulator
        points = self.program.points.read_text(encoding="ascii")
        points += "".join(
            f"{address:x} {TraceKind.POINT:d} i{PROBED} i{address} i0 i0\n" for address in self.code
        )
        with tempfile.TemporaryDirectory(prefix="melanion-") as folder:
            work = Path(folder)
            (work / "points").write_text(points, encoding="ascii")
            words = [simulator, "--image", self.program.image, "--points", work / "points"]
            words += ["--trace", work / "trace", "--console", work / "console"]
            done = tools.run([str(word) for word in words] + ["--max-cycles", str(TOUR_CYCLES)])
            if done.status:
                raise MelanionError(f"the tour's simulation failed: {done.output.strip()}")
            return trace.read(work / "trace")

    @cached_property
    def span(self) -> tuple[int, int]:
        """Indices of the first instruction of one waiting `mel_sem_take`, and of the one after the
        return of the task that runs instead."""
        events = self.events
        takes = (events["kind"] == TraceKind.COMMAND) & (events["d"] == ANSWER_WAITING)
        takes &= events["a"] & 0xFF == Command.SEMAPHORE_TAKE
        command = int(np.flatnonzero(takes)[TOUR_ROUND - 1])
        first = max(i for i in range(command) if self._at(i) == ("mel_sem_take", 0))
        after = range(command, len(events))
        last = next(i for i in after if (self._at(i) or ("",))[0] in TOUR_NAMES.values())
        return first, last

    def cycle(self, cycle: int) -> int:
        """A cycle of the run as the tour counts it: the call begins in 0."""
        return cycle - int(self.events["cycle"][self.span[0]])

    def _at(self, i: int) -> tuple[str, int] | None:
        """Function and offset, when event `i` is a probed instruction."""
        event = self.events[i]
        if event["kind"] != TraceKind.POINT or event["a"] != PROBED:
            return None
        found = self.code[int(event["b"])]
        return found.function, found.offset


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


# ---- the blocks ----------------------------------------------------------------------------------


def measurements(facts: Facts) -> str:
    """The table of README.md and what decides its figures."""
    return f"{readme.table(facts.result)}\n\n{readme.conditions(facts.result, _ticks())}\n"


def _ticks() -> str:
    """The tick lengths of the benchmark in words, read from its source."""
    folder = ROOT / "apps" / "benchmarks" / "latency"

    def constant(file: str, name: str) -> int:
        match = re.search(rf"\b{name} = (\d+)", (folder / file).read_text(encoding="utf-8"))
        if match is None:
            raise MelanionError(f"apps/benchmarks/latency/{file} has no constant {name}.")
        return int(match[1])

    idle = constant("ticks.c", "TICK_IDLE_CYCLES")
    base, each = (constant("ticks.c", f"WAKE_TICK_CYCLES{end}") for end in ("", "_A_TASK"))
    irq = constant("interrupts.c", "TICK_CYCLES")
    return (
        f"{irq} cycles while interrupts are measured, {idle} where a tick wakes nobody,"
        f" {base} + {each}·n where it wakes n tasks; stopped while calls are measured"
    )


def tour_address(facts: Facts) -> str:
    """Where the store of the shown call goes."""
    store = ADDRESSES["unit_base"] + Command.SEMAPHORE_TAKE * 1024
    window = f"{ADDRESSES['unit_base']:#010x}"
    return f"    {window} + {Command.SEMAPHORE_TAKE:d} · 1024 + 0 · 4 = {store:#010x}\n"


def tour_code(facts: Facts) -> str:
    """The machine code of the call."""
    lines = [
        f"{each.offset:4d}  {each.text}"
        for each in facts.code.values()
        if each.function == "mel_sem_take"
    ]
    return _fenced(lines)


def tour_timeline(facts: Facts) -> str:
    """Instructions and events of the shown call, by cycle. Runs of register moves are shortened."""
    rows: list[str] = []
    run: list[str] = []
    kind = ""
    first, last = facts.span
    for event in facts.events[first : last + 1]:
        row, moves = _timeline_row(facts, event)
        if moves != kind:
            rows += _short(run)
            run = []
        kind = moves
        run.append(row)
    return _fenced([f"{'cycle':>5}  {'function':<16}first in the ID stage", *rows, *_short(run)])


def _timeline_row(facts: Facts, event: np.void) -> tuple[str, str]:
    """The line, and a key: equal keys in a row are one run that may be shortened."""
    cycle = f"{facts.cycle(int(event['cycle'])):5d}  "
    if event["kind"] != TraceKind.POINT:
        return f"{cycle}{'':<16}{'':<30}◂ {_words(event)}", _words(event)
    if event["a"] != PROBED:
        return f"{cycle}{'':<16}{'':<30}◂ point {event['a']}", ""
    found = facts.code[int(event["b"])]
    moves = re.match(r"[ls]w\s+\w+,\d+\(sp\)", found.text)
    key = found.text[:2] if moves else f"{event['cycle']}"
    return f"{cycle}{found.function:<16}{found.text}".rstrip(), key


def _short(run: list[str]) -> list[str]:
    return [run[0], f"{'…':>5}", run[-1]] if len(run) > 3 else run


def _words(event: np.void) -> str:
    """A trace event in words; a span with interrupts off, which the model does not know, too."""
    if event["kind"] == TraceKind.IRQ_OFF:
        return f"interrupts were off for {int(event['b'])} cycles"
    numbers = [int(event[key]) for key in ("cycle", "kind", "core", "a", "b", "c", "d")]
    return describe_event(numbers, TOUR_NAMES).removeprefix("core 0 ")


def tour_marks(facts: Facts) -> str:
    """What the Perfetto timeline shows of the same cycles."""
    own = facts.events[(facts.events["kind"] != TraceKind.POINT) | (facts.events["a"] != PROBED)]
    end = facts.cycle(int(facts.events["cycle"][facts.span[1]]))
    tasks = config.find(TOUR_KERNEL).parameters.tasks
    marks = [
        (facts.cycle(mark.cycle), mark)
        for mark in sorted(perfetto.marks(own, tasks), key=lambda each: each.cycle)
    ]
    lines = [
        f"{cycle:5d}  {mark.track:<26}{mark.kind:<9}{mark.name}".rstrip()
        for cycle, mark in marks
        if 0 <= cycle <= end
    ]
    return _fenced([f"{'cycle':>5}  {'track':<26}{'':<9}name", *lines])


def _fenced(lines: list[str]) -> str:
    return "```\n" + "\n".join(lines) + "\n```\n"


BLOCKS: dict[str, Callable[[Facts], str]] = {
    "measurements": measurements,
    "tour-address": tour_address,
    "tour-code": tour_code,
    "tour-timeline": tour_timeline,
    "tour-marks": tour_marks,
}


# ---- files ---------------------------------------------------------------------------------------


def documents() -> list[Path]:
    """The files that may hold blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rewritten(text: str, facts: Facts, *, settle: bool = False) -> str:
    """The text of a document with its blocks made anew. `settle`: replace the commit of a tree that
    was not clean, once it is. Raises MelanionError: unknown block."""

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in BLOCKS:
            raise MelanionError(f"`made: {name}` is no block; there are {', '.join(BLOCKS)}.")
        body = BLOCKS[name](facts)
        old = match["body"].strip("\n")
        settled = settle and "-dirty`" in old and "-dirty`" not in body
        if not settled and COMMIT.sub("", old) == COMMIT.sub("", body.strip("\n")):
            return match[0]
        return f"{name} -->\n\n{body}\n<!-- made: end -->"

    return BLOCK.sub(made, text)


def stale(facts: Facts, *, settle: bool = False) -> Iterator[tuple[Path, str]]:
    """The files that differ from what would be written now, and that text. `settle`: rewritten."""
    for path in documents():
        text = path.read_text(encoding="utf-8")
        new = rewritten(text, facts, settle=settle)
        if new != text:
            yield path, new
    path, new = ROOT / PICTURE, readme.picture(facts.result)
    if not path.is_file() or path.read_text(encoding="utf-8") != new:
        yield path, new


def asserted_compiler() -> bool:
    """Machine code and cycles are those of the documents."""
    return f" {RISCV_GCC_ASSERTED}" in tools.version(tools.CROSS_GCC)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, name what is stale")
    check = parser.parse_args(arguments).check
    if not asserted_compiler():
        have = tools.version(tools.CROSS_GCC)
        print(
            f"documents: the compiler is {have}; figures are those of {RISCV_GCC_ASSERTED}, so"
            " nothing was written or checked. Install that version.",
            file=sys.stderr,
        )
        return 1
    try:
        found = list(stale(Facts(), settle=not check))
    except MelanionError as error:
        print(f"documents: {error.message}", file=sys.stderr)
        return error.exit_code
    for path, text in found:
        if not check:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {'out of date' if check else 'written'}")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
