# SPDX-License-Identifier: Apache-2.0
"""A task in user mode (row 5): apps/faults/guarded on cores with and without memory protection."""

from __future__ import annotations

import re
from enum import IntEnum

import numpy as np
from mel_gen import Command, ExitReason, Register, TraceKind

from melanion import config
from melanion.config import System
from melanion.run import RunResult, Settings, run_program
from melanion.run.judge import EXIT_CODE_FAULT
from melanion.soc import addresses
from tests.faults.whole import app


class Guard(IntEnum):
    """Memory protection that the program sets up: `GUARD` of guarded.c."""

    NONE = 0
    MEMORY_ONLY = 1
    OPEN = 2


class Touch(IntEnum):
    """Access that user mode makes: `ACCESS` of guarded.c."""

    LOAD_UNIT = 0
    STORE_UNIT = 1
    STORE_DEVICE = 2


ADDRESSES = addresses(config.find("hwrtos"))
GIVE = int(Command.SEMAPHORE_GIVE) * 1024 + 4  # offset of the command for SEM_TOUCHED
REFUSED = {
    Touch.LOAD_UNIT: ("load access fault (cause 5)", ADDRESSES["unit_base"] + Register.IDENTITY),
    Touch.STORE_UNIT: ("store access fault (cause 7)", ADDRESSES["unit_base"] + GIVE),
    Touch.STORE_DEVICE: ("store access fault (cause 7)", ADDRESSES["io_base"]),
}


def system(name: str, *, pmp: bool) -> System:
    found = config.find(name)
    return found.model_copy(update={"core": found.core.model_copy(update={"pmp": pmp})})


def run(system: System, guard: Guard, touch: Touch) -> RunResult:
    """Raises ReplayError; how the run ends is the caller's matter."""
    defines: dict[str, int | str] = {"GUARD": int(guard), "ACCESS": int(touch)}
    return run_program(system, app("guarded"), Settings(defines=defines, must_succeed=False))


def gives(result: RunResult) -> int:
    """Commands that the store of user mode became."""
    commands = result.events[result.events["kind"] == TraceKind.COMMAND]
    return int(np.count_nonzero(commands["a"] & 0xFF == Command.SEMAPHORE_GIVE))


def check_refused(system: System, touch: Touch) -> None:
    """The run ends with the sentence that names fault, address and task; the unit saw nothing."""
    result = run(system, Guard.MEMORY_ONLY, touch)
    fault, address = REFUSED[touch]
    core = "" if system.core.count == 1 else f", on core {system.core.count - 1}"
    place = f"address 0x{address:08x}, in user mode of task 3 (guest){core}"
    sentence = rf"melanion: {re.escape(fault)} at pc 0x1000[0-9a-f]{{4}}, {re.escape(place)}\n"
    assert re.fullmatch(sentence, result.console), result.console
    assert (result.reason, result.code) == (ExitReason.PROGRAM, EXIT_CODE_FAULT)
    assert gives(result) == 0


def check_done(system: System, guard: Guard, touch: Touch) -> None:
    """The control: the same access is done."""
    result = run(system, guard, touch)
    assert (result.reason, result.code) == (ExitReason.PROGRAM, 0), result.console
    assert result.console == ("u" if touch == Touch.STORE_DEVICE else "")
    assert gives(result) == (touch == Touch.STORE_UNIT)
