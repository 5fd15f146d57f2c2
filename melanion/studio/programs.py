# SPDX-License-Identifier: Apache-2.0
"""A program of the gallery, built for a system: what the page needs to run it and to read its
trace (`Built` of studio/src/contract.ts)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from melanion import build
from melanion.build import Program, Report
from melanion.build.image import Region
from melanion.config import System
from melanion.run.replaying import limits, patience
from melanion.run.settings import Settings
from melanion.soc import MEMORY_BASE
from melanion.studio.errors import StudioError
from melanion.studio.gallery import Gallery

_FUNCTION, _LABEL, _EXECUTABLE = "STT_FUNC", "STT_NOTYPE", 4


@dataclass(frozen=True)
class Known:
    """A built program. `variables`: addresses of its knobs."""

    program: Program
    variables: dict[str, int]

    @property
    def region(self) -> Region | None:
        """Region that the program measures."""
        return next(iter(self.program.content.regions), None)

    @property
    def values(self) -> dict[str, int]:
        """Values of the knobs, as the source has them."""
        image = self.program.content.data
        return {knob: _word(image, address) for knob, address in self.variables.items()}


@dataclass(frozen=True)
class Built:
    """`image`: the memory's content; `document`: the rest."""

    image: bytes
    document: dict[str, Any]


def known(gallery: Gallery, name: str, system: System, report: Report) -> Known:
    """Build a program. Raises BuildError, StudioError."""
    app = build.freertos_application(gallery.folder(name))
    program = build.program(system, app, report=report)
    content = program.content
    knobs = gallery.programs[name].knobs
    for knob in knobs:
        if knob not in content.symbols:
            raise StudioError(
                f"apps/gallery/gallery.yaml: programs.{name}.knobs.{knob} names no variable of the"
                f" program on {system.name}; correct it, or make the variable volatile.",
                2,
            )
    return Known(program, {knob: content.symbols[knob] for knob in knobs})


def built(gallery: Gallery, name: str, system: System, report: Report) -> Built:
    """Build a program for the page. Raises BuildError, StudioError."""
    return described(system, known(gallery, name, system, report))


def described(system: System, found: Known) -> Built:
    """Image and document of a built program, as the page reads them."""
    program = found.program
    document = {
        "tracepoints": program.content.tracepoints,
        "variables": found.variables,
        "functions": _functions(program),
        "lines": _lines(program),
        "arguments": _arguments(system, program),
        "model": _model(system),
    }
    return Built(program.content.data, document)


def _word(image: bytes, address: int) -> int:
    """The value that a variable has when the program begins; behind the image all are zero."""
    return int.from_bytes(image[address - MEMORY_BASE :][:4], "little")


def _functions(program: Program) -> list[tuple[int, int, str]]:
    """Address, size in bytes and name of every function, and of every label of assembler code up to
    the next one, by address."""
    found: dict[int, tuple[int, str]] = {}
    with program.elf.open("rb") as file:
        elf = ELFFile(file)
        code = [n for n, part in enumerate(elf.iter_sections()) if part["sh_flags"] & _EXECUTABLE]
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = [each for each in table.iter_symbols() if each["st_shndx"] in code]
        end = max(elf.get_section(n)["sh_addr"] + elf.get_section(n)["sh_size"] for n in code)
    for symbol in symbols:
        kind, address, size = symbol["st_info"]["type"], symbol["st_value"], symbol["st_size"]
        named = kind == _FUNCTION or (kind == _LABEL and not symbol.name.startswith(("$", ".")))
        if named and (size or address not in found):
            found[address] = size, symbol.name
    places = [*sorted(found), end]
    return [
        (place, found[place][0] or after - place, found[place][1])
        for place, after in pairwise(places)
    ]


def _lines(program: Program) -> dict[str, Any]:
    """Source lines: files by name, and for each address at which another line begins the number of
    its file and the line; -1: behind the code of a source."""
    files: dict[str, int] = {}
    found: dict[int, tuple[int, int]] = {}
    with program.elf.open("rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        for unit in dwarf.iter_CUs():
            lines = dwarf.line_program_for_CU(unit)
            assert lines is not None
            names = [
                (lines["include_directory"][each.dir_index] + b"/" + each.name).decode()
                for each in lines["file_entry"]
            ]
            for state in (entry.state for entry in lines.get_entries()):
                if state is None:
                    continue
                number = files.setdefault(names[state.file], len(files))
                if not state.end_sequence:
                    found[state.address] = number, state.line
                else:
                    found.setdefault(state.address, (-1, 0))
    rows = [(address, *found[address]) for address in sorted(found)]
    changes = [row for before, row in pairwise([(0, -2, 0), *rows]) if before[1:] != row[1:]]
    return {"files": list(files), "rows": changes}


def _arguments(system: System, program: Program) -> list[str]:
    """Words of the simulation that the page does not choose (melanion/run/simulation.py)."""
    settings = Settings().decide(system, program.app)
    words = ["--unit-wait-states", str(settings.unit_wait_states)]
    for way, latencies in settings.ways:
        words += [f"--bridge-{way}", str(latencies)]
    return words


def _model(system: System) -> dict[str, Any] | None:
    """Sizes and rules of the golden model, for page_model.py; None: no model follows the kernel."""
    info = system.kernel_info
    if not info.replayed:
        return None
    sizes, allowed = limits(system, system.parameters), patience(system)
    return {
        "kernel": system.kernel,
        "limits": {**system.parameters.model_dump(), "cores": sizes.cores},
        "patience": [allowed.step, allowed.dispatch],
    }
