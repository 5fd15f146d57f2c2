# SPDX-License-Identifier: Apache-2.0
"""The folder, of a whole system or of its hardware unit in plain Verilog: everything in it, and
writing it whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from mel_gen import SPEC_HASH, WINDOW_BYTES

import melanion.export.describe as describe
import melanion.export.foreign as description
import melanion.export.plain as plain
import melanion.export.registers as registers
import melanion.run.console_input as console_input
from melanion import __version__, build, paths, soc
from melanion.build import model, simulator
from melanion.config import System
from melanion.export.errors import ExportError
from melanion.export.foreign import Foreign
from melanion.export.hardware import Hardware, hardware
from melanion.export.software import Software, software
from melanion.templates import environment

EXAMPLE = "pingpong"
# Template → where it goes; {name}: the system's.
_MADE = {
    "README.md.j2": "README.md",
    "NOTICE.j2": "NOTICE",
    "Makefile.j2": "Makefile",
    "system.core.j2": "melanion_{name}.core",
}
# Likewise, if it has a hardware unit.
_UNIT = {"unit.core.j2": "melanion_unit.core", "synth.tcl.j2": "synth.tcl"}
# Template → place, for the hardware unit in plain Verilog.
_PLAIN = {"plain_README.md.j2": "README.md", "plain_Makefile.j2": "Makefile"}
# Likewise, for the kernel's library alone.
_LIBRARY = {"foreign_README.md.j2": "README.md", "plain_Makefile.j2": "Makefile"}


@cache
def _environment() -> jinja2.Environment:
    return environment(jinja2.PackageLoader("melanion.export"))


def content(system: System) -> dict[str, bytes]:
    """Place in the folder → content: the same for the same system and Melanion, wherever and
    whenever it is made. Raises ExportError, SocError."""
    _check(system)
    hard, soft = hardware(system), software(system, build.application(EXAMPLE))
    decided = {
        "flags": {
            "verilator": simulator.VERILATOR_FLAGS,
            "c++": model.CXX_FLAGS,
            "compile": list(soft.flags),
            "link": list(soft.link_flags),
        },
        "sources": {
            "rtl": [*hard.rtl, *hard.tops],
            "simulation": list(hard.simulation),
            "kernel": list(soft.kernel),
            "streams": list(soft.streams),
        },
    }
    made = soc.files(system, decided)
    texts = {
        simulator.PACKAGE: made[simulator.PACKAGE],
        "system.json": made["system.json"],
        "sw/mel_system.h": made["mel_system.h"],
        "sw/link.ld": made["link.ld"],
        "mel_top.f": _list(
            [f"+incdir+{f}" for f in hard.include_folders], hard.rtl, simulator.PACKAGE, *hard.tops
        ),
        **({"mel_unit.f": _list([], hard.unit, *hard.bridges)} if hard.unit else {}),
        **_render(system, hard, soft),
    }
    files = {**hard.files, **soft.files, "LICENSE": _licence()}
    files.update((name, text.encode()) for name, text in texts.items())
    return dict(sorted(files.items()))


def plain_content(
    system: System, bus: str, trace: bool, foreign: Foreign | None = None
) -> dict[str, bytes]:
    """As `content`, of the hardware unit in plain Verilog behind a bus, with the kernel's library;
    `trace`: with the unit's trace port; `foreign`: the SoC that the library is for. Raises
    ExportError."""
    _check(system)
    unit = plain.plain(system, bus, trace, _environment())
    decided = {"verilog": {"bus": bus, "trace": trace, "top": unit.bus.top}}
    files = _alone(system, _PLAIN, {"plain": unit, "trace": trace, "foreign": foreign}, decided)
    return dict(sorted({**files, unit.file: unit.text.encode()}.items()))


def library_content(system: System, foreign: Foreign) -> dict[str, bytes]:
    """As `content`, of the kernel's library alone, for a SoC that is not ours. Raises
    ExportError."""
    _check(system)
    return _alone(system, _LIBRARY, {"plain": None, "foreign": foreign}, {})


def registers_content(
    system: System, formats: Sequence[str], foreign: Foreign | None = None
) -> dict[str, bytes]:
    """As `content`, of descriptions of the unit's registers: `svd`, `ipxact`, `systemrdl`. Raises
    ExportError."""
    return registers.content(system, formats, _environment(), foreign)


def _alone(
    system: System, made: dict[str, str], values: dict[str, Any], decided: dict[str, Any]
) -> dict[str, bytes]:
    """The kernel's library without a system around it, in the order of names; `made`: template →
    place."""
    foreign: Foreign | None = values["foreign"]
    soft = software(system, build.application(EXAMPLE))
    at = None
    if foreign:
        soft, at = description.adapted(soft, foreign, _environment()), foreign.addresses
        decided = {**decided, "foreign": foreign.model_dump()}
    decided |= {
        "flags": {"compile": list(soft.flags)},
        "sources": {"kernel": list(soft.kernel), "streams": list(soft.streams)},
    }
    rendered = soc.files(system, decided, at)
    values |= {
        "system": system,
        "soft": soft,
        "version": __version__,
        "unit_base": soc.addresses(system).get("unit_base"),
        "window_bytes": WINDOW_BYTES,
    }
    texts = {
        "system.json": rendered["system.json"],
        "sw/mel_system.h": rendered["mel_system.h"],
        "sw/link.ld": rendered["link.ld"],
        **{
            place: _environment().get_template(name).render(**values)
            for name, place in made.items()
        },
    }
    files = {name: data for name, data in soft.files.items() if name not in soft.example}
    files |= {"LICENSE": _licence()} | {name: text.encode() for name, text in texts.items()}
    return dict(sorted(files.items()))


def _check(system: System) -> None:
    """Raises ExportError."""
    if system.commands is not None:
        raise ExportError(
            f"{system.name}: an exported folder does not carry commands of your own yet; leave the"
            " key `commands` out of its configuration.",
            2,
        )


def _list(first: list[str], files: tuple[str, ...], *last: str) -> str:
    """A file list for `-f`, from the folder."""
    return "".join(f"{line}\n" for line in (*first, *files, *last))


def _render(system: System, hard: Hardware, soft: Software) -> dict[str, str]:
    fast = "OPT_FAST="
    [optimization] = [f.removeprefix(fast) for f in simulator.MAKE_FLAGS if f.startswith(fast)]
    kept = [f for f in simulator.VERILATOR_FLAGS if f != model.FUNCTIONS]
    values = {
        "optimization": optimization,
        "system": system,
        "foreign": None,
        "hard": hard,
        "package": simulator.PACKAGE,
        "soft": soft,
        "version": __version__,
        "spec_hash": SPEC_HASH,
        "example": EXAMPLE,
        "max_cycles": build.application(EXAMPLE).max_cycles,
        "verilator_flags": [*simulator.INPUT_FLAGS, *kept],
        "input_line": console_input.line(system),
        "cxx_flags": model.CXX_FLAGS,
        "make_flags": simulator.MAKE_FLAGS,
        "regions": describe.regions(system),
        "interrupts": describe.interrupts(system),
        "parameters": describe.parameters(system),
        "run_flags": describe.run_flags(system),
        "reset_pc": soc.RESET_PC,
        "unit_parameters": soc.unit_parameters(system),
    }
    return {
        place.format(name=system.name): _environment().get_template(name).render(**values)
        for name, place in (_MADE | _UNIT if hard.unit else _MADE).items()
    }


def _licence() -> bytes:
    """Licence of Melanion's own files, from beside the data folders."""
    path = paths.data_root() / "LICENSE"
    try:
        return path.read_bytes()
    except OSError as error:
        raise ExportError(
            f"{path}: cannot be read ({error.strerror}); install Melanion again."
        ) from error


def write(system: System, folder: Path) -> int:
    """Write the folder of a system. Returns how many files. Raises ExportError, SocError."""
    return _write(folder, lambda: content(system))


def write_plain(
    system: System,
    folder: Path,
    bus: str,
    trace: bool,
    foreign: Foreign | None = None,
    formats: Sequence[str] = (),
) -> int:
    """Likewise, of its hardware unit in plain Verilog, with descriptions of its registers."""

    def made() -> dict[str, bytes]:
        described = registers_content(system, formats, foreign) if formats else {}
        return {**described, **plain_content(system, bus, trace, foreign)}

    return _write(folder, made)


def write_library(system: System, folder: Path, foreign: Foreign) -> int:
    """Likewise, of its kernel's library for a SoC that is not ours."""
    return _write(folder, lambda: library_content(system, foreign))


def write_registers(
    system: System, folder: Path, formats: Sequence[str], foreign: Foreign | None = None
) -> int:
    """Likewise, of descriptions of its unit's registers."""
    return _write(folder, lambda: registers_content(system, formats, foreign))


def _write(folder: Path, make: Callable[[], dict[str, bytes]]) -> int:
    """The folder is made beside its place, and moved there when it is whole."""
    check_free(folder)
    files = make()
    target = folder.absolute()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as partial:
            made = Path(partial) / target.name
            for name, data in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            made.rename(target)  # also over an empty folder, and over no other
    except OSError as error:
        raise ExportError(
            f"{folder}: cannot be written ({error.strerror}); free space, correct the permissions"
            " of the folder around it, or name another."
        ) from None
    return len(files)


def check_free(folder: Path) -> None:
    """Refuse a place where something is. Raises ExportError."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise ExportError(
            f"{folder}: this is no folder; name one that does not exist yet, or is empty.", 2
        )
    if any(folder.iterdir()):
        raise ExportError(
            f"{folder}: this folder is not empty, and an export would mix with what is in it; name"
            " one that does not exist yet, or is empty.",
            2,
        )
