# SPDX-License-Identifier: Apache-2.0
"""Input of a run's console (soc/sim/console_input.h): a file, at so many cycles a byte, or bytes
that somebody types meanwhile.

A file arrives in the same cycles in every run. What is typed arrives when it is typed: such a run
cannot be repeated exactly, and its result says so.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

from melanion.build.linkage import Program
from melanion.build.stdio import reads_console
from melanion.config import System
from melanion.run.errors import RunError
from melanion.run.waits import BAD_USE

TYPED = "-"  # the name of standard input
CYCLES = 1000  # from one byte to the next, unless the caller chooses
LEAST, MOST = 2, 1_000_000  # soc/sim/options.cpp
_LINE = 15  # kernel/include/melanion/input.h
_NONE = 64


@dataclass(frozen=True)
class ConsoleInput:
    """`content`: the bytes; None: those that are typed during the run, on standard input.
    `cycles`: from one byte to the next."""

    content: bytes | None
    cycles: int = CYCLES

    @property
    def provenance(self) -> dict[str, int | str]:
        """The choices that decide the run; of what is typed they come after it (`typed`)."""
        known = {} if self.content is None else described(self.content)
        return {"input_cycles": self.cycles, **known}


def described(content: bytes) -> dict[str, int | str]:
    """An input in a result: its length and its digest."""
    return {"input_bytes": len(content), "input_sha256": hashlib.sha256(content).hexdigest()}


def line(system: System) -> int:
    """The interrupt line of the console in a system."""
    lines = system.parameters.interrupts
    return min(_LINE, lines - 1) if lines > 0 else _NONE


def named(file: Path | None, cycles: int | None, *, live: bool) -> ConsoleInput | None:
    """The input that an option names; None: there is none. `live`: standard input may be read
    during the run, when a terminal is there. Raises RunError."""
    if file is None:
        if cycles is not None:
            raise RunError(
                f"--input-cycles {cycles} goes with --input alone; name an input, or leave it out.",
                BAD_USE,
            )
        return None
    cycles = CYCLES if cycles is None else cycles
    if not LEAST <= cycles <= MOST:
        raise RunError(
            f"--input-cycles {cycles}: a byte takes {LEAST} … {MOST} cycles; choose one of them.",
            BAD_USE,
        )
    if str(file) == TYPED:
        is_typed = live and sys.stdin.isatty()
        return ConsoleInput(None if is_typed else sys.stdin.buffer.read(), cycles)
    try:
        return ConsoleInput(file.read_bytes(), cycles)
    except OSError as error:
        raise RunError(
            f"--input {file}: this file cannot be read ({error.strerror}); name another file, or -"
            " for standard input.",
            BAD_USE,
        ) from error


def check(program: Program, given: ConsoleInput | None) -> None:
    """Refuse a program that reads the console in a run without an input, whose console has no
    receive side. Raises RunError."""
    if given is None and reads_console(program.content.symbols):
        raise RunError(
            f"{program.app.name}: it reads the console, and this run gives it nothing to read; add"
            " --input FILE, or --input - for standard input.",
            BAD_USE,
        )
