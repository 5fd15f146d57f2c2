# SPDX-License-Identifier: Apache-2.0
"""All interrupt lines that a system can have, on RTL: each releases a task and runs its handler.

A software kernel has the 64 lines of its controller (soc/devices/mel_intc.sv), in two words; some
belong to its timers and reports. The hardware unit has 64 besides these.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen import TraceKind

from melanion import build, config, paths
from melanion.config import System
from melanion.config.rules import CONTROLLER_LINES
from melanion.model.replay import ReplayError
from melanion.run import RunError, run_program
from tests.common.planted_tree import TreeMutant

PROGRAM = paths.data_root() / "apps" / "faults" / "lines"
MARK_LINE = 1  # marker of lines.c


def largest(kernel: str) -> System:
    """The named system with as many interrupt lines as its kernel can have."""
    found = config.find(kernel)
    own = found.lines - found.parameters.interrupts
    interrupts = 64 if found.unit else CONTROLLER_LINES - own
    parameters = found.parameters.model_copy(update={"interrupts": interrupts})
    return found.model_copy(update={"parameters": parameters})


def lines_that_came(system: System) -> list[int]:
    """The lines whose handlers ran, in order."""
    events = run_program(system, build.application(PROGRAM)).events
    marks = events[(events["kind"] == TraceKind.MARKER) & (events["a"] == MARK_LINE)]
    return [int(line) for line in marks["b"]]


# The unit takes all its lines in every run, too (size `large` of the random scripts).
@pytest.mark.parametrize(
    ("kernel", "count"),
    [
        *(("sw", 55), ("freertos", 55)),
        *(pytest.param(name, 64, marks=pytest.mark.soak) for name in ("hwrtos", "hwrtos-single")),
    ],
)
def test_every_line_runs_its_handler(kernel: str, count: int) -> None:
    system = largest(kernel)
    assert system.parameters.interrupts == count
    assert lines_that_came(system) == [line for line in range(count) for _ in range(2)]


BUGS = [
    TreeMutant(
        "lines from 32 on are enabled in the first word",
        "kernel/software/interrupt.c",
        "#define INTC_ENABLE(irq) INTC(irq, 0x4u)",
        "#define INTC_ENABLE(irq) INTC(0, 0x4u)",
    ),
    TreeMutant(
        "lines from 32 on are raised in the first word",
        "kernel/software/interrupt.c",
        "#define INTC_RAISE(irq) INTC(irq, 0xCu)",
        "#define INTC_RAISE(irq) INTC(0, 0xCu)",
    ),
]
SENTENCES = [
    "expected: interrupt 32 is served, not done in 100000 cycles",
    "lines: line 32: its handler did not run twice",
]


@pytest.mark.parametrize("number", [0, 1], ids=[bug.name.replace(" ", "_") for bug in BUGS])
def test_a_forgotten_second_word_is_noticed(
    number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    BUGS[number].plant(monkeypatch, tmp_path)
    with pytest.raises((RunError, ReplayError), match=SENTENCES[number]):
        lines_that_came(largest("sw"))
