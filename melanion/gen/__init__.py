# SPDX-License-Identifier: Apache-2.0
"""Writes what is made from `spec/`: SystemVerilog, C and Python constants, reference pages.

`files` makes the texts, which takes a second; the others take them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from melanion.errors import MelanionError
from melanion.gen.generator import files

__all__ = ["GenError", "check", "different", "files", "write"]


class GenError(MelanionError):
    """A generated file cannot be written or is not up to date."""


def write(texts: Mapping[str, str], root: Path) -> list[str]:
    """Write the files that differ, under `root`; returns their names. Raises GenError."""
    changed = different(texts, root)
    for name in changed:
        path = root / name
        partial = path.with_name(path.name + ".partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(texts[name], encoding="utf-8")
            partial.replace(path)
        except OSError as error:
            raise GenError(
                f"{name}: cannot be written ({error.strerror}); make the folder writable and run"
                " `melanion gen` again."
            ) from None
    return changed


def check(texts: Mapping[str, str], root: Path) -> None:
    """Raises GenError, one sentence per file, when a generated file differs."""
    wrong = different(texts, root)
    if wrong:
        raise GenError(
            "\n".join(
                f"{name}: is not what spec/ makes (edited by hand, or spec/ changed); run"
                " `melanion gen`."
                for name in wrong
            )
        )


def different(texts: Mapping[str, str], root: Path) -> list[str]:
    """The generated files that are missing or not as they would be written."""
    return [name for name, text in texts.items() if _text(root / name) != text]


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
