# SPDX-License-Identifier: Apache-2.0
"""A copy of the example, in which a test changes a file."""

from __future__ import annotations

import shutil
from pathlib import Path

from melanion import config, paths
from melanion.config import System

EXAMPLE = paths.data_root() / "apps" / "examples" / "rendezvous"
ROW = "  rendezvous_meet: {op: 96,"


def copied(folder: Path) -> Path:
    """The example in a folder `mine` of this one."""
    place = folder / "mine"
    shutil.copytree(EXAMPLE, place)
    return place


def change(file: Path, old: str, new: str) -> None:
    """`old` stands once in the file."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is not once in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def system(place: Path) -> System:
    return config.load(place / "system.yaml", "mine/system.yaml")
