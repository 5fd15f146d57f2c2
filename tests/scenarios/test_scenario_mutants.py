# SPDX-License-Identifier: Apache-2.0
"""Mutants in the C side of kernels (tests/mutants/kernel.yaml): a scenario catches each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from melanion.model import ReplayError
from melanion.run import RunError
from melanion.scenario import load
from tests.common import scenario_run
from tests.common.planted_kernel import MUTANTS, Mutant
from tests.scenarios.test_scenarios import PAIRS


def marked(number: int) -> Any:
    """A changed header compiles the whole kernel anew: in every run the first bug of each header,
    and each bug of a source."""
    mutant = MUTANTS[number]
    again = mutant.file.endswith(".h") and mutant.file in {m.file for m in MUTANTS[:number]}
    name = mutant.name.replace(" ", "_")
    return pytest.param(mutant, id=name, marks=[pytest.mark.soak] if again else [])


@pytest.mark.parametrize("mutant", map(marked, range(len(MUTANTS))))
def test_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    mutant.plant(monkeypatch, tmp_path / "root")
    scenario = load(scenario_run.SCENARIOS / f"{mutant.scenario}.yaml")
    try:
        finding = scenario_run.quick_complaint(scenario, mutant.kernel, tmp_path)
    except (ReplayError, RunError) as error:
        finding = error.message
    assert finding is not None, f"{mutant.scenario} passed with the bug: {mutant.name}"
    print(finding)


def test_each_scenario_passes_on_its_kernel_without_the_bug() -> None:
    """test_scenarios runs it there, in the same ticks."""
    run = {tuple(pair.values) for pair in PAIRS if not pair.marks}
    for mutant in MUTANTS:
        path = scenario_run.SCENARIOS / f"{mutant.scenario}.yaml"
        assert (path, mutant.kernel) in run, mutant.name
