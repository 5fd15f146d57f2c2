# SPDX-License-Identifier: Apache-2.0
"""Faults on the hardware unit alone (docs/reference/faults.md): directed sweeps of tests/faults.

Mutants that they must notice: test_faults_mutants.py.
"""

from __future__ import annotations

import pytest

from tests.faults import boundaries, planted, races, requests, resets, windows
from tests.faults.races import CONTENDERS, Contender
from tests.faults.stage import LIMITS
from tests.random import bench, mutants
from tests.random.campaign import SIZES


@pytest.mark.parametrize("where", requests.CONTEXTS)
def test_illegal_requests_change_nothing_and_are_counted(where: str) -> None:
    assert requests.check_refused(bench.build(LIMITS), where) > 3000


@pytest.mark.soak
@pytest.mark.parametrize("where", requests.CONTEXTS)
def test_illegal_requests_with_every_number_in_every_context(where: str) -> None:
    assert requests.check_refused(bench.build(LIMITS), where, whole=True) > 10_000


def test_illegal_requests_are_all_there() -> None:
    """The sweep sees every op, every number and every status that it should; all contexts together
    see what one sees that has every number."""
    everywhere = [found for where in requests.CONTEXTS for found in requests.requests(where)]
    whole = [found for where in requests.CONTEXTS for found in requests.requests(where, whole=True)]
    assert set(everywhere) == set(whole)
    assert {request.op for request, _ in everywhere} == set(requests.OPS)
    assert {request.number for request, _ in everywhere} >= set(range(LIMITS.interrupts, 256))
    assert {status.name for _, status in everywhere} == {
        "E_RSFN", "E_CTX", "E_ID", "E_PAR", "E_NOEXS",
    }  # fmt: skip


def test_values_next_to_the_illegal_ones_are_taken() -> None:
    requests.check_accepted(bench.build(LIMITS))


def test_partial_misaligned_and_register_writes_do_nothing() -> None:
    windows.check_illegal_accesses(bench.build(LIMITS))


def test_loads_of_the_whole_window_have_no_effect() -> None:
    windows.check_loads(bench.build(LIMITS))


def test_repeated_accesses() -> None:
    windows.check_repeated(bench.build(LIMITS))


def test_a_core_has_no_address_of_another_cores_window() -> None:
    """On the bench of the mutants, none of which is chosen: nothing else has two cores."""
    windows.check_windows_of_cores(mutants.program("two"))


def test_semaphore_count_stays_at_its_maximum() -> None:
    boundaries.check_semaphore_limit(bench.build(LIMITS))


def test_wakeup_count_stays_at_its_limit() -> None:
    boundaries.check_wakeup_limit(bench.build(LIMITS))


def test_edges_without_effect_are_counted_or_ignored() -> None:
    boundaries.check_edges_without_effect(bench.build(LIMITS))


def test_storm_of_edges_delays_no_call_and_loses_no_count() -> None:
    boundaries.check_storm(bench.build(LIMITS))


@pytest.mark.parametrize("size", ["tiny", "odd", "no_semaphores"])  # three places of a wrap
def test_longest_timeout_is_none_of_the_next_ticks(size: str) -> None:
    races.check_longest_limit(bench.build(SIZES[size]), SIZES[size])


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda contender: contender.name)
def test_end_of_wait_in_every_cycle_around_its_timeout(contender: Contender) -> None:
    races.check_race(bench.build(races.SIZE), contender)


def test_the_run_with_resets_passes_through_everything() -> None:
    assert resets.passed_through(resets.judged_run(resets.SEED)) >= resets.everything()


def test_reset_in_every_thirty_first_cycle() -> None:
    """On the bench of the mutants, none of which is chosen; in `make soak` without them."""
    program = resets.build(mutants.sources(planted.size_of("resets")))
    assert resets.check_resets(program, resets.SEED, every=31) > 2500 // 31


@pytest.mark.soak
def test_reset_in_every_cycle_of_every_command() -> None:
    assert resets.check_resets(resets.build(bench.sources()), resets.SEED) > 2500


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 9))
def test_reset_in_other_runs(seed: int) -> None:
    """In every seventh cycle: eight runs differ in more than the cycles of one."""
    resets.check_resets(resets.build(bench.sources()), seed, every=7)
