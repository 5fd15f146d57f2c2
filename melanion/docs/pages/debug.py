# SPDX-License-Identifier: Apache-2.0
"""Block of docs/howto/debug.md: GDB's threads."""

from __future__ import annotations

import re

from melanion import build, config
from melanion.debug import Target
from melanion.docs.table import fenced
from melanion.run import Settings, held
from melanion.soc import Purpose

KERNEL, APP, FUNCTION = "hwrtos", "pingpong", "pong"


def threads() -> str:
    """As `info threads` has them at the first instruction of a task. The cycles, which every change
    of the boot code changes, are left out."""
    system, app = config.find(KERNEL), build.application(APP)
    hardware, program = build.hardware(system, Purpose.DEBUG), build.program(system, app)
    with held(hardware, program, Settings().decide(system, app)) as simulation:
        simulation.stopped()
        simulation.mark(program.content.symbols[FUNCTION], wanted=True)
        simulation.go()
        simulation.stopped()
        found = Target(system, program, simulation).threads()
    lines = [f'Thread {each.number} "{each.name}" ({each.about})' for each in found]
    return fenced(re.sub(r"since cycle \d+", "since cycle …", line) for line in lines)
