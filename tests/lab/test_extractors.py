# SPDX-License-Identifier: Apache-2.0
"""Metrics that definitions measure by themselves: known answers from synthetic events, wrong edges
and wrong parameters refused."""

from __future__ import annotations

import numpy as np
import pytest
from mel_gen import TraceKind

from melanion.claims import load
from melanion.measure import ExperimentError, extractors, measure
from melanion.measure.definition import Definition, Metric
from melanion.measure.recording import Recording
from melanion.measure.spans import TIMER_TRAP
from melanion.trace import EVENT, Events

DEFINITION = load("waits")


class Tape:
    """Events of phases of the experiment `waits`, one after the other."""

    def __init__(self) -> None:
        self.cycle = 0
        self.records: list[tuple[int, ...]] = []

    def add(self, kind: TraceKind, a: int = 0, b: int = 0, after: int = 1) -> None:
        self.cycle += after
        self.records.append((self.cycle, kind, 0, a, b, 0, 0))

    def begin(self, phase: str, parameter: int) -> None:
        self.add(TraceKind.MARKER, 1, DEFINITION.phases[phase] | parameter << 8)

    def end(self, phase: str, parameter: int) -> None:
        self.add(TraceKind.MARKER, 2, DEFINITION.phases[phase] | parameter << 8)

    def take(
        self, pattern: int, priority: int, cycles: int, *, off: int = 0, switch: bool = True
    ) -> None:
        """One call that switches."""
        self.begin("take", pattern | priority << 12)
        self.add(TraceKind.TRACEPOINT, 1)
        if switch:
            self.add(TraceKind.DISPATCH, 1, 2)
        self.add(TraceKind.IRQ_OFF, 0, off, after=cycles - 3)
        self.add(TraceKind.TRACEPOINT, 2, after=2 if switch else 3)
        self.end("take", pattern | priority << 12)

    def wake(self, n: int, cycles: int, *, timeouts: int | None = None, trap: bool = False) -> None:
        self.begin("wake", n)
        if trap:
            self.add(TraceKind.TRAP, TIMER_TRAP, after=50)
        self.add(TraceKind.TICK, after=7 if trap else 50)
        boundary = self.cycle - (7 if trap else 0)
        for task in range(n if timeouts is None else timeouts):
            self.add(TraceKind.TIMEOUT, task)
        self.add(TraceKind.IRQ_OFF, 0, cycles - 10, after=boundary + cycles - 2 - self.cycle)
        self.add(TraceKind.TRACEPOINT, 2, after=2)
        self.end("wake", n)

    @property
    def events(self) -> Events:
        return np.array(self.records, dtype=EVENT)


def found(metric: str, tape: Tape) -> list[tuple[dict[str, int | str], list[int]]]:
    recording = Recording(DEFINITION, tape.events)
    taken = extractors.take(recording, DEFINITION.metrics[metric])
    return [(parameters, samples.tolist()) for parameters, samples in taken]


def refusal(metric: str, tape: Tape) -> str:
    with pytest.raises(ExperimentError) as caught:
        found(metric, tape)
    return caught.value.message


def test_spans_count_to_the_row_that_the_marker_names() -> None:
    tape = Tape()
    tape.take(2, 15, 200)
    tape.take(1, 3, 90)
    tape.take(1, 3, 91)
    assert found("take", tape) == [
        ({"pattern": 1, "priority": 3}, [90, 91]),
        ({"pattern": 2, "priority": 15}, [200]),
    ]


def test_longest_span_with_interrupts_disabled_that_begins_in_the_call() -> None:
    tape = Tape()
    tape.take(1, 3, 90, off=60)
    tape.take(1, 3, 90, off=1000)  # began before it
    assert found("take_irq_off", tape) == [({"pattern": 1, "priority": 3}, [60, 0])]


def test_call_that_does_not_switch_is_refused() -> None:
    tape = Tape()
    tape.take(1, 3, 90, switch=False)
    assert refusal("take", tape) == (
        "phase take (pattern=1 priority=3): between the tracepoints at cycles 2 and 92 tasks were"
        " switched 0 times; a switch was to be measured."
    )


def test_words_stand_for_their_place() -> None:
    tape = Tape()
    for place in (2, 0):
        tape.begin("set", place | 60 << 12)
        tape.add(TraceKind.TRACEPOINT, 1)
        tape.add(TraceKind.TRACEPOINT, 2, after=17)
        tape.end("set", place | 60 << 12)
    assert found("set", tape) == [
        ({"matching": "none", "waiters": 60}, [17]),
        ({"matching": "all", "waiters": 60}, [17]),
    ]


def test_word_that_does_not_exist_is_refused() -> None:
    tape = Tape()
    tape.begin("set", 3)
    tape.end("set", 3)
    assert refusal("set", tape) == (
        "phase set (matching=3 waiters=0): matching is the place 3 of a list of 3 words; correct"
        " the program or the definition."
    )


def test_markers_that_do_not_pair_are_told_in_the_words_of_the_definition() -> None:
    tape = Tape()
    tape.begin("set", 1 | 60 << 12)
    tape.end("set", 2 | 60 << 12)
    one, other = (DEFINITION.metrics["set"].parameters["matching"][place] for place in (1, 2))
    assert refusal("set", tape) == (
        f"the marker end of set matching={other} waiters=60 at cycle 2 does not pair with the"
        f" marker before it (the phase that had begun is set matching={one} waiters=60): phases"
        " must begin and end in turn."
    )


@pytest.mark.parametrize("trap", [False, True])
def test_tick_to_the_first_task(trap: bool) -> None:
    tape = Tape()
    tape.wake(1, 76, trap=trap)
    tape.wake(16, 800, trap=trap)
    assert found("wake", tape) == [({"n": 1}, [76]), ({"n": 16}, [800])]
    assert found("wake_irq_off", tape) == [({"n": 1}, [66]), ({"n": 16}, [790])]


def test_tick_that_does_not_end_all_waits_is_refused() -> None:
    tape = Tape()
    tape.wake(8, 100, timeouts=7)
    assert refusal("wake", tape) == (
        "phase wake (n=8) has 1 ticks, 7 timeouts and 1 tasks that ran on; 8 timeouts in"
        " one tick were to be measured."
    )


def test_share_of_ticks_in_millionths() -> None:
    tape = Tape()
    tape.begin("length", 10)
    tape.add(TraceKind.TRACEPOINT, 3)
    for i in range(100):
        tick = i % 10 == 5
        if tick:
            tape.add(TraceKind.TICK, after=20)
        tape.add(TraceKind.TRACEPOINT, 3, after=130 if tick else 100)  # 50 cycles lost in 1050
    tape.end("length", 10)
    ((parameters, samples),) = found("share", tape)
    assert parameters == {"tick_us": 10}
    assert samples == [47619] * 8
    assert extractors.unit(DEFINITION.metrics["share"]) == "ppm"
    assert extractors.unit(DEFINITION.metrics["take"]) == "cycles"


def test_metric_that_nothing_measures_is_refused() -> None:
    metric = DEFINITION.metrics["take"].model_copy(update={"extractor": None})
    bare: Definition = DEFINITION.model_copy(update={"metrics": {"take": metric}})
    assert isinstance(metric, Metric)
    with pytest.raises(ExperimentError) as caught:
        measure("waits", "sw", bare, Tape().events)
    assert caught.value.message == (
        "waits on sw: take: it has no extractor and melanion/measure/experiments no waits; give it"
        " an extractor in experiments/waits.yaml."
    )


# ---- iterations ----------------------------------------------------------------------------------


def periods(passes: list[tuple[int, int]]) -> list[int]:
    """Periods of Thread-Metric's test `cooperative`; passes: (cycles since the last, thread)."""
    definition = load("thread-metric")
    tape = Tape()
    tape.add(TraceKind.MARKER, 1, definition.phases["cooperative"] | 1 << 8)
    for after, thread in passes:
        tape.add(TraceKind.TRACEPOINT, 1, thread, after=after)
    tape.add(TraceKind.MARKER, 2, definition.phases["cooperative"] | 1 << 8)
    recording = Recording(definition, tape.events)
    ((parameters, samples),) = extractors.take(recording, definition.metrics["cooperative"])
    assert parameters == {"code": "O0"}
    found: list[int] = samples.tolist()
    return found


def test_iterations_of_one_thread_follow_each_other() -> None:
    assert periods([(5, 0), (90, 0), (91, 0), (188, 0)]) == [90, 91, 188]


def test_iterations_of_threads_in_turn_share_a_round() -> None:
    """A round that has not ended is none."""
    passes = [(5, 1), (5, 0), (10, 1), (20, 2), (30, 0), (50, 1), (50, 0), (9, 1)]
    assert periods(passes) == [20, 50]


# ---- readings ------------------------------------------------------------------------------------


def test_a_number_that_the_program_counted() -> None:
    """Shares of failed allocs of the experiment `dmmu`."""
    definition = load("dmmu")
    tape = Tape()
    for way, share in ((1, 40_704), (0, 171_617)):
        tape.add(TraceKind.MARKER, 1, definition.phases["run"] | (way | 2 << 12) << 8)
        tape.add(TraceKind.TRACEPOINT, definition.tracepoints["scattered"], 9)
        tape.add(TraceKind.TRACEPOINT, definition.tracepoints["failed"], share)
        tape.add(TraceKind.MARKER, 2, definition.phases["run"] | (way | 2 << 12) << 8)
    recording = Recording(definition, tape.events)
    rows = list(extractors.take(recording, definition.metrics["failed"]))
    assert [(parameters, samples.tolist()) for parameters, samples in rows] == [
        ({"way": "unit", "trace": "large"}, [171_617]),
        ({"way": "list", "trace": "large"}, [40_704]),
    ]
    assert extractors.unit(definition.metrics["failed"]) == "ppm"
