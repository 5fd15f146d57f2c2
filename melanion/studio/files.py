# SPDX-License-Identifier: Apache-2.0
"""The folder that `melanion studio FOLDER` names: its sources are read and saved, and nothing
outside it, whatever a path or a symbolic link says."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

from melanion.build.app import CONFIG
from melanion.studio.errors import StudioError

SUFFIXES = (".c", ".h", ".S", ".cpp", ".hpp", ".yaml")
FILE = 1 << 20  # bytes of a file at most
MOST = 500  # files in the list
LEFT_OUT = "build"  # folder of what is made
STARTER = tuple(Path(__file__).parent / "starter" / name for name in ("main.c", CONFIG))


class Folder:
    """Paths are relative to `root`, with slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def listed(self) -> list[dict[str, Any]]:
        """Path and size of each source, in the order of paths."""
        found: list[Path] = []
        for place, folders, names in os.walk(self.root):
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and name != LEFT_OUT
            )
            found += [Path(place, name) for name in names if is_source(Path(name))]
            if len(found) > MOST:
                break
        inside = [path for path in sorted(found)[:MOST] if self._is_inside(path)]
        return [
            {"path": path.relative_to(self.root).as_posix(), "bytes": path.stat().st_size}
            for path in inside
        ]

    def file(self, name: str) -> Path:
        """A source by its path. Raises StudioError."""
        self._check_name(name, "name one of the list")
        path = self.root / name
        if not self._is_inside(path):
            raise StudioError(
                f"{name!r}: there is no such file in {self.root}; name one of the list.", 2
            )
        return path.resolve()

    def read(self, name: str) -> dict[str, str]:
        """Text and version of a source. Raises StudioError."""
        path = self.file(name)
        data = self._data(path, name)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise StudioError(
                f"{name}: this file is no UTF-8 text; open another one.", 2
            ) from error
        return {"path": name, "text": text, "version": _version(data)}

    def save(self, name: str, text: str, version: str) -> str:
        """Replace a source, and return its new version. `version`: of the text that was changed; a
        file that has changed since is left as it is. Raises StudioError."""
        path, data = self.file(name), text.encode()
        if len(data) > FILE:
            raise StudioError(f"{name}: a file has at most {FILE} bytes; make it shorter.", 2)
        if _version(self._data(path, name)) != version:
            raise StudioError(
                f"{name} was changed by another program since it was opened; open it again.", 2
            )
        _replace(path, data, name)
        return _version(data)

    def make(self, name: str, text: str) -> str:
        """Write a source that is not there yet, in a folder that is there, and return its version.
        Raises StudioError."""
        self._check_name(name)
        path, data = self.root / name, text.encode()
        if not self._is_below(path):
            raise StudioError(
                f"{name!r}: there is no such folder in {self.root}; name a file of a folder that is"
                " there, such as work.c.",
                2,
            )
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError as error:
            raise StudioError(
                f"{name}: there is already something of this name; choose another name.", 2
            ) from error
        except OSError as error:
            raise StudioError(
                f"{name}: it cannot be written ({error.strerror}); free space, or change the rights"
                " of its folder."
            ) from error
        return _version(data)

    def begin(self) -> list[str]:
        """Write a small program, where the folder has no source yet; names of its files. Raises
        StudioError."""
        if found := self.listed():
            raise StudioError(
                f"{self.root} holds sources already, such as {found[0]['path']}; edit those.", 2
            )
        for path in STARTER:
            self.make(path.name, path.read_text(encoding="utf-8"))
        return [path.name for path in STARTER]

    def _data(self, path: Path, name: str) -> bytes:
        try:
            with path.open("rb") as file:
                data = file.read(FILE + 1)
        except OSError as error:
            raise StudioError(
                f"{name}: it cannot be read ({error.strerror}); open another file.", 2
            ) from error
        if len(data) > FILE:
            raise StudioError(f"{name}: it has more than {FILE} bytes; open another file.", 2)
        return data

    def _check_name(self, name: str, remedy: str = "choose such a name") -> None:
        """Raises StudioError."""
        words = name.split("/")
        wrong = any(word.startswith(".") for word in words if word != ".")
        if wrong or not is_source(Path(name)) or Path(name).is_absolute() or set(name) & {*"\0\\"}:
            raise StudioError(
                f"{name!r}: the studio opens files {', '.join(SUFFIXES)} of its folder alone;"
                f" {remedy}.",
                2,
            )

    def _is_below(self, path: Path) -> bool:
        """The path is one in a folder of ours."""
        try:
            place = path.parent.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return False
        return place.is_dir() and place.is_relative_to(self.root)

    def _is_inside(self, path: Path) -> bool:
        """The path leads to a regular file of the folder."""
        try:
            found = path.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return False
        return found.is_file() and found.is_relative_to(self.root)


def is_source(path: Path) -> bool:
    """By its name."""
    return path.suffix in SUFFIXES and not path.name.startswith(".")


def below(base: Path, name: str) -> Path:
    """A folder below `base`, by a relative path. Raises StudioError."""
    words = Path(name).parts
    place = base / name
    wrong = not words or Path(name).is_absolute() or ".." in words or "\0" in name
    if wrong or not place.resolve().is_relative_to(base.resolve()) or place.resolve() == base:
        raise StudioError(
            f"{name!r} is no folder below {base}; write a relative path, such as mine.", 2
        )
    return place


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _replace(path: Path, data: bytes, name: str) -> None:
    """Whole or not at all, with the mode of before."""
    try:
        number, temporary = tempfile.mkstemp(prefix=".melanion-", dir=path.parent)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
            Path(temporary).chmod(path.stat().st_mode & 0o777)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink()
            raise
    except OSError as error:
        raise StudioError(
            f"{name}: it cannot be written ({error.strerror}); free space, or change its rights."
        ) from error
