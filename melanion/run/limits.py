# SPDX-License-Identifier: Apache-2.0
"""Objects of a system that a program for FreeRTOS used up: its creations failed from then on. The
program may not say so, the layer does, in one line of the console for each kind of object, with the
address behind the call that found it so: its file and line are the debug information's."""

from __future__ import annotations

import re

from melanion.build import limits
from melanion.build.symbols import place
from melanion.run.result import RunResult

# kernel/compat/freertos/scheduler.c, freertos_tell_limit.
_LINE = re.compile(
    r"^freertos: (?P<call>\w+) before (?P<behind>0x[0-9a-fA-F]{8}) found all (?P<most>\d+)"
    r" (?P<key>\w+) of \S+ in use: raise parameters: ",
    re.MULTILINE,
)


def used_up(result: RunResult) -> list[str]:
    """A sentence for each kind of object that was used up."""
    program, system = result.program, result.system
    if program.app.compat is None:
        return []
    found = []
    for match in _LINE.finditer(result.console):
        behind, key, most = int(match["behind"], 16), match["key"], int(match["most"])
        where = place(program.elf, behind - 1) or program.app.name  # - 1: within the call
        found.append(
            f"{where}: {match['call']} found all {most} {key} of {system.name} in use, and failed:"
            f" {limits.remedy(system, key, most + 1)}."
        )
    return found
