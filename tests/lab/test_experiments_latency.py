# SPDX-License-Identifier: Apache-2.0
"""The metrics of `latency`: known answers from synthetic events, and every wrong edge refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind

from melanion import paths
from melanion.claims import load, names
from melanion.measure import ExperimentError, broken_targets, measure
from melanion.measure.experiments import latency
from melanion.measure.experiments.latency import METRICS
from melanion.measure.recording import Recording
from melanion.measure.rows import Parameters, Row
from melanion.measure.spans import boundaries
from melanion.trace import Events
from tests.common.latency_events import (
    TIMER_TRAP,
    Tape,
    arrivals,
    events,
    spans,
    ticks,
    wake,
    whole_tape,
)


def rows(tape: Tape, kernel: str = "hwrtos") -> dict[str, Row]:
    return {m.row.label: m.row for m in measure("latency", kernel, tape.definition, tape.events)}


def found(metric: str, tape: Tape) -> list[tuple[Parameters, list[int]]]:
    recording = Recording(tape.definition, tape.events)
    return [(parameters, samples.tolist()) for parameters, samples in METRICS[metric](recording)]


def refusal(metric: str, tape: Tape) -> str:
    with pytest.raises(ExperimentError) as caught:
        found(metric, tape)
    return caught.value.message


def statistics(row: Row) -> tuple[int, int, int, int, int]:
    return row.n, row.min, row.median, row.p99, row.max


def test_whole_run_gives_every_row() -> None:
    result = rows(whole_tape())
    assert len(result) == 22
    assert statistics(result["yield"]) == (200, 60, 60, 60, 60)
    assert statistics(result["sem_give_take"]) == (200, 30, 30, 30, 30)
    assert statistics(result["sem_give_switch"]) == (200, 70, 70, 70, 70)
    assert statistics(result["irq_to_handler idle"]) == (1000, 40, 40, 40, 40)
    assert statistics(result["irq_to_handler calls"]) == (1000, 50, 50, 50, 50)
    assert statistics(result["irq_to_task idle"]) == (1000, 90, 94, 99, 99)
    assert statistics(result["tick_idle"]) == (200, 0, 0, 0, 0)
    assert statistics(result["tick_wake n=1 last"]) == (24, 95, 95, 95, 95)
    assert statistics(result["tick_wake n=32 first"]) == (24, 95, 95, 95, 95)
    assert statistics(result["tick_wake n=32 last"]) == (24, 1955, 1955, 1955, 1955)
    assert statistics(result["irq_off_max"]) == (180, 20, 60, 100, 100)
    assert statistics(result["irq_off_max tasks=60"]) == (60, 20, 60, 100, 100)


def test_lost_cycles_count_to_their_tick() -> None:
    tape = Tape()
    ticks(tape, 80)
    ((_, samples),) = found("tick_idle", tape)
    assert samples == [80] * 200


def test_a_tick_that_spoils_two_turns_counts_once() -> None:
    """Whatever a tick makes longer until the next tick is its cost."""
    tape = Tape()
    ticks(tape, 80)
    changed = tape.events
    loops = np.flatnonzero(changed["kind"] == TraceKind.TRACEPOINT)
    changed["cycle"][loops[107] :] += 5  # the turn after the one with the tenth tick
    recording = Recording(tape.definition, changed)
    ((_, samples),) = list(METRICS["tick_idle"](recording))
    assert samples.tolist().count(85) == 1 and samples.tolist().count(80) == 199


def test_loop_without_constant_length_is_refused() -> None:
    tape = Tape()
    tape.mark("begin", "tick_idle")
    for i in range(3000):
        tape.tracepoint("loop", 0, 100 + i % 3)
        if i % 10 == 5:
            tape.add(TraceKind.TICK)
    tape.mark("end", "tick_idle")
    assert refusal("tick_idle", tape) == (
        "phase tick_idle (parameter 0): only 33 % of the loop's turns take its shortest time of"
        " 100 cycles; at least"
        " 80 % must, else what a tick costs is not known."
    )


def test_no_tick_is_refused() -> None:
    tape = Tape()
    tape.mark("begin", "tick_idle")
    for _ in range(300):
        tape.tracepoint("loop", 0, 100)
    tape.mark("end", "tick_idle")
    assert refusal("tick_idle", tape) == (
        "phase tick_idle (parameter 0): 300 turns of the loop, 0 ticks; none may be 0."
    )


def test_yield_that_returns_to_its_caller_is_refused() -> None:
    tape = Tape()
    spans(tape, "yield", 60, switch=False)
    assert refusal("yield", tape) == (
        "phase yield (parameter 0): task 0 both starts and ends a span at cycle 17; a switch to"
        " another task was to be"
        " measured."
    )


def test_lost_arrival_is_refused() -> None:
    tape = Tape()
    arrivals(tape, "irq_to_task", "end", 0, [90] * 1000)
    end = next(i for i, record in enumerate(tape.records) if record[1] == TraceKind.TRACEPOINT)
    del tape.records[end]
    assert refusal("irq_to_task", tape) == (
        "phase irq_to_task (parameter 0): 1000 starts and 999 ends of interrupt; every start needs"
        " its end, so nothing"
        " was measured."
    )


def test_arrival_during_service_is_refused() -> None:
    """Two arrivals before one service: the ends cannot be told apart, even when the numbers
    agree."""
    tape = Tape()
    line = tape.definition.lines["task"]
    tape.mark("begin", "irq_to_task")
    tape.add(TraceKind.IRQ_WIRE, line, 0, 5)
    tape.add(TraceKind.IRQ_WIRE, line, 0, 50)
    tape.tracepoint("end", 1, 50)
    tape.tracepoint("end", 1, 50)
    tape.mark("end", "irq_to_task")
    assert refusal("irq_to_task", tape) == (
        "phase irq_to_task (parameter 0): the interrupt that starts at cycle 15 does not end"
        " before the next one"
        " starts, so starts cannot be told apart; nothing was measured."
    )


def test_end_before_its_start_is_refused() -> None:
    """A tracepoint on the wrong instruction: the end comes first."""
    tape = Tape()
    tape.mark("begin", "sem_give_take")
    for _ in range(200):
        tape.tracepoint("end", 0, 10)
        tape.tracepoint("start", 0, 10)
    tape.mark("end", "sem_give_take")
    assert "does not end before the next one starts" in refusal("sem_give_take", tape)


def test_other_interrupt_lines_do_not_count() -> None:
    tape = Tape()
    arrivals(tape, "irq_to_task", "end", 0, [90] * 1000)
    other = tape.definition.lines["handler"]
    tape.records.insert(5, (tape.records[4][0] + 1, TraceKind.IRQ_WIRE, other, 0))
    ((parameters, samples),) = found("irq_to_task", tape)
    assert parameters == {"load": "idle"} and samples == [90] * 1000


def test_delay_that_ends_in_another_tick_is_refused() -> None:
    tape = Tape()
    tape.mark("begin", "tick_wake", 2)
    tape.add(TraceKind.TICK, after=1000)
    tape.add(TraceKind.TIMEOUT, 0)
    tape.tracepoint("end", 0, 95)
    tape.add(TraceKind.TICK, after=1000)
    tape.add(TraceKind.TIMEOUT, 1, after=1)
    tape.tracepoint("end", 1, 95)
    tape.mark("end", "tick_wake", 2)
    assert refusal("tick_wake", tape) == (
        "phase tick_wake (parameter 2): the delays did not end in the first tick of the phase."
    )


def test_task_that_does_not_wake_is_refused() -> None:
    tape = Tape()
    wake(tape, 8, 95, 60)
    del tape.records[-2]
    assert refusal("tick_wake", tape) == (
        "phase tick_wake (parameter 8) has 8 timeouts and 7 tasks that ran on, 8 of each were to"
        " be measured: the delays"
        " did not end in one tick, or the phase is too short."
    )


def test_ticks_of_a_software_kernel_begin_at_the_timers_trap() -> None:
    trace = events(
        [
            (100, TraceKind.TRAP, TIMER_TRAP, 0),
            (130, TraceKind.TICK, 0, 1),
            (200, TraceKind.TRAP, 0x800B, 0),
        ]
    )
    assert boundaries(trace).tolist() == [100]


def without(tape: Tape, phase: str) -> Events:
    begin, end = (
        next(
            i
            for i, r in enumerate(tape.records)
            if r[1] == TraceKind.MARKER
            and r[2] == mark
            and r[3] & 0xFF == tape.definition.phases[phase]
        )
        for mark in tape.definition.marks.values()
    )
    return events(tape.records[:begin] + tape.records[end + 1 :])


def test_missing_phase_and_missing_row() -> None:
    tape = whole_tape()
    with pytest.raises(ExperimentError) as caught:
        measure("latency", "sw", tape.definition, without(tape, "yield"))
    assert caught.value.message == (
        "latency on sw: yield: the run has no phase yield: the program ended early or marks"
        " another number; compare the"
        " phases of experiments/*.yaml with those of apps/benchmarks/latency."
    )
    with pytest.raises(ExperimentError) as caught:
        measure("latency", "sw", tape.definition, without(tape, "irq_to_task"))
    assert caught.value.message == (
        "latency on sw: irq_to_task: load=idle is never marked; make program and definition agree."
    )


def test_too_few_samples() -> None:
    tape = whole_tape()
    records = tape.records
    start = next(i for i, r in enumerate(records) if r[1] == TraceKind.TRACEPOINT)
    with pytest.raises(ExperimentError) as caught:
        measure("latency", "sw", tape.definition, events(records[:start] + records[start + 2 :]))
    assert caught.value.message == (
        "latency on sw: yield has 199 samples, and its definition wants at least 200; measure it"
        " more often, or want fewer."
    )


@pytest.mark.parametrize(
    ("records", "text"),
    [
        (
            [(1, 1, 1), (2, 1, 2)],
            "the marker begin of sem_give_take (parameter 0) at cycle 2 does not pair with the"
            " marker before it (the phase that had begun is yield (parameter 0)): phases must begin"
            " and end in turn.",
        ),
        ([(1, 1, 1), (2, 2, 2)], "the marker end of sem_give_take (parameter 0) at cycle 2 does"),
        ([(1, 2, 1)], "at cycle 1 does not pair with the marker before it (no phase had begun):"),
        ([(1, 2, 98)], "the marker end of phase 98 at cycle 1 does not pair"),
        ([(1, 1, 1)], "the phase yield (parameter 0) never ended: the run stopped at cycle 1."),
        (
            [(1, 1, 99), (2, 2, 99)],
            "the program marks the phase 99, which its definition does not name",
        ),
    ],
)
def test_phases_that_do_not_pair(records: list[tuple[int, int, int]], text: str) -> None:
    trace = events([(cycle, TraceKind.MARKER, mark, value) for cycle, mark, value in records])
    with pytest.raises(ExperimentError) as caught:
        Recording(load("latency"), trace).phases("yield")
    assert text in caught.value.message


def test_targets() -> None:
    definition = load("latency")
    good = [m.row for m in measure("latency", "hwrtos", definition, whole_tape().events)]
    assert broken_targets(definition, good) == []
    slow = [m.row for m in measure("latency", "hwrtos", definition, whole_tape(slow=2).events)]
    assert broken_targets(definition, slow) == [
        "sem_give_take on hwrtos: max is 60 cycles, the target is at most 40.",
        "irq_to_task idle on hwrtos: max is 198 cycles, the target is at most 150.",
        "irq_to_task calls on hwrtos: max is 198 cycles, the target is at most 150.",
        "irq_to_task divide on hwrtos: max is 198 cycles, the target is at most 150.",
        "tick_idle on hwrtos: max is 80 cycles, the target is at most 0.",
    ]
    other = [m.row for m in measure("latency", "sw", definition, whole_tape(slow=2).events)]
    assert broken_targets(definition, other) == []


def test_growing_curve_breaks_its_target() -> None:
    definition = load("latency")
    tape = whole_tape()
    grown = [m.row for m in measure("latency", "hwrtos", definition, tape.events)]
    grown = [
        Row(**{**row.__dict__, "max": row.max + int(row.parameters["n"])})
        if row.metric == "tick_wake" and row.parameters["which"] == "first"
        else row
        for row in grown
    ]
    assert broken_targets(definition, grown) == [
        "tick_wake on hwrtos: spread is 31 cycles, the target is at most 4."
    ]


def test_jitter_of_a_row_breaks_its_target() -> None:
    definition = load("latency")
    measured = measure("latency", "banked", definition, whole_tape().events)
    row = next(m.row for m in measured if m.row.label == "irq_to_task idle")
    for least, sentences in (
        (7, []),
        (6, ["irq_to_task idle on banked: jitter is 10 cycles, the target is at most 9."]),
    ):
        changed = Row(**{**row.__dict__, "min": least, "p99": 16, "max": 16})
        assert broken_targets(definition, [changed]) == sentences


def test_program_and_definition_use_the_same_numbers() -> None:
    folder = paths.data_root() / "apps" / "benchmarks"
    files = (folder / "latency" / "latency.h", folder / "stage" / "stage.h")
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    constants = {name: int(value) for name, value in re.findall(r"\b([A-Z_]+) = (\d+)", text)}
    definition = load("latency")
    for prefix, numbers in (
        ("MARK", definition.marks),
        ("PHASE", definition.phases),
        ("TRACEPOINT", definition.tracepoints),
        ("LINE", definition.lines),
    ):
        assert {f"{prefix}_{name.upper()}": number for name, number in numbers.items()} == {
            name: number for name, number in constants.items() if name.startswith(f"{prefix}_")
        }
    program = (folder / "latency" / "interrupts.c").read_text(encoding="utf-8")
    (listed,) = re.findall(r"enum \{ (TASK_\w+) = TASK_FIRST, ([^}]+), TASKS = 4 \}", program)
    tasks = [listed[0], *listed[1].split(", ")]
    names = {f"TASK_{name.upper()}": number for number, name in latency.TASKS.items()}
    assert names == {"TASK_MAIN": 0, **{name: 1 + i for i, name in enumerate(tasks)}}
    assert (constants["TASK_MAIN"], constants["TASK_FIRST"]) == (0, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "max_cycles: ",
            "max_cycle: ",
            "max_cycle is an unknown key; known here are title, source, app, kernels, max_cycles,"
            " programs, designs, marks, phases, tracepoints, lines,"
            " metrics, needs, claims, figures, bars; did you mean max_cycles.",
        ),
        (
            "samples: 24",
            "samples: 0",
            "metrics.tick_wake.samples is 0; allowed is a whole number, at least 1;",
        ),
        (
            "statistic: spread",
            "statistic: mean",
            "is 'mean'; allowed is min, median, p99, max, jitter, spread;",
        ),
    ],
)
def test_wrong_definition(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (paths.data_root() / "experiments/latency.yaml").read_text(encoding="utf-8")
    (tmp_path / "latency.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ExperimentError) as caught:
        load("latency", tmp_path)
    assert message in caught.value.message
    assert caught.value.message.startswith("experiments/latency.yaml:")


def test_unknown_experiment() -> None:
    with pytest.raises(ExperimentError) as caught:
        load("latencies")
    assert caught.value.message == (
        f"'latencies' is no experiment; there are: {', '.join(names())}; did you mean latency."
    )
    with pytest.raises(ExperimentError, match=r"; name one of them, or the path of a file\.$"):
        load("xyzzy")
    assert {"calls", "cores", "latency"} <= set(names())
    assert caught.value.exit_code == 2
