# SPDX-License-Identifier: Apache-2.0
"""A simulation with the microprogrammed unit costs the host no more than one with that of hw/rtl,
but for the rows in MORE.

tests/asserted/simulation_cost.csv has the instructions of the host for a cycle, of the simulation
as it is built, without a trace, and the digest of the sources. `python -m
tests.system.test_simulation_cost` writes it anew, with valgrind: a count moves with the compiler
by a few percent, and not with the load of the machine as seconds do.
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
# Experiment whose program runs, system with the microprogrammed unit, the one with the old unit.
PAIRS = [
    ("latency", "hwrtos-micro", "hwrtos"),
    ("latency", "banked-micro", "banked"),
    ("latency", "hwrtos-micro-4", "hwrtos-4"),
    ("cores", "hwrtos-micro-4", "hwrtos-4"),
    ("cores", "banked-micro-4", "banked-4"),
]
# Where it does cost more, by how many percent: commands keep four cores' unit awake for longer.
MORE = {("cores", "hwrtos-micro-4"): 7, ("cores", "banked-micro-4"): 5}
FIRST, LAST = 20_000, 50_000  # between these cycles is counted: power-up and start-up are before
COLLECTED = re.compile(r"Collected : (\d+)")


def instructions(experiment: str, kernel: str) -> int:
    """Of the host, for a cycle."""
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


Rows = dict[tuple[str, str], dict[str, str]]  # experiment and kernel → row


def recorded() -> Rows:
    return {(row["experiment"], row["kernel"]): row for row in rows.lines(FILE)}


def complaint(found: Rows, experiment: str, micro: str, old: str) -> str:
    """What is wrong with a pair; empty: nothing."""
    for kernel in (micro, old):
        if found[experiment, kernel]["digest"] != digest(experiment, kernel):
            return (
                f"the sources of {kernel} moved since {FILE.name} was measured: `python -m"
                " tests.system.test_simulation_cost` measures anew"
            )
    new, before = (int(found[experiment, each]["instructions"]) for each in (micro, old))
    more = MORE.get((experiment, micro), 0)
    if 100 * new <= (100 + more) * before:
        return ""
    return f"{micro} costs {new} instructions a cycle, {old} {before}; allowed are {more} % more"


@pytest.mark.parametrize(("experiment", "micro", "old"), PAIRS)
@exact_cycles.pinned
def test_the_microprogram_costs_no_more(experiment: str, micro: str, old: str) -> None:
    assert complaint(recorded(), experiment, micro, old) == ""


@exact_cycles.pinned
def test_a_cost_that_is_too_high_or_old_is_named() -> None:
    first, *_, last = PAIRS
    for experiment, micro, old in (first, last):
        found = recorded()
        limit = int(found[experiment, old]["instructions"])
        limit += limit * MORE.get((experiment, micro), 0) // 100
        found[experiment, micro]["instructions"] = str(limit)
        assert complaint(found, experiment, micro, old) == ""
        found[experiment, micro]["instructions"] = str(limit + 1)
        assert f"{micro} costs {limit + 1} instructions" in complaint(found, experiment, micro, old)
        found[experiment, old]["digest"] = "0"
        assert f"the sources of {old} moved" in complaint(found, experiment, micro, old)


def main() -> None:
    lines = [
        {
            "experiment": experiment,
            "kernel": kernel,
            "instructions": str(instructions(experiment, kernel)),
            "digest": digest(experiment, kernel),
        }
        for experiment, *pair in PAIRS
        for kernel in pair
    ]
    FILE.write_text(rows.text_of(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
