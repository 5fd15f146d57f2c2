# SPDX-License-Identifier: Apache-2.0
"""Objects of a system that a program for FreeRTOS used up: its creations failed from then on. The
program may not say so, the layer does, in one line of the console for each kind of object."""

from __future__ import annotations

import re

from melanion.build import limits
from melanion.run.result import RunResult

# kernel/compat/freertos/scheduler.c, freertos_tell_limit.
_LINE = re.compile(
    r"^freertos: all (?P<most>\d+) (?P<key>\w+) of \S+ are in use: raise parameters: ", re.MULTILINE
)


def used_up(result: RunResult) -> list[str]:
    """A sentence for each kind of object that was used up."""
    app, system = result.program.app, result.system
    if app.compat is None:
        return []
    return [
        f"{app.name} asked for more than the {match['most']} {match['key']} of {system.name}, and"
        " was refused:"
        f" {limits.remedy(system, match['key'], int(match['most']) + 1)}."
        for match in _LINE.finditer(result.console)
    ]
