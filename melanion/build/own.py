# SPDX-License-Identifier: Apache-2.0
"""Files that a user's own commands make: the package of the hardware unit's program with them, and
their calls in C."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import melanion.build.cache as cached
from melanion import commands, micro
from melanion.config import System
from melanion.micro import output, report
from melanion.spec.own import OwnCommands

PACKAGE = "mel_program_pkg.sv"
FIELDS = "mel_micro_pkg.sv"  # it says how large the lean program is


@dataclass(frozen=True)
class Own:
    """`folder`: with all of them."""

    folder: Path

    @property
    def package(self) -> Path:
        return self.folder / PACKAGE

    @property
    def source(self) -> Path:
        return self.folder / commands.SOURCE


def own(system: System) -> Own | None:
    """None: the system has no commands of a user. Raises MicroError, CommandsError."""
    if system.own is None:
        return None
    changed = tuple(path.stat().st_mtime_ns for path in system.own.programs)
    return _made(system.own.path, system.own.hash_word, changed, _Boxed(system.own))


def replaced(system: System, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """RTL files, with the package of the user's commands in place of the delivered one."""
    made = own(system)
    if made is None:
        return files
    return tuple(
        made.folder / path.name if path.name in (PACKAGE, FIELDS) else path for path in files
    )


class _Boxed:
    """A value that does not count as a part of a key."""

    def __init__(self, value: OwnCommands) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Boxed)

    def __hash__(self) -> int:
        return 0


@cache
def _made(path: Path, rows: int, changed: tuple[int, ...], boxed: _Boxed) -> Own:
    """Assembled once in a process."""
    given = boxed.value
    commands.meanings(given)  # a command without a meaning is no command
    program = micro.assemble(own=given)
    texts = {
        PACKAGE: output.program_package(
            program,
            micro.assemble_lean(own=given),
            micro.assemble_lanes(own=given),
        ),
        FIELDS: output.package(program.tables),
        commands.HEADER: commands.header(given),
        commands.SOURCE: commands.source(given),
        **report.files(program),
    }

    def make(work: Path) -> None:
        for name, text in texts.items():
            (work / name).write_text(text, encoding="utf-8")

    key = cached.key_of((name, text.encode()) for name, text in texts.items())
    what = f"assembling the commands of {given.name}"
    return Own(cached.entry("commands", key, make, lambda _: None, what))
