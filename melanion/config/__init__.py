"""Configurations: which core, memory, kernel and sizes a system has.

`load` reads one configuration file strictly; `find` also takes names: `hwrtos`, `hwrtos@bus:20`,
`./my.yaml`.
"""

from melanion.config.loader import ConfigError, find, load, names
from melanion.config.schema import Core, Memory, Parameters, System

__all__ = ["ConfigError", "Core", "Memory", "Parameters", "System", "find", "load", "names"]
