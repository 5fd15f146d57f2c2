# SPDX-License-Identifier: Apache-2.0
"""The simulation binary of a system: Verilator and a C++ compiler.

One binary per hardware configuration serves every program, seed and number of wait states.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.model as model
import melanion.build.own as own
import melanion.build.protected as protected
from melanion import soc
from melanion.build.cache import Contents, Report
from melanion.build.errors import BuildError
from melanion.build.model import CXX_FLAGS, versions
from melanion.config import System
from melanion.soc import Purpose

# Measured: no --threads (20 times slower), no assertions, two-state values.
VERILATOR_FLAGS = [
    *model.VERILATOR_FLAGS,
    *shlex.split(
        "-DSYNTHESIS -O3 --x-assign fast --x-initial fast --no-assert --top-module mel_top"
        " --prefix Vmel_top --public-ignore"
    ),
]
# Measured: -O1 runs as fast as -O2 and compiles in two thirds of the time (in a third, with what
# soc/sim/simulation.mk leaves out); what runs once, at power-up, is half of the text, and needs no
# optimization at all.
MAKE_FLAGS = ["OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O2"]
INPUT_FLAGS = ["-DMEL_INPUT"]  # the console has a receive side (soc/devices/mel_host.sv)
WAVE_FLAGS = ["--trace-fst", "-CFLAGS", "-DMEL_WAVE"]
PACKAGE = "mel_system_pkg.sv"
# Files of the C++ side that know the model.
OWN = ("main", "held", "watched", "simulation", "session", "window")
OWN_INJECTED = ("inject", "plan", "reference", "simulation")  # … of one whose bits are flipped
# … in the words of a build's progress.
WORDS = {
    Purpose.RUN: "",
    Purpose.DEBUG: " for the debugger",
    Purpose.PAGE: " for a page",
    Purpose.UNIT: " with a window on the unit",
    Purpose.INJECT: " with bit flips",
}

_ERROR = re.compile(r"^%Error|\berror: |undefined reference")


@dataclass(frozen=True)
class Hardware:
    """A built simulation. `simulator`: the binary (arguments: docs/decisions/0002)."""

    key: str
    simulator: Path
    wave: bool
    purpose: Purpose = Purpose.RUN


@dataclass(frozen=True)
class Model:
    """Sources of a simulation. `package`: the text of the system's sizes; `marks`: Verilator
    configurations that make more RTL signals accessible to the C++ side."""

    rtl: soc.Sources
    package: str
    tops: tuple[Path, ...]
    simulation: soc.Sources
    marks: tuple[Path, ...] = ()

    def contents(self) -> Contents:
        """Everything of them, for a key."""
        return [
            *((f"rtl/{path.name}", _content(path)) for path in (*self.rtl.files, *self.tops)),
            *((path.name, path.read_bytes()) for path in _with_headers(self.simulation)),
            *((path.name, path.read_bytes()) for path in self.marks),
            (PACKAGE, self.package.encode()),
        ]

    def verilate(self, work: Path, chosen: Sequence[str] = ()) -> None:
        """Write the C++ into `work`/obj. Raises ToolError."""
        (work / PACKAGE).write_text(self.package, encoding="utf-8")
        words = [*VERILATOR_FLAGS, *(f"+incdir+{folder}" for folder in self.rtl.includes)]
        words += ["-CFLAGS", CXX_FLAGS, *chosen]
        files = (*self.rtl.files, work / PACKAGE, *self.tops, *self.simulation.files)
        words += [str(path) for path in (_names(self.simulation), *self.marks, *files)]
        model.verilate(words, work)


def sources(
    system: System, purpose: Purpose = Purpose.RUN, report: Report = lambda _: None
) -> Model:
    """The sources of a system's simulation. Raises BuildError."""
    rtl, simulation = soc.rtl_sources(system), soc.simulation_sources(purpose)
    files = own.replaced(system, rtl.files)
    marks = [simulation.includes[-1] / "state.vlt"] if purpose is Purpose.INJECT else []
    watched = purpose in (Purpose.UNIT, Purpose.PAGE)  # by names of the unit's own signals
    if watched and (sentence := soc.refuse_protection(system, "a page")):
        raise BuildError(sentence, 2)
    if guarded := protected.guarded(system, files, report):
        files = guarded.replaced(files)
        marks += [guarded.unit.marks] if marks else []
    return Model(
        soc.Sources((*files, *soc.simulation_rtl(system, purpose)), rtl.includes),
        soc.system_package(system),
        soc.top_sources(system),
        simulation,
        tuple(marks),
    )


def hardware(
    system: System,
    purpose: Purpose = Purpose.RUN,
    *,
    wave: bool = False,
    receives: bool = False,
    report: Report = lambda _: None,
) -> Hardware:
    """The simulation binary of a system, built when the cache has none; `receives`: its console has
    a receive side. Raises BuildError."""
    found = sources(system, purpose, report)
    chosen = [*(WAVE_FLAGS if wave else []), *(INPUT_FLAGS if receives else [])]
    flags = [*VERILATOR_FLAGS, CXX_FLAGS, *MAKE_FLAGS, *chosen]
    key = cache.key_of(
        [
            *found.contents(),
            ("flags", "\n".join(flags).encode()),
            ("tools", "\n".join(versions().values()).encode()),
        ]
    )
    files = OWN_INJECTED if purpose is Purpose.INJECT else OWN

    def make(work: Path) -> None:
        try:
            found.verilate(work, chosen)
            _compile(work, found.simulation, files, report)
        except model.ToolError as error:
            raise failed(error.tool, key, error.output) from None

    what = f"building the simulation of {system.name}{WORDS[purpose]}"
    what += " with console input" if receives else ""
    place = cache.entry("hardware", key, make, report, what)
    return Hardware(key, place / "sim", wave, purpose)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BuildError(
            f"{path.name}: this RTL file cannot be read ({error.strerror}); restore it."
        ) from error


def _with_headers(simulation: soc.Sources) -> list[Path]:
    headers = [path for folder in simulation.includes for path in sorted(folder.glob("*.h"))]
    return [*simulation.files, *headers, _names(simulation), model.makefile()]


def _names(simulation: soc.Sources) -> Path:
    """Verilator configuration that makes RTL signals accessible to the C++ side."""
    return simulation.includes[0] / "mel_top.vlt"


def _compile(work: Path, simulation: soc.Sources, own: tuple[str, ...], report: Report) -> None:
    shared = [(path.name, path.read_bytes()) for path in _with_headers(simulation)]
    report("compiling the simulation (5 to 15 s, once per hardware)")
    model.link(model.Recipe("Vmel_top", own, tuple(MAKE_FLAGS), shared), work, report)


def failed(tool: str, key: str, output: str) -> BuildError:
    """The sentence about a failed tool: its first error, and where the rest is."""
    sentence = (
        f"{tool} refused the simulation's sources: {cache.first_error(output, _ERROR)}; this is a"
        " defect of Melanion or of its installation, correct the source or install again"
    )
    return BuildError(cache.tool_failed(key, output, sentence))
