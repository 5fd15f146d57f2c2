# SPDX-License-Identifier: Apache-2.0
"""The meaning of a user's commands: functions of his Python module, which is imported and executed.

The module has `COMMANDS`, command → function as those of melanion/model/semaphore.py, and may have
`BAD`, command → function (kernel, argument, operand) that is true when one of them is bad (E_PAR).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from mel_gen import Blocks, Context, IdKind

from melanion.commands.errors import CommandsError
from melanion.model import OwnCommand
from melanion.spec.own import OwnCommands

PERMANENT = (IdKind.NONE, IdKind.INTERRUPT, IdKind.TIMER)  # need not be made


def meanings(own: OwnCommands) -> Mapping[int, OwnCommand]:
    """The commands by number, as the model has them. Raises CommandsError."""
    module = _module(own.model, own.model.read_bytes(), own.place(own.model))
    handlers = _functions(own, module, "COMMANDS")
    bad = _functions(own, module, "BAD") if hasattr(module, "BAD") else {}
    found = {}
    for name, row in own.rows.items():
        if name not in handlers:
            raise CommandsError(
                f"{own.place(own.model)}:1: COMMANDS has no {name}, a command of"
                f" {own.name}:{own.lines[name]}; add its function."
            )
        kind = IdKind(row.id)
        found[row.op] = OwnCommand(
            name=name,
            callers=frozenset(Context[caller.upper()] for caller in row.callers),
            blocks=Blocks(row.blocks),
            id=kind,
            must_exist=kind not in PERMANENT,
            bad=bad.get(name),
            handler=handlers[name],
        )
    return found


@cache
def _module(path: Path, source: bytes, name: str) -> ModuleType:
    """Execute a module's source. `name`: how messages call the file.

    Compiled here, because an import takes a bytecode file whose second and size are the source's.
    """
    module = ModuleType(f"melanion_own_{path.stem}")
    module.__file__ = str(path)
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except Exception as error:
        raise CommandsError(
            f"{name}:{_line(error, path)}: the model cannot be imported"
            f" ({type(error).__name__}: {error}); correct it."
        ) from error
    return module


def _line(error: Exception, path: Path) -> int:
    """Line of the file in which it went wrong; 1: in none."""
    if isinstance(error, SyntaxError):
        return error.lineno or 1
    line, at = 1, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == str(path):
            line = at.tb_lineno
        at = at.tb_next
    return line


def _functions(own: OwnCommands, module: ModuleType, name: str) -> Mapping[str, Callable[..., Any]]:
    """A table of the module. Raises CommandsError."""
    where, table = own.place(own.model), getattr(module, name, None)
    if not isinstance(table, dict) or not all(map(callable, table.values())):
        raise CommandsError(
            f"{where}:1: {name} is no table of functions by name of the command; write"
            f" `{name} = {{...}}`."
        )
    for command in table:
        if command not in own.rows:
            known = ", ".join(own.rows)
            raise CommandsError(
                f"{where}:1: {name} has {command!r}, and {own.name} has the commands {known};"
                " correct the name."
            )
    return table
