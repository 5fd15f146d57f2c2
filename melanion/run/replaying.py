# SPDX-License-Identifier: Apache-2.0
"""The golden model beside a run: sizes and patience of a system, and the comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from melanion import commands
from melanion.build import Program
from melanion.config import Parameters, System
from melanion.model import Limits, OwnCommand, lower
from melanion.model.owed import SOFTWARE_PATIENCE, Patience
from melanion.model.replay import ReplayReport, replay
from melanion.trace import Events


def compared(system: System, program: Program, events: Events) -> ReplayReport:
    """The run on the model; with objects in C first what the hardware unit did of it."""
    names = {stack.number: stack.symbol for stack in program.content.stacks}
    kernel = system.kernel_info
    if kernel.in_c:
        replay(lower.unit(events), limits(system, system.unit_parameters), kernel, names=names)
    sizes = limits(system, system.parameters)
    called = followed(system, events)
    return replay(called, sizes, kernel, patience=patience(system), names=names)


def followed(system: System, events: Events) -> Iterable[Any]:
    """Events that the model of kernel calls follows: the run's; with objects in C the calls made of
    them."""
    return lower.calls(events, system.parameters.tasks) if system.kernel_info.in_c else events


def limits(system: System, sizes: Parameters) -> Limits:
    """The model's sizes of a system."""
    return Limits(**sizes.model_dump(), cores=system.core.count, own=own(system))


def own(system: System) -> Mapping[int, OwnCommand]:
    """The user's commands, by number. Raises CommandsError."""
    return commands.meanings(system.own) if system.own else {}


def patience(system: System) -> Patience:
    """Longest times that its kernel may owe an event."""
    if system.kernel_info.in_c:
        return SOFTWARE_PATIENCE
    if system.implementations.get("ipi") != "poll":
        return Patience.of(system.kernel_info)
    slow = SOFTWARE_PATIENCE.dispatch + 2 * system.tick_cycles  # a busy core looks at its ticks
    return Patience(SOFTWARE_PATIENCE.step, slow)
