# SPDX-License-Identifier: Apache-2.0
"""Mutants in a copy of the data folders: the tests of whole systems build and run that."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from melanion import paths
from melanion.build import cache as store
from melanion.build.cache import Contents
from melanion.debug.errors import DebugError
from melanion.model import ReplayError
from melanion.run import RunError
from tests.common import findings, kept, schemata

# A check's own words. An error of a build is none: the bug would never have run.
NOTICED = (AssertionError, DebugError, ReplayError, RunError)


MADE: list[TreeMutant] = []  # all that the modules in this process list


@dataclass(frozen=True)
class TreeMutant:
    """`old` occurs exactly once in `file`, a path in the data folders (tests/rules/test_planted.py:
    also of those that only `make soak` plants)."""

    name: str
    file: str
    old: str
    new: str

    def __post_init__(self) -> None:
        MADE.append(self)

    def plant(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """From now on the data folders are in the empty `folder`, with the bug in one of them."""
        original = paths.data_root()
        room = Path(self.file).parts[0]
        for path in original.iterdir():
            if path.is_dir() and path.name not in (room, "build", ".git"):
                (folder / path.name).symlink_to(path)
        # Links take a tenth of the time of copies: no test writes to another file of the tree.
        shutil.copytree(original / room, folder / room, copy_function=_linked)
        path = folder / self.file
        text = path.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.name}: `old` must occur once in {self.file}"
        path.unlink()
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        patch.setattr(paths, "data_root", lambda: folder)


def _linked(there: str, here: str) -> None:
    store.same_file(Path(there), Path(here))


class WovenTree:
    """A copy of the data folders with many bugs of SystemVerilog, one of which is chosen when a
    simulation starts (tests/common/schemata.py): one build of a system serves them all."""

    def __init__(self, folder: Path, bugs: Sequence[schemata.Bug]) -> None:
        """`folder`: empty. Raises SchemataError."""
        self.folder, self.bugs = folder, list(bugs)
        original = paths.data_root()
        rooms = {Path(bug.file).parts[0] for bug in bugs}
        for path in original.iterdir():
            if path.is_dir() and path.name not in (*rooms, "build", ".git"):
                (folder / path.name).symlink_to(path)
        for room in rooms:
            shutil.copytree(original / room, folder / room)
        names = sorted({bug.file for bug in bugs})
        for name, woven in zip(
            names, schemata.plant([original / name for name in names], bugs), strict=True
        ):
            shutil.copy(woven, folder / name)

    @contextmanager
    def chosen(self, bug: schemata.Bug | None) -> Iterator[None]:
        """Systems are built and run of this tree meanwhile, with the bug, or without one."""
        number = 1 + self.bugs.index(bug) if bug else 0
        with pytest.MonkeyPatch.context() as patch, schemata.chosen(number):
            patch.setattr(paths, "data_root", lambda: self.folder)
            yield


def finding(
    tree: WovenTree, bug: schemata.Bug | None, check: Callable[[], object], contents: Contents
) -> str:
    """Return the words of a check on the tree with a bug, or without one; empty when it passes.
    Other errors pass through. `contents`: inputs of the verdict beside the tree and this checkout's
    programs and lab."""

    def look() -> str:
        with tree.chosen(bug):
            return findings.words(check)

    hardware = [(name, (tree.folder / name).read_bytes()) for name in {b.file for b in tree.bugs}]
    decides = [
        *contents,
        *hardware,
        ("bug", repr(bug).encode()),
        *kept.folders("hw", "soc", "kernel", "apps", "gen", "configs", "tests/faults"),
        *kept.lab(),
    ]
    return kept.verdict(f"bug {bug.name if bug else 'none'}", decides, look)


@dataclass(frozen=True)
class ProgramMutant(TreeMutant):
    """Program `app` shows the bug on `kernel`."""

    kernel: str
    app: str


def programs(file: Path, quick: int) -> list[Any]:
    """The mutants of a file, as parameters of a test: the first `quick` in every run, the
    others in `make soak`."""
    rows = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
    return [
        pytest.param(
            ProgramMutant(**row),
            id=row["name"].replace(" ", "_"),
            marks=[] if number < quick else [pytest.mark.soak],
        )
        for number, row in enumerate(rows)
    ]
