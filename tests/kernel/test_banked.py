# SPDX-License-Identifier: Apache-2.0
"""The coupling `banked`: what a program for it may not contain, and scenarios on both variants of
the core.

Scenarios, waits, the sweep of interrupts and the stress program run on it as on every coupling;
its store alone: tests/rtl/test_contexts.py.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import tools
from melanion.build.listing import listing as read
from melanion.run import run_program
from melanion.scenario import load
from tests.common import scenario_run

APPS = ["hello", "pingpong", "blinker", "pipeline", "latency", "scenario"]
# x3 is the pc at which a task goes on (docs/decisions/0015): programs go there, and its store is a
# switch (docs/decisions/0038).
SWITCH, SWITCH_TRAP = "sw gp,-512(zero)", "sw gp,-508(zero)"
TOUCHES_X3 = re.compile(r"\bgp\b")
MAY = re.compile(rf"^(jr\s+gp|csrw\s+mepc,gp|{re.escape(SWITCH)}|{re.escape(SWITCH_TRAP)})$")


def listing(app: str) -> list[tuple[str, str]]:
    """Function and instruction of a program for banks."""
    program = build.program(config.find("banked"), build.application(app))
    return [
        (each.function, f"{each.mnemonic} {','.join(each.operands)}".strip())
        for each in read(program.elf).values()
    ]


@pytest.mark.parametrize("app", APPS)
def test_nothing_but_the_switch_touches_x3(app: str) -> None:
    found = [(f, text) for f, text in listing(app) if TOUCHES_X3.search(text)]
    assert len(found) >= 4, "both traps, a call, the end of a task"
    assert [(f, text) for f, text in found if not MAY.match(text)] == []


def test_a_call_leaves_by_a_store_and_a_jump() -> None:
    """Both of 4 bytes, one behind the other: the coupling knows the address behind the jump."""
    code = listing("latency")
    leaves = [i for i, (_, text) in enumerate(code) if text == SWITCH]
    assert len(leaves) > 10
    assert {code[i + 1][1] for i in leaves} == {"jr gp"}
    jumps = [i for i, (_, text) in enumerate(code) if text == "jr gp"]
    assert {code[i - 1][1] for i in jumps} <= {SWITCH, SWITCH_TRAP}


def test_the_handlers_vector_stands_in_the_region_of_vectors() -> None:
    """From 256 bytes behind the vectors on, where the switch takes the handlers' registers."""
    program = build.program(config.find("banked"), build.application("hello"))
    words = [tools.find("riscv64-unknown-elf-nm"), program.elf]
    names = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout
    address = {row.split()[2]: int(row.split()[0], 16) for row in names.splitlines()}
    assert 0x100 <= address["mel_vector_external"] - address["mel_vectors"] < 0x300


@pytest.mark.parametrize(
    ("variant", "resident"), [pytest.param("main", 5, marks=pytest.mark.soak), ("small", 4)]
)
@pytest.mark.parametrize(
    "name", ["mutex_chain_of_three", "timeouts_in_one_tick", "notification_by_interrupts"]
)
@pytest.mark.parametrize(
    "kernel", ["banked", pytest.param("banked-single", marks=pytest.mark.soak)]
)
def test_scenarios_on_both_cores(
    tmp_path: Path, kernel: str, variant: str, resident: int, name: str
) -> None:
    """Scenarios of more tasks than a core has at hand; the golden model judges the run."""
    system = config.find(kernel)
    core = system.core.model_copy(update={"variant": variant, "resident": resident})
    system = system.model_copy(update={"core": core})
    scenario = load(scenario_run.SCENARIOS / f"{name}.yaml")
    assert len(scenario.steps) > resident - 2
    assert scenario_run.complaint(scenario, system, tmp_path, wait_states="0-3") is None
    run_program(system, build.application("pingpong"))
