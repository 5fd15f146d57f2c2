# SPDX-License-Identifier: Apache-2.0
"""Random scenarios on systems of several cores: each task on a core by chance, or on any. Many logs
are right then: the replay judges a run.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from melanion import config
from melanion.run import RunResult
from melanion.scenario import Scenario, execute
from melanion.scenario.language import Call
from tests.common import scenario_run
from tests.random.programs import crowd, program_for

CROWD_TICKS = 12
TICKS_MAXIMUM = 60  # ticks of any other random program


def scattered(scenario: Scenario, cores: int, seed: int) -> Scenario:
    """Return the scenario with each task on a core by chance, or on any."""
    chance = random.Random(seed)

    def place(call: Call) -> Call:
        if call.name != "task_create":
            return call
        return replace(call, argument=call.argument & 0xFF | chance.randrange(cores + 1) << 8)

    return replace(scenario, main=tuple(map(place, scenario.main)))


def run_random(name: str, seed: int, folder: Path, crowded: bool) -> RunResult:
    """A crowd, whose cores meet often, or a program that leaves cores alone for long: in a crowd
    the next call of anyone wakes whom a bug left asleep. Every second seed has wait states of
    memory, every third of devices."""
    system = config.find(name)
    if crowded:
        scenario, ticks = crowd(seed, system.kernel), CROWD_TICKS
    else:
        scenario = program_for(seed, system.kernel)
        ticks = min(execute(scenario).ticks, TICKS_MAXIMUM)
    return scenario_run.start(
        scattered(scenario, system.core.count, seed),
        system,
        ticks,
        folder,
        wait_states="0-3" if seed % 2 else 0,
        unit_wait_states=0 if seed % 3 else "0-8",
        seed=seed,
    )
