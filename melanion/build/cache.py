# SPDX-License-Identifier: Apache-2.0
"""The content-addressed cache: a folder per key, complete or absent.

An entry is made in a temporary folder of the same file system and renamed into place; a lock file
per entry lets two runs that need the same thing at the same time make it once. Whatever ends a
build (an error, Ctrl-C), no half-written entry is left; what a killed run left is swept by the next
builder of that entry.

An entry is sealed (seal.py) and compared with its seal whenever it is used. A damaged one is
dropped and made again, and a warning says so in one sentence.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

import melanion.build.seal as seal
from melanion.build.errors import BuildError

Report = Callable[[str], None]
"""Called with what is being done now, for a progress display."""

Contents = list[tuple[str, bytes]]
"""Named contents that decide an entry."""

_log = logging.getLogger(__name__)
# A part of every key: entries of an earlier form are not found, instead of taken for damaged.
_FORMAT = b"sealed"

LEAST_FREE = 1 << 20
"""With fewer free bytes a tool that failed is taken to have found the disk full."""


def folder() -> Path:
    """`MELANION_CACHE`, else the user's cache folder."""
    chosen = os.environ.get("MELANION_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("melanion")


def key_of(files: Iterable[tuple[str, bytes]]) -> str:
    """A key from named contents. Order does not count."""
    digest = hashlib.sha256(_FORMAT)
    for name, content in sorted(files):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:32]


def entry(kind: str, key: str, make: Callable[[Path], None], report: Report, what: str) -> Path:
    """The folder of an entry; when it is absent or damaged, `make` fills a new one. Raises
    BuildError."""
    if found := find(kind, key):
        return found
    place = folder() / kind / key
    with _explained(), _lock(kind, key, report, what):
        if _whole(place):  # made while we waited
            return place
        report(what)
        _sweep(kind, key)
        _drop_damaged(kind, key, place)
        work = Path(tempfile.mkdtemp(prefix=f"{kind}-{key}-", dir=folder() / "tmp"))
        try:
            make(work)
            seal.write(work)
            place.parent.mkdir(parents=True, exist_ok=True)
            work.rename(place)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return place


def find(kind: str, key: str) -> Path | None:
    """The folder of an entry; None when it is absent or damaged."""
    place = folder() / kind / key
    return place if _whole(place) else None


def same_file(there: Path, here: Path) -> None:
    """A file of an entry in another one: a link, or a copy where the file system has none."""
    try:
        os.link(there, here)
    except OSError:
        shutil.copy2(there, here)


def first_error(output: str, error: re.Pattern[str]) -> str:
    """The first line of a tool's output that is an error, without the period at its end."""
    errors = (line.strip() for line in output.splitlines() if error.search(line))
    return next(errors, "it named no error").rstrip(".")


def tool_failed(key: str, output: str, sentence: str) -> str:
    """Error text for a tool that failed on an entry: `sentence` (without its period) and the path
    of the whole output; or that the disk is full, when that is the reason."""
    if _disk_is_full(output):
        return unusable(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))).message
    log = _keep_log(key, output)
    return f"{sentence} (whole output: {log})." if log else f"{sentence}."


def _keep_log(key: str, text: str) -> Path | None:
    """Save the output of a failed build where the user can read it; None when that fails too."""
    path = folder() / "log" / f"{key}.log"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError:
        return None
    return path


def unusable(error: OSError) -> BuildError:
    """The sentence about a cache that cannot be written."""
    return BuildError(
        f"{folder()}: the cache folder cannot be written ({error.strerror or error}); free space,"
        " correct its permissions, or name another folder in MELANION_CACHE."
    )


def _disk_is_full(output: str) -> bool:
    """That is why a tool failed; not every tool says so."""
    try:
        free = shutil.disk_usage(folder()).free
    except OSError:
        free = LEAST_FREE
    return free < LEAST_FREE or "No space left on device" in output


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise unusable(error) from error


@contextmanager
def _lock(kind: str, key: str, report: Report, what: str) -> Iterator[None]:
    for name in ("lock", "tmp"):
        (folder() / name).mkdir(parents=True, exist_ok=True)
    with (folder() / "lock" / f"{kind}-{key}").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report(f"{what}: waiting for another run that builds the same")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _whole(place: Path) -> bool:
    return place.is_dir() and not seal.damage(place)


def _drop_damaged(kind: str, key: str, place: Path) -> None:
    """Whoever runs a file of it now keeps that file: the folder is moved away first."""
    if not os.path.lexists(place):
        return
    _log.warning(
        "%s: this entry of the build cache was damaged (%s); it was dropped and is made again.",
        place,
        seal.damage(place),
    )
    away = Path(tempfile.mkdtemp(prefix=f"{kind}-{key}-", dir=folder() / "tmp"))
    place.rename(away / key)
    shutil.rmtree(away, ignore_errors=True)


def _sweep(kind: str, key: str) -> None:
    for left in (folder() / "tmp").glob(f"{kind}-{key}-*"):
        shutil.rmtree(left, ignore_errors=True)
