# SPDX-License-Identifier: Apache-2.0
"""The folder that shows a user a system: its sizes, header, linker script, and system.json."""

from __future__ import annotations

import melanion.build.library as library
import melanion.build.linkage as linkage
import melanion.build.model as model
import melanion.build.simulator as simulator
from melanion import paths, soc
from melanion.config import System


def _place(name: str) -> str:
    """A source's name without this machine's folders."""
    local = name.removeprefix(f"{paths.data_root()}/")
    return local.rpartition("site-packages/")[2]  # the environment may lie in the checkout


def system_files(system: System) -> dict[str, str]:
    """Name → content; system.json says every decision: flags, tool versions, sources."""
    rtl = (*soc.rtl_sources(system).files, *soc.top_sources(system))
    return soc.files(
        system,
        {
            "flags": {
                "verilator": simulator.VERILATOR_FLAGS,
                "c++": model.CXX_FLAGS,
                "compile": linkage.flags(system),
                "link": linkage.link_flags(system),
            },
            "tools": {**model.versions(), **linkage.versions()},
            "sources": {
                "rtl": [_place(str(path)) for path in rtl],
                "simulation": [_place(str(p)) for p in soc.simulation_sources().files],
                "kernel": [_place(str(path)) for path in library.sources(system)],
            },
        },
    )
