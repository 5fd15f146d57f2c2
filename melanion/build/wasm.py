# SPDX-License-Identifier: Apache-2.0
"""The simulation of a system as WebAssembly, for a page (docs/decisions/0045).

The C++ is that of the native simulation, and so are the cycles and the trace. It needs Emscripten;
whoever runs simulations on his machine needs none of it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.model as model
import melanion.build.simulator as simulator
import melanion.build.tools as tools
from melanion import paths
from melanion.build.cache import Report
from melanion.build.simulator import VERILATOR_FLAGS
from melanion.config import System
from melanion.soc import Purpose

COMPILER = "em++"
SCRIPT, MODULE = "sim.js", "sim.wasm"


@dataclass(frozen=True)
class WebHardware:
    """A built simulation: `script` makes the one of `module` (factory `createSimulation`)."""

    key: str
    script: Path
    module: Path


def web_hardware(system: System, *, report: Report = lambda _: None) -> WebHardware:
    """The simulation of a system, built when the cache has none. Raises BuildError."""
    found, rules = simulator.sources(system, Purpose.PAGE), _rules()
    key = cache.key_of(
        [
            *found.contents(),
            (rules.name, rules.read_bytes()),
            ("flags", "\n".join([*VERILATOR_FLAGS, model.CXX_FLAGS]).encode()),
            ("tools", "\n".join(versions().values()).encode()),
        ]
    )

    def make(work: Path) -> None:
        try:
            found.verilate(work)
            _compile(work)
        except model.ToolError as error:
            raise simulator.failed(error.tool, key, error.output) from None

    what = f"compiling the simulation of {system.name} to WebAssembly"
    place = cache.entry("wasm", key, make, report, what)
    return WebHardware(key, place / SCRIPT, place / MODULE)


def versions() -> dict[str, str]:
    """The tools that make it. Raises BuildError when there is no Emscripten."""
    return {name: tools.version(name) for name in ("verilator", COMPILER)}


def _rules() -> Path:
    return paths.data_root() / "soc" / "sim" / "page" / "page.mk"


def _compile(work: Path) -> None:
    """Make script and module of the model in `work`/obj, which goes. Raises ToolError."""
    obj = work / "obj"
    words = [tools.find("make"), "-C", str(obj), "-f", str(_rules()), "-j", str(model.JOBS), SCRIPT]
    words += ["MODEL=Vmel_top", f"CXX={tools.find(COMPILER)}", f"PYTHON3={sys.executable}"]
    done = tools.run(words, environment=tools.verilator_environment())
    if done.status != 0:
        raise model.ToolError("Emscripten", done.output)
    for name in (SCRIPT, MODULE):
        (obj / name).rename(work / name)
    tools.remove_folder(obj)
