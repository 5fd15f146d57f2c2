# SPDX-License-Identifier: Apache-2.0
"""The simulation binary of a system: Verilator and a C++ compiler.

One binary per hardware configuration serves every program, seed and number of wait states.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from melanion import soc
from melanion.build import cache, tools
from melanion.build.cache import Report
from melanion.build.errors import BuildError
from melanion.config import System
from melanion.soc.files import top

# Measured: no --threads (20 times slower), no assertions, two-state values.
VERILATOR_FLAGS = shlex.split(
    "--cc --exe --no-std -DSYNTHESIS -O3 --x-assign fast --x-initial fast --no-assert"
    " --top-module mel_top --prefix Vmel_top --public-ignore -Wno-fatal"
)
CXX_FLAGS = "-std=c++17"
# Measured: -O1 runs as fast as -O2 and compiles in two thirds of the time; what runs once, at
# power-up, is half of the text, and needs no optimization at all.
MAKE_FLAGS = ["OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O2"]
WAVE_FLAGS = ["--trace-fst", "-CFLAGS", "-DMEL_WAVE"]
JOBS = 2

_ERROR = re.compile(r"^%Error|\berror: |undefined reference")
# What Verilator says a model needs of its runtime library, in Vmel_top_classes.mk.
_RUNTIME = re.compile(r"^VM_GLOBAL_\w+ \+=(?: \\\n  \w+)*", re.MULTILINE)
_MAKEFILES = ("Vmel_top.mk", "Vmel_top_classes.mk")


@dataclass(frozen=True)
class Hardware:
    """A built simulation. `simulator`: the binary (arguments: docs/decisions/0002); `debug`: one
    that somebody may hold (docs/decisions/0028)."""

    key: str
    simulator: Path
    wave: bool
    debug: bool = False


def hardware(
    system: System,
    *,
    wave: bool = False,
    debug: bool = False,
    report: Report = lambda _: None,
) -> Hardware:
    """The simulation binary of a system, built when the cache has none. Raises BuildError."""
    rtl, simulation = soc.rtl_sources(system), soc.simulation_sources()
    if debug:
        rtl = soc.Sources((*rtl.files, *soc.debug_rtl(system)), rtl.includes)
        simulation = soc.debug_simulation_sources()
    text = top(system)
    flags = [*VERILATOR_FLAGS, CXX_FLAGS, *MAKE_FLAGS, *(WAVE_FLAGS if wave else [])]
    key = cache.key_of(
        [
            *((f"rtl/{path.name}", _content(path)) for path in rtl.files),
            *((path.name, path.read_bytes()) for path in _with_headers(simulation)),
            ("mel_top.sv", text.encode()),
            ("flags", "\n".join(flags).encode()),
            ("tools", "\n".join(versions().values()).encode()),
        ]
    )

    def make(work: Path) -> None:
        (work / "mel_top.sv").write_text(text, encoding="utf-8")
        _verilate(work, key, [*rtl.files, work / "mel_top.sv"], rtl, simulation, wave)
        _compile(work, key, simulation, report)

    what = f"building the simulation of {system.name}{' for the debugger' if debug else ''}"
    place = cache.entry("hardware", key, make, report, what)
    return Hardware(key, place / "sim", wave, debug)


def versions() -> dict[str, str]:
    """The tools that make a simulation."""
    return {name: tools.version(name) for name in ("verilator", "c++")}


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BuildError(
            f"{path.name}: this RTL file cannot be read ({error.strerror}); restore it."
        ) from error


def _with_headers(simulation: soc.Sources) -> list[Path]:
    headers = [path for folder in simulation.includes for path in sorted(folder.glob("*.h"))]
    return [*simulation.files, *headers, _names(simulation), _makefile(simulation)]


def _names(simulation: soc.Sources) -> Path:
    """What the C++ side reaches in the RTL, for Verilator."""
    return simulation.includes[0] / "mel_top.vlt"


def _makefile(simulation: soc.Sources) -> Path:
    return simulation.includes[0] / "simulation.mk"


def _verilate(
    work: Path,
    key: str,
    files: list[Path],
    rtl: soc.Sources,
    simulation: soc.Sources,
    wave: bool,
) -> None:
    tools.find("perl")
    words = [str(tools.verilator_root() / "bin" / "verilator"), *VERILATOR_FLAGS]
    words += [f"+incdir+{folder}" for folder in rtl.includes]
    words += ["-CFLAGS", CXX_FLAGS, *(WAVE_FLAGS if wave else []), "-Mdir", str(work / "obj")]
    words += [str(path) for path in (_names(simulation), *files, *simulation.files)]
    done = tools.run(words, environment=tools.verilator_environment())
    if done.status != 0:
        raise failed("Verilator", key, done.output)


def _compile(work: Path, key: str, simulation: soc.Sources, report: Report) -> None:
    library = _library(work / "obj", simulation, report)
    report("compiling the simulation (5 to 15 s, once per hardware)")
    _make(work / "obj", simulation, ["sim", f"LIBRARY={library}"], key)
    (work / "obj" / "sim").rename(work / "sim")
    tools.remove_folder(work / "obj")


def _library(obj: Path, simulation: soc.Sources, report: Report) -> Path:
    """What simulations of all models have in common, compiled once for all. It is made where no
    header of a model can be found."""
    key = cache.key_of(
        [
            *((path.name, path.read_bytes()) for path in _with_headers(simulation)),
            ("flags", "\n".join([CXX_FLAGS, *MAKE_FLAGS]).encode()),
            ("runtime", "".join(_RUNTIME.findall((obj / _MAKEFILES[1]).read_text())).encode()),
            ("tools", "\n".join(versions().values()).encode()),
        ]
    )

    def make(work: Path) -> None:
        (work / "obj").mkdir()
        for name in _MAKEFILES:
            shutil.copy(obj / name, work / "obj")
        _make(work / "obj", simulation, ["library.a"], key)
        (work / "obj" / "library.a").rename(work / "library.a")
        tools.remove_folder(work / "obj")

    what = "compiling what all simulations have in common"
    return cache.entry("library", key, make, report, what) / "library.a"


def _make(folder: Path, simulation: soc.Sources, goal: list[str], key: str) -> None:
    words = [tools.find("make"), "-C", str(folder), "-f", str(_makefile(simulation))]
    words += ["-j", str(JOBS), *goal, *MAKE_FLAGS, f"CXX={tools.find('c++')}"]
    words += [f"PYTHON3={sys.executable}"]
    if ccache := tools.optional("ccache"):
        words.append(f"OBJCACHE={ccache}")
    done = tools.run(words, environment=tools.verilator_environment())
    if done.status != 0:
        raise failed("the C++ compiler", key, done.output)


def failed(tool: str, key: str, output: str) -> BuildError:
    """The sentence about a failed tool: its first error, and where the rest is."""
    sentence = (
        f"{tool} refused the simulation's sources: {cache.first_error(output, _ERROR)}; this is a"
        " defect of Melanion or of its installation, correct the source or install again"
    )
    return BuildError(cache.tool_failed(key, output, sentence))
