# SPDX-License-Identifier: Apache-2.0
"""Windows in sections of the software kernel: an interrupt at every cycle of the calls that open
them (apps/faults/windows). The golden model judges each run."""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen import Command, TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.model.replay import ReplayError
from melanion.run import RunError, RunResult, run_program
from tests.common.planted_tree import TreeMutant

PROGRAM = paths.data_root() / "apps" / "faults" / "windows"
MUTANTS = paths.data_root() / "tests" / "mutants" / "windows.yaml"
LEAST = 100  # interrupts between two releases of one set


def run(kernel: str) -> RunResult:
    return run_program(config.find(kernel), build.application(PROGRAM))


def interrupted(result: RunResult) -> int:
    """Releases of a set of flags that come after an interrupt in the call."""
    found, setting, served = 0, False, False
    for event in result.events:
        kind = event["kind"]
        if kind == TraceKind.COMMAND:
            setting, served = event["a"] & 0xFF == Command.EVENT_FLAGS_SET, False
        elif kind in (TraceKind.IRQ, TraceKind.CLAIM):
            served = True
        elif kind == TraceKind.RELEASE:
            found += setting and served
    return found


@pytest.mark.parametrize("kernel", ["sw", pytest.param("sw-sorted", marks=pytest.mark.soak)])
def test_an_interrupt_at_every_cycle(kernel: str) -> None:
    """Control of the mutants."""
    assert interrupted(run(kernel)) > LEAST


BUGS = [TreeMutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name.replace(" ", "_"))
def test_a_mutant_is_caught(
    bug: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bug.plant(monkeypatch, tmp_path)
    with pytest.raises((ReplayError, RunError)) as caught:
        run_program(
            config.find("sw"), build.application(paths.data_root() / "apps" / "faults" / "windows")
        )
    print(caught.value.message)
