# SPDX-License-Identifier: Apache-2.0
"""The sources of a system's hardware: ours by folder, those of cores from pinned packages."""

from __future__ import annotations

import importlib
import os
import shlex
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from melanion import paths
from melanion.config import System
from melanion.errors import MelanionError

# ibex_core without its register file and its memory protection. The package's own list is stale.
_IBEX_MODULES = shlex.split(
    "alu branch_predict compressed_decoder controller counter cs_registers csr decoder ex_block"
    " fetch_fifo id_stage if_stage load_store_unit multdiv_fast multdiv_slow prefetch_buffer"
    " wb_stage core"
)
_IBEX_PRIM = Path("vendor", "lowrisc_ip", "ip", "prim", "rtl")
_IBEX_INCLUDES = (Path("rtl"), _IBEX_PRIM, Path("vendor", "lowrisc_ip", "dv", "sv", "dv_utils"))


class Purpose(StrEnum):
    """What a simulation is for. All but RUN have another `main`, in the folder of soc/sim with that
    name."""

    RUN = "run"
    DEBUG = "debug"  # somebody may hold it (docs/decisions/0028)
    PAGE = "page"  # calls instead of a `main` (docs/decisions/0045)
    UNIT = "unit"  # it records what the unit does, which one in a page can, too
    INJECT = "inject"  # its bits are flipped (docs/decisions/0048)


class SocError(MelanionError):
    """A part of the system is missing."""


@dataclass(frozen=True)
class Package:
    """The pinned package with the RTL of a core. `root`: its data folder; `licences`: files that
    must go where its files go; `origin`: where the authors keep the sources, and which they are."""

    kind: str
    title: str
    distribution: str
    root: Path
    licences: tuple[Path, ...]
    origin: str


@dataclass(frozen=True)
class Sources:
    """Files in compile order and include folders."""

    files: tuple[Path, ...]
    includes: tuple[Path, ...] = ()


_PACKAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ibex": ("Ibex", "pythondata-cpu-ibex", ("LICENSE", "NOTICE")),
    "vexriscv": ("VexRiscv", "pythondata-cpu-vexriscv", ("ext/VexRiscv/LICENSE",)),
}


def package(kind: str) -> Package:
    """The package of a type of core. Raises SocError."""
    title, distribution, licences = _PACKAGES[kind]
    try:
        module = importlib.import_module(distribution.replace("-", "_"))
    except ImportError:
        raise SocError(
            f"the package {distribution} (the RTL of the {title} core) is not installed;"
            " run `make setup` in a checkout, or install Melanion again."
        ) from None
    return Package(
        kind,
        title,
        distribution,
        root := Path(module.data_location),
        tuple(root / name for name in licences),
        f"{module.src}, {module.data_git_hash}",
    )


def _ibex(system: System) -> Sources:
    root = package("ibex").root
    files = [root / _IBEX_PRIM / "prim_cipher_pkg.sv", root / "rtl" / "ibex_pkg.sv"]
    modules = [*_IBEX_MODULES, "pmp"] if system.core.pmp else _IBEX_MODULES
    files += [root / "rtl" / f"ibex_{name}.sv" for name in modules]
    return Sources(tuple(files), tuple(root / folder for folder in _IBEX_INCLUDES))


def _vexriscv(system: System) -> Sources:
    root = package("vexriscv").root
    return Sources((root / f"VexRiscv_{system.core.variant.capitalize()}.v",))


def refuse_protection(system: System, what: str) -> str:
    """Why something cannot be made of a system's protected unit; empty: the unit is not protected.
    `what`: a noun."""
    if system.unit_protection == "none":
        return ""
    return (
        f"{system.name}: unit_protection is {system.unit_protection!r}, and {what} takes no"
        " protected unit yet; name the system without the word protected or parity, or write"
        " unit_protection: none."
    )


def unit_sources() -> list[Path]:
    """The files of the hardware unit, in the order of its own list."""
    return _listed(paths.data_root() / "hw" / "engine", "mel_unit.f")


def _listed(folder: Path, name: str) -> list[Path]:
    """The files of a hardware unit, in the order of its own list. Links stay, so that a file has
    the same path in every list."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    files = [line.strip() for line in lines if line.strip().endswith(".sv")]
    return [Path(os.path.normpath(folder / file)) for file in files]


def rtl_sources(system: System) -> Sources:
    """The SystemVerilog of a system, up to the package of its sizes (files.system_package); behind
    that come those of `top_sources`."""
    root, kind = paths.data_root(), system.core.type
    core = {"ibex": _ibex, "vexriscv": _vexriscv}[kind](system)
    packages = [
        root / "gen" / "sv" / "mel_pkg.sv",
        root / "soc" / "bus" / "mel_obi_pkg.sv",
        root / "hw" / "contexts" / "mel_context_pkg.sv",
    ]
    files = [*core.files, *packages]
    shared = ["shared"] if system.shares_devices else []
    for folder in (f"cores/{kind}", "bus", "mem", "devices", *shared):
        found = sorted((root / "soc" / folder).glob("*.sv"))
        files += [path for path in found if path not in files]
    cache = system.memory.cache
    optional = {"mel_slow_bridge": system.bridge, "mel_cache": cache, "mel_cache_pair": cache}
    files = [path for path in files if optional.get(path.stem, True)]
    if system.coupling != "banked":
        files = [path for path in files if not path.stem.endswith("_banked")]
    probes = root / "soc" / "probes"
    files += [probes / "mel_probe_core.sv", *sorted(probes.glob(f"mel_probe_{kind}.sv"))]
    files.append(probes / f"mel_bind_{kind}.sv")
    if cache:
        files.append(probes / "mel_probe_cache.sv")
    if system.unit:
        files += [path for path in unit_sources() if path not in files]
        files.append(root / "hw" / "bridges" / "mel_bridge_obi.sv")
        counts = "counts"
        if system.unit_protection != "none":
            counts = "counts_protected"
            files.append(root / "hw" / "protect" / "mel_guard.sv")
        files += [probes / f"mel_probe_{noun}.sv" for noun in ("unit", counts)]
    bridge = root / "hw" / "bridges" / "mel_bridge_obi.sv"
    if system.locks:
        files += [*_listed(root / "hw" / "lock_cache", "mel_lock_cache.f"), bridge]
        files += sorted((root / "soc" / "lock_cache").glob("*.sv"))
    for name in system.components.names if system.components else ():
        own = [*_listed(root / "hw" / name, f"mel_{name}.f"), bridge]
        files += [path for path in own if path not in files]
    if system.view:
        files += [
            root / "gen" / "sv" / "mel_booster_pkg.sv",
            root / "hw" / "bridges" / "mel_booster.sv",
        ]
    if system.coupling in ("port", "banked"):
        files.append(root / "hw" / "bridges" / "mel_port.sv")
    if system.coupling == "banked":
        for folder in ("banks", "contexts"):
            found = sorted((root / "hw" / folder).glob("*.sv"))
            files += [path for path in found if path not in files]
        files.append(probes / "mel_bind_ibex_banked.sv")
    return Sources(tuple(files), core.includes)


def top_sources(system: System) -> tuple[Path, ...]:
    """The top of a system and its tiles, which read the package of its sizes, in compile order."""
    tiles = {
        "unit": system.unit,
        "shared": system.shares_devices,
        "component": system.components is not None,
        "ethernet": system.ethernet is not None,
    }
    names = ["core_tile", "memory_tile", *(f"{tile}_tile" for tile, has in tiles.items() if has)]
    folder = paths.data_root() / "soc" / "tops"
    return tuple(folder / f"mel_{name}.sv" for name in (*names, "top"))


def simulation_sources(purpose: Purpose = Purpose.RUN) -> Sources:
    """The C++ side of the simulation; its own folder is the last include. Make looks for a file by
    its name alone, so none has the name of another folder's."""
    usual = paths.data_root() / "soc" / "sim"
    files = sorted(usual.glob("*.cpp"))
    if purpose is Purpose.RUN:
        return Sources(tuple(files), (usual,))
    kept = [path for path in files if path.name != "main.cpp"]
    includes = [usual]
    if purpose is Purpose.PAGE:
        includes.append(usual / Purpose.UNIT)
        kept.append(includes[-1] / "window.cpp")
    includes.append(usual / purpose)
    return Sources((*kept, *sorted(includes[-1].glob("*.cpp"))), tuple(includes))


def simulation_rtl(system: System, purpose: Purpose) -> tuple[Path, ...]:
    """RTL of a simulation in addition to `rtl_sources`: modules that only observe."""
    folder = paths.data_root() / "soc"
    if purpose is Purpose.DEBUG:
        return tuple(folder / "debug" / f"mel_debug_{name}.sv" for name in ("core", "memory"))
    if purpose in (Purpose.UNIT, Purpose.PAGE) and system.unit:
        return (folder / "probes" / "mel_probe_engine.sv",)
    return ()
