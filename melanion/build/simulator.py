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
from melanion import soc
from melanion.build.cache import Contents, Report
from melanion.build.errors import BuildError
from melanion.build.model import CXX_FLAGS, versions
from melanion.config import System

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

_ERROR = re.compile(r"^%Error|\berror: |undefined reference")


@dataclass(frozen=True)
class Hardware:
    """A built simulation. `simulator`: the binary (arguments: docs/decisions/0002); `debug`: one
    that somebody may hold (docs/decisions/0028); `watched`: one that records what the unit does
    (soc/sim/unit/watched.cpp); `injects`: one whose bits are flipped (docs/decisions/0048)."""

    key: str
    simulator: Path
    wave: bool
    debug: bool = False
    watched: bool = False
    injects: bool = False


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
    system: System,
    *,
    debug: bool = False,
    page: bool = False,
    watched: bool = False,
    injects: bool = False,
) -> Model:
    """The sources of a system's simulation: the usual one, one for the debugger, one in a page, one
    that records what the unit does, as that in a page also can, one whose bits are flipped."""
    chosen = soc.page_simulation_sources if page else soc.simulation_sources
    rtl, simulation = soc.rtl_sources(system), chosen()
    rtl = soc.Sources(own.replaced(system, rtl.files), rtl.includes)
    if debug:
        rtl = soc.Sources((*rtl.files, *soc.debug_rtl(system)), rtl.includes)
        simulation = soc.debug_simulation_sources()
    if watched:
        simulation = soc.watched_simulation_sources()
    if page or watched:
        rtl = soc.Sources((*rtl.files, *soc.watched_rtl(system)), rtl.includes)
    marks: tuple[Path, ...] = ()
    if injects:
        simulation = soc.inject_simulation_sources()
        marks = (simulation.includes[-1] / "state.vlt",)
    return Model(rtl, soc.system_package(system), soc.top_sources(system), simulation, marks)


def hardware(
    system: System,
    *,
    wave: bool = False,
    debug: bool = False,
    receives: bool = False,
    watched: bool = False,
    injects: bool = False,
    report: Report = lambda _: None,
) -> Hardware:
    """The simulation binary of a system, built when the cache has none; `receives`: its console has
    a receive side; `injects`: its bits are flipped. Raises BuildError."""
    found = sources(system, debug=debug, watched=watched, injects=injects)
    chosen = [*(WAVE_FLAGS if wave else []), *(INPUT_FLAGS if receives else [])]
    flags = [*VERILATOR_FLAGS, CXX_FLAGS, *MAKE_FLAGS, *chosen]
    key = cache.key_of(
        [
            *found.contents(),
            ("flags", "\n".join(flags).encode()),
            ("tools", "\n".join(versions().values()).encode()),
        ]
    )

    def make(work: Path) -> None:
        try:
            found.verilate(work, chosen)
            _compile(work, found.simulation, OWN_INJECTED if injects else OWN, report)
        except model.ToolError as error:
            raise failed(error.tool, key, error.output) from None

    what = f"building the simulation of {system.name}{' for the debugger' if debug else ''}"
    what += " with console input" if receives else ""
    what += " with a window on the unit" if watched else ""
    what += " with bit flips" if injects else ""
    place = cache.entry("hardware", key, make, report, what)
    return Hardware(key, place / "sim", wave, debug, watched, injects)


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
