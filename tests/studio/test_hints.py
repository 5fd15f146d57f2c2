# SPDX-License-Identifier: Apache-2.0
"""Hints beside a run of the studio, and the program with which an empty folder begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from melanion import build, config
from melanion.run import RunResult, Settings, run_program
from melanion.studio.api import STARTER_RUN
from melanion.studio.files import Folder
from melanion.studio.hints import hints
from tests.studio import seen

PULSES = ((3, 40_000), (3, 44_000))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Folder(tmp_path).begin()
    return tmp_path


def result(folder: Path, system: str, pulses: tuple[tuple[int, int], ...] = PULSES) -> RunResult:
    settings = Settings(max_cycles=60_000, endless=True, pulses=pulses)
    return run_program(config.find(system), build.freertos_application(folder), settings)


@pytest.mark.parametrize(
    "system", ["sw", "freertos", pytest.param("hwrtos", marks=pytest.mark.soak)]
)
def test_the_first_program_answers_both_interrupts(folder: Path, system: str) -> None:
    words = " ".join(f"{line}@{cycle}" for line, cycle in PULSES)
    assert {"cycles": 60_000, "pulses": words} == STARTER_RUN
    found = result(folder, system)
    assert len(seen.spans(found)) == len(PULSES)
    assert hints(found) == []


def test_a_line_that_nobody_enables_is_named(folder: Path) -> None:
    assert hints(result(folder, "sw", ((4, 40_000),))) == [
        "Line 4 rises and nothing answers: the program has not enabled it by then; it calls"
        " mel_irq_map and mel_irq_enable (melanion/interrupt.h), or another line is meant."
    ]


def test_a_program_that_measures_nothing_is_told_how(folder: Path) -> None:
    lines = (folder / "main.c").read_text().splitlines()
    kept = [line for line in lines if not line.strip().startswith("MEL_REGION")]
    (folder / "main.c").write_text("\n".join(kept) + "\n")
    assert hints(result(folder, "sw")) == [
        "The program measures nothing, so no latency is compared: write MEL_REGION_OF_LINE(0,"
        ' "name", 0, LINE) at file scope, and MEL_REGION_SERVED(0, 1) where LINE is answered'
        " (melanion/measure.h)."
    ]


def test_cores_that_run_nothing_are_named(folder: Path) -> None:
    """The events of one core, as those of a system with two."""
    found = replace(result(folder, "sw"), system=config.find("sw-2"))
    assert hints(found) == [
        "On core 1 no task ran: FreeRTOSConfig.h decides it, with configNUMBER_OF_CORES MEL_CORES"
        " and configRUN_MULTIPLE_PRIORITIES 1 (#include <mel_system.h>)."
    ]
