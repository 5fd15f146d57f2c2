# SPDX-License-Identifier: Apache-2.0
"""Host instructions of a simulation, beside one with the unit that was replaced: no more with a
unit at the clock of its cores; at twice that clock, DOUBLE percent more; rows of MORE have limits
of their own.

tests/asserted/simulation_cost.csv has the instructions of the host for a cycle, of the simulation
as it is built, without a trace, and the digest of the sources; `replaced`: with the unit before
(docs/decisions/0034), which cannot be measured again. `python -m tests.system.test_simulation_cost`
writes the others anew, with valgrind: a count moves with the compiler by a few percent, and not
with the load of the machine as seconds do.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from melanion import build, config
from melanion.claims.reader import load
from melanion.docs import rows, sources
from melanion.measure.work import applications
from melanion.run import Settings, simulation
from tests.common import exact_cycles

FILE = rows.ASSERTED / "simulation_cost.csv"
# Percent by which it costs more. Every core has a register for an access that is held
# (soc/bus/mel_hold.sv); with four cores commands keep their unit awake for longer.
MORE = {
    ("latency", "hwrtos-single"): 3,
    ("latency", "hwrtos-single-4"): 7,
    ("cores", "hwrtos-single-4"): 14,
    ("cores", "banked-single-4"): 27,  # four stores of contexts and their exchange
    ("cores", "banked-4"): 88,
}
# Two cycles of the unit are evaluated for one of the cores.
DOUBLE = 62
ROWS = 9
FIRST, LAST = 20_000, 50_000  # between these cycles is counted: power-up and start-up are before
COLLECTED = re.compile(r"Collected : (\d+)")


def instructions(experiment: str, kernel: str) -> int:
    """Return the instructions of the host for a cycle."""
    system = config.find(kernel)
    app, *_ = applications(load(experiment))
    hardware, program = build.hardware(system), build.program(system, app)
    found = []
    for cycles in (FIRST, LAST):
        decided = Settings(max_cycles=cycles).decide(system, app)
        with tempfile.TemporaryDirectory() as folder:
            words = simulation.command(hardware, program, decided, Path(folder), [])
            tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/profile"]
            said = subprocess.run([*tool, *words], capture_output=True, text=True).stderr
        counted = COLLECTED.search(said)
        assert counted is not None, said
        found.append(int(counted[1]))
    return (found[1] - found[0]) // (LAST - FIRST)


def digest(experiment: str, kernel: str) -> str:
    return sources.present(experiment, [kernel])[experiment, kernel]


def recorded() -> list[dict[str, str]]:
    return rows.lines(FILE)


def complaint(row: dict[str, str]) -> str:
    """Return what is wrong with a row; empty: nothing."""
    experiment, kernel = row["experiment"], row["kernel"]
    if row["digest"] != digest(experiment, kernel):
        return (
            f"the sources of {kernel} moved since {FILE.name} was measured: `python -m"
            " tests.system.test_simulation_cost` measures anew"
        )
    new, before = int(row["instructions"]), int(row["replaced"])
    if 100 * new <= (100 + allowed(experiment, kernel)) * before:
        return ""
    return (
        f"{kernel} costs {new} instructions a cycle, with the unit before {before}; allowed are"
        f" {allowed(experiment, kernel)} % more"
    )


def allowed(experiment: str, kernel: str) -> int:
    """Percent."""
    twice = config.find(kernel).clock_ratio == 2
    return MORE.get((experiment, kernel), DOUBLE if twice else 0)


@pytest.mark.parametrize("number", range(ROWS))
@exact_cycles.pinned
def test_a_simulation_costs_what_it_may(number: int) -> None:
    assert complaint(recorded()[number]) == ""


@exact_cycles.pinned
def test_a_cost_that_is_too_high_or_old_is_named() -> None:
    found = recorded()
    assert len(found) == ROWS
    assert {config.find(row["kernel"]).clock_ratio for row in found} == {1, 2}
    for row in (found[0], found[-1]):
        experiment, kernel = row["experiment"], row["kernel"]
        limit = (100 + allowed(experiment, kernel)) * int(row["replaced"]) // 100
        assert complaint({**row, "instructions": str(limit)}) == ""
        said = complaint({**row, "instructions": str(limit + 1)})
        assert said.startswith(f"{kernel} costs {limit + 1} instructions a cycle")
        assert f"the sources of {kernel} moved" in complaint({**row, "digest": "0"})


def main() -> None:
    found = recorded()
    for row in found:
        experiment, kernel = row["experiment"], row["kernel"]
        row["instructions"] = str(instructions(experiment, kernel))
        row["digest"] = digest(experiment, kernel)
        print(",".join(row.values()), flush=True)
    FILE.write_text(rows.text_of(found), encoding="utf-8")


if __name__ == "__main__":
    main()
