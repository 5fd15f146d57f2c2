# SPDX-License-Identifier: Apache-2.0
"""Many tasks at once (apps/freertos/freertos_load): groups that check themselves, all of which must
go on until the end, on FreeRTOS itself and on the layer of every kernel."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from melanion import build, config, paths
from melanion.run import RunError, Settings, run_program
from tests.common.fetched import needs_cargo

APP = build.application(paths.data_root() / "apps" / "freertos" / "freertos_load")
SOAK = pytest.mark.soak
LAYER = ("sw-128", "hwrtos-128", "port-128", "banked-128")
KERNELS = (pytest.param("freertos", marks=needs_cargo), *LAYER)
FEW, SOME, MANY = 500, 4_000, 20_000  # ticks
END = re.compile(r"(?P<groups>\d+) groups, (?P<tasks>\d+) tasks, (?P<ticks>\d+) ticks\n$")


def load(system: str, ticks: int, settings: Settings | None = None, **more: int) -> str:
    """The program's console. Raises RunError for what a group finds."""
    app = replace(APP, defines={**APP.defines, "TICKS": ticks, **more})
    return run_program(config.find(system), app, settings or Settings()).console


def enough(console: str, ticks: int) -> bool:
    """At the end of the console: at least 20 groups, of which none stood still, and 75 tasks."""
    end = END.search(console)
    passes = [int(line.split(": ")[1]) for line in console.splitlines()[:-1]]
    return (
        end is not None
        and len(passes) == int(end["groups"]) >= 20
        and min(passes) > 0
        and int(end["tasks"]) >= 75
        and int(end["ticks"]) >= ticks
    )


@pytest.mark.parametrize("system", ["hwrtos-128", pytest.param("sw-128", marks=SOAK)])
def test_groups_go_on_together(system: str) -> None:
    assert enough(load(system, FEW), FEW)


@SOAK
@pytest.mark.parametrize("system", KERNELS)
def test_groups_go_on_together_for_long(system: str) -> None:
    assert enough(load(system, MANY), MANY)


@SOAK
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("system", KERNELS)
def test_groups_go_on_together_when_memory_and_unit_wait(system: str, seed: int) -> None:
    settings = Settings(seed=seed, wait_states="0-2", unit_wait_states="0-7")
    assert enough(load(system, SOME, settings, TICK_HZ=4_000), SOME)


def test_too_little_is_not_enough() -> None:
    line = "".join(f"group{i}: 3\n" for i in range(20))
    assert enough(f"{line}20 groups, 75 tasks, 500 ticks\n", 500)
    for wrong in (
        f"{line}20 groups, 74 tasks, 500 ticks\n",
        f"{line}20 groups, 75 tasks, 499 ticks\n",
        f"{line}21 groups, 75 tasks, 500 ticks\n",
        f"{line.replace('group7: 3', 'group7: 0')}20 groups, 75 tasks, 500 ticks\n",
        line,
    ):
        assert not enough(wrong, 500)


@SOAK
def test_an_overload_ends_the_run() -> None:
    """Ticks in which the work of none is done: calls come late, and groups stand still."""
    with pytest.raises(RunError, match=r"timers: not repeated as often|: it has stopped"):
        load("sw-128", FEW, TICK_HZ=60_000)
