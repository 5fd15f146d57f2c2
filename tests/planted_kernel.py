"""Bugs that can be planted in the C side of kernels: tests/mutants/kernel.yaml."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import paths

FILE = Path(__file__).parent / "mutants" / "kernel.yaml"
SHARED = ("hw", "soc", "spec", "gen", "apps", "configs", "experiments")


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` of the folder kernel/; `scenario` shows the bug."""

    name: str
    kernel: str
    file: str
    old: str
    new: str
    scenario: str

    def plant(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        """From now on the data folders are in the empty `folder`, with the bug in kernel/."""
        original = paths.data_root()
        for name in SHARED:
            (folder / name).symlink_to(original / name)
        shutil.copytree(original / "kernel", folder / "kernel")
        path = folder / "kernel" / self.file
        text = path.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.name}: `old` must occur once in {self.file}"
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        patch.setattr(paths, "data_root", lambda: folder)


MUTANTS = [Mutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]
