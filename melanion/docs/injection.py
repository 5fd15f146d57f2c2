# SPDX-License-Identifier: Apache-2.0
"""Classes of single bit flips: tests/asserted/injection.csv, and the block of it in
docs/howto/inject.md. `python -m tests.inject.measure` writes the file."""

from __future__ import annotations

import ast
import hashlib
from itertools import groupby
from pathlib import Path

from melanion import build, config, paths
from melanion.docs import sources
from melanion.docs.rows import ASSERTED, Line, lines
from melanion.docs.table import number, table
from melanion.inject import campaign
from melanion.inject.outcome import CLASSES

FILE = ASSERTED / "injection.csv"
SYSTEMS = ("hwrtos", "hwrtos-protected", "banked", "sw", "freertos")
APP, SEED = "apps/faults/lives", 1
COLUMNS = ("system", "seed", "commit", "kind", "bits", "flips", *CLASSES, "at_most", "digest")
HARNESS = "soc/sim/inject"


def digest(system: str) -> str:
    """Digest of the sources that decide the rows of a system: its own and those of the injection,
    without comments. The golden model is left out: a change of it that moves a class is a change of
    the hardware, too."""
    root = paths.data_root()
    program = build.application(str(root / APP))
    found = hashlib.sha256(sources.of_programs(system, program.sources).encode())
    own = [root / "melanion" / "inject" / name for name in campaign.OWN]
    if config.find(system).unit_protection != "none":
        own += sorted((root / "melanion" / "protect").glob("*.py"))
        own.append(root / "melanion" / "build" / "protected.py")
    for path in (*sorted((root / HARNESS).iterdir()), *own):
        found.update(f"{path.name}\0{code(path)}\0".encode())
    found.update(f"{campaign.LONGER} {campaign.LEAST_LONGER}".encode())
    return found.hexdigest()[:16]


def code(path: Path) -> str:
    """Text of a file without comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return sources.dense(text)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def recorded() -> list[Line]:
    """The rows of the file; none before it was made."""
    return lines(FILE) if FILE.is_file() else []


def classes() -> str:
    """The block of docs/howto/inject.md."""
    rows = []
    for system, found in groupby(recorded(), key=lambda row: row["system"]):
        for place, row in enumerate(found):
            counts = [number(int(row[name])) for name in CLASSES]
            name = "" if place else f"`{system}`"
            share = f"{100 * float(row['at_most']):.2f} %"
            rows.append((name, row["kind"], number(int(row["flips"])), *counts, share))
    heads = ("system", "state", "flips", *CLASSES, "silent at most")
    said = {(row["seed"], row["commit"]) for row in recorded()}
    origin = ", ".join(f"seed {seed}, commit `{commit}`" for seed, commit in sorted(said))
    aligned = "ll" + "r" * (len(heads) - 2)
    return f"{table(aligned, heads, rows)}\n{origin}; {APP.split('/')[-1]}."
