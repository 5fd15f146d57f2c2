# SPDX-License-Identifier: Apache-2.0
"""Planted bugs in the hardware unit (tests/mutants/rtl.yaml): the random test must notice each.

The RTL's own assertions are off: what notices is the comparison with the model.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.random import mutants
from tests.random.campaign import Case, CaseError, execute, run_case, shrink
from tests.random.mutants import Mutant, MutantError
from tests.random.records import RejectedError
from tests.verilated import ROOT

ALL = mutants.load()
# One of time and one of inheritance in every run (a build each); the rest in `make soak`.
QUICK = frozenset(
    {
        "a timeout of one tick is lost during the release of others",
        "a chain ends at the first owner",
    }
)


def _marked(mutant: Mutant) -> object:
    marks = () if mutant.name in QUICK else (pytest.mark.soak,)
    return pytest.param(mutant, id=mutant.name, marks=marks)


@pytest.mark.parametrize("mutant", [_marked(mutant) for mutant in ALL])
def test_mutant_is_caught(mutant: Mutant) -> None:
    finding = mutants.caught(mutant)
    assert finding, f"nothing was noticed of: {mutant.name} ({mutant.why})"
    print(finding)


def test_failing_script_is_shrunk() -> None:
    mutant = next(m for m in ALL if m.name == "a semaphore counts one above its maximum")
    case = Case(mutant.size, "mixed", 1, 300)
    with mutants.planted(mutant) as program:
        with pytest.raises(CaseError, match="E_QOVR"):
            run_case(case, program)
        entries = shrink(case, program)
        with pytest.raises(RejectedError, match="E_QOVR"):
            execute(program, case.limits, entries, case.seed)
    # Made, given to its maximum and once more; the last three let the unit come to rest.
    assert len(entries) <= 12


def test_every_part_of_the_unit_has_mutants() -> None:
    assert {mutant.name for mutant in ALL} >= QUICK
    assert {mutant.file for mutant in ALL} >= {
        "mel_priority_list.sv",
        "mel_dispatcher.sv",
        "mel_timers.sv",
        "mel_execute.sv",
        "mel_sequencer.sv",
        "mel_check.sv",
        "mel_interrupt_map.sv",
        "mel_command.sv",
        "mel_event_flags.sv",
        "mel_queues.sv",
        "mel_words.sv",
        "mel_mutexes.sv",
        "mel_inheritance.sv",
        "mel_backlog.sv",
        "mel_tables.sv",
        "mel_step.sv",
        "mel_plan_pkg.sv",
        "mel_execute_task.sv",
        "mel_execute_object.sv",
        "mel_execute_mutex.sv",
        "mel_quantum.sv",
        "mel_deadlines.sv",
        "mel_budgets.sv",
        "mel_watch.sv",
        "mel_run_time.sv",
        "mel_latency.sv",
        "mel_execute_notification.sv",
        "mel_notifications.sv",
    }


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name)
def test_mutant_fits_the_text(mutant: Mutant, tmp_path: Path) -> None:
    copy = tmp_path / "rtl"
    shutil.copytree(ROOT / "hw" / "rtl", copy)
    mutants.plant(mutant, copy)


def test_mutant_that_does_not_fit_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "mel_x.sv").write_text("a b a\n", encoding="utf-8")
    twice = Mutant("twice", "mel_x.sv", "a", "b", "no reason")
    with pytest.raises(MutantError, match=r"mutant twice: the old text is 2 times in mel_x\.sv"):
        mutants.plant(twice, tmp_path)
    with pytest.raises(MutantError, match=r"mutant gone: hw/rtl has no mel_y\.sv"):
        mutants.plant(Mutant("gone", "mel_y.sv", "a", "b", "no reason"), tmp_path)
