# SPDX-License-Identifier: Apache-2.0
"""Identify the Linux distribution, and give the one command that installs packages on it.

Standard library only.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

OS_RELEASE = Path("/etc/os-release")

# Package manager → the words before the package names.
INSTALL = {
    "apt": "apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed --noconfirm",
    "brew": "brew install",
}
_FAMILIES = {
    "debian": "apt",
    "ubuntu": "apt",
    "fedora": "dnf",
    "rhel": "dnf",
    "arch": "pacman",
}


@dataclass(frozen=True)
class Distribution:
    """`name` for messages; `manager`: one of INSTALL, or empty when we know none."""

    name: str
    manager: str


def identify(system: str, os_release: str) -> Distribution:
    """From `platform.system()` and the text of os-release (empty when there is none)."""
    if system == "Darwin":
        return Distribution("macOS", "brew")
    fields: dict[str, str] = {}
    for line in os_release.splitlines():
        key, equals, value = line.partition("=")
        if equals:
            fields[key] = "".join(shlex.split(value))
    for word in [fields.get("ID", ""), *fields.get("ID_LIKE", "").split()]:
        if word in _FAMILIES:
            return Distribution(fields.get("PRETTY_NAME", word), _FAMILIES[word])
    return Distribution(fields.get("PRETTY_NAME", system or "this system"), "")


def install_command(manager: str, packages: Sequence[str], root: bool) -> str:
    """The command that installs these packages, with sudo unless we are root (or it is brew)."""
    prefix = "" if root or manager == "brew" else "sudo "
    command = f"{prefix}{INSTALL[manager]} {' '.join(packages)}"
    return f"{prefix}apt-get update && {command}" if manager == "apt" else command
