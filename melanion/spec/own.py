# SPDX-License-Identifier: Apache-2.0
"""A user's own commands: the file that a configuration names in its key `commands`.

Rows have the form of `spec/commands.yaml`, with numbers of the users. Beside the file lie the
microprogram, the model and the scenarios; nothing here reads them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from melanion import paths
from melanion.spec.check import PATTERN_WORDS, check, sentence
from melanion.spec.facts import Spec
from melanion.spec.loader import SpecError, load
from melanion.spec.rules import broken_command
from melanion.spec.schema import LAST_OP, USER_OPS, Command, Name, Row
from melanion.spec.yaml_file import KeyPath, read

PROGRAM_FILE = r"^[\w.-]+\.mu$"
MODEL_FILE = r"^[\w-]+\.py$"
SCENARIO_FILE = r"^[\w./-]+\.yaml$"
PATTERN_WORDS.update(
    {
        PROGRAM_FILE: "the name of a .mu file beside this one",
        MODEL_FILE: "the name of a .py file beside this one",
        SCENARIO_FILE: "the name of a .yaml file below the folder of this one",
    }
)


class OwnCommand(Command):
    """A row of a user."""

    op: int = Field(ge=USER_OPS, le=LAST_OP)


class OwnFile(Row):
    """`program`: microprograms; `model`: a Python module with the meaning of each command;
    `scenarios`: their names. All lie beside the file, or, scenarios, in folders of it."""

    program: list[Annotated[str, StringConstraints(pattern=PROGRAM_FILE)]] = Field(min_length=1)
    model: Annotated[str, StringConstraints(pattern=MODEL_FILE)]
    scenarios: list[Annotated[str, StringConstraints(pattern=SCENARIO_FILE)]] = Field(default=[])
    commands: dict[Name, OwnCommand] = Field(min_length=1)


@dataclass(frozen=True)
class OwnCommands:
    """`name`: how messages call the file; `lines`: of each row, by name of the command."""

    path: Path
    name: str
    file: OwnFile
    lines: Mapping[str, int]

    @property
    def rows(self) -> Mapping[str, OwnCommand]:
        return self.file.commands

    @property
    def programs(self) -> list[Path]:
        return [self.path.parent / name for name in self.file.program]

    @property
    def model(self) -> Path:
        return self.path.parent / self.file.model

    @property
    def scenarios(self) -> list[Path]:
        return [self.path.parent / name for name in self.file.scenarios]

    def place(self, path: Path) -> str:
        """Name of a file beside this one in messages: its path as the user would type it."""
        return str(Path(self.name).parent / path.relative_to(self.path.parent))

    @cached_property
    def hash_word(self) -> int:
        """First 32 bits of sha256 over the rows: what programs and hardware must agree on."""
        rows = {name: row.model_dump(mode="json") for name, row in self.rows.items()}
        text = json.dumps(rows, separators=(",", ":"), sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:4], "big")

    def added_to(self, spec: Spec) -> Spec:
        """The facts, with these commands behind the others."""
        commands = {**spec.commands.commands, **self.rows}
        return replace(spec, commands=spec.commands.model_copy(update={"commands": commands}))


def load_own(path: Path, name: str | None = None) -> OwnCommands:
    """Read the file; messages call it `name`. Raises SpecError with every error."""
    yaml = read(path, name or str(path))
    file, problems = check(OwnFile, yaml)
    if file is not None:
        spec = load(paths.data_root() / "spec")
        found = [*_broken(file, spec), *_missing(file, path.parent)]
        problems += [sentence(yaml, key, rest) for key, rest in found]
    if file is None or problems:
        raise SpecError("\n".join(problems), 2)
    lines = {each: yaml.line(("commands", each)) for each in file.commands}
    return OwnCommands(path, yaml.name, file, lines)


def _broken(file: OwnFile, spec: Spec) -> Iterable[tuple[KeyPath, str]]:
    """Rules between rows, and between them and those of spec/."""
    owners: dict[int, str] = {}
    for name, row in file.commands.items():
        if name in spec.commands.commands or name in spec.registers.queries:
            yield ("commands", name), "has the name of a call of the kernel; rename it"
        first = owners.setdefault(row.op, name)
        if first != name:
            rest = f"is {row.op}, which commands.{first} already has; use another number"
            yield ("commands", name, "op"), rest
        yield from ((path, rest) for _, path, rest in broken_command(spec, name, row))


def _missing(file: OwnFile, folder: Path) -> Iterable[tuple[KeyPath, str]]:
    """Files that are not there."""
    named: dict[KeyPath, str] = {("model",): file.model}
    named |= {("program", i): each for i, each in enumerate(file.program)}
    named |= {("scenarios", i): each for i, each in enumerate(file.scenarios)}
    for path, name in named.items():
        if not (folder / name).is_file():
            yield path, f"is {name!r}, which is not in the folder of this file; add it there"
