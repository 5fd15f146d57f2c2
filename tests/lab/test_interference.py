# SPDX-License-Identifier: Apache-2.0
"""The experiment `interference`: its program and its definition agree and leave no call out; its
metrics on synthetic events. On RTL: test_interference_cycles.py.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from mel_gen import TraceKind

from melanion import paths
from melanion.claims import load
from melanion.measure import ExperimentError
from melanion.measure.experiments import interference
from melanion.measure.experiments.calls import MEASURED, OTHER
from melanion.measure.experiments.interference import EDGE, EDGES, MANY, SWITCHES, TOTALS
from melanion.measure.recording import Recording
from melanion.trace import EVENT, Events

ROOT = paths.data_root()
DEFINITION = load("interference")
PROGRAM = ROOT / "apps" / "benchmarks" / "interference"
LEFT_OUT = {("dispatch_disable", "task")}  # it holds the task back until the program says otherwise


# ---- program, definition, interface --------------------------------------------------------------


def test_every_call_is_swept_to_both_edges() -> None:
    """tests/lab/test_calls.py: the experiment `calls` has every call of the interface."""
    calls = load("calls")
    assert DEFINITION.phases == calls.phases
    assert list(DEFINITION.metrics) == [*TOTALS, *calls.metrics]
    for name, metric in calls.metrics.items():
        edges = [edge for edge in EDGES if (name, edge) not in LEFT_OUT]
        assert DEFINITION.metrics[name].parameters == {"edge": edges}, name
        assert DEFINITION.metrics[name].needs == metric.needs, name


def test_program_and_definition_use_the_same_numbers() -> None:
    own = (PROGRAM / "main.c").read_text(encoding="utf-8")
    text = own + (PROGRAM.parent / "calls" / "calls.h").read_text(encoding="utf-8")
    for prefix, expected in (
        ("MARK", DEFINITION.marks),
        ("TRACEPOINT", DEFINITION.tracepoints),
        ("LINE", DEFINITION.lines),
    ):
        found = dict(re.findall(rf"\b{prefix}_(\w+) = (\d+)", text))
        assert {name.lower(): int(number) for name, number in found.items()} == expected
    assert "enum { EDGE_HANDLER, EDGE_TASK, EDGES };" in own
    assert EDGES == ("handler", "task")
    assert "current->call | (current->with + 2u * (current->n > MANY) + 4 * edge) << 8" in own
    assert (SWITCHES, MANY, EDGE) == (1, 2, 4)
    assert "return edge == EDGE_TASK && current->call == CALL_DISPATCH_DISABLE;" in own


# ---- metrics -------------------------------------------------------------------------------------


class Tape:
    """Events of one phase: calls of LENGTH cycles, and an interrupt for each."""

    LENGTH, SERVED = 6, 10  # cycles

    def __init__(self, call: str = "sem_give", parameter: int = 0) -> None:
        self.value = DEFINITION.phases[call] | parameter << 8
        self.edge = EDGES[parameter // EDGE]
        self.ender = OTHER if parameter & SWITCHES else MEASURED
        self.cycle = 1
        self.records: list[tuple[int, TraceKind, int, int]] = []

    def add(self, cycle: int, kind: TraceKind, a: int, b: int = 0) -> None:
        self.records.append((self.cycle + cycle, kind, a, b))

    def call(self, offset: int, length: int = LENGTH, served: int = SERVED) -> None:
        """The line rises in cycle `offset` of the call."""
        tracepoints, line = DEFINITION.tracepoints, DEFINITION.lines[self.edge]
        self.cycle += 100
        self.add(0, TraceKind.TRACEPOINT, tracepoints["start"], MEASURED)
        self.add(offset, TraceKind.IRQ_WIRE, line)
        self.add(offset + served, TraceKind.TRACEPOINT, tracepoints[self.edge])
        self.add(length, TraceKind.TRACEPOINT, tracepoints["end"], self.ender)

    def sweep(self, offsets: range = range(-2, LENGTH + 2)) -> Tape:
        for offset in offsets:
            inside = 0 <= offset < self.LENGTH
            self.call(offset, self.LENGTH + 20 * inside, self.SERVED + (offset == 3))
        return self

    @property
    def events(self) -> Events:
        marks = [
            (1, TraceKind.MARKER, DEFINITION.marks["begin"], self.value),
            (self.cycle + 99, TraceKind.MARKER, DEFINITION.marks["end"], self.value),
        ]
        records = sorted([*self.records, *marks], key=lambda record: record[0])
        return np.array([(c, kind, 0, a, b, 0, 0) for c, kind, a, b in records], dtype=EVENT)


def found(name: str, *tapes: Tape) -> list[tuple[dict[str, int | str], list[int]]]:
    recording = Recording(DEFINITION, np.concatenate([tape.events for tape in tapes]))
    return [(row, samples.tolist()) for row, samples in interference.metric(name)(recording)]


def test_interrupts_in_the_call_count_and_no_others() -> None:
    expected = [10, 10, 10, 11, 10, 10]
    assert found("sem_give", Tape().sweep()) == [({"edge": "handler"}, expected)]
    tapes = [Tape(parameter=SWITCHES | MANY).sweep(), Tape(parameter=EDGE).sweep()]
    assert found("sem_give", *tapes) == [
        ({"edge": "handler"}, expected),
        ({"edge": "task"}, expected),
    ]


def test_totals_part_few_and_many() -> None:
    tapes = [Tape(parameter=MANY).sweep(), Tape().sweep(), Tape("sem_take").sweep()]
    totals = found("irq_to_handler", *tapes)
    assert [(row["load"], len(samples)) for row, samples in totals] == [("few", 12), ("many", 6)]


def test_a_sweep_knows_where_its_worst_came() -> None:
    (sweep,) = interference.sweeps(Recording(DEFINITION, Tape().sweep().events), "sem_give")
    assert sweep.worst == (11, 3)
    assert sweep.length == Tape.LENGTH


def refusal(tape: Tape) -> str:
    with pytest.raises(ExperimentError) as caught:
        found("sem_give", tape)
    return caught.value.message


def test_a_cycle_that_no_interrupt_met_is_refused() -> None:
    tape = Tape().sweep(range(-2, 3))
    tape.sweep(range(5, 8))
    assert refusal(tape) == (
        "phase sem_give (parameter 0): no interrupt came in 2 of the 6 cycles of the call, the"
        " first of them cycle 3; each must be met."
    )


def test_a_sweep_that_does_not_leave_the_call_is_refused() -> None:
    assert refusal(Tape().sweep(range(6))) == (
        "phase sem_give (parameter 0): in each of 6 calls the interrupt came before its end; the"
        " last must come after it."
    )


def test_calls_and_interrupts_must_pair() -> None:
    tape = Tape()
    tape.sweep()
    tape.add(50, TraceKind.IRQ_WIRE, DEFINITION.lines["handler"])
    tape.add(51, TraceKind.TRACEPOINT, DEFINITION.tracepoints["handler"])
    assert refusal(tape) == (
        "phase sem_give (parameter 0): 10 calls and 11 interrupts; each call needs its own, so"
        " nothing was measured."
    )
    tape = Tape(parameter=SWITCHES)
    tape.ender = MEASURED
    assert refusal(tape.sweep()) == (
        "phase sem_give (parameter 1): 10 calls were started, and not each of them ended in another"
        " task before the next one."
    )
