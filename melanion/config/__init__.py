# SPDX-License-Identifier: Apache-2.0
"""Configurations: which core, memory, kernel and sizes a system has.

`load` reads one configuration file strictly; `find` also takes names, which compose a system:
`hwrtos`, `hwrtos@port-4`, `hwrtos@bus:20`, `hwrtos@pci+lm`, `banked[tasks=128]`, `./my.yaml`.
"""

from melanion.config.composed import names
from melanion.config.errors import ConfigError
from melanion.config.loader import find, is_name, load
from melanion.config.name import listed
from melanion.config.places import memories, units
from melanion.config.schema import (
    Bridge,
    Cache,
    Components,
    Core,
    Deadlock,
    Dmmu,
    Ethernet,
    LockCache,
    Memory,
    Parameters,
    Span,
    System,
    SystemName,
)
from melanion.config.text import text

__all__ = [
    "Bridge",
    "Cache",
    "Components",
    "ConfigError",
    "Core",
    "Deadlock",
    "Dmmu",
    "Ethernet",
    "LockCache",
    "Memory",
    "Parameters",
    "Span",
    "System",
    "SystemName",
    "find",
    "is_name",
    "listed",
    "load",
    "memories",
    "names",
    "text",
    "units",
]
