# SPDX-License-Identifier: Apache-2.0
"""Mutants in the hardware unit (tests/mutants/unit.yaml): the random test must notice each.

The RTL's own assertions are off: what notices is the comparison with the model. All bugs of a size
are in one bench; with none chosen it is the control.
"""

from __future__ import annotations

import pytest

from tests.common import schemata
from tests.random import mutants
from tests.random.campaign import execute, shrink
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
    mutant = next(m for m in ALL if m.name == "a poll is refused as a wait")
    case = mutants.recorded()[mutant.name]
    program = mutants.program(mutant.size)
    number = mutants.number_of(mutant)
    assert shrink(case, program) == []
    with schemata.chosen(number):
        entries = shrink(case, program)
        with pytest.raises(RejectedError, match="E_CTX"):
            execute(program, case.limits, entries, case.seed)
    execute(program, case.limits, entries, case.seed)
    # The last three let the unit come to rest.
    assert len(entries) <= 12


def test_every_part_of_the_unit_has_mutants() -> None:
    """Modules with a bench of their own have theirs beside it, those of proofs in proofs.yaml."""
    assert {mutant.file for mutant in ALL} >= {
        "mel_access.sv",
        "mel_best.sv",
        "mel_dispatcher.sv",
        "mel_engine.sv",
        "mel_unit.sv",
    }
