# SPDX-License-Identifier: Apache-2.0
"""mel_event_flags against a plain reference, all outputs at their exact cycles, and mutants.

A failure repeats with `python -m pytest` and the test's name: seeds are fixed here, free in
`make soak`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.common import kept, schemata
from tests.common.soak import new_seed
from tests.rtl.event_flags import bench
from tests.rtl.event_flags.bench import Size

OPERATIONS = 100_000
SIZES = {
    4: Size(4, 2, 5),  # one row, shorter than 16 lanes
    13: Size(13, 7, 1),
    36: Size(36, 16, 3),  # rows are no power of two
    64: Size(64, 32, 16),
    256: Size(256, 256, 128),
}
QUICK = (4, 13, 64, 256)


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/rtl); the size with `tasks` shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    tasks: int


MUTANTS = [
    Mutant(**item)
    for item in YAML(typ="safe").load((bench.HERE / "mutants.yaml").read_text(encoding="utf-8"))
]


def _marked(name: str, quick: bool, item: object) -> object:
    return pytest.param(item, id=name, marks=() if quick else (pytest.mark.soak,))


@pytest.mark.parametrize("size", [_marked(str(n), n in QUICK, s) for n, s in SIZES.items()])
def test_random_operations_agree_with_the_reference(size: Size) -> None:
    result = bench.run(bench.build(size, bench.sources()), size, 1, OPERATIONS)
    print(result.stdout)
    assert result.returncode == 0, result.stdout
    counts = re.fullmatch(
        r"(\d+) operations, \d+ cycles, (\d+) judgements, (\d+) released, (\d+) deleted,"
        r" most at once (\d+)\n",
        result.stdout,
    )
    assert counts is not None
    operations, judgements, released, deleted, most = map(int, counts.groups())
    assert operations >= OPERATIONS
    # A random test that no longer reaches these has silently become shallow.
    assert min(judgements, released) > OPERATIONS // 25
    assert deleted > OPERATIONS // 100
    assert most >= 4


@pytest.mark.new_seeds
@pytest.mark.soak
@pytest.mark.parametrize("tasks", SIZES)
def test_random_operations_with_another_seed(tasks: int) -> None:
    seed = new_seed()
    program = bench.build(SIZES[tasks], bench.sources())
    result = bench.run(program, SIZES[tasks], seed, 50 * OPERATIONS)
    assert result.returncode == 0, result.stdout


# ---- mutants -------------------------------------------------------------------------------------


def planted(tasks: int) -> Path:
    """The bench of a size with all bugs, without the RTL's own assertions."""
    return bench.build(SIZES[tasks], schemata.plant(bench.sources(), MUTANTS), assertions=False)


def finding(tasks: int, number: int) -> str:
    """Return the random test's complaint about a mutant; empty when it agrees."""
    program = planted(tasks)

    def look() -> str:
        with schemata.chosen(number):
            result = bench.run(program, SIZES[tasks], 1, OPERATIONS)
        assert result.returncode in (0, 1), result.stdout
        return result.stdout if result.returncode else ""

    contents = [("bench", program.parent.name.encode()), ("bug", f"{tasks} {number}".encode())]
    return kept.verdict("event flags", contents + kept.folders("tests/rtl/event_flags"), look)


@pytest.mark.parametrize("tasks", sorted({mutant.tasks for mutant in MUTANTS}))
def test_without_a_bug_all_agrees(tasks: int) -> None:
    assert finding(tasks, 0) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    said = finding(mutant.tasks, 1 + MUTANTS.index(mutant))
    assert re.match(r"cycle \d+, \d+ operations: [\w.]+ is", said), said
