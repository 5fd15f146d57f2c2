# SPDX-License-Identifier: Apache-2.0
"""Names of source folders in debug information: `app/main.c`, `melanion/kernel/common/boot.c`.

A program is kept by content, so one ELF serves every copy of an application and of Melanion: no
folder of a machine is in it. Whoever shows sources (melanion debug) says where a name's folder is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from melanion.build.app import App
from melanion.build.freertos import Upstream

Names = tuple[tuple[str, Path], ...]
"""Name → folder; of two folders that hold a file the later one names it."""

MELANION, SYSTEM, FREERTOS, APP = "melanion", "system", "freertos", "app"


def of_kernel(root: Path, upstream: Upstream | None) -> Names:
    """Source folders shared by all programs of a system."""
    found = ((MELANION, root),)
    return (*found, (FREERTOS, upstream.folder)) if upstream else found


def of_app(app: App) -> Names:
    """Source folders of an application: folders beside it, then its own."""
    folder = app.folder.resolve()
    beside = {path.parent.resolve() for path in app.sources}
    outside = sorted(path for path in beside if not path.is_relative_to(folder))
    return (*((f"beside/{path.name}", path) for path in outside), (APP, folder))


def flags(names: Iterable[tuple[str, Path]]) -> list[str]:
    """For the compiler and, by way of it, the assembler."""
    return [
        f"-f{what}-prefix-map={folder}={name}"
        for name, folder in names
        for what in ("file", "debug")
    ]
