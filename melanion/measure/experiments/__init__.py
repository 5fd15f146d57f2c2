# SPDX-License-Identifier: Apache-2.0
"""Experiments whose samples need Python: a module each, which registers its extractors."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
