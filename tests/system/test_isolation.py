# SPDX-License-Identifier: Apache-2.0
"""Tasks in user mode, each in a protection domain (docs/decisions/0052): what they may do, what a
hostile one cannot do to others, and what the border costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.build import BuildError
from melanion.config import ConfigError
from melanion.docs.pages import isolation
from melanion.run import RunResult, Settings, run_program
from tests.common.exact_cycles import pinned
from tests.common.planted_tree import NOTICED, TreeMutant

ROOT = paths.data_root()
HOSTILE = str(ROOT / "apps" / "faults" / "hostile")
TRIED = Path(__file__).parent / "isolation"
SYSTEMS = [
    "hwrtos-isolated",
    *(
        pytest.param(name, marks=pytest.mark.soak)
        for name in ("port-isolated", "sw-isolated", "hwrtos-isolated-2")
    ),
]
STATUSES = """outside -17
size -17
place -17
index -17
access -17
constant 0
read only 0
unwritable -17
region 0
half 0
beyond -17
kind -17
id -18
create 0
fault of task 2
cause 7
here 1
heir 0
-50 0 0 -27 -27 0 0 5 0 0 0 77 -50 0 0 -27 0 0 0 0 -10 1 0
refused 4
faults 1
dormant 1
"""


def hostile(system: str, **defines: int | str) -> RunResult:
    settings = Settings(defines=defines, max_cycles=40_000_000)
    return run_program(config.find(system), build.application(HOSTILE), settings)


def told(result: RunResult) -> Mapping[str, int]:
    """Figures of the program, by their noun."""
    return {noun: int(number) for number, noun in re.findall(r"(\d+) (\w+)", result.console)}


@pytest.mark.parametrize(
    "name", ["hwrtos-isolated", pytest.param("sw-isolated", marks=pytest.mark.soak)]
)
def test_calls_and_their_statuses(name: str) -> None:
    """The last of them is a fault, with a mutex: the next task gets it."""
    result = run_program(config.find(name), build.application(TRIED))
    assert result.console == STATUSES


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_a_hostile_task_hurts_nobody(name: str, seed: int) -> None:
    found = told(hostile(name, SEED=seed))
    assert found["lives"] == 40 and found["rounds"] >= 40
    assert found["faults"] == 0  # the last one: of the honest task
    assert found["late"] == found["lost"] == 0
    assert found["refused"] > 50


@pytest.mark.soak
def test_ten_million_cycles_of_it() -> None:
    result = hostile("hwrtos-isolated", LIVES=1750)
    found = told(result)
    assert result.cycles > 10_000_000
    assert found["late"] == found["lost"] == 0 and found["rounds"] > 1750


@pytest.mark.parametrize(
    "name", ["hwrtos-isolated", pytest.param("port-isolated", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("waits", ["0-3"])
def test_wait_states_change_nothing(name: str, waits: str) -> None:
    settings = Settings(wait_states=waits, unit_wait_states=waits, defines={"LIVES": 10})
    found = told(run_program(config.find(name), build.application(HOSTILE), settings))
    assert found["lost"] == found["late"] == 0


# ---- what is noticed -----------------------------------------------------------------------------

BORDER, CALLS = "kernel/isolation/user.S", "kernel/isolation/user.c"
MUTANTS = [
    TreeMutant(
        "a domain keeps the regions of the one before",
        BORDER,
        "    bne t0, tp, 2f\n",
        "    beqz t0, 2f\n",
    ),
    TreeMutant(
        "the kernel runs with the gp of user mode",
        BORDER,
        "    CORE_GLOBAL_POINTER\n    csrr t0, mepc\n    sw t0, SLOT_PC(sp)\n",
        "    csrr t0, mepc\n    sw t0, SLOT_PC(sp)\n",
    ),
    TreeMutant(
        "every domain may call every object",
        CALLS,
        "if (!granted && (kind",
        "if (false && (kind",
    ),
    TreeMutant(
        "user mode may write the code",
        CALLS,
        "(PMP_TOR | MEL_REGION_READ | PMP_EXECUTE)",
        "(PMP_TOR | MEL_REGION_READ | MEL_REGION_WRITE | PMP_EXECUTE)",
    ),
    TreeMutant(
        "a trap from user mode leaves the kernel on the stack of user mode",
        BORDER,
        "    mv sp, t0\n    csrrw t0, mscratch, zero\n",
        "    mv sp, t0\n    csrrw t0, mscratch, zero\n    lw sp, SLOT_SP(sp)\n",
    ),
    TreeMutant(
        "a task that has a fault goes on",
        BORDER,
        "    bnez t0, 2f\n    lw t0, SLOT_PC(sp)\n",
        "    nop\n    lw t0, SLOT_PC(sp)\n",
    ),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_bugs_are_noticed(
    mutant: TreeMutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises(NOTICED):
        found = told(hostile("hwrtos-isolated", SEED=1))
        assert found["faults"] == found["late"] == found["lost"] == 0
        assert (
            run_program(config.find("hwrtos-isolated"), build.application(TRIED)).console
            == STATUSES
        )


# ---- cycles --------------------------------------------------------------------------------------


@pinned
def test_cycles_of_the_border() -> None:
    """Of a call, and of a switch, from machine mode, within a domain and to another one."""
    found = isolation.cycles("hwrtos-isolated")
    assert {way: (each["give"], each["yield"]) for way, each in found.items()} == {
        "machine mode": (15, 65),
        "user mode, one domain": (121, 163),
        "user mode, two domains": (121, 180),
    }


# ---- what is refused -----------------------------------------------------------------------------


def test_a_core_without_protection_has_no_domains() -> None:
    with pytest.raises(BuildError) as caught:
        build.program(config.find("hwrtos"), build.application(HOSTILE))
    assert caught.value.message.partition(" (whole output")[0] == (
        f"{ROOT / 'apps/faults/hostile/hostile.c'}:6: hostile does not compile: melanion/domain.h:"
        " No such file or directory; take a system that has it, such as hwrtos-isolated"
    )


@pytest.mark.parametrize("name", ["banked-isolated", "hwrtos-vexriscv-isolated"])
def test_systems_that_have_no_user_mode(name: str) -> None:
    with pytest.raises(ConfigError, match=r"core\.pmp is true"):
        config.find(name)
