# SPDX-License-Identifier: Apache-2.0
"""mel_event_flags against a plain reference, all outputs at their exact cycles, and planted bugs.

A failure repeats with `python -m pytest` and the test's name: seeds are fixed here, free in
`make soak`.
"""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.event_flags import bench
from tests.event_flags.bench import Size

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
    quick: bool = False


MUTANTS = [
    Mutant(**item)
    for item in YAML(typ="safe").load((bench.HERE / "mutants.yaml").read_text(encoding="utf-8"))
]


def _marked(name: str, quick: bool, item: object) -> object:
    return pytest.param(item, id=name, marks=() if quick else (pytest.mark.soak,))


def plant(mutant: Mutant, folder: Path) -> None:
    """A copy of the modules with the bug."""
    for name in bench.MODULES:
        shutil.copy(bench.RTL / name, folder)
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.name}: the old text is not once in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


@pytest.mark.parametrize("size", [_marked(str(n), n in QUICK, s) for n, s in SIZES.items()])
def test_random_operations_agree_with_the_reference(size: Size) -> None:
    result = bench.run(bench.build(size), size, 1, OPERATIONS)
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


@pytest.mark.soak
@pytest.mark.parametrize("tasks", SIZES)
def test_random_operations_with_another_seed(tasks: int) -> None:
    seed = int(time.time()) % 1_000_000_000
    print(f"seed {seed}")
    result = bench.run(bench.build(SIZES[tasks]), SIZES[tasks], seed, 50 * OPERATIONS)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("mutant", [_marked(m.name, m.quick, m) for m in MUTANTS])
def test_planted_bug_is_noticed(mutant: Mutant, tmp_path: Path) -> None:
    plant(mutant, tmp_path)
    size = SIZES[mutant.tasks]
    result = bench.run(bench.build(size, tmp_path, assertions=False), size, 1, OPERATIONS)
    assert result.returncode == 1, result.stdout
    assert re.match(r"cycle \d+, \d+ operations: [\w.]+ is", result.stdout)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_fits_the_text(mutant: Mutant, tmp_path: Path) -> None:
    plant(mutant, tmp_path)
