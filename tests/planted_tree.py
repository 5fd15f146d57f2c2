# SPDX-License-Identifier: Apache-2.0
"""Bugs planted in a copy of the data folders: the tests of whole systems build and run that."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from melanion import paths
from melanion.debug.errors import DebugError
from melanion.model import ReplayError
from melanion.run import RunError

# A check's own words. An error of a build is none: the bug would never have run.
NOTICED = (AssertionError, DebugError, ReplayError, RunError)


@dataclass(frozen=True)
class TreeMutant:
    """`old` occurs exactly once in `file`, a path in the data folders."""

    name: str
    file: str
    old: str
    new: str

    def plant(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """From now on the data folders are in the empty `folder`, with the bug in one of them."""
        original = paths.data_root()
        room = Path(self.file).parts[0]
        for path in original.iterdir():
            if path.is_dir() and path.name not in (room, "build", ".git"):
                (folder / path.name).symlink_to(path)
        shutil.copytree(original / room, folder / room)
        path = folder / self.file
        text = path.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.name}: `old` must occur once in {self.file}"
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        patch.setattr(paths, "data_root", lambda: folder)


@dataclass(frozen=True)
class ProgramMutant(TreeMutant):
    """Program `app` shows the bug on `kernel`."""

    kernel: str
    app: str


def programs(file: Path, quick: int) -> list[Any]:
    """The planted bugs of a file, as parameters of a test: the first `quick` in every run, the
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
