# SPDX-License-Identifier: Apache-2.0
"""Mutants in the RTL: tests/mutants/unit.yaml.

Each is one text replacement in hw/engine; the random test has to notice it, else it is blind there.
All bugs of a size are in one bench (tests/common/schemata.py). `python -m tests.random.mutants`
looks for the shortest script that notices each, and writes KILLED_BY.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ruamel.yaml import YAML

from tests.common import kept, schemata
from tests.common.verilated import ROOT
from tests.faults import planted as faults
from tests.random import bench
from tests.random.campaign import SIZES, Case, CaseError, run_entries
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.script import Entry

FILE = ROOT / "tests" / "mutants" / "unit.yaml"
KILLED_BY = FILE.with_name("killed_by.yaml")
KEYS = {"name", "file", "old", "new", "why"}
# Commands of a script, and how many seeds are tried with it.
LENGTHS = ((60, 8), (150, 8), (400, 8), (1000, 20))
# Everything that decides what a script is and what is said of its run.
JUDGES = ("tests/random", "tests/model/model_calls.py", "melanion/model", "gen/python")


class MutantError(Exception):
    """A mutant's text is wrong: it names the file and the mutant."""


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/engine). `size` (of `campaign.SIZES`) shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    size: str = "small"


@cache
def load() -> tuple[Mutant, ...]:
    """All mutants, in the order of the file."""
    mutants: list[Mutant] = []
    for item in YAML(typ="safe").load(FILE.read_text(encoding="utf-8")):
        if not set(item) >= KEYS or not set(item) <= KEYS | {"size"}:
            raise MutantError(
                f"{FILE.name}: mutant {item.get('name')}: keys are {sorted(KEYS)} and size."
            )
        mutants.append(Mutant(**item))
    return tuple(mutants)


# ---- benches -------------------------------------------------------------------------------------


def planted(size: str) -> list[Mutant | faults.Mutant]:
    """The bugs that are planted in the bench of a size: those of the random test and those of the
    sweeps of tests/faults."""
    every: list[Mutant | faults.Mutant] = [*load(), *faults.of_unit()]
    return [mutant for mutant in every if mutant.size == size]


def number_of(mutant: Mutant | faults.Mutant) -> int:
    """The number that chooses a bug in the bench of its size."""
    return 1 + planted(mutant.size).index(mutant)


def sources(size: str) -> list[Path]:
    """Return the sources of the bench of a size, mutants included."""
    return schemata.plant(bench.sources(), planted(size))


@cache
def program(size: str) -> Path:
    """The bench with all bugs of a size, without the RTL's assertions."""
    return bench.build(SIZES[size], files=sources(size), assertions=False)


# ---- scripts -------------------------------------------------------------------------------------


def recorded() -> dict[str, Case]:
    """The script that notices each mutant, by its name."""
    sizes = {mutant.name: mutant.size for mutant in load()}
    rows = YAML(typ="safe").load(KILLED_BY.read_text(encoding="utf-8"))
    return {name: Case(sizes[name], *row) for name, row in rows.items() if name in sizes}


def tries(size: str, lengths: Iterable[tuple[int, int]] = LENGTHS) -> Iterator[Case]:
    """Scripts, the shortest first."""
    for commands, seeds in lengths:
        for seed in range(1, seeds + 1):
            for profile in PROFILES:
                yield Case(size, profile, seed, commands)


@lru_cache(64)
def _entries(case: Case) -> list[Entry]:
    return generate(case.seed, case.limits, PROFILES[case.profile], case.commands)


def run(case: Case, number: int) -> str:
    """Return the judge's complaint about a mutant in this script; empty when it agrees."""
    with schemata.chosen(number):
        try:
            run_entries(case, program(case.size), _entries(case))
        except CaseError as failure:
            return str(failure)
    return ""


def caught(mutant: Mutant) -> str:
    """Return the random test's complaint about the mutant; empty when it is blind there. The
    recorded script is tried first."""
    number = number_of(mutant)
    first = recorded().get(mutant.name)
    contents = [
        ("bench", program(mutant.size).parent.name.encode()),
        ("mutant", f"{number} {mutant} {first}".encode()),
        *kept.folders(*JUDGES),
    ]

    def look() -> str:
        cases: Iterable[Case] = tries(mutant.size)
        for case in [*([first] if first else []), *cases]:
            if said := run(case, number):
                return said
        return ""

    return kept.verdict(f"mutant {mutant.name}", contents, look)


def control(size: str) -> str:
    """Return the judge's complaints about the bench without a mutant, in every recorded script;
    empty: all agree."""
    cases = sorted({case for case in recorded().values() if case.size == size}, key=str)
    contents = [
        ("bench", program(size).parent.name.encode()),
        ("cases", repr(cases).encode()),
        *kept.folders(*JUDGES),
    ]
    return kept.verdict(
        f"no mutant of {size}", contents, lambda: "".join(run(case, 0) for case in cases)
    )


# ---- the record ----------------------------------------------------------------------------------


def _write(found: dict[str, Case]) -> None:
    lines = [
        f"{mutant.name}: [{case.profile}, {case.seed}, {case.commands}]\n"
        for mutant in load()
        if (case := found.get(mutant.name))
    ]
    KILLED_BY.write_text(
        "# The shortest script that notices each mutant of unit.yaml: profile, seed, commands."
        " Written by `python -m tests.random.mutants`.\n" + "".join(lines),
        encoding="utf-8",
    )


def main() -> int:
    """Look for a script for every mutant whose recorded one does not notice it. Exit status: 0 each
    is noticed, 1 not."""
    numbers = {mutant.name: number_of(mutant) for mutant in load()}
    found = {name: case for name, case in recorded().items() if run(case, numbers[name])}
    for length in LENGTHS:
        for mutant in load():
            if mutant.name not in found:
                cases = tries(mutant.size, [length])
                if case := next((c for c in cases if run(c, numbers[mutant.name])), None):
                    found[mutant.name] = case
                    _write(found)
    _write(found)
    blind = [mutant.name for mutant in load() if mutant.name not in found]
    print("\n".join(f"nothing notices: {name}" for name in blind) or f"{len(found)} noticed")
    return int(bool(blind))


if __name__ == "__main__":
    sys.exit(main())
