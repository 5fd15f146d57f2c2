# SPDX-License-Identifier: Apache-2.0
"""The registers of the hardware unit for tools of others: SystemRDL and SVD from spec/, and
IP-XACT, which PeakRDL makes of the SystemRDL. The command region is no set of registers and is not
in them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
from mel_gen import REGISTERS_END, SPEC_HASH, WINDOW_BYTES

from melanion import __version__, soc
from melanion.config import System
from melanion.export.errors import ExportError
from melanion.export.foreign import Foreign
from melanion.spec import load
from melanion.spec.schema import REGISTERS

FORMATS = {"systemrdl": "mel_unit.rdl", "ipxact": "mel_unit.xml", "svd": "mel_unit.svd"}
PACKAGES = {"systemrdl-compiler": "1.33.0", "peakrdl-ipxact": "3.5.0"}
_SIDE_EFFECT = "side effect: "


@dataclass(frozen=True)
class Entry:
    """A register. `offset`: from the window's base; `value`: what it always reads as, None: it
    changes; `acts`: a load changes the unit."""

    name: str
    offset: int
    writable: bool
    value: int | None
    acts: bool
    text: str


def entries(system: System) -> list[Entry]:
    """The registers of a system's unit, by offset."""
    constant = {
        "spec_hash": int(SPEC_HASH[:8], 16),
        "parameter_hash": system.parameter_hash_word,
    }
    found = load().registers.registers
    return [
        Entry(
            name=name,
            offset=row.offset,
            writable=row.access == "rw",
            value=constant.get(name, row.value),
            acts=row.text.startswith(_SIDE_EFFECT),
            text=row.text.replace('"', "'"),
        )
        for name, row in sorted(found.items(), key=lambda one: one[1].offset)
    ]


def content(
    system: System, formats: Sequence[str], templates: jinja2.Environment, foreign: Foreign | None
) -> dict[str, bytes]:
    """Name of a file → text, of each format. `foreign`: the SoC whose address an SVD names. Raises
    ExportError."""
    if not system.unit or system.view:
        raise ExportError(
            f"{system.name}: kernel {system.kernel} has no register window of the hardware unit;"
            " name a system that has one, such as hwrtos.",
            2,
        )
    base = foreign.unit if foreign else None
    values = {
        "entries": entries(system),
        "system": system,
        "base": soc.addresses(system)["unit_base"] if base is None else base,
        "first": REGISTERS,
        "bytes": REGISTERS_END - REGISTERS,
        "window_bytes": WINDOW_BYTES,
        "version": __version__,
    }
    files = {}
    for name in formats:
        if name == "ipxact":
            rdl = templates.get_template("registers.systemrdl.j2").render(**values)
            files[FORMATS[name]] = _ipxact(rdl)
        else:
            text = templates.get_template(f"registers.{name}.j2").render(**values)
            files[FORMATS[name]] = text.encode()
    return files


def _ipxact(rdl: str) -> bytes:
    """IP-XACT of IEEE 1685-2014. Raises ExportError: PeakRDL is not installed."""
    try:
        from peakrdl_ipxact import IPXACTExporter
        from systemrdl.compiler import RDLCompiler
    except ImportError:
        wanted = " ".join(f"{name}=={version}" for name, version in PACKAGES.items())
        raise ExportError(
            f"the Python packages {' and '.join(PACKAGES)}, which `melanion export --ipxact` needs,"
            f" are not installed; run `pip install {wanted}`, or `make setup-dev` in a checkout."
        ) from None
    with tempfile.TemporaryDirectory(prefix="melanion-ipxact-") as folder:
        source, target = Path(folder, FORMATS["systemrdl"]), Path(folder, FORMATS["ipxact"])
        source.write_text(rdl, encoding="utf-8")
        compiler = RDLCompiler()
        compiler.compile_file(str(source))
        exporter = IPXACTExporter(vendor="melanion", library="ip", version=__version__)
        exporter.export(compiler.elaborate().top, str(target))
        return target.read_bytes()
