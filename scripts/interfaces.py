# SPDX-License-Identifier: Apache-2.0
"""What the pages of the interfaces of other kernels (kernel/compat) share: their facts, which their
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
    """What a call stands over: calls of ours, or a step."""
    return ", ".join("a step" if name == "step" else f"`{name}`" for name in names) or "–"
