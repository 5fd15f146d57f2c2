# SPDX-License-Identifier: Apache-2.0
"""The experiment `calls`: its metrics on synthetic events, its program and its definition agree and
cover the interface, exact cycles on RTL, and that a slower call is seen.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from mel_gen import KERNELS, TraceKind

from melanion import build, config, paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs.pages import calls as page
from melanion.measure import ExperimentError, measure
from melanion.measure.experiments import calls
from melanion.measure.recording import Recording
from melanion.run import Settings, run_program
from melanion.trace import EVENT, Events
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
DEFINITION = load("calls")
ROWS = exact_cycles.recorded_rows("calls")
PROGRAM = ROOT / "apps" / "benchmarks" / "calls"
HEADERS = ROOT / "kernel" / "include" / "melanion"

# ---- program, definition, interface --------------------------------------------------------------

# Public functions that the experiment leaves out: the reasons are in its head.
LEFT_OUT = {"kernel_start", "exit", "task_name", "print", "print_unsigned", "print_signed"}
LEFT_OUT |= {"print_hex", "in_handler", "compound_begin", "compound_ask", "compound_end"}
LEFT_OUT |= {"compound_exclude", "compound_admit"}
LEFT_OUT |= {"input_take", "input_lost"}  # they load registers of the host or of a board


def declared() -> set[str]:
    """The functions that the headers of the kernel declare and do not define."""
    prototype = re.compile(r"^(?:_Noreturn )?(?:const )?\w+ \*?mel_(\w+)\([^;{]*\);", re.MULTILINE)
    return {
        name
        for path in HEADERS.glob("*.h")
        for name in prototype.findall(path.read_text(encoding="utf-8"))
    }


def test_every_call_of_the_interface_is_measured() -> None:
    found = declared()
    assert found - LEFT_OUT == set(DEFINITION.metrics)
    assert found >= LEFT_OUT


def test_program_and_definition_use_the_same_numbers() -> None:
    text = (PROGRAM / "calls.h").read_text(encoding="utf-8")
    enum = re.search(r"enum \{\n    CALL_TASK_CREATE = 1,(.*?)\};", text, re.DOTALL)
    assert enum
    names = ["task_create", *re.findall(r"CALL_(\w+)", enum[1])]
    numbers = {name.lower(): number for number, name in enumerate(names, 1)}
    assert numbers == DEFINITION.phases
    assert list(DEFINITION.phases) == list(DEFINITION.metrics)
    for prefix, expected in (("MARK", DEFINITION.marks), ("TRACEPOINT", DEFINITION.tracepoints)):
        found = dict(re.findall(rf"\b{prefix}_(\w+) = (\d+)", text))
        assert {name.lower(): int(number) for name, number in found.items()} == expected


def test_what_the_software_kernel_lacks_is_left_out_there() -> None:
    needs = {metric.needs for metric in DEFINITION.metrics.values() if metric.needs}
    assert KERNELS["sw"].lacks <= needs <= KERNELS["sw"].lacks | KERNELS["freertos"].lacks
    tape = Tape("queue_query")
    tape.call(5)
    kept = DEFINITION.model_copy(update={"metrics": {"queue_query": only("queue_query", "x")}})
    assert measure("calls", "sw", kept, tape.events, frozenset({"x"})) == []
    with pytest.raises(ExperimentError, match="has 1 samples"):
        measure("calls", "sw", kept, tape.events, frozenset({"y"}))


def only(name: str, needs: str) -> object:
    return DEFINITION.metrics[name].model_copy(update={"needs": needs})


def test_the_page_knows_states_of_every_row() -> None:
    states = page.states()
    assert list(states) == list(DEFINITION.metrics)
    for name, (without, with_) in states.items():
        rows = {str(row["row"]) for row in DEFINITION.metrics[name].combinations}
        assert bool(without) == ("without" in rows), name
        assert bool(with_) == (not rows.isdisjoint({"with", "with_many"})), name
    assert "24 waiters, less urgent" in states["sem_give"][0]  # a row of the table
    assert "it does not exist" in states["sem_give"][0]  # text of a macro in the header
    assert "with a timeout" in states["flags_take_all"][1]  # text of a macro beside the table


# ---- metrics -------------------------------------------------------------------------------------


class Tape:
    """Events of one phase of a call, one after the other."""

    def __init__(self, call: str, row: int = 0) -> None:
        self.value = DEFINITION.phases[call] | row << 8
        self.cycle = 0
        self.records: list[tuple[int, TraceKind, int, int]] = []
        self.add(TraceKind.MARKER, DEFINITION.marks["begin"], self.value)

    def add(self, kind: TraceKind, a: int = 0, b: int = 0, after: int = 1) -> None:
        self.cycle += after
        self.records.append((self.cycle, kind, a, b))

    def start(self, who: int = calls.MEASURED) -> None:
        self.add(TraceKind.TRACEPOINT, DEFINITION.tracepoints["start"], who, 10)

    def end(self, after: int, who: int = calls.MEASURED) -> None:
        self.add(TraceKind.TRACEPOINT, DEFINITION.tracepoints["end"], who, after)

    def call(self, cycles: int) -> None:
        self.start()
        self.end(cycles)

    @property
    def events(self) -> Events:
        records = [*self.records, (self.cycle + 1, TraceKind.MARKER, 2, self.value)]
        return np.array([(c, kind, 0, a, b, 0, 0) for c, kind, a, b in records], dtype=EVENT)


def found(name: str, *tapes: Tape) -> dict[str, list[int]]:
    recording = Recording(DEFINITION, np.concatenate([tape.events for tape in tapes]))
    return {str(row["row"]): samples.tolist() for row, samples in calls.metric(name)(recording)}


def test_a_call_without_a_switch_ends_in_its_caller() -> None:
    tape = Tape("sem_give")
    tape.call(14)
    tape.start(calls.OTHER)  # another task's calls are not measured
    tape.end(5, calls.OTHER)
    tape.start()
    tape.add(TraceKind.DISPATCH, 3, 3)  # a handler returned to the task that it interrupted
    tape.end(20)
    assert found("sem_give", tape) == {"without": [14, 21], "irq_off": [0, 0]}


def test_a_call_with_a_switch_ends_in_the_other_task() -> None:
    tape = Tape("sem_give", 1)
    tape.start()
    tape.end(5)  # the call has returned, and then its caller lost the core
    tape.add(TraceKind.DISPATCH, 4, 3, 10)
    tape.end(20, calls.OTHER)
    tape.end(90)
    stays, many = Tape("sem_give"), Tape("sem_give", 2)
    stays.call(7)
    many.start()
    many.add(TraceKind.DISPATCH, 4, 3)
    many.end(8, calls.OTHER)
    expected = {"without": [7], "with": [35], "with_many": [9], "irq_off": [0, 0, 0]}
    assert found("sem_give", tape, many, stays) == expected


def test_the_longest_span_with_interrupts_off_that_begins_in_the_call_counts() -> None:
    tape = Tape("sem_give")
    tape.start()  # cycle 11
    tape.add(TraceKind.IRQ_OFF, 0, 13, 2)  # began in cycle 0
    tape.add(TraceKind.IRQ_OFF, 0, 4, 10)
    tape.add(TraceKind.IRQ_OFF, 0, 3, 10)
    tape.end(10)  # cycle 43
    tape.add(TraceKind.IRQ_OFF, 0, 9, 8)  # began in cycle 42
    tape.call(5)
    assert found("sem_give", tape)["irq_off"] == [9, 0]


def test_a_call_that_a_tick_of_software_interrupted_is_no_sample() -> None:
    tape = Tape("sem_give")
    tape.start()
    tape.add(TraceKind.TRAP, 0x8007)
    tape.end(100)
    tape.call(14)
    assert found("sem_give", tape) == {"without": [14], "irq_off": [0]}


def refusal(tape: Tape) -> str:
    with pytest.raises(ExperimentError) as caught:
        found("sem_give", tape)
    return caught.value.message


def test_a_call_that_does_not_end_is_refused() -> None:
    tape = Tape("sem_give")
    tape.start()
    tape.call(14)
    words = "calls were started, and not each of them ended in its caller before the next one."
    assert refusal(tape) == f"phase sem_give (parameter 0): 2 {words}"
    assert refusal(Tape("sem_give")) == f"phase sem_give (parameter 0): 0 {words}"
    tape = Tape("sem_give", 1)
    tape.call(14)
    assert "ended in another task before the next one" in refusal(tape)


def test_a_switch_where_there_should_be_none_is_refused_and_the_reverse() -> None:
    tape = Tape("sem_give")
    tape.start()
    tape.add(TraceKind.DISPATCH, 4, 3)
    tape.add(TraceKind.DISPATCH, 3, 4)
    tape.end(14)
    assert refusal(tape) == (
        "phase sem_give (parameter 0): between the start of the call at cycle 11 and its end tasks"
        " were switched 2 times."
    )
    tape = Tape("sem_give", 1)
    tape.start()
    tape.end(14, calls.OTHER)
    assert "tasks were switched 0 times" in refusal(tape)


# ---- cycles --------------------------------------------------------------------------------------


# A run of all calls in all states takes a minute. In every run: that the rows are of the present
# sources (test_sources), and that a short run of a few is within them (below).
@pytest.mark.soak
@pytest.mark.parametrize("kernel", DEFINITION.kernels)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("calls", kernel, lambda _: None).measurements]
    exact_cycles.check("calls", [kernel], measured)


# Rows whose largest value with a unit exceeds that of the software kernel, and why.
UNITS = ("hwrtos", "port", "banked")
SLOWER_THAN_SOFTWARE = {
    # A deletion right before: the unit releases its waiters after it, and the call asks again.
    *product(UNITS, ("sem_create", "mutex_create", "queue_create", "flags_create"), ("without",)),
    *product(UNITS, ("task_delete",), ("without",)),
    # A query, a setting, an answer or a poll that is refused takes the unit more words than
    # software.
    *product(
        UNITS,
        ("task_query", "mutex_query", "pool_query", "time_get", "irq_map", "quantum_set"),
        ("without",),
    ),
    *product(UNITS, ("notification_wait",), ("without",)),
    *product(UNITS, ("notification_take",), ("without",)),
    *product(("hwrtos", "port"), ("notification_take_all",), ("without",)),
    *product(UNITS, ("task_create",), ("without", "irq_off")),
    *product(UNITS, ("pool_query",), ("irq_off",)),
    # The unit releases waiters one after the other, while the core goes on; the most urgent one is
    # dispatched to by an interrupt, not at the end of the call.
    *product(("hwrtos", "port"), ("sem_delete", "flags_delete", "queue_delete"), ("with",)),
    *product(("hwrtos", "port"), ("pool_delete",), ("with",)),
    *product(("hwrtos", "port"), ("dispatch_enable",), ("with", "with_many")),
    # Registers are saved and restored with interrupts off, where software has them on.
    *product(("hwrtos",), ("dispatch_enable", "flags_set"), ("irq_off",)),
    *product(("hwrtos", "banked"), ("task_create_on",), ("without", "irq_off")),
    *product(("hwrtos",), ("notification_clear", "notification_cancel"), ("without",)),
    ("hwrtos", "irq_disable", "without"),
    ("banked", "task_delay_until", "without"),
    ("banked", "task_self", "without"),  # a load from the unit, not from memory
}


def test_no_other_row_of_the_unit_is_slower_than_software() -> None:
    most = {
        (row["kernel"], row["metric"], row["parameters"].removeprefix("row=")): int(row["max"])
        for row in exact_cycles.recorded("calls")
    }
    assert {row[0] for row in most} == {"sw", *UNITS}
    slower = {row for row, value in most.items() if value > most.get(("sw", *row[1:]), value)}
    assert slower == SLOWER_THAN_SOFTWARE


# One call of a kernel is slower by two instructions, on the path that hands a unit to a waiter or
# on the only one: `file`, `old`, `new`, and by how much its metric must grow.
SLOWER = {
    "sw": TreeMutant(
        "sem_give of the software kernel",
        "kernel/software/semaphore.c",
        "mel_status_t mel_sem_give(mel_id_t sem)\n{\n",
        'mel_status_t mel_sem_give(mel_id_t sem)\n{\n    __asm__ volatile("nop; nop");\n',
    ),
    "hwrtos": TreeMutant(
        "sem_give of the unit",
        "kernel/unit/semaphore.c",
        "mel_status_t mel_sem_give(mel_id_t sem)\n{\n",
        'mel_status_t mel_sem_give(mel_id_t sem)\n{\n    __asm__ volatile("nop; nop");\n',
    ),
}


def of_semaphores(kernel: str, folder: Path) -> dict[str, tuple[int, int]]:
    """Smallest and largest value of each row of sem_give, from a short run: semaphores alone, in
    one environment, twice each."""
    app = folder / "short"
    app.mkdir()
    for path in PROGRAM.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.name == "main.c":
            for old, new in SHORT:
                assert text.count(old) == 1, old
                text = text.replace(old, new)
        (app / path.name).write_text(text, encoding="utf-8")
    run = run_program(config.find(kernel), build.application(app), Settings(max_cycles=5_000_000))
    recording = Recording(DEFINITION, run.events)
    return {
        str(row["row"]): (int(samples.min()), int(samples.max()))
        for row, samples in calls.metric("sem_give")(recording)
    }


SHORT = (
    (
        "ROUNDS_QUIET = 26, ROUNDS = 10, ROUNDS_MANY = 4",
        "ROUNDS_QUIET = 2, ROUNDS = 2, ROUNDS_MANY = 2",
    ),
    ("environment < ENVIRONMENTS; environment++", "environment <= QUIET; environment++"),
    ("measure(tables[i], environment)", "measure(&semaphore_table, environment); mel_exit(0)"),
)


@pytest.mark.parametrize("kernel", SLOWER)
def test_a_slower_call_is_seen(
    kernel: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("right", "root", "wrong"):
        (tmp_path / name).mkdir()
    right = of_semaphores(kernel, tmp_path / "right")
    for name, (least, most) in right.items():
        (known,) = (r for r in ROWS[kernel] if r.label == f"sem_give {name}")
        assert known.min <= least <= most <= known.max or not exact_cycles.is_pinned(), name
    SLOWER[kernel].plant(monkeypatch, tmp_path / "root")
    wrong = of_semaphores(kernel, tmp_path / "wrong")
    for row in ("without", "with", "with_many"):
        assert [w - r for w, r in zip(wrong[row], right[row], strict=True)] == [2, 2], row
