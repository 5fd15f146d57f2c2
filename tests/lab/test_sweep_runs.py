# SPDX-License-Identifier: Apache-2.0
"""A sweep of simulated points: cycles and bytes are those of the runs, a run that fails leaves its
console, and nothing is simulated twice. Wait states are an input of the simulation, so that all
points share one build."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import build, config
from melanion.results import Store
from melanion.run import run_program
from melanion.sweep import Campaign, Sweep, load, page
from tests.lab.test_sweep import Here, Silent

FAILING = """#include <melanion/melanion.h>

int main(void) {
    mel_print("it begins\\n");
    return 3;
}
"""
FILE = """title: Slow buses
systems: [hwrtos]
parameters:
  unit_wait_states: [0, 20]
programs: [pingpong, ./failing]
"""


def test_simulated_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("failing").mkdir()
    Path("failing/app.yaml").write_text("name: failing\n", encoding="utf-8")
    Path("failing/main.c").write_text(FAILING, encoding="utf-8")
    Path("my.yaml").write_text(FILE, encoding="utf-8")
    plan, store = load(Path("my.yaml")), Store(tmp_path / "store")
    told = Silent()
    campaign = Campaign(plan, store, Here(), "a test", told)
    campaign.run()
    assert len(told.evaluated) == 4
    fast, slow, *failed = campaign.answers
    assert (fast.point.system, slow.point.system) == ("hwrtos@bus:0", "hwrtos@bus:20")
    assert (fast.state, slow.state) == ("done", "done")

    run = run_program(config.find("hwrtos@bus:20"), build.application("pingpong"))
    assert slow.worst == run.cycles
    assert fast.worst is not None and slow.worst > fast.worst
    assert fast.rom and fast.ram and fast.rom == slow.rom
    stacks = sum(stack.size for stack in run.program.content.stacks)
    assert fast.ram > stacks > 0
    assert fast.rom < len(run.program.content.data) <= fast.rom + fast.ram
    assert fast.memory == fast.rom + fast.ram + 2304 * 40

    for each in failed:
        assert each.state == "failed"
        assert each.failure.startswith("failing: the program ended with exit code 3 in cycle ")
        assert "it begins" in each.evidence
        assert any(line.startswith("failing on hwrtos") for line in each.evidence)
    text = page(Sweep(plan, campaign.answers, "a test"))
    assert text.count("<pre>it begins") == 2

    told = Silent()
    again = Campaign(plan, store, Here(), "a test", told)
    again.run()
    assert told.evaluated == []
    assert [each.evidence for each in again.answers] == [each.evidence for each in campaign.answers]
