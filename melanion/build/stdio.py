# SPDX-License-Identifier: Apache-2.0
"""The streams of the C library (kernel/stdio): an archive from which the linker takes what a
program calls, so that a program without stdio has the image that it had.

Which printf is linked is decided as picolibc does it, by a macro of the program's app.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import melanion.build.library as library
import melanion.build.tools as tools
from melanion.build.app import App
from melanion.build.errors import BuildError
from melanion.build.units import Unit
from melanion.config import System

ARCHIVE = "libstdio.a"
# Macros that choose a printf and a scanf: without floats, with float alone, with double.
VARIANTS = (
    "PICOLIBC_INTEGER_PRINTF_SCANF",
    "PICOLIBC_FLOAT_PRINTF_SCANF",
    "PICOLIBC_DOUBLE_PRINTF_SCANF",
)
_READS = "mel_input_take"  # linked by all that reads the console
_POLLS = "-DMEL_STDIN_POLLS"


def stdio_units(system: System, root: Path, app: App, config: tuple[str, ...] | None) -> list[Unit]:
    """Sources of the archive; `config`: how a program for FreeRTOS itself finds its
    configuration."""
    flags = [*(config or ()), *library.flags(system, root, plain=config is not None)]
    if library.is_original(system, app):
        flags.append(_POLLS)
    return [Unit(path, tuple(flags), library.object_name(0, path)) for path in library.streams()]


def link_words(work: Path, units: Sequence[Unit], macros: Iterable[str]) -> list[str]:
    """Make the archive in `work`; words for the linker, behind a program's objects. Libraries are
    searched in the order of gcc's own words, so that what they bring keeps its addresses."""
    names = [unit.target for unit in units]
    done = tools.run([tools.find(tools.CROSS_AR), "qcsD", ARCHIVE, *names], folder=work)
    if done.status != 0:
        raise BuildError(
            f"{tools.CROSS_AR} cannot make {ARCHIVE}: {done.output.strip()}; correct it."
        )
    group = ["-Wl,--start-group", str(work / ARCHIVE), "-lgcc", "-lc", "-Wl,--end-group"]
    return [*(f"-D{name}" for name in VARIANTS if name in set(macros)), *group]


def reads_console(symbols: Iterable[str]) -> bool:
    """Whether a program with these symbols reads the console."""
    return _READS in symbols
