# SPDX-License-Identifier: Apache-2.0
"""Provenance of a run: everything that decides it, in words and numbers for a report."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

from mel_gen import SPEC_HASH

from melanion import __version__, paths
from melanion.build import Hardware, Program
from melanion.build.linkage import flags
from melanion.build.linkage import versions as program_versions
from melanion.build.model import versions as hardware_versions
from melanion.build.tools import run
from melanion.config import System


def commit() -> str:
    """The commit of the checkout, with `-dirty` when files differ; `unknown` in an installation.

    Git is asked once in a process: a result of many runs names one commit."""
    return _commit(paths.data_root())


@cache
def _commit(root: Path) -> str:
    git = shutil.which("git")
    if git is None or not paths.is_checkout():
        return "unknown"
    head = run([git, "-C", str(root), "rev-parse", "--short=12", "HEAD"])
    if head.status != 0:
        return "unknown"
    changed = run(
        [git, "-C", str(root), "status", "--porcelain", "--untracked-files=no"]
    ).output.strip()
    return head.output.strip() + ("-dirty" if changed else "")


def origin() -> dict[str, str]:
    """The commit, and the checkout by the last two names of its folder."""
    folder = paths.data_root().parts[-2:]
    return {
        "commit": commit(),
        "checkout": "/".join(folder) if paths.is_checkout() else "an installation",
    }


def provenance(
    system: System, hardware: Hardware, program: Program, settings: dict[str, Any]
) -> dict[str, Any]:
    """Everything that was decided; `settings` are those of the run itself."""
    return {
        "melanion": __version__,
        **origin(),
        "spec_hash": SPEC_HASH[:8],
        "system": system.model_dump(),
        "program": program.app.name,
        "hardware_key": hardware.key,
        "program_key": program.key,
        **({"kernel_origin": program.kernel_origin} if program.kernel_origin else {}),
        "flags": " ".join(flags(system)),
        "tools": {**hardware_versions(), **program_versions()},
        **settings,
    }
