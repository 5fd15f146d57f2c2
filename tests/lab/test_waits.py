# SPDX-License-Identifier: Apache-2.0
"""The experiment `waits` on RTL: program and definition agree, exact cycles, hardware kernels do
not grow with what waits (recorded rows), and a kernel that does is seen.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.measure import Row, extractors
from melanion.measure.recording import Recording
from melanion.run import Settings, run_program
from tests.common import exact_cycles
from tests.common.fetched import buildable
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
DEFINITION = load("waits")
PROGRAM = ROOT / "apps" / "benchmarks" / "waits"
HARDWARE = ("hwrtos", "port", "banked")
SET = 15  # cycles by which a set takes longer when somebody waits
PASSED = 7  # cycles of the unit, at twice the clock, for a waiter that is passed over
FLAT = 6  # cycles between the smallest and the largest value


def test_program_and_definition_use_the_same_numbers() -> None:
    files = (PROGRAM / "waits.h", PROGRAM.parent / "stage" / "stage.h")
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    constants = {name: int(value) for name, value in re.findall(r"\b([A-Z_]+) = (\d+)", text)}
    for prefix, numbers in (
        ("MARK", DEFINITION.marks),
        ("PHASE", DEFINITION.phases),
        ("TRACEPOINT", DEFINITION.tracepoints),
    ):
        assert {f"{prefix}_{name.upper()}": number for name, number in numbers.items()} == {
            name: number for name, number in constants.items() if name.startswith(f"{prefix}_")
        }
    words = DEFINITION.metrics["set"].parameters["matching"]
    assert [constants[f"MATCHING_{str(word).upper()}"] for word in words] == [0, 1, 2]


# ---- cycles --------------------------------------------------------------------------------------


ROWS = exact_cycles.recorded_rows("waits")


# The kernel whose rows all others of the unit share most with: the others in `make soak`.
@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(name, marks=[] if name == "hwrtos" else pytest.mark.soak)
        for name in buildable(DEFINITION.kernels)
    ],
)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("waits", kernel, lambda _: None).measurements]
    exact_cycles.check("waits", [kernel], measured)


def spread(rows: list[Row], metric: str) -> int:
    values = [row.max for row in rows if row.metric == metric]
    return max(values) - min(values)


@pytest.mark.parametrize("kernel", HARDWARE)
@pytest.mark.parametrize(
    "metric", ["take", "take_irq_off", "set_irq_off", "wake", "wake_irq_off", "share"]
)
def test_hardware_kernel_is_flat(kernel: str, metric: str) -> None:
    """Over patterns, priorities, waiting tasks, n and tick lengths."""
    assert spread(ROWS[kernel], metric) <= FLAT


@pytest.mark.parametrize("metric", ["take", "wake", "wake_irq_off"])
def test_a_kernel_that_is_not_flat_is_seen(metric: str) -> None:
    assert spread(ROWS["sw-sorted"], metric) > 10 * FLAT


@pytest.mark.parametrize("kernel", HARDWARE)
def test_hardware_sets_flags_in_three_ways(kernel: str) -> None:
    """Nobody waits, or the most urgent waiter matches: how many wait is nothing. Else each waiter
    that is passed over takes the unit at most 7 cycles (tests/asserted/engine_bounds.csv)."""
    found: dict[str, dict[int, set[int]]] = {}
    for row in ROWS[kernel]:
        if row.metric == "set":
            waiters, matching = row.parameters["waiters"], row.parameters["matching"]
            assert isinstance(waiters, int)
            state = str(matching) if waiters else "nobody"
            found.setdefault(state, {}).setdefault(waiters, set()).update((row.min, row.max))
    (nobody,) = found["nobody"][0]
    (released,) = set().union(*found["all"].values())
    assert 0 < released - nobody <= SET
    for state in ("none", "one"):
        for waiters, values in found[state].items():
            (cycles,) = values
            assert cycles - nobody <= SET + waiters * PASSED / 2, state


def test_sorted_list_grows_with_every_task_that_is_passed() -> None:
    """From in front of all tasks to behind those of priority 13; the good list does not. Besides,
    a search that passes more than four tasks opens a window for interrupts, once."""
    window, passed = 10, {1: 12, 2: 24, 3: 48}

    def growth(kernel: str, pattern: int) -> int:
        found = {
            row.parameters["priority"]: row.max
            for row in ROWS[kernel]
            if row.metric == "take" and row.parameters["pattern"] == pattern
        }
        return found[13] - found[1]

    per_task, rest = divmod(growth("sw-sorted", 1), passed[1])
    assert 4 < per_task < 10 and rest < window
    assert all(growth("sw-sorted", at) == per_task * tasks + rest for at, tasks in passed.items())
    assert all(growth("sw", pattern) <= 0 for pattern in passed)


# ---- mutants -------------------------------------------------------------------------------------

# A short run: callers as urgent as the most and as the least urgent of those that wait.
SHORT = (
    ("take.c", "CALLER_FIRST = 1,", "CALLER_FIRST = 2,"),
    ("take.c", "priority <= CALLER_LAST; priority++", "priority <= CALLER_LAST; priority += 12"),
    (
        "main.c",
        "    measure_set();\n    measure_wake();\n    measure_length();\n",
        "",
    ),
)
# The good kernel's list passes tasks of equal priority; the unit's library counts before it waits.
GROWING = {
    "sw": TreeMutant(
        "equal priorities are passed one by one",
        "kernel/software/wait_queue/priority_list.h",
        "        mel_link_t *last = entry->previous;\n",
        "        mel_link_t *last = entry;\n"
        "        while (last->next != entry) {\n            last = last->next;\n        }\n",
    ),
    "hwrtos": TreeMutant(
        "the library counts to the caller's number",
        "kernel/unit/semaphore.c",
        "mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)\n{\n",
        "mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)\n{\n"
        "    for (uint32_t i = mel_task_self() & 63; i != 0; i--) {\n"
        '        __asm__ volatile("nop");\n    }\n',
    ),
}


def of_take(kernel: str, folder: Path) -> dict[tuple[int | str, ...], int]:
    """Largest value of each row of `take` of the short run."""
    app = folder / "waits"
    app.mkdir()
    (folder / "stage").symlink_to(PROGRAM.parent / "stage")
    for path in PROGRAM.iterdir():
        text = path.read_text(encoding="utf-8")
        for name, old, new in SHORT:
            if name == path.name:
                assert text.count(old) == 1, old
                text = text.replace(old, new)
        (app / path.name).write_text(text, encoding="utf-8")
    run = run_program(config.find(kernel), build.application(app), Settings(max_cycles=5_000_000))
    recording = Recording(DEFINITION, run.events)
    found = extractors.take(recording, DEFINITION.metrics["take"])
    return {tuple(parameters.values()): int(samples.max()) for parameters, samples in found}


@pytest.mark.parametrize("kernel", GROWING)
def test_a_call_that_grows_is_seen(
    kernel: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("right", "root", "wrong"):
        (tmp_path / name).mkdir()
    right = of_take(kernel, tmp_path / "right")
    assert sorted(right) == [(p, q) for p in (1, 2, 3) for q in (2, 14)]
    GROWING[kernel].plant(monkeypatch, tmp_path / "root")
    wrong = of_take(kernel, tmp_path / "wrong")
    assert max(wrong[row] - right[row] for row in right) > FLAT
