# SPDX-License-Identifier: Apache-2.0
"""Planted bugs in the RTL: tests/mutants/rtl*.yaml.

Each is one text replacement in a copy of hw/rtl; the random test has to notice it, else it is blind
there.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from tests.random import bench
from tests.random.campaign import SIZES, CaseError, cases, run_case
from tests.verilated import ROOT, BenchError

FOLDER = ROOT / "tests" / "mutants"
KEYS = {"name", "file", "old", "new", "why"}


class MutantError(Exception):
    """A mutant's text is wrong: it names the file and the mutant."""


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/rtl). `size` (of `campaign.SIZES`) shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    size: str = "small"


def load() -> list[Mutant]:
    """All mutants, in the order of the files."""
    mutants: list[Mutant] = []
    for file in sorted(FOLDER.glob("rtl*.yaml")):
        for item in YAML(typ="safe").load(file.read_text(encoding="utf-8")) or []:
            if not set(item) >= KEYS or not set(item) <= KEYS | {"size"}:
                raise MutantError(
                    f"{file.name}: mutant {item.get('name')}: keys are {sorted(KEYS)} and size."
                )
            mutants.append(Mutant(**item))
    return mutants


def plant(mutant: Mutant, folder: Path) -> None:
    """Change the copy of hw/rtl in this folder."""
    path = folder / mutant.file
    if not path.is_file():
        raise MutantError(
            f"mutant {mutant.name}: hw/rtl has no {mutant.file}; name the file with the text."
        )
    text = path.read_text(encoding="utf-8")
    count = text.count(mutant.old)
    if count != 1:
        raise MutantError(
            f"mutant {mutant.name}: the old text is {count} times in {mutant.file}, not once."
        )
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


@contextmanager
def planted(mutant: Mutant) -> Iterator[Path]:
    """The bench with the bug, without the RTL's assertions; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="melanion-mutant-") as folder:
        copy = Path(folder) / "rtl"
        shutil.copytree(ROOT / "hw" / "rtl", copy)
        plant(mutant, copy)
        program = bench.build(SIZES[mutant.size], copy, assertions=False)
        try:
            yield program
        finally:
            shutil.rmtree(program.parent, ignore_errors=True)


def caught(mutant: Mutant, seeds: int = 20, commands: int = 1000) -> str:
    """What the random test says of the mutant; empty when it is blind there."""
    with planted(mutant) as program:
        for case in cases([mutant.size], range(1, seeds + 1), commands):
            try:
                run_case(case, program)
            except (CaseError, BenchError) as failure:
                return str(failure)
    return ""
