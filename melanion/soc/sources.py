"""The sources of a system's hardware: ours by folder, those of cores from pinned packages."""

from __future__ import annotations

import importlib
import shlex
from dataclasses import dataclass
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


class SocError(MelanionError):
    """A part of the system is missing."""


@dataclass(frozen=True)
class Sources:
    """Files in compile order and include folders."""

    files: tuple[Path, ...]
    includes: tuple[Path, ...] = ()


def _package(name: str, core: str) -> Path:
    """The data folder of the pinned package with the RTL of a core."""
    try:
        return Path(importlib.import_module(name).data_location)
    except ImportError:
        raise SocError(
            f"the package {name.replace('_', '-')} (the RTL of the {core} core) is not installed;"
            " run `make setup` in a checkout, or install Melanion again."
        ) from None


def _ibex(system: System) -> Sources:
    root = _package("pythondata_cpu_ibex", "Ibex")
    files = [root / _IBEX_PRIM / "prim_cipher_pkg.sv", root / "rtl" / "ibex_pkg.sv"]
    modules = [*_IBEX_MODULES, "pmp"] if system.core.pmp else _IBEX_MODULES
    files += [root / "rtl" / f"ibex_{name}.sv" for name in modules]
    return Sources(tuple(files), tuple(root / folder for folder in _IBEX_INCLUDES))


def _vexriscv(system: System) -> Sources:
    root = _package("pythondata_cpu_vexriscv", "VexRiscv")
    return Sources((root / f"VexRiscv_{system.core.variant.capitalize()}.v",))


def _unit(root: Path) -> list[Path]:
    """The files of the hardware unit, in the order of its own list."""
    folder = root / "hw" / "rtl"
    lines = (folder / "mel_unit.f").read_text(encoding="utf-8").splitlines()
    return [(folder / line.strip()).resolve() for line in lines if line.strip().endswith(".sv")]


def rtl_sources(system: System) -> Sources:
    """The SystemVerilog of a system, its top excluded."""
    root, kind = paths.data_root(), system.core.type
    core = {"ibex": _ibex, "vexriscv": _vexriscv}[kind](system)
    files = [*core.files, root / "gen" / "sv" / "mel_pkg.sv"]
    for folder in (f"cores/{kind}", "bus", "mem", "devices"):
        files += sorted((root / "soc" / folder).glob("*.sv"))
    if system.attachment != "banked":
        files = [path for path in files if not path.stem.endswith("_banked")]
    probes = root / "soc" / "probes"
    files += [probes / "mel_probe_core.sv", *sorted(probes.glob(f"mel_probe_{kind}.sv"))]
    files.append(probes / f"mel_bind_{kind}.sv")
    if system.unit:
        files += [path for path in _unit(root) if path not in files]
        files += [root / "hw" / "bridges" / "mel_bridge_obi.sv", probes / "mel_probe_unit.sv"]
    if system.attachment in ("port", "banked"):
        files.append(root / "hw" / "bridges" / "mel_port.sv")
    if system.attachment == "banked":
        files += sorted((root / "hw" / "banks").glob("*.sv"))
        files.append(probes / "mel_bind_ibex_banked.sv")
    return Sources(tuple(files), core.includes)


def simulation_sources() -> Sources:
    """The C++ side of the simulation."""
    folder = paths.data_root() / "soc" / "sim"
    return Sources(tuple(sorted(folder.glob("*.cpp"))), (folder,))
