# SPDX-License-Identifier: Apache-2.0
"""Common part of the pages of other kernels' interfaces (kernel/compat): their facts, which their
tests assert."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ruamel.yaml import YAML

from melanion import paths
from melanion.docs.table import NONE, sections, table


def facts(interface: str) -> dict[str, Any]:
    """calls.yaml of an interface."""
    path = paths.data_root() / "kernel" / "compat" / interface / "calls.yaml"
    found: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return found


def groups(
    interface: str,
    heads: Sequence[str],
    rows: Callable[[dict[str, Any]], Iterable[Sequence[str]]],
) -> str:
    """A table per kind of object, of the rows for its calls."""
    return sections(
        (f"{group[0].upper()}{group[1:]}", table("l", heads, rows(members)))
        for group, members in facts(interface)["calls"].items()
    )


def calls_of(interface: str) -> dict[str, dict[str, Any]]:
    """Call → its facts, of all kinds of objects."""
    return {
        name: row for group in facts(interface)["calls"].values() for name, row in group.items()
    }


def below(names: list[str]) -> str:
    """Calls of ours under an interface's call, or a step."""
    return ", ".join("a step" if name == "step" else f"`{name}`" for name in names) or NONE
