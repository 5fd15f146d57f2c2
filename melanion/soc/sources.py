"""The sources of a system's hardware: ours by folder, Ibex from its pinned package."""

from __future__ import annotations

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
_SOC_FOLDERS = ("cores/ibex", "bus", "mem", "devices")


class SocError(MelanionError):
    """A part of the system is missing."""


@dataclass(frozen=True)
class Sources:
    """Files in compile order and include folders."""

    files: tuple[Path, ...]
    includes: tuple[Path, ...] = ()


def _ibex() -> Path:
    try:
        import pythondata_cpu_ibex
    except ImportError:
        raise SocError(
            "the package pythondata-cpu-ibex (the RTL of the Ibex core) is not installed; run"
            " `make setup` in a checkout, or install Melanion again."
        ) from None
    return Path(pythondata_cpu_ibex.data_location)


def _unit(root: Path) -> list[Path]:
    """The files of the hardware unit, in the order of its own list."""
    folder = root / "hw" / "rtl"
    lines = (folder / "mel_unit.f").read_text(encoding="utf-8").splitlines()
    return [(folder / line.strip()).resolve() for line in lines if line.strip().endswith(".sv")]


def rtl_sources(system: System) -> Sources:
    """The SystemVerilog of a system, its top excluded."""
    root, ibex = paths.data_root(), _ibex()
    files = [ibex / _IBEX_PRIM / "prim_cipher_pkg.sv", ibex / "rtl" / "ibex_pkg.sv"]
    modules = [*_IBEX_MODULES, "pmp"] if system.core.pmp else _IBEX_MODULES
    files += [ibex / "rtl" / f"ibex_{name}.sv" for name in modules]
    files.append(root / "gen" / "sv" / "mel_pkg.sv")
    for folder in _SOC_FOLDERS:
        files += sorted((root / "soc" / folder).glob("*.sv"))
    if system.attachment != "banked":
        files = [path for path in files if not path.stem.endswith("_banked")]
    probes = root / "soc" / "probes"
    files += [probes / "mel_probe_core.sv", probes / "mel_bind_ibex.sv"]
    if system.unit:
        files += [path for path in _unit(root) if path not in files]
        files += [root / "hw" / "bridges" / "mel_bridge_obi.sv", probes / "mel_probe_unit.sv"]
    if system.attachment in ("port", "banked"):
        files.append(root / "hw" / "bridges" / "mel_port.sv")
    if system.attachment == "banked":
        files += sorted((root / "hw" / "banks").glob("*.sv"))
        files.append(probes / "mel_bind_ibex_banked.sv")
    return Sources(tuple(files), tuple(ibex / folder for folder in _IBEX_INCLUDES))


def simulation_sources() -> Sources:
    """The C++ side of the simulation."""
    folder = paths.data_root() / "soc" / "sim"
    return Sources(tuple(sorted(folder.glob("*.cpp"))), (folder,))
