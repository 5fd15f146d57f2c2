# SPDX-License-Identifier: Apache-2.0
"""Verdicts kept by content: a check runs once for the same sources, tools and inputs.

Contract: `contents` names everything that decides the verdict, the code that judges included. Only
a check that returns leaves a verdict; one that raises runs again the next time. Kept in the build
cache, so MELANION_CACHE=FOLDER with an empty folder runs everything anew.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from melanion import paths
from melanion.build import cache as store
from melanion.build.tools import CROSS_GCC, version

FILE = "said.txt"
# In a checkout, and no part of it; so is each file of the results store.
MADE = (".git", ".venv", "build", "dist", ".hypothesis")
STORE = "results.sqlite"
CACHES = ("mypy", "ruff", "pytest")


def verdict(what: str, contents: store.Contents, check: Callable[[], str]) -> str:
    """What `check` said of these contents, now or earlier. `what` names the check in messages."""
    key = store.key_of([("check", what.encode()), *contents])

    def make(folder: Path) -> None:
        (folder / FILE).write_text(check(), encoding="utf-8")

    place = store.entry("verdict", key, make, lambda _: None, what)
    return (place / FILE).read_text(encoding="utf-8")


def folders(*names: str) -> store.Contents:
    """A digest of every file below these folders (or of these files) of the checkout."""
    return [(name, _digest(name)) for name in names]


def checkout() -> store.Contents:
    """A digest of everything that git may have of the checkout, and of the tools: for checks that
    read much of it. Packages are those of the lock file."""
    top = paths.data_root()
    made = {*MADE, *(f".{name}_cache" for name in CACHES)}
    found = (path.name for path in top.iterdir())
    names = sorted(name for name in found if name not in made and not name.startswith(STORE))
    tools = (version("verilator"), version("c++"), version(CROSS_GCC), sys.version)
    return [*folders(*names), ("tools", "\n".join(tools).encode())]


@cache
def _digest(name: str) -> bytes:
    top = paths.data_root() / name
    digest = hashlib.sha256()
    for path in [top] if top.is_file() else sorted(top.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(top)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest().encode()
