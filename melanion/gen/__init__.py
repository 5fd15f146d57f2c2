# SPDX-License-Identifier: Apache-2.0
"""Writes what is made from `spec/`: SystemVerilog, C and Python constants, reference pages."""

from __future__ import annotations

from pathlib import Path

from melanion.errors import MelanionError
from melanion.gen.generator import files
from melanion.spec import Spec

__all__ = ["GenError", "check", "different", "files", "write"]


class GenError(MelanionError):
    """A generated file cannot be written or is not up to date."""


def write(spec: Spec, root: Path) -> list[str]:
    """Write the files that differ, under `root`; returns their names. Raises GenError."""
    changed = different(spec, root)
    texts = files(spec)
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


def check(spec: Spec, root: Path) -> None:
    """Raises GenError, one sentence per file, when a generated file differs."""
    wrong = different(spec, root)
    if wrong:
        raise GenError(
            "\n".join(
                f"{name}: is not what spec/ makes (edited by hand, or spec/ changed); run"
                " `melanion gen`."
                for name in wrong
            )
        )


def different(spec: Spec, root: Path) -> list[str]:
    """The generated files that are missing or not as they would be written."""
    return [name for name, text in files(spec).items() if _text(root / name) != text]


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
