# SPDX-License-Identifier: Apache-2.0
"""Configurations: which core, memory, kernel and sizes a system has.

`load` reads one configuration file strictly; `find` also takes names: `hwrtos`, `hwrtos@bus:20`,
`hwrtos@pci+lm`, `./my.yaml`. `planned`: a name of a system to come.
"""

from melanion.config.loader import ConfigError, find, load, names, planned
from melanion.config.places import memories, units
from melanion.config.schema import (
    Bridge,
    Cache,
    Core,
    LockCache,
    Memory,
    Parameters,
    Span,
    System,
    SystemName,
)

__all__ = [
    "Bridge",
    "Cache",
    "ConfigError",
    "Core",
    "LockCache",
    "Memory",
    "Parameters",
    "Span",
    "System",
    "SystemName",
    "find",
    "load",
    "memories",
    "names",
    "planned",
    "units",
]
