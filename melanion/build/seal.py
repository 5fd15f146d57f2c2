# SPDX-License-Identifier: Apache-2.0
"""The seal of a cache entry: a file that lists every other file of it with size, whether it is
executable, and SHA-256.

Contract: `write` seals a finished folder; `damage` says in a few words what differs from the seal,
or nothing. A process reads an entry's files once, at its first use: that finds a shorter, empty,
missing or changed file, whoever did it, also through a hard link, and also on a disk that forgets.
At each later use in the same process it compares size, inode and ctime of each file, and reads the
entry again when one differs. The ctime changes with every write and cannot be put back (the mtime
can); it also changes with every new hard link, which costs one more reading. So two things are
missed: a disk that forgets between two uses of one process, until the next process, and files that
were added to an entry, which nobody reads. A seal protects from damage, not from an attacker, who
could write a new seal.

Cost: the first use in a process reads the whole entry; a later one is a stat for each file.
"""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

SEAL = "seal.json"

_Stamp = tuple[int, int, int]  # size, ctime in ns, inode
_known: dict[Path, dict[str, _Stamp]] = {}  # entries that this process has read, and found whole


def write(folder: Path) -> None:
    """Seal a folder whose files are finished."""
    files = {
        path.relative_to(folder).as_posix(): _facts(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    (folder / SEAL).write_text(json.dumps({"files": files}, indent=0), encoding="utf-8")


def damage(folder: Path) -> str:
    """The first difference between a folder and its seal, as `sim has 0 bytes of 1154808`; empty:
    there is none."""
    known = _known.get(folder)
    if known is not None and _stamps(folder, known) == known:
        return ""
    _known.pop(folder, None)
    try:
        files = json.loads((folder / SEAL).read_text(encoding="utf-8"))["files"]
        sealed = {str(name): list(facts) for name, facts in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return f"its {SEAL} cannot be read"
    before = _stamps(folder, sealed)
    for name, facts in sealed.items():
        if difference := _difference(folder / name, name, facts):
            return difference
    _known[folder] = before
    return ""


def _difference(path: Path, name: str, facts: list[object]) -> str:
    try:
        found = _facts(path)
    except OSError:
        return f"{name} is missing"
    if found[0] != facts[0]:
        return f"{name} has {found[0]} bytes of {facts[0]}"
    if found[1] != facts[1]:
        return f"{name} is {'not ' if facts[1] else ''}executable"
    return "" if found == facts else f"{name} has other bytes"


def _facts(path: Path) -> list[object]:
    """Size, executable or not, SHA-256."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        found = path.stat()
    return [found.st_size, bool(found.st_mode & stat.S_IXUSR), digest]


def _stamps(folder: Path, names: dict[str, _Stamp] | dict[str, list[object]]) -> dict[str, _Stamp]:
    """File attributes that reveal a write without reading the file; missing files are left out."""
    found = {}
    for name in (SEAL, *names):
        try:
            shown = (folder / name).stat()
        except OSError:
            continue
        found[name] = (shown.st_size, shown.st_ctime_ns, shown.st_ino)
    return found
