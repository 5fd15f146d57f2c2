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
LEFT_OUT = ("docs", "__pycache__")
CACHES = ("mypy", "ruff", "pytest")


def verdict(what: str, contents: store.Contents, check: Callable[[], str]) -> str:
    """Return the result of `check` on these contents, kept or new. `what` names it in messages."""
    key = _key(what, contents)

    def make(folder: Path) -> None:
        (folder / FILE).write_text(check(), encoding="utf-8")

    place = store.entry("verdict", key, make, lambda _: None, what)
    return (place / FILE).read_text(encoding="utf-8")


def is_known(what: str, contents: store.Contents) -> bool:
    """Whether there is a verdict of this check."""
    return store.find("verdict", _key(what, contents)) is not None


def _key(what: str, contents: store.Contents) -> str:
    return store.key_of([("check", what.encode()), *contents])


def folders(*names: str) -> store.Contents:
    """A digest of every file below these folders (or of these files) of the checkout."""
    return [(name, _digest(name)) for name in names]


def lab() -> store.Contents:
    """A digest of the package without melanion/docs, which decides no run."""
    there = (path.name for path in (paths.data_root() / "melanion").iterdir())
    return folders(*(f"melanion/{name}" for name in sorted(there) if name not in LEFT_OUT))


def checkout() -> store.Contents:
    """A digest of everything that git may have of the checkout, and of the tools: for checks that
    read much of it. Packages are those of the lock file."""
    tools = (version("verilator"), version("c++"), version(CROSS_GCC), sys.version)
    return [*folders(*_parts()), ("tools", "\n".join(tools).encode())]


def last_edit() -> float:
    """When a file of the checkout was last written, in seconds since the epoch."""
    return max(path.stat().st_mtime for name in _parts() for path in _files(name))


def _parts() -> list[str]:
    """The files and folders at the top of the checkout that git may have."""
    made = {*MADE, *(f".{name}_cache" for name in CACHES)}
    found = (path.name for path in paths.data_root().iterdir())
    return sorted(name for name in found if name not in made and not name.startswith(STORE))


def _files(name: str) -> list[Path]:
    top = paths.data_root() / name
    found = [top] if top.is_file() else sorted(top.rglob("*"))
    return [path for path in found if "__pycache__" not in path.parts and path.is_file()]


@cache
def _digest(name: str) -> bytes:
    digest = hashlib.sha256()
    for path in _files(name):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(paths.data_root() / name)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest().encode()
