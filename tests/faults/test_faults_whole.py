# SPDX-License-Identifier: Apache-2.0
"""Faults on the whole system: programs of apps/faults under both kernels, judged by the replay.

Mutants that they must notice: test_faults_mutants.py.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from melanion import config
from melanion.run import RunError, Settings, run_program
from tests.faults import guarded, silence, whole
from tests.faults.guarded import Guard, Touch
from tests.faults.silence import NO_ANSWER, NO_GRANT, Silence, SilentTree
from tests.faults.whole import LIMIT, SET_UP, WAITING, Periods, Storm

# Rounds: more cycles than the longest call that does not wait (`cycles_missed` checks it).
DELAYS = {"hwrtos": 180, "sw": 200, "port": 180, "banked": 180}
LATER = pytest.mark.soak


# In every run one kernel of each kind, with handlers: they do what the action of a line does, and
# more. Of `banked` in every run: the control of its mutants (test_registers.py).
QUICK = {("hwrtos", True), ("sw", True)}


@pytest.mark.parametrize(
    ("kernel", "handle"),
    [
        pytest.param(
            *(name, handle),
            id=f"{name}-{'handler' if handle else 'action_only'}",
            marks=[] if (name, handle) in QUICK else LATER,
        )
        for name, handle in product(DELAYS, (True, False))
    ],
)
def test_interrupt_in_every_cycle_of_every_call(kernel: str, handle: bool) -> None:
    delays = DELAYS[kernel]
    result = whole.interrupted(config.find(kernel), delays=delays, handle=handle)
    assert whole.cycles_missed(result, delays - SET_UP) == {}


SMALL = 160  # rounds


def test_interrupt_in_every_cycle_on_the_small_core_with_a_store_of_contexts() -> None:
    result = whole.interrupted(whole.banked("small"), delays=SMALL, handle=True)
    assert whole.cycles_missed(result, SMALL - SET_UP) == {}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("variant", "resident", "handle"),
    [
        *(("main", 4, True), ("main", 5, False), ("main", 16, True)),
        *(("small", 4, False), ("small", 5, True), ("small", 16, False)),
    ],
)
def test_interrupt_in_every_cycle_with_any_number_of_contexts_at_hand(
    variant: str, resident: int, handle: bool
) -> None:
    system = whole.banked(variant, resident)
    delays = DELAYS["banked"]
    result = whole.interrupted(system, delays=delays, handle=handle)
    assert whole.cycles_missed(result, delays - SET_UP) == {}


# Wait states of memory, and of the unit or devices: each number of one and each of the other.
SETTINGS = ((0, 1), (1, 20), (3, 0))
PHASE = 777  # cycles


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kernel", "handle", "wait_states", "unit_wait_states"),
    [
        pytest.param(
            *(kernel, bool((row + column) % 2), *setting),
            id=f"{kernel}-{setting[0]}-{setting[1]}",
        )
        for row, kernel in enumerate(DELAYS)
        for column, setting in enumerate(SETTINGS)
    ],
)
def test_interrupt_in_every_cycle_with_wait_states(
    kernel: str, handle: bool, wait_states: int, unit_wait_states: int
) -> None:
    delays = DELAYS[kernel] * (2 + 3 * wait_states) // 2 + 12 * unit_wait_states

    def missed(phase: int) -> dict[int, list[int]]:
        result = whole.interrupted(
            config.find(kernel),
            delays=delays,
            handle=handle,
            wait_states=wait_states,
            unit_wait_states=unit_wait_states,
            max_cycles=1_000_000_000,
            phase=phase,
        )
        # A call that waits is swept on its way out: later, the tick that ends it moves the pulse.
        return whole.cycles_missed(result, delays // 3)

    # A tick that comes just before such a call moves its pulse, too; in another phase another one.
    first = missed(0)
    second = missed(PHASE) if first else {}
    assert {n: set(cycles) & set(second.get(n, ())) for n, cycles in first.items()} == {
        n: set() for n in first if n >= WAITING
    }


def test_interrupts_in_calls_with_wait_states() -> None:
    """A part of the sweep with wait states, in every run of the tests."""
    system = config.find("hwrtos")
    whole.interrupted(system, delays=15, handle=True, wait_states=2, unit_wait_states=5)


@cache
def storm(kernel: str, handle: bool) -> Storm:
    return whole.storm(config.find(kernel), handle)


@cache
def periods(limit: int) -> Periods:
    return whole.periods(config.find("hwrtos"), limit)


def test_most_urgent_task_in_a_storm_of_interrupts() -> None:
    whole.check_storm(storm("hwrtos", handle=False))


@pytest.mark.parametrize(
    ("kernel", "handle"), [("hwrtos", True), ("sw", True), ("sw", False)], ids=str
)
def test_handlers_in_a_storm_take_what_they_need_and_may_take_all(
    kernel: str, handle: bool
) -> None:
    """Without a limit. A software kernel does what a line is mapped to in C, too."""
    found = storm(kernel, handle)
    print(found)
    whole.check_handlers(found)
    if config.find(kernel).unit:
        whole.check_losses(found)


def test_limit_keeps_the_share_and_the_periods_of_the_most_urgent_task_in_any_storm() -> None:
    whole.check_limited(whole.storm(config.find("hwrtos"), True, LIMIT), periods(LIMIT))


def test_without_a_limit_the_most_urgent_task_misses_its_periods_in_a_storm() -> None:
    unlimited = periods(0)
    print(unlimited)
    whole.check_unlimited(unlimited)
    whole.check_losses(unlimited)


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> SilentTree:
    return SilentTree(tmp_path_factory.mktemp("silent"))


@pytest.mark.parametrize("tied", [NO_GRANT, NO_ANSWER])
def test_silent_unit_ends_the_boot_with_a_sentence(
    tied: Silence, silent: SilentTree, tmp_path: Path
) -> None:
    with silent.chosen(None):
        silence.check_silent_from_reset(tied, tmp_path)


def test_unit_that_falls_silent_ends_the_run_with_a_sentence(
    silent: SilentTree, tmp_path: Path
) -> None:
    """At the port: test_port.py."""
    with silent.chosen(None):
        silence.check_falls_silent(tmp_path)


def test_unit_that_is_asked_again_and_again_is_not_given_up(
    silent: SilentTree, tmp_path: Path
) -> None:
    with silent.chosen(None):
        silence.check_busy(tmp_path)


# ---- the checks themselves -----------------------------------------------------------------------


def test_a_storm_with_handlers_is_told_from_one_without() -> None:
    actions, handlers = (storm("hwrtos", handle) for handle in (False, True))
    with pytest.raises(AssertionError):
        whole.check_storm(handlers)
    with pytest.raises(AssertionError, match="is there a bound now"):
        whole.check_handlers(actions)
    with pytest.raises(AssertionError):
        whole.check_losses(replace(actions, merged=actions.merged - 1))
    with pytest.raises(AssertionError):
        whole.check_handlers(replace(handlers, handling=handlers.handling / 2))
    with pytest.raises(AssertionError):
        whole.check_bound(handlers)
    with pytest.raises(AssertionError, match="no storm"):
        whole.check_bound(actions)


def test_periods_with_a_limit_are_told_from_those_without() -> None:
    limited, unlimited = periods(LIMIT), periods(0)
    with pytest.raises(AssertionError, match="is there a limit"):
        whole.check_unlimited(limited)
    with pytest.raises(AssertionError, match="a period was missed"):
        whole.check_periods(unlimited)
    met = replace(unlimited, missed=limited.missed)
    with pytest.raises(AssertionError, match="more handlers in a tick than the limit"):
        whole.check_periods(met)
    with pytest.raises(AssertionError, match="more than their share"):
        whole.check_periods(replace(met, claims=LIMIT))
    with pytest.raises(AssertionError, match="never reached"):
        whole.check_periods(replace(limited, claims=LIMIT - 1))


def test_too_few_rounds_miss_cycles() -> None:
    result = whole.interrupted(config.find("hwrtos"), delays=30, handle=False)
    assert len(whole.cycles_missed(result, 30)) > 1


# ---- user mode -----------------------------------------------------------------------------------


@pytest.mark.parametrize("touch", Touch, ids=lambda touch: touch.name.lower())
@pytest.mark.parametrize(
    "name", ["hwrtos", *(pytest.param(name, marks=LATER) for name in ("hwrtos-2", "hwrtos-single"))]
)
def test_access_from_user_mode_is_refused_and_names_the_task(name: str, touch: Touch) -> None:
    guarded.check_refused(guarded.system(name, pmp=True), touch)


@pytest.mark.parametrize("touch", Touch, ids=lambda touch: touch.name.lower())
def test_access_from_user_mode_that_is_allowed_is_done(touch: Touch) -> None:
    """Else the refusals prove nothing: the same program where user mode may access everything."""
    guarded.check_done(guarded.system("hwrtos", pmp=True), Guard.OPEN, touch)


@pytest.mark.parametrize("touch", Touch, ids=lambda touch: touch.name.lower())
def test_without_memory_protection_user_mode_may_access_everything(touch: Touch) -> None:
    guarded.check_done(guarded.system("hwrtos", pmp=False), Guard.NONE, touch)


# ---- a runaway task ------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["hwrtos", "hwrtos-single"])
def test_runaway_task_is_named_and_stopped_by_its_budget(kernel: str) -> None:
    result = run_program(config.find(kernel), whole.app("runaway"))
    assert result.console == "runaway: task 5 (endless) has used up its budget\n"


def test_runaway_task_without_a_budget_runs_for_ever() -> None:
    with pytest.raises(RunError, match="did not exit within 20000 cycles"):
        run_program(
            config.find("hwrtos"),
            whole.app("runaway"),
            Settings(defines={"BUDGET": 0}, max_cycles=20_000),
        )
