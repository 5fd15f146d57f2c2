# SPDX-License-Identifier: Apache-2.0
"""The hardware of a system in its folder: our files, those of the core's package, the file lists,
and the C++ side of the simulation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import melanion.export.included as included
from melanion import paths, soc
from melanion.config import System
from melanion.export.errors import ExportError

# Folder of the repository → folder of the export. The first that fits.
_PLACES = (
    ("gen/sv", "rtl/unit"),
    ("hw/engine", "rtl/unit"),
    ("hw/lint", "rtl/unit"),
    ("hw/bench", "rtl/bench"),
    ("hw", "rtl"),
    ("soc/sim/alone", "sim"),
    ("soc/sim", "sim"),
    ("soc", "rtl/soc"),
)


@dataclass(frozen=True)
class Hardware:
    """Places in the folder, in compile order, of what `files` holds. `includes`: what the core's
    files include; `tops`: the top and its tiles, behind the package of its sizes; `unit`: the
    hardware unit alone, `bridges`: from it to a bus (both empty without one); `simulation`: C++.
    `waivers`: for lint of the system; `unit_waivers`, `bench`: for the unit alone, if there is one.
    """

    files: dict[str, bytes]
    rtl: tuple[str, ...]
    includes: tuple[str, ...]
    include_folders: tuple[str, ...]
    tops: tuple[str, ...]
    unit: tuple[str, ...]
    bridges: tuple[str, ...]
    simulation: tuple[str, ...]
    waivers: str
    unit_waivers: str
    bench: str
    licences: tuple[str, ...]
    package: soc.Package

    @property
    def core(self) -> tuple[str, ...]:
        """The files of the core's package."""
        return tuple(f for f in self.rtl if f.startswith(f"rtl/{self.package.kind}/"))

    @property
    def around(self) -> tuple[str, ...]:
        """RTL files of neither the core nor the unit with its bridges."""
        others = {*self.core, *self.unit, *self.bridges}
        return tuple(file for file in self.rtl if file not in others)


def hardware(system: System) -> Hardware:
    """Raises SocError when the core's package is missing, ExportError when a file is, or for a
    protected unit."""
    if sentence := soc.refuse_protection(system, "an export"):
        raise ExportError(sentence, 2)
    package, root = soc.package(system.core.type), paths.data_root()
    rtl, simulation = soc.rtl_sources(system), soc.simulation_sources()
    main = simulation.includes[0] / "alone" / "main.cpp"
    cpp = [main if path.name == main.name else path for path in simulation.files]
    own = [path for path in rtl.files if path.is_relative_to(package.root)]
    headers = included.of_sv(rtl.files, rtl.includes)
    unit = soc.unit_sources() if system.unit else []
    bridges = sorted((root / "hw" / "bridges").glob("mel_bridge_*.sv")) if system.unit else []
    waivers = root / "hw" / "lint" / "mel_unit.vlt"
    names = simulation.includes[0] / "mel_top.vlt"
    files: dict[str, bytes] = {}

    def put(sources: Iterable[Path]) -> tuple[str, ...]:
        places = []
        for path in sources:
            places.append(_place(path, package))
            files[places[-1]] = path.read_bytes()
        return tuple(places)

    put([*sorted(simulation.includes[0].glob("*.h")), names])
    bench = root / "hw" / "bench" / "mel_unit_bench.sv"
    if unit:
        put([waivers, bench])
    assert all(path.is_relative_to(package.root) for path in [*own, *headers])
    return Hardware(
        files=files,
        rtl=put(rtl.files),
        tops=put(soc.top_sources(system)),
        includes=put(headers),
        include_folders=tuple(_place(f, package) for f in rtl.includes),
        unit=put(unit),
        bridges=put(bridges),
        simulation=put(cpp),
        waivers=_place(names, package),
        unit_waivers=_place(waivers, package),
        bench=_place(bench, package),
        licences=put(package.licences),
        package=package,
    )


def _place(path: Path, package: soc.Package) -> str:
    """Path of a file in the exported folder."""
    if path.is_relative_to(package.root):
        if path in package.licences:
            return f"rtl/{package.kind}/{path.name}"
        return f"rtl/{package.kind}/{path.relative_to(package.root).as_posix()}"
    name = path.relative_to(paths.data_root()).as_posix()
    before, after = next(place for place in _PLACES if name.startswith(f"{place[0]}/"))
    return f"{after}/{name.removeprefix(f'{before}/')}"
