# SPDX-License-Identifier: Apache-2.0
"""The module around the hardware unit and a bridge per core, whose ports are scalars and vectors:
what a plain Verilog file has as its top."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from melanion import paths
from melanion.export.errors import ExportError

NATIVE = "native"  # no bridge: the unit's own access port
_BRIDGE = "mel_bridge_"
_PORT = re.compile(r"^\s*(input|output)\s+(\S+)\s+(?:(\[[^]]*\])\s*)?(\w+),?\s*(?://.*)?$", re.M)
# The unit's access port. A bridge has the same names with the other direction.
ACCESS = (
    "req_valid_i",
    "req_ready_o",
    "req_write_i",
    "req_addr_i",
    "req_be_i",
    "req_wdata_i",
    "rsp_valid_o",
    "rsp_rdata_o",
)
_OTHER_WAY = {"i": "o", "o": "i"}
_COMMON = ("clk_i", "rst_ni")


@dataclass(frozen=True)
class Port:
    """A port as SystemVerilog declares it: `kind` with its range, if it has one."""

    direction: str
    kind: str
    name: str


@dataclass(frozen=True)
class Bus:
    """Ports of a wrapper for each core. `module`: of the bridge, None for the access port itself;
    `ports`: those of the bus; `clocked`: the bridge has a clock."""

    name: str
    ports: tuple[Port, ...]
    module: str | None = None
    file: Path | None = None
    clocked: bool = False

    @property
    def top(self) -> str:
        """Name of the wrapper."""
        return f"mel_unit_{self.name.replace('-', '_')}"


def mirrored(name: str) -> str:
    """The bridge's name of a port of the unit's access port."""
    return name[:-1] + _OTHER_WAY[name[-1]]


def buses() -> list[str]:
    """The names of all buses: `native`, and one for each bridge of hw/bridges."""
    return [NATIVE, *(name for name, _ in _bridges())]


def bus(name: str) -> Bus:
    """Raises ExportError."""
    for known, file in _bridges():
        if known == name:
            return _bridge(name, file)
    if name != NATIVE:
        raise ExportError(f"--bus {name}: there is no such bus; choose {_or(buses())}.", 2)
    kinds = {"addr": "mel_pkg::offset_t", "be": "logic [3:0]", "data": "logic [31:0]"}
    found = []
    for port in ACCESS:
        kind = next((k for word, k in kinds.items() if port[:-2].endswith(word)), "logic")
        found.append(Port("input" if port.endswith("_i") else "output", kind, port))
    return Bus(NATIVE, tuple(found))


def _bridges() -> list[tuple[str, Path]]:
    files = sorted((paths.data_root() / "hw" / "bridges").glob(f"{_BRIDGE}*.sv"))
    return [(file.stem.removeprefix(_BRIDGE).replace("_", "-"), file) for file in files]


def _bridge(name: str, file: Path) -> Bus:
    text = file.read_text(encoding="utf-8")
    head = text[text.index(f"module {file.stem}") : text.index("\n);")]
    every = [Port(d, f"{kind} {span}".strip(), n) for d, kind, span, n in _PORT.findall(head)]
    other = {*_COMMON, *map(mirrored, ACCESS)}
    missing = {*map(mirrored, ACCESS)} - {port.name for port in every}
    if missing:
        raise ExportError(
            f"{file}: this bridge has no port {min(missing)}; give it the access port of the other"
            " bridges."
        )
    ports = tuple(port for port in every if port.name not in other)
    return Bus(name, ports, file.stem, file, any(port.name == "clk_i" for port in every))


def _or(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"
