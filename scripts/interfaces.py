# SPDX-License-Identifier: Apache-2.0
"""Common part of the pages of other kernels' interfaces (kernel/compat): their facts, which their
tests assert."""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML

from melanion import paths


def facts(interface: str) -> dict[str, Any]:
    """calls.yaml of an interface."""
    path = paths.data_root() / "kernel" / "compat" / interface / "calls.yaml"
    found: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return found


def below(names: list[str]) -> str:
    """Calls of ours under an interface's call, or a step."""
    return ", ".join("a step" if name == "step" else f"`{name}`" for name in names) or "–"
