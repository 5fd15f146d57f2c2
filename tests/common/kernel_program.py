# SPDX-License-Identifier: Apache-2.0
"""Compiles a kernel and a program by kernel/sources.yaml, outside the build cache.

Every warning is an error; any sizes; a changed spec header when a test wants a program that does
not fit its hardware.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from melanion import config, paths, soc
from melanion.build import library, tools
from melanion.build.image import Image, read_elf
from melanion.build.linkage import LINK_FLAGS, flags
from melanion.config import System

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
SIZES = ("tasks", "priorities", "semaphores", "interrupts")


def system(
    kernel: str, sizes: tuple[int, int, int, int] | None = None, variant: str = "main"
) -> System:
    """The named system, with other sizes (tasks, priorities, semaphores, interrupts)."""
    found = config.find(kernel)
    parameters = found.parameters
    if sizes is not None:
        parameters = parameters.model_copy(update=dict(zip(SIZES, sizes, strict=True)))
    core = found.core.model_copy(update={"variant": variant})
    return found.model_copy(update={"parameters": parameters, "core": core})


@dataclass(frozen=True)
class Compiled:
    """Object files of one program."""

    folder: Path
    objects: tuple[Path, ...]

    def link(self) -> Path:
        """The ELF file."""
        elf = self.folder / "program.elf"
        words = [*LINK_FLAGS, "-T", str(self.folder / "link.ld"), *map(str, self.objects)]
        _gcc([*words, "-o", str(elf)])
        return elf

    def image(self) -> Image:
        return read_elf(self.link())

    def symbols(self) -> set[str]:
        """Global functions that the objects define."""
        words = [tools.find("riscv64-unknown-elf-nm"), "--defined-only", *map(str, self.objects)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        rows = [line.split() for line in done.stdout.splitlines()]
        return {row[2] for row in rows if len(row) == 3 and row[1] == "T"}


def compile_program(
    folder: Path,
    of: System,
    source: str,
    *,
    spec_changes: dict[str, int] | None = None,
    header: str = "mel_spec.h",
) -> Compiled:
    """Kernel and `source` (C text) for a system.

    `spec_changes`: macros of the generated `header` with other values.
    """
    root = paths.data_root()
    for name, text in soc.files(of, {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    _change_spec(folder, root, spec_changes or {}, header)
    (folder / "main.c").write_text(source, encoding="utf-8")
    common = [*flags(of), *WARNINGS, f"-I{folder}", f"-I{root / 'gen' / 'c'}"]
    units = [(path, library.flags(of, root, plain=True)) for path in library.sources(of)]
    objects = []
    for i, (path, own) in enumerate([*units, (folder / "main.c", library.interface(of, root))]):
        objects.append(folder / f"{i}_{path.name}.o")
        _gcc([*common, *own, "-c", str(path), "-o", str(objects[-1])])
    return Compiled(folder, tuple(objects))


def _change_spec(folder: Path, root: Path, changes: dict[str, int], header: str) -> None:
    if not changes:
        return
    text = (root / "gen" / "c" / "melanion" / header).read_text(encoding="utf-8")
    lines = text.splitlines()
    for i, line in enumerate(lines):
        words = line.split()
        if len(words) > 2 and words[0] == "#define" and words[1] in changes:
            lines[i] = f"#define {words[1]} {changes[words[1]]:#x}"
    (folder / "melanion").mkdir()
    (folder / "melanion" / header).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _gcc(words: list[str]) -> None:
    done = subprocess.run([tools.find(tools.CROSS_GCC), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
