# SPDX-License-Identifier: Apache-2.0
"""A system as the text of a configuration file: what `load` reads as the same system."""

from __future__ import annotations

from typing import Any

from melanion.config.schema import Mixed, System


def text(system: System) -> str:
    """Every key with its value, a line each; what the system does not have is left out."""
    value = system.model_dump(mode="json", exclude_none=True)
    if isinstance(system.core, Mixed):
        value["core"] = [kind.model_dump(mode="json") for kind in system.core.kinds]
    return "".join(f"{key}: {_flow(value)}\n" for key, value in value.items())


def _flow(value: Any) -> str:
    """A value in one line, as YAML: all keys and words of a configuration are plain scalars."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
