# SPDX-License-Identifier: Apache-2.0
"""Digest of all that decides the outcome of a point: its system, its quantity, the sources and the
tools. Equal digests, equal outcomes: what the results store holds is not run again.

It is coarser than the keys of the build cache: a change of any source starts every point again, and
the cache then makes those fast that did not change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import mel_gen

from melanion import build, config, paths
from melanion.build.linkage import versions as program_versions
from melanion.build.model import versions as hardware_versions
from melanion.claims import load as load_experiment
from melanion.results.unit import digest
from melanion.sweep.plan import Kind, Point, Quantity

FOLDERS = ("hw", "kernel", "soc", "spec", "gen/sv", "gen/c")
# Folders of this package that decide a simulated point, and a computed one.
ROOMS = ("build", "commands", "config", "datasheet", "measure", "micro", "model", "run", "soc",
         "sweep", "trace")  # fmt: skip
# Modules of this folder that do.
OWN = {"evaluate.py", "plan.py"}
SUFFIXES = {".sv", ".svh", ".vlt", ".mu", ".c", ".h", ".S", ".cpp", ".j2", ".yaml", ".py", ".mk",
            ".f", ".hex", ".sha256"}  # fmt: skip


def of_point(point: Point) -> str:
    """Digest of a point. Raises MelanionError: a tool is missing."""
    system = config.find(point.system).model_dump(mode="json")
    quantity = point.quantity
    decides = [point.system, system, quantity.kind, quantity.name, quantity.metric]
    return digest([*decides, _of_quantity(quantity), sources(quantity.kind)])


@cache
def sources(kind: Kind) -> str:
    """Digest of the sources and tools of points of a kind. A worker of a cluster compares its own
    with that of the machine that asks."""
    found = hashlib.sha256()
    for name, path in _files():
        found.update(f"{name}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    if kind != "bound":
        found.update(str({**hardware_versions(), **program_versions()}).encode())
    return found.hexdigest()[:32]


@cache
def _of_quantity(quantity: Quantity) -> str:
    """Digest of the program, and of the definition that it is measured by."""
    if quantity.kind == "bound":
        return ""
    if quantity.kind == "experiment":
        definition = load_experiment(quantity.name)
        folder, measured = paths.data_root() / "apps" / definition.app, definition.measured
    else:
        folder, measured = build.application(quantity.name).folder, ""
    files = [(path.name, path) for path in sorted(folder.rglob("*")) if path.is_file()]
    texts = [(name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in files]
    return digest([measured, texts])


def _files() -> Iterator[tuple[str, Path]]:
    root, package = paths.data_root(), Path(__file__).resolve().parent.parent
    folders = [(name, root / name) for name in FOLDERS]
    folders += [(f"melanion/{name}", package / name) for name in ROOMS]
    folders.append(("mel_gen", Path(mel_gen.__file__).parent))
    for name, folder in folders:
        for path in sorted(folder.rglob("*")):
            meant = name != "melanion/sweep" or path.name in OWN
            if meant and path.suffix in SUFFIXES and path.is_file():
                yield f"{name}/{path.relative_to(folder).as_posix()}", path
