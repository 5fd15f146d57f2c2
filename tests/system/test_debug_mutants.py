# SPDX-License-Identifier: Apache-2.0
"""Mutants of the debugger (tests/mutants/debug.yaml): the checks of test_debug notice each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import paths
from tests.common.planted_tree import NOTICED, TreeMutant
from tests.system import test_debug

MUTANTS = paths.data_root() / "tests" / "mutants" / "debug.yaml"

CHECKS: dict[str, Callable[[str], None]] = {
    "stores": test_debug.test_memory_is_that_before_the_instruction_shown,
    "registers": test_debug.test_every_task_has_its_own_registers,
    "watch": test_debug.test_a_store_to_what_is_watched_stops_it,
    "run": test_debug.test_a_held_run_is_the_run,
}


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """A bug that `check` notices on `system`."""

    check: str
    system: str


BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


@pytest.mark.soak  # each compiles a simulation
@pytest.mark.parametrize("bug", BUGS, ids=[bug.name.replace(" ", "_") for bug in BUGS])
def test_planted_bug_is_noticed(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The control: the same checks in tests/system/test_debug.py."""
    bug.plant(monkeypatch, tmp_path)
    with pytest.raises(NOTICED) as finding:
        CHECKS[bug.check](bug.system)
    print(finding.value)
