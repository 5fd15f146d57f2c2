# SPDX-License-Identifier: Apache-2.0
"""Reads `spec/` whole: `load` returns a `Spec`, or raises `SpecError` with all errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from melanion import paths
from melanion.errors import MelanionError
from melanion.spec.check import check, sentence
from melanion.spec.component import broken as broken_component
from melanion.spec.facts import ALONE, FILES, Spec
from melanion.spec.lock_cache import broken as broken_lock_cache
from melanion.spec.rules import broken
from melanion.spec.yaml_file import YamlFile, read


class SpecError(MelanionError):
    """`spec/` is wrong: one sentence per line of the message."""


def load(folder: Path | None = None) -> Spec:
    """Read the files of a folder, by default those of this installation. Raises SpecError."""
    folder = folder or paths.data_root() / "spec"
    problems: list[str] = []
    models = {**FILES, **ALONE}
    files = {name: read(folder / f"{name}.yaml", f"spec/{name}.yaml") for name in models}
    facts: dict[str, Any] = {}
    for name, file in files.items():
        facts[name], found = check(models[name], file)
        problems.extend(found)
    problems.extend(_strangers(folder))
    if all(facts.values()):
        spec = Spec(**facts)
        problems.extend(_broken_rules(spec, files))
        if not problems:
            return spec
    raise SpecError("\n".join(problems))


def _strangers(folder: Path) -> list[str]:
    """Files that nobody would read."""
    known = [f"{name}.yaml" for name in (*FILES, *ALONE)]
    return [
        f"spec/{path.name}:1: the file is unknown; known are {', '.join(known)}; remove it."
        for path in sorted(folder.glob("*.y*ml"))
        if path.name not in known
    ]


def _broken_rules(spec: Spec, files: dict[str, YamlFile]) -> list[str]:
    found = [sentence(files[name], path, rest) for name, path, rest in broken(spec)]
    alone = {"lock_cache": broken_lock_cache(spec.lock_cache)}
    alone |= {name: broken_component(file) for name, file in spec.components.items()}
    return found + [
        sentence(files[name], path, rest) for name, rows in alone.items() for path, rest in rows
    ]
