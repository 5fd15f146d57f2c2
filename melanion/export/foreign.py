# SPDX-License-Identifier: Apache-2.0
"""The kernel library for a SoC that is not ours, from a file that describes it
(docs/howto/foreign-soc.md).

Addresses, traps and instructions come from the file; console, markers and exit become functions
that a program may define (`sw/foreign/host.h`). The kernel's own sources stay as they are, but for
the lines that store to those devices.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import jinja2
from mel_gen import WINDOW_BYTES
from pydantic import Field, StringConstraints

from melanion.config import System
from melanion.export.errors import ExportError
from melanion.export.software import FOLDER, Software
from melanion.spec.check import PATTERN_WORDS, check, sentence
from melanion.spec.schema import WORD, Row
from melanion.spec.yaml_file import YamlFile, read

ISA = r"^rv32i[macfdb]*_zicsr(_z[a-z0-9]+)*$"
PATTERN_WORDS[ISA] = "GCC's name of the core's instructions with _zicsr, such as rv32im_zicsr"

_PLACE = FOLDER / "foreign"
_PROCESSOR = "-DMEL_INTERFACE_PROCESSOR="
# File of the kernel → the line that stores to a device of ours, and what stands there instead.
_STORES = {
    "kernel/common/console.c": (
        "    *(volatile uint32_t *)MEL_IO_BASE = (uint8_t)character;\n",
        "    mel_host_put(character);\n",
    ),
    "kernel/common/boot.c": (
        "        *(volatile uint32_t *)(MEL_IO_BASE + 0x4u) = code;\n",
        "        mel_host_exit(code);\n",
    ),
    "kernel/include/melanion/tracepoint.h": (
        "#define MEL_MARK(id, value) (*(volatile uint32_t *)(MEL_IO_BASE + 0x100u + 4u * (id))"
        " = (uint32_t)(value))\n",
        "#define MEL_MARK(id, value) mel_host_mark((id), (uint32_t)(value))\n",
    ),
}
# Files that need the receive side of our console.
_RECEIVING = ("kernel/include/melanion/input.h", "kernel/stdio/input.c", "kernel/stdio/stdin.c")
_VECTORS = {"dispatch": "software", "timer": "timer", "handler": "external"}

Address = Annotated[int, Field(ge=0, le=WORD, multiple_of=4)]
Cause = Annotated[int, Field(ge=1, le=31)]


class Register(Row):
    """A CSR that boot code writes before interrupts are on."""

    csr: int = Field(ge=0, le=0xFFF)
    value: int = Field(ge=0, le=WORD)


class Traps(Row):
    """`mode`: traps come to one entry (direct), or each interrupt to its own (vectored). Causes of
    interrupts: the unit's `dispatch`, or the `timer` of a software kernel, and `handler`: an
    interrupt waits for its function in C."""

    mode: Literal["direct", "vectored"]
    dispatch: Cause | None = None
    timer: Cause | None = None
    handler: Cause
    write: list[Register] = Field(default=[], max_length=16)


class Foreign(Row):
    """A SoC. Addresses: of the memory in which the program runs, of the unit's window, or of the
    timer and the interrupt controller of a software kernel; of registers that take a character and
    an exit code, for programs that do not define functions for them."""

    isa: Annotated[str, StringConstraints(pattern=ISA)]
    memory: int = Field(ge=0, le=WORD, multiple_of=256)
    unit: int | None = Field(default=None, ge=0, le=WORD, multiple_of=WINDOW_BYTES)
    timer: Address | None = None
    intc: Address | None = None
    traps: Traps
    console: Address | None = None
    exit: Address | None = None

    @property
    def vectors(self) -> dict[int, str]:
        """Cause of an interrupt → its vector's name in the kernel, in the order in which they are
        looked for."""
        causes = {name: getattr(self.traps, name) for name in _VECTORS}
        return {causes[n]: _VECTORS[n] for n in _VECTORS if causes[n] is not None}

    @property
    def mie(self) -> int:
        """Enables of these interrupts, a word for the CSR mie."""
        return sum(1 << cause for cause in self.vectors)

    @property
    def addresses(self) -> dict[str, int]:
        """As `soc.addresses`."""
        found = {name: getattr(self, name) for name in ("memory", "unit", "timer", "intc")}
        return {f"{name}_base": at for name, at in found.items() if at is not None}


def load(path: Path, system: System) -> Foreign:
    """Read a description for a system's kernel. Raises ExportError with every error."""
    _check(system)
    file = read(path, str(path))
    found, problems = check(Foreign, file)
    if found is not None:
        problems = list(_broken(found, system, file))
        if not problems:
            return found
    raise ExportError("\n".join(problems), 2)


def _check(system: System) -> None:
    """Raises ExportError: the library of this system needs RTL of ours around its core."""
    remedy = "name a system such as hwrtos-single or sw."
    if system.core.count > 1:
        raise ExportError(
            f"{system.name}: --foreign is for a SoC with one core, and this system has"
            f" {system.core.count}; {remedy}",
            2,
        )
    if system.view or (system.unit and system.coupling != "bus"):
        what = f"kernel {system.kernel}" if system.view else f"coupling {system.coupling}"
        raise ExportError(
            f"{system.name}: {what} needs RTL of ours between core and unit; --foreign takes"
            f" kernels whose core reaches the unit over a bus, and software kernels: {remedy}",
            2,
        )


def _broken(found: Foreign, system: System, file: YamlFile) -> list[str]:
    """A sentence for each rule between the keys, and between them and the kernel, that is
    broken."""
    needs = ("unit",) if system.unit else ("timer", "intc")
    cause = "dispatch" if system.unit else "timer"
    problems = [
        sentence(file, (), f"lacks the key {name}, an address; kernel {system.kernel} needs it")
        for name in needs
        if getattr(found, name) is None
    ]
    if getattr(found.traps, cause) is None:
        rest = f"lacks the key {cause}, a cause 1 … 31; kernel {system.kernel} needs it"
        problems.append(sentence(file, ("traps",), rest))
    causes = [c for name in _VECTORS if (c := getattr(found.traps, name)) is not None]
    if len(set(causes)) < len(causes):
        rest = f"has one cause for two interrupts ({max(causes, key=causes.count)}); each needs one"
        problems.append(sentence(file, ("traps",), rest))
    return problems + _misplaced(found, system, file)


def _misplaced(found: Foreign, system: System, file: YamlFile) -> list[str]:
    """A sentence for each address in the memory or the unit's window that belongs to another, and
    for a memory that has no end below 4 GiB."""
    sizes = {"memory": system.memory.kib * 1024, "unit": WINDOW_BYTES}
    names = ("memory", "unit", "timer", "intc", "console", "exit")
    places = {
        name: range(at, at + sizes.get(name, 4))
        for name in names
        if (at := getattr(found, name)) is not None
    }
    problems = []
    if (memory := places["memory"]).stop > WORD + 1:
        rest = (
            f"is 0x{memory.start:08x}, and {system.memory.kib} KiB end beyond 0x{WORD:x};"
            " lower it, or the size kib of the system"
        )
        problems.append(sentence(file, ("memory",), rest))
    for owner, other in itertools.combinations(places, 2):
        here, there = places[owner], places[other]
        if owner in sizes and max(here.start, there.start) < min(here.stop, there.stop):
            rest = (
                f"is 0x{there.start:08x}; {owner} has 0x{here.start:08x} … 0x{here.stop - 1:08x}"
                f" ({len(here) // 1024} KiB); write addresses that do not overlap"
            )
            problems.append(sentence(file, (other,), rest))
    return problems


def adapted(soft: Software, foreign: Foreign, templates: jinja2.Environment) -> Software:
    """The library for a SoC that is not ours. Raises ExportError: a source is not the one that this
    module knows."""
    files = {
        name: data
        for name, data in soft.files.items()
        if not name.startswith(f"{FOLDER}/kernel/arch/riscv/processor/")
        or name.endswith("/processor.h")
    }
    for name in _RECEIVING:
        del files[f"{FOLDER}/{name}"]
    for name, (line, instead) in _STORES.items():
        files[f"{FOLDER}/{name}"] = _replaced(name, files[f"{FOLDER}/{name}"], line, instead)
    for name in ("processor.h", "host.h", "host.c"):
        text = templates.get_template(f"foreign_{name}.j2").render(foreign=foreign)
        files[(_PLACE / name).as_posix()] = text.encode()
    multiplies = "m" in foreign.isa.partition("_")[0].removeprefix("rv32")
    return replace(
        soft,
        files=files,
        kernel=(*soft.kernel, (_PLACE / "host.c").as_posix()),
        streams=tuple(name for name in soft.streams if name in files),
        flags=_march(soft.flags, foreign.isa),
        kernel_flags=tuple(
            f"{_PROCESSOR}foreign/processor.h" if flag.startswith(_PROCESSOR) else flag
            for flag in soft.kernel_flags
        ),
        # The C library has variants with and without multiplication.
        link_flags=_march(soft.link_flags, "rv32im" if multiplies else "rv32i"),
    )


def _replaced(name: str, data: bytes, line: str, instead: str) -> bytes:
    text = data.decode()
    include = '#include "foreign/host.h"\n'
    if text.count(line) != 1 or "\n#include" not in text:
        raise ExportError(
            f"kernel/{name.removeprefix('kernel/')}: the store to its device is not the line that"
            " melanion/export/foreign.py replaces; correct that module."
        )
    return text.replace(line, instead).replace("\n#include", f"\n{include}#include", 1).encode()


def _march(flags: tuple[str, ...], isa: str) -> tuple[str, ...]:
    return tuple(f"-march={isa}" if flag.startswith("-march=") else flag for flag in flags)
