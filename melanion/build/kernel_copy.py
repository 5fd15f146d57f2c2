# SPDX-License-Identifier: Apache-2.0
"""Copies of FreeRTOS-Kernel in a project: recognized by what their files say, and left out, because
the system's kernel stands for them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from melanion.build.errors import BuildError

# In the first lines of each file: `FreeRTOS V9.0.0` until version 9, `FreeRTOS Kernel V10.0.0`
# afterwards. Files of the demos and of the add-ons say it, too.
_BANNER = re.compile(r"FreeRTOS (Kernel\b|V\d)")
_BANNER_ENDS = 400
_ANCHOR = "tasks.c"  # in the uppermost folder of a copy
_NAMES = frozenset(
    shlex.split(
        "tasks.c queue.c list.c timers.c event_groups.c stream_buffer.c croutine.c"
        " heap_1.c heap_2.c heap_3.c heap_4.c heap_5.c port.c portASM.S portasm.S mpu_wrappers.c"
    )
)
_OTHER_HEAP = re.compile(r"heap_[1235]\.c")


def is_copied(path: Path, project: Path) -> bool:
    """Whether a file belongs to a copy of the kernel. `project`: the program's folder, which may
    itself be in one, as the kernel's own examples are."""
    return _has_banner(path) and (path.name in _NAMES or is_within(path, project))


def is_within(path: Path, project: Path) -> bool:
    """Whether a file is in a folder that holds the kernel's tasks.c, or in one for its ports."""
    own, path = project.resolve(), path.resolve()
    folders = [folder for folder in path.parents if not own.is_relative_to(folder)]
    return any(_is_copy(folder) or folder.name == "portable" for folder in folders)


def _is_copy(folder: Path) -> bool:
    return _has_banner(folder / _ANCHOR)


def _has_banner(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return _BANNER.search(file.read(_BANNER_ENDS)) is not None
    except OSError:
        return False


def holds_headers(folder: Path) -> bool:
    """Whether a folder has headers that would hide those of the system's kernel."""
    return any(_has_banner(folder / name) for name in ("FreeRTOS.h", "portmacro.h"))


def refuse_mixed(folders: Iterable[Path], own: Iterable[Path], config: str) -> None:
    """Refuse a folder that holds FreeRTOS.h beside a source of the program or its configuration: a
    file beside FreeRTOS.h includes that one, whatever the compiler is told. Raises BuildError."""
    beside = {path.parent.resolve(): path.name for path in reversed(list(own))}
    for folder in dict.fromkeys(path.resolve() for path in (*folders, *beside)):
        if not _has_banner(folder / "FreeRTOS.h"):
            continue
        found = config if (folder / config).is_file() else beside.get(folder)
        if found is not None:
            raise BuildError(
                f"{folder / 'FreeRTOS.h'}: it is FreeRTOS's own and would hide that of the kernel,"
                f" because {found} of the program is beside it; move the program's files, or those"
                " of FreeRTOS, to another folder.",
                2,
            )


def notes(left_out: Iterable[Path]) -> tuple[str, ...]:
    """Sentences about files that mean something else here than in their project."""
    heaps = sorted({path.name for path in left_out if _OTHER_HEAP.fullmatch(path.name)})
    return tuple(
        f"{name} is one of them: every kernel allocates as heap_4.c does, from"
        " configTOTAL_HEAP_SIZE bytes"
        for name in heaps
    )
