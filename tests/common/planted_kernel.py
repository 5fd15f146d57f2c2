# SPDX-License-Identifier: Apache-2.0
"""Bugs that can be planted in the C side of kernels: tests/mutants/kernel.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from tests.common.planted_tree import TreeMutant

FILE = Path(__file__).parents[1] / "mutants" / "kernel.yaml"


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """`scenario` shows the bug on `kernel`."""

    kernel: str
    scenario: str


MUTANTS = [Mutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]
