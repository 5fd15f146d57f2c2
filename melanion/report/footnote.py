# SPDX-License-Identifier: Apache-2.0
"""Origin of a figure's numbers: command, commit, tool versions, configuration."""

from __future__ import annotations

from collections.abc import Sequence

from melanion.claims.result import Result

SAID = ("core", "clock", "memory", "coupling", "flags", "design", "library")


def footnote(result: Result, kernels: Sequence[str]) -> str:
    """One line for the drawn kernels; what differs between them is said of each."""
    provenance = result.provenance
    systems = {k: provenance["systems"][k] for k in kernels if k in provenance["systems"]}
    words = []
    for key in SAID:
        values = {
            kernel: _telling(key, system[key])
            for kernel, system in systems.items()
            if key in system
        }
        if len(set(values.values())) == 1:
            words.append(next(iter(values.values())))
        elif values and key != "coupling":  # that is in the kernels' names
            each = (f"{kernel} {value}" for kernel, value in values.items())
            words.append(f"{key}: {', '.join(each)}")
    tools = (tool(name, text) for name, text in provenance["tools"].items())
    head = [provenance["command"], f"commit {provenance['commit']}", *tools]
    return " · ".join([*head, *words])


def _telling(key: str, text: str) -> str:
    """Reduce compiler flags to those that change figures: optimization and instruction set."""
    if key != "flags":
        return text
    return " ".join(word for word in text.split() if word.startswith(("-O", "-march=")))


def tool(name: str, version: str) -> str:
    """Many tools begin their version with their name."""
    return version if version.startswith(name) else f"{name} {version}"
