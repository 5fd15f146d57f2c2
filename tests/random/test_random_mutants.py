# SPDX-License-Identifier: Apache-2.0
"""Mutants in the hardware unit (tests/mutants/rtl*.yaml): the random test must notice each.

The RTL's own assertions are off: what notices is the comparison with the model. All bugs of a size
are in one bench; with none chosen it is the control.
"""

from __future__ import annotations

import pytest

from tests.common import schemata
from tests.random import mutants
from tests.random.campaign import Case, execute, shrink
from tests.random.mutants import Mutant
from tests.random.records import RejectedError

ALL = sorted(mutants.load(), key=lambda mutant: mutant.size)


@pytest.mark.parametrize("size", sorted({mutant.size for mutant in ALL}))
def test_without_a_mutant_every_script_agrees(size: str) -> None:
    assert mutants.control(size) == ""


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name)
def test_mutant_is_caught(mutant: Mutant) -> None:
    finding = mutants.caught(mutant)
    assert finding, f"nothing was noticed of: {mutant.name} ({mutant.why})"
    print(finding)


def test_every_mutant_has_a_script() -> None:
    """Else the search begins anew in every run; `python -m tests.random.mutants` records them."""
    assert set(mutants.recorded()) == {mutant.name for mutant in ALL}


def test_failing_script_is_shrunk() -> None:
    mutant = next(m for m in ALL if m.name == "a semaphore counts one above its maximum")
    case = Case(mutant.size, "mixed", 1, 300)
    program = mutants.program(mutant.size)
    number = mutants.number_of(mutant)
    assert shrink(case, program) == []
    with schemata.chosen(number):
        entries = shrink(case, program)
        with pytest.raises(RejectedError, match="E_QOVR"):
            execute(program, case.limits, entries, case.seed)
    execute(program, case.limits, entries, case.seed)
    # Made, given to its maximum and once more; the last three let the unit come to rest.
    assert len(entries) <= 12


def test_every_part_of_the_unit_has_mutants() -> None:
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
