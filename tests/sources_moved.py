# SPDX-License-Identifier: Apache-2.0
"""Rows that are too expensive for every run: beside their file stands a digest of the sources that
decide them, so that a test fails when the sources moved and nobody measured again.

`python -m tests.sources_moved EXPERIMENT` writes the digests of the present sources, after
`python scripts/asserted.py EXPERIMENT` has measured them. Comments and white space are left out:
they decide no cycle.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from functools import cache
from pathlib import Path

from melanion import config, paths, soc
from melanion.build.linkage import kernel_sources
from melanion.experiments.definition import load
from melanion.experiments.work import applications
from melanion.soc.files import top

ROOT = paths.data_root()
_SPACE = re.compile(r"/\*.*?\*/|//[^\n]*|\s+", re.DOTALL)


def recorded(experiment: str) -> dict[str, str]:
    """Kernel → digest of the sources with which its rows were measured."""
    with _file(experiment).open(newline="", encoding="utf-8") as stream:
        return {line["kernel"]: line["digest"] for line in csv.DictReader(stream)}


def digests(experiment: str) -> dict[str, str]:
    """Kernel → digest of the present sources: RTL, kernel, headers, programs, what is measured."""
    definition = load(experiment)
    apps = applications(definition)
    return {
        kernel: _digest(kernel, definition.measured, [s for app in apps for s in app.sources])
        for kernel in definition.kernels
    }


def complaint(experiment: str, found: dict[str, str]) -> str:
    """What to do about kernels whose sources moved; empty: none has."""
    asserted = recorded(experiment)
    moved = [kernel for kernel, digest in found.items() if asserted.get(kernel) != digest]
    if not moved:
        return ""
    return (
        f"the sources of {', '.join(moved)} moved since tests/{experiment}_cycles.csv was measured:"
        f" measure anew (`python scripts/asserted.py {experiment}`), then"
        f" `python -m tests.sources_moved {experiment}`"
    )


def _digest(kernel: str, measured: str, programs: list[Path]) -> str:
    system = config.find(kernel)
    headers = sorted(
        path
        for path in (ROOT / "kernel").rglob("*.h")
        if path.relative_to(ROOT / "kernel").parts[0] != "compat"
    )
    files = [*soc.rtl_sources(system).files, *kernel_sources(system), *headers, *programs]
    digest = hashlib.sha256(f"{top(system)}\0{measured}".encode())
    for path in files:
        digest.update(f"{path.name}\0{_bare(path)}\0".encode())
    return digest.hexdigest()[:16]


@cache
def _bare(path: Path) -> str:
    return _SPACE.sub("", path.read_text(encoding="utf-8", errors="replace"))


def _file(experiment: str) -> Path:
    return Path(__file__).parent / f"{experiment}_sources.csv"


def main(experiment: str) -> None:
    lines = [f"{kernel},{digest}" for kernel, digest in digests(experiment).items()]
    _file(experiment).write_text("\n".join(["kernel,digest", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
