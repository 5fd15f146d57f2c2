# SPDX-License-Identifier: Apache-2.0
"""A Verilated model as a program: two files of its own, and what all models share: a library and
precompiled headers.

Verilator's own rules compile each part of a model, and its runtime library, for every program:
that is two thirds of the time (soc/sim/simulation.mk). Used by the simulations of systems and by
the benches of modules.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.tools as tools
from melanion import paths
from melanion.build.cache import Contents, Report

# Measured: expressions on wide values that are not expanded into words make half of the text, which
# compiles in three quarters of the time; functions that stay functions make two thirds of the rest,
# and a system runs a tenth faster.
FUNCTIONS = "-fno-inline-funcs-eager"  # not known to Verilators of 2024
VERILATOR_FLAGS = ("--cc", "--exe", "--no-std", "-Wno-fatal", "-fno-expand", FUNCTIONS)
CXX_FLAGS = "-std=c++17"
JOBS = 2
SHARED = ("library.a", "headers.h", "headers.h.gch")

# Objects of the runtime library that Verilator's second makefile lists for a model.
_RUNTIME = re.compile(r"^VM_GLOBAL_\w+ \+=(?: \\\n  \w+)*", re.MULTILINE)


class ToolError(Exception):
    """A tool refused a model's sources: which, and what it printed."""

    def __init__(self, tool: str, output: str) -> None:
        super().__init__(f"{tool} failed:\n{output[-4000:]}")
        self.tool = tool
        self.output = output


@dataclass(frozen=True)
class Recipe:
    """`prefix`: class of the model; `own`: C++ files (without their ends) that know the model, all
    others go to the library, which `shared` decides; `make_flags`: optimization."""

    prefix: str
    own: tuple[str, ...]
    make_flags: tuple[str, ...]
    shared: Contents

    @property
    def makefiles(self) -> tuple[str, str]:
        return f"{self.prefix}.mk", f"{self.prefix}_classes.mk"


def makefile() -> Path:
    """The rules for all models."""
    return paths.data_root() / "soc" / "sim" / "simulation.mk"


def versions() -> dict[str, str]:
    """The tools that make a model."""
    return {name: tools.version(name) for name in ("verilator", "c++")}


def verilate(words: Sequence[str], work: Path) -> None:
    """Write the model into `work`/obj. Raises ToolError."""
    tools.find("perl")
    verilator = str(tools.verilator_root() / "bin" / "verilator")
    done = tools.run(
        [verilator, *words, "-Mdir", str(work / "obj")],
        environment=tools.verilator_environment(),
    )
    if done.status != 0:
        raise ToolError("Verilator", done.output)


def link(recipe: Recipe, work: Path, report: Report) -> None:
    """Make the program `work`/sim of the model in `work`/obj, which goes. Raises ToolError."""
    obj = work / "obj"
    _make(recipe, obj, ["sim", f"SHARED={_shared(recipe, obj, report)}"])
    (obj / "sim").rename(work / "sim")
    tools.remove_folder(obj)


def _shared(recipe: Recipe, obj: Path, report: Report) -> Path:
    """The folder of what programs of all models have in common, compiled once for all. It is made
    where no header of a model can be found."""
    runtime = "".join(_RUNTIME.findall((obj / recipe.makefiles[1]).read_text()))
    key = cache.key_of(
        [
            *recipe.shared,
            (makefile().name, makefile().read_bytes()),
            ("flags", "\n".join([CXX_FLAGS, *recipe.make_flags]).encode()),
            ("runtime", runtime.encode()),
            ("tools", "\n".join(versions().values()).encode()),
        ]
    )

    def make(work: Path) -> None:
        (work / "obj").mkdir()
        for name in recipe.makefiles:
            shutil.copy(obj / name, work / "obj")
        _make(recipe, work / "obj", list(SHARED))
        for name in SHARED:
            (work / "obj" / name).rename(work / name)
        tools.remove_folder(work / "obj")

    what = "compiling what all simulations have in common"
    return cache.entry("library", key, make, report, what)


def _make(recipe: Recipe, folder: Path, goal: list[str]) -> None:
    words = [tools.find("make"), "-C", str(folder), "-f", str(makefile()), "-j", str(JOBS), *goal]
    words += [f"MODEL={recipe.prefix}", f"OWN={' '.join(recipe.own)}", *recipe.make_flags]
    words += [f"CXX={tools.find('c++')}", f"PYTHON3={sys.executable}"]
    done = tools.run(words, environment=tools.verilator_environment())
    if done.status != 0:
        raise ToolError("the C++ compiler", done.output)
