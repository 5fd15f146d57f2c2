# SPDX-License-Identifier: Apache-2.0
"""The hardware unit of Melanion in a SoC that LiteX makes.

`add_melanion(soc)` adds the unit and wires it, `build_program` builds a program with its kernel.
Neither the unit's RTL nor the library is in this package: `melanion export` writes both for the
SoC at hand.
"""

from melanion_litex.core import Melanion, add_kernel, add_melanion
from melanion_litex.description import DescriptionError
from melanion_litex.exported import ExportFailed, exported
from melanion_litex.software import build_program

__all__ = [
    "DescriptionError",
    "ExportFailed",
    "Melanion",
    "add_kernel",
    "add_melanion",
    "build_program",
    "exported",
]
