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
import csv
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

import aquila
import calls
import datasheet
import debugged
import freertos
import interference
import itron
import numpy as np
import reproduced
from mel_gen import ANSWER_WAITING, Command, TraceKind
from walk import PROBED, Walk, fenced, timeline

from melanion import config, paths
from melanion.build import tools
from melanion.datasheet import present
from melanion.doctor.needs import RISCV_GCC_ASSERTED
from melanion.errors import MelanionError
from melanion.experiments import load
from melanion.experiments.execute import execute
from melanion.experiments.result import Result
from melanion.report import readme
from melanion.run.story import story
from melanion.soc import addresses
from melanion.trace import perfetto

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
PORT_KERNEL, BANKED_KERNEL, MEASURED_APP = "port", "banked", "latency"
CYCLES = ROOT / "tests" / "latency_cycles.csv"  # asserted by tests/test_latency.py
BOOSTER_KERNEL = "booster"
CYCLES_KERNELS = ("sw", "hwrtos", "port", "banked")
# Of the program, what an interrupt enters and where it leads.
BANKED_FUNCTIONS = ("mel_vectors", "take_once")
VEXRISCV_KERNELS = ("sw-vexriscv", "hwrtos-vexriscv", "port-vexriscv")
VEXRISCV_FUNCTIONS = ("mel_vectors", "mel_vector_software", "take_once")
PORT_FORMS = (  # a, b, word: a number that the compiler does not know, an address
    "mel_mutex_lock(0, MEL_POLL)",
    "mel_task_delay(b)",
    "mel_sem_give(3)",
    "mel_sem_take(3, MEL_FOREVER)",
    "mel_task_yield()",
    "mel_sem_take(3, b)",
    "mel_sem_give(a)",
    "mel_task_wakeup(a)",
    "mel_sem_take(a, b)",
    "mel_queue_send(2, b, MEL_POLL)",
    "mel_queue_receive(2, MEL_FOREVER, word)",
)


class Facts(Walk):
    """What the documents are made from; each is computed when it is first used. The tour's walk,
    those of the port, of the banks and of the other core, and the experiment."""

    def __init__(self) -> None:
        super().__init__(TOUR_KERNEL, TOUR_APP, TOUR_NAMES)
        self.port = Walk(PORT_KERNEL, MEASURED_APP)
        self.banked = Walk(BANKED_KERNEL, MEASURED_APP)
        self.banked_interrupts = Walk(BANKED_KERNEL, MEASURED_APP, functions=BANKED_FUNCTIONS)
        vexriscv = VEXRISCV_KERNELS[-1]
        self.vexriscv = Walk(vexriscv, MEASURED_APP)
        self.vexriscv_interrupts = Walk(vexriscv, MEASURED_APP, functions=VEXRISCV_FUNCTIONS)

    @cached_property
    def result(self) -> Result:
        """The experiment of `make demo`, from the cache when nothing changed."""
        return execute("latency", KERNELS, command="make demo")

    @cached_property
    def span(self) -> tuple[int, int]:
        """Indices of the first instruction of one waiting `mel_sem_take`, and of the one after the
        return of the task that runs instead."""
        events = self.events
        takes = (events["kind"] == TraceKind.COMMAND) & (events["d"] == ANSWER_WAITING)
        takes &= events["a"] & 0xFF == Command.SEMAPHORE_TAKE
        command = int(np.flatnonzero(takes)[TOUR_ROUND - 1])
        first = max(i for i in range(command) if self.at(i) == ("mel_sem_take", 0))
        after = range(command, len(events))
        last = next(i for i in after if (self.at(i) or ("",))[0] in TOUR_NAMES.values())
        return first, last

    def cycle(self, cycle: int) -> int:
        """A cycle of the run as the tour counts it: the call begins in 0."""
        return cycle - int(self.events["cycle"][self.span[0]])


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
    window = addresses(config.find("hwrtos"))["unit_base"]
    store = window + Command.SEMAPHORE_TAKE * 1024
    return f"    {window:#010x} + {Command.SEMAPHORE_TAKE:d} · 1024 + 0 · 4 = {store:#010x}\n"


def tour_code(facts: Facts) -> str:
    """The machine code of the call."""
    lines = [
        f"{each.offset:4d}  {each.text}"
        for each in facts.code.values()
        if each.function == "mel_sem_take"
    ]
    return fenced(lines)


def tour_timeline(facts: Facts) -> str:
    """Instructions and events of the shown call, by cycle. Runs of register moves are shortened."""
    return timeline(facts, *facts.span)


def tour_marks(facts: Facts) -> str:
    """What the Perfetto timeline shows of the same cycles."""
    own = facts.events[(facts.events["kind"] != TraceKind.POINT) | (facts.events["a"] != PROBED)]
    end = facts.cycle(int(facts.events["cycle"][facts.span[1]]))
    system = config.find(TOUR_KERNEL)
    events, told = story(system, own)
    drawn = perfetto.marks(events, system.parameters.tasks, told, TOUR_NAMES)
    marks = [(facts.cycle(mark.cycle), mark) for mark in sorted(drawn, key=lambda each: each.cycle)]
    lines = [
        f"{cycle:5d}  {mark.track:<28}{mark.kind:<9}{mark.name}".rstrip()
        for cycle, mark in marks
        if 0 <= cycle <= end
    ]
    return fenced([f"{'cycle':>5}  {'track':<28}{'':<9}name", *lines])


def cycles(kernel: str, than: tuple[str, ...]) -> str:
    """Largest values of the experiment `latency` on a kernel beside others, as its test asserts."""
    rows = list(csv.DictReader(CYCLES.open(newline="", encoding="utf-8")))
    largest = {(r["kernel"], r["metric"], r["parameters"]): int(r["max"]) for r in rows}
    titles = {name: metric.title for name, metric in load("latency").metrics.items()}
    shown = (*than, kernel)
    lines = [f"| cycles, at most | {' | '.join(f'`{k}`' for k in shown)} |"]
    lines.append(f"|---|{'--:|' * len(shown)}")
    for metric, parameters in [r[1:] for r in largest if r[0] == kernel]:
        words = titles[metric] + (f" ({parameters.replace(' ', ', ')})" if parameters else "")
        values = (f"{largest[k, metric, parameters]:_}".replace("_", " ") for k in shown)
        lines.append(f"| {words} | {' | '.join(values)} |")
    return "\n".join(lines) + "\n"


def port_cycles(facts: Facts) -> str:
    return cycles(PORT_KERNEL, CYCLES_KERNELS[:2])


def booster_cycles(facts: Facts) -> str:
    return cycles(BOOSTER_KERNEL, CYCLES_KERNELS[:2])


def banked_cycles(facts: Facts) -> str:
    return cycles(BANKED_KERNEL, CYCLES_KERNELS[:3])


def port_forms(facts: Facts) -> str:
    """The machine code of calls, without what keeps the return address for a switch."""
    head = "#include <melanion/melanion.h>\n"
    functions = [
        f"__attribute__((noinline)) mel_status_t form_{i}(uint32_t a, uint32_t b, uint32_t *word)\n"
        f"{{ (void)a; (void)b; (void)word; return {call}; }}\n"
        for i, call in enumerate(PORT_FORMS)
    ]
    calls = " + ".join(f"form_{i}(1, 2, NULL)" for i in range(len(PORT_FORMS)))
    lines = ["| call | instructions | which |", "|---|--:|---|"]
    with tempfile.TemporaryDirectory(prefix="melanion-") as folder:
        (Path(folder) / "app.yaml").write_text("name: forms\n", encoding="ascii")
        text = f"{head}{''.join(functions)}int main(void) {{ return {calls}; }}\n"
        (Path(folder) / "main.c").write_text(text, encoding="ascii")
        code = Walk(PORT_KERNEL, folder).code
    for i, call in enumerate(PORT_FORMS):
        body = [each.text for each in code.values() if each.function == f"form_{i}"]
        body = body[: next(j for j, text in enumerate(body) if text.startswith("ret"))]
        mnemonics = [text.split()[0] for text in body if not re.search(r"\(sp\)|sp,sp|^mv", text)]
        lines.append(f"| `{call}` | {len(mnemonics)} | {' '.join(mnemonics)} |")
    return "\n".join(lines) + "\n"


def port_give_take(facts: Facts) -> str:
    """A give and a take without a switch."""
    return timeline(facts.port, *facts.port.measured("give_take_once"))


def port_give_switch(facts: Facts) -> str:
    """A give that wakes a more urgent task."""
    return timeline(facts.port, *facts.port.measured("give_once"))


def banked_give_take(facts: Facts) -> str:
    """A give and a take without a switch."""
    return timeline(facts.banked, *facts.banked.measured("give_take_once"))


def banked_yield(facts: Facts) -> str:
    """A yield to another task."""
    return timeline(facts.banked, *facts.banked.measured("yield_once"))


def banked_give_switch(facts: Facts) -> str:
    """A give that wakes a more urgent task."""
    return timeline(facts.banked, *facts.banked.measured("give_once"))


def banked_interrupt(facts: Facts) -> str:
    """An interrupt that wakes a task."""
    return timeline(facts.banked_interrupts, *facts.banked_interrupts.interrupt())


def vexriscv_cycles(facts: Facts) -> str:
    """The experiment of `make demo` on the systems with VexRiscv."""
    words = f"melanion compare latency --kernels {','.join(VEXRISCV_KERNELS)}"
    result = execute("latency", VEXRISCV_KERNELS, command=words)
    return f"{readme.table(result)}\n\n{readme.conditions(result, _ticks())}\n"


def vexriscv_give_take(facts: Facts) -> str:
    """A give and a take without a switch."""
    return timeline(facts.vexriscv, *facts.vexriscv.measured("give_take_once"))


def vexriscv_interrupt(facts: Facts) -> str:
    """An interrupt that wakes a task."""
    return timeline(facts.vexriscv_interrupts, *facts.vexriscv_interrupts.interrupt())


def calls_cycles(facts: Facts) -> str:
    """What every call takes."""
    return calls.cycles()


def calls_states(facts: Facts) -> str:
    """In which states."""
    return calls.states_table()


def interference_worst(facts: Facts) -> str:
    """The worst interrupts of each kernel."""
    return interference.worst_table()


def interference_targets(facts: Facts) -> str:
    """Which calls keep the promises."""
    return interference.targets()


def interference_random(facts: Facts) -> str:
    """Beside those of random arrivals."""
    return interference.random_table()


def interference_calls(facts: Facts) -> str:
    """The worst interrupts of each call."""
    return interference.calls_table()


def white_paper_verdicts(facts: Facts) -> str:
    """What becomes of the white paper's claims."""
    return reproduced.verdicts("white-paper")


def white_paper_curves(facts: Facts) -> str:
    """The values of its figures."""
    return reproduced.curves("white-paper")


def thread_metric_optimized(facts: Facts) -> str:
    """The rows of Thread-Metric."""
    return reproduced.thread_metric("O2")


def thread_metric_plain(facts: Facts) -> str:
    """The same, tests compiled as the paper did."""
    return reproduced.thread_metric("O0")


def thread_metric_entry(facts: Facts) -> str:
    """Trap or call."""
    return reproduced.thread_metric_entry()


def thread_metric_verdicts(facts: Facts) -> str:
    """What becomes of its claims, and ours."""
    return reproduced.verdicts("thread-metric")


def rtu_verdicts(facts: Facts) -> str:
    """What becomes of the claims about the database application."""
    return reproduced.verdicts("rtu")


def rtu_curves(facts: Facts) -> str:
    """The values of its figures."""
    return reproduced.curves("rtu")


def lock_cache_hand_over(facts: Facts) -> str:
    """The database application, by the way in which a lock is handed on."""
    return reproduced.hand_over()


def booster_verdicts(facts: Facts) -> str:
    """What becomes of the claims about the telecom rings."""
    return reproduced.verdicts("booster")


def booster_curves(facts: Facts) -> str:
    """The values of their figures."""
    return reproduced.curves("booster")


def datasheet_sheet(facts: Facts) -> str:
    """The sheet of the default system."""
    sheet = datasheet.sheet(datasheet.PAGE_SYSTEM)
    return f"{present.tightness(sheet)}\n\n{present.markdown(sheet)}"


def datasheet_tightness(facts: Facts) -> str:
    """How much of the bounds was seen, on every system of the file."""
    lines = ["| system | core | measured of counted |", "|---|---|---|"]
    for system in datasheet.systems():
        sheet = datasheet.sheet(system.name, system.core.variant)
        lines.append(f"| `{system.name}` | {system.core.variant} | {present.seen(sheet)} |")
    return "\n".join(lines) + "\n"


BLOCKS: dict[str, Callable[[Facts], str]] = {
    "measurements": measurements,
    "tour-address": tour_address,
    "tour-code": tour_code,
    "tour-timeline": tour_timeline,
    "tour-marks": tour_marks,
    "debug-threads": lambda facts: fenced([debugged.threads()]),
    "port-cycles": port_cycles,
    "booster-cycles": booster_cycles,
    "port-forms": port_forms,
    "port-give-take": port_give_take,
    "port-give-switch": port_give_switch,
    "banked-cycles": banked_cycles,
    "banked-give-take": banked_give_take,
    "banked-yield": banked_yield,
    "banked-give-switch": banked_give_switch,
    "banked-interrupt": banked_interrupt,
    "vexriscv-cycles": vexriscv_cycles,
    "vexriscv-give-take": vexriscv_give_take,
    "vexriscv-interrupt": vexriscv_interrupt,
    "calls-cycles": calls_cycles,
    "calls-states": calls_states,
    "interference-worst": interference_worst,
    "interference-targets": interference_targets,
    "interference-random": interference_random,
    "interference-calls": interference_calls,
    "white-paper-verdicts": white_paper_verdicts,
    "white-paper-curves": white_paper_curves,
    "thread-metric-optimized": thread_metric_optimized,
    "thread-metric-plain": thread_metric_plain,
    "thread-metric-entry": thread_metric_entry,
    "thread-metric-verdicts": thread_metric_verdicts,
    "rtu-verdicts": rtu_verdicts,
    "rtu-curves": rtu_curves,
    "lock-cache-hand-over": lock_cache_hand_over,
    "aquila-notes": aquila.notes,
    "aquila-switch": aquila.switches,
    "aquila-totals": aquila.totals,
    "aquila-sync": aquila.locks,
    "aquila-verdicts": aquila.verdicts,
    "booster-verdicts": booster_verdicts,
    "booster-curves": booster_curves,
    "datasheet-sheet": datasheet_sheet,
    "datasheet-tightness": datasheet_tightness,
    "itron-count": itron.count,
    "itron-calls": itron.calls,
    "itron-absent": itron.absent,
    "freertos-count": freertos.count,
    "freertos-calls": freertos.calls,
    "freertos-absent": freertos.absent,
    "freertos-uncalled": freertos.uncalled,
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
