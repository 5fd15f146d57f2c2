# SPDX-License-Identifier: Apache-2.0
"""The experiment `interference` on RTL: exact cycles, targets, bounds, the files of its page; and
that a longer span with interrupts off, a later handler and a skipped cycle are seen.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.claims.execute import outcome
from melanion.datasheet.bounds import MASKED
from melanion.datasheet.program import State
from melanion.docs import command, sweep
from melanion.docs.errors import DocsError
from melanion.docs.largest import sheet as sheet_of
from melanion.docs.pages import interference as page
from melanion.measure import ExperimentError, Row
from melanion.measure.experiments import interference
from melanion.measure.experiments.interference import EDGES, LOADS, TOTALS
from melanion.measure.recording import Recording
from melanion.measure.rows import measurement
from melanion.run import Settings, run_program
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant
from tests.lab.test_interference import DEFINITION, PROGRAM, Tape

ROOT = paths.data_root()


# ---- cycles --------------------------------------------------------------------------------------

CHEAP = "timer_stop"  # few short states
# Swept in every run of the tests. Of `sw` the call of the mutants, whose control it is. Of
# `hwrtos` one whose chain of owners an interrupt meets in every cycle. Of `banked` a call of few
# tasks: which are at hand when there are more depends on the calls before.
QUICK = {"sw": CHEAP, "hwrtos": "task_release", "banked": "task_create"}


def swept(kernel: str, call: str, app: Path = PROGRAM) -> list[Row]:
    """The rows of one call, from a run of that call alone. Raises ExperimentError."""
    number = DEFINITION.phases[call]
    run = run_program(
        config.find(kernel),
        build.application(app),
        Settings(defines={"FIRST_CALL": number, "LAST_CALL": number}, max_cycles=100_000_000),
    )
    measured = interference.metric(call)(Recording(DEFINITION, run.events))
    return [
        measurement("interference", kernel, call, parameters, samples).row
        for parameters, samples in measured
    ]


@pytest.mark.parametrize("kernel", QUICK)
def test_exact_cycles_of_one_call(kernel: str) -> None:
    call = QUICK[kernel]
    exact_cycles.check("interference", [kernel], swept(kernel, call), [call])


@pytest.mark.soak
@pytest.mark.parametrize("kernel", DEFINITION.kernels)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("interference", kernel, lambda _: None).measurements]
    exact_cycles.check("interference", [kernel], measured)


Key = tuple[str, str, str]  # kernel, metric, parameters


@cache
def most(experiment: str) -> dict[Key, int]:
    """The largest values of a file of asserted cycles."""
    rows = exact_cycles.recorded(experiment)
    return {(row["kernel"], row["metric"], row["parameters"]): int(row["max"]) for row in rows}


@pytest.mark.parametrize("kernel", DEFINITION.kernels)
@pytest.mark.parametrize("metric", TOTALS)
def test_no_random_arrival_was_worse(kernel: str, metric: str) -> None:
    """The experiment `latency`: arrivals at random under a load of calls that are among these."""
    worst = max(most("interference")[kernel, metric, f"load={load}"] for load in LOADS)
    assert worst >= most("latency")[kernel, metric, "load=calls"]


# Reasons for a time from interrupt to task above the target on `banked`, with few tasks.
CHAIN = "the core and the dispatch wait for steps of a chain of owners that the call begins"
OFF = "interrupts are off in the library"
LOADED = "a task that starts is loaded first, or what one leaves behind is cleared away"
STEP = "the action waits for a step of the unit of up to 40 of its cycles, and the core for another"
LATE = {
    **dict.fromkeys(("task_create", "task_create_on", "pool_create", "pool_delete"), OFF),
    **dict.fromkeys(("pool_get", "pool_put", "task_terminate"), OFF),
    **dict.fromkeys(("task_set_priority", "task_release", "mutex_lock"), CHAIN),
    **dict.fromkeys(("task_start", "task_exit"), LOADED),
    **dict.fromkeys(("task_rotate", "task_query", "sem_create", "sem_delete"), STEP),
    **dict.fromkeys(("flags_create", "flags_delete", "flags_set"), STEP),
    **dict.fromkeys(("flags_wait_any", "flags_wait_all"), STEP),
    **dict.fromkeys(("flags_take_any", "flags_take_all"), STEP),
    **dict.fromkeys(("mutex_create", "mutex_delete", "mutex_unlock", "mutex_query"), STEP),
    **dict.fromkeys(("queue_create", "queue_delete", "queue_send", "queue_receive"), STEP),
    **dict.fromkeys(("queue_post", "notification_set", "notification_give"), STEP),
    **dict.fromkeys(("notification_overwrite", "notification_send", "notification_wait"), STEP),
    **dict.fromkeys(("notification_take", "notification_take_all"), STEP),
    **dict.fromkeys(("irq_attach", "irq_map", "irq_raise", "timer_start", "budget_set"), STEP),
    **dict.fromkeys(("monitor_run_time", "monitor_clear"), STEP),
}


def test_target_of_banked_is_missed_in_these_calls() -> None:
    name = "irq_to_task"
    (target,) = DEFINITION.metrics[name].targets
    _, above = page.late(target, name)
    assert above.keys() == LATE.keys()


# ---- files ---------------------------------------------------------------------------------------


def test_files_agree_with_the_asserted_rows() -> None:
    largest: dict[Key, int] = {}
    for each in sweep.read_worst():
        assert 0 <= each.cycle < each.length
        keys: tuple[Key, ...] = (
            (each.kernel, each.call, f"edge={each.edge}"),
            (each.kernel, f"irq_to_{each.edge}", f"load={each.load}"),
        )
        for key in keys:
            largest[key] = max(largest.get(key, 0), each.cycles)
    assert largest == most("interference")
    samples: dict[tuple[str, str], int] = {}
    for row in exact_cycles.recorded("interference"):
        if row["metric"] in TOTALS:
            total = row["kernel"], TOTALS[row["metric"]]
            samples[total] = samples.get(total, 0) + int(row["n"])
    for count in sweep.read_counts():
        samples[count.kernel, count.edge] -= count.samples
    assert set(samples.values()) == {0}


def test_measuring_some_kernels_keeps_the_others() -> None:
    old, new = "kernel,n\nsw,1\nhwrtos,2\n", "kernel,n\nhwrtos,3\n"
    assert sweep.merged(old, new, ["hwrtos"]) == "kernel,n\nsw,1\nhwrtos,3\n"
    assert sweep.merged("", new, ["hwrtos"]) == new


def test_errors_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["interference", "--kernels", "sw,nothing"]) == 2
    assert capsys.readouterr().err == (
        "interference: --kernels names 'nothing'; it knows sw, hwrtos, port, banked.\n"
    )
    recording = Recording(DEFINITION, Tape().sweep().events)
    sweeps = {"sem_give": list(interference.sweeps(recording, "sem_give"))}
    states = [State("sem_give", "without", words, 0) for words in ("count 0", "count 1")]
    with pytest.raises(DocsError) as caught:
        sweep.found("sw", [], sweeps, states)
    assert caught.value.message == (
        "sem_give was swept in 1 states, the program has 2; make melanion/docs/sweep.py and"
        " apps/benchmarks/interference agree."
    )
    (only,) = sweep.found("sw", [], sweeps, states[:1]).worst
    assert (only.state, only.length, only.cycles, only.cycle) == ("count 0", 6, 11, 3)


# ---- bounds --------------------------------------------------------------------------------------


# Swept on systems with the unit whose bounds the sheet has: one call, as in QUICK.
BOUNDED = ("port", "banked")


def entry(kernel: str) -> int:
    """From the line to the handler while the core computes; ticks of `sw` are beyond the p99."""
    (row,) = (
        row
        for row in exact_cycles.recorded("latency")
        if (row["kernel"], row["metric"]) == (kernel, "irq_to_handler")
        and row["parameters"] == "load=idle"
    )
    return int(row["p99"])


DISABLING = 1  # cycle in which the instruction that disables interrupts is not interrupted itself


def allowed(kernel: str) -> dict[str, int]:
    """Bound on the time to the handler, per call with a bound on its span with interrupts off:
    that span (counted on its code), its first instruction, then the way to the handler. With a
    unit, too: an access of the call, which may hold the core, and three accesses that it may serve
    late, two of them on that way."""
    sheet = sheet_of(kernel)
    own = dict.fromkeys((row.call for row in sheet.rows), 0)
    for step in sheet.steps:
        own[step.call] = max(own[step.call], step.cycles)
    late = 3 * sheet.unit.served_cycles if sheet.unit else 0
    return {
        row.call: DISABLING + row.busy.bound.length.cycles + entry(kernel) + own[row.call] + late
        for row in sheet.rows
        if row.row == MASKED and row.busy.bound.length is not None
    }


def excesses(worst: Mapping[str, int], bounds: Mapping[str, int]) -> list[str]:
    """Calls in which an interrupt reached its handler later than that."""
    return [call for call, cycles in worst.items() if call in bounds and cycles > bounds[call]]


@exact_cycles.pinned
def test_no_handler_is_later_than_the_bounds_allow() -> None:
    bounds = allowed("sw")
    assert len(bounds) > 30
    found = {call: most("interference").get(("sw", call, "edge=handler"), 0) for call in bounds}
    assert excesses(found, bounds) == []
    assert excesses(found, bounds | {"sem_give": found["sem_give"] - 1}) == ["sem_give"]


@exact_cycles.pinned
@pytest.mark.parametrize("system", [BOUNDED[0], pytest.param(BOUNDED[1], marks=pytest.mark.soak)])
def test_no_handler_is_later_than_the_bounds_of_the_unit_allow(system: str) -> None:
    bounds = allowed(system)
    assert len(bounds) > 30
    rows = [row for row in swept(system, CHEAP) if row.parameters["edge"] == "handler"]
    found = {CHEAP: max(row.max for row in rows)}
    assert excesses(found, bounds) == []
    assert excesses(found, {CHEAP: found[CHEAP] - 1}) == [CHEAP]


# ---- mutants -------------------------------------------------------------------------------------

MASKED_LONGER = TreeMutant(
    "interrupts stay off for longer in one call of the software kernel",
    "kernel/software/timer.c",
    "    mel_timeout_cancel(limit);\n    return mel_leave(key, MEL_OP_TIMER_STOP",
    '    __asm__ volatile("nop; nop; nop");\n'
    "    mel_timeout_cancel(limit);\n    return mel_leave(key, MEL_OP_TIMER_STOP",
)
ENTRY = {
    "sw": TreeMutant(
        "the way to a handler is longer",
        "kernel/software/interrupt.c",
        "    function(irq, argument);\n",
        '    __asm__ volatile("nop; nop");\n    function(irq, argument);\n',
    ),
    "hwrtos": TreeMutant(
        "the way to a handler is longer",
        "kernel/unit/interrupt.c",
        "    handlers[irq].function(irq, handlers[irq].argument);\n",
        '    __asm__ volatile("nop; nop");\n'
        "    handlers[irq].function(irq, handlers[irq].argument);\n",
    ),
}
SKIPS = (  # mutants of the program, which skips every second cycle; the end of the call
    (
        "interrupt_once(line, delay); delay++)",
        "interrupt_once(line, delay); delay += 2)",
        "no interrupt came in",
    ),
    (
        "return passed > delay;",
        "return passed > delay && delay < 8;",
        "the last must come after it",
    ),
)


def differences(kernel: str, rows: list[Row]) -> dict[str, tuple[int, int]]:
    """By edge how much more the smallest and the largest value are than what the file has."""
    recorded = {
        (row["kernel"], row["metric"], row["parameters"]): (int(row["min"]), int(row["max"]))
        for row in exact_cycles.recorded("interference")
    }
    found = {}
    for row in rows:
        edge = str(row.parameters["edge"])
        least, largest = recorded[kernel, row.metric, f"edge={edge}"]
        found[edge] = row.min - least, row.max - largest
    return found


@exact_cycles.pinned
def test_a_longer_span_with_interrupts_off_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    MASKED_LONGER.plant(monkeypatch, tmp_path)
    found = differences("sw", swept("sw", CHEAP))
    assert found.keys() == set(EDGES)
    for least, largest in found.values():
        assert least == 0, "an interrupt behind the call waits no longer"
        assert largest >= 3, "the worst one waits for what was added"


@exact_cycles.pinned
@pytest.mark.parametrize(
    ("kernel", "later"), [("sw", 2), pytest.param("hwrtos", 3, marks=pytest.mark.soak)]
)
def test_a_later_handler_is_seen(
    kernel: str, later: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ENTRY[kernel].plant(monkeypatch, tmp_path)
    """Two instructions more; with the unit they move the next fetch, too."""
    found = differences(kernel, swept(kernel, CHEAP))
    assert found == {"handler": (later, later), "task": (0, 0)}


@pytest.mark.parametrize(("old", "new", "words"), SKIPS, ids=["stride", "end"])
def test_a_sweep_that_skips_a_cycle_is_refused(
    old: str, new: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant = TreeMutant(words, "apps/benchmarks/interference/main.c", old, new)
    mutant.plant(monkeypatch, tmp_path)
    app = tmp_path / "apps" / "benchmarks" / "interference"
    with pytest.raises(ExperimentError, match=words):
        swept("sw", CHEAP, app)
