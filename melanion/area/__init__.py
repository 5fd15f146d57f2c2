# SPDX-License-Identifier: Apache-2.0
"""Synthesizes the hardware unit, and the core beside it: how large and how fast they are.

`designs` reads what to measure; `measure` runs yosys and nextpnr-ecp5 (or yosys with a
standard-cell library) on each, in parallel and from the cache, and returns rows; `present` shows
them.
"""

from melanion.area.design import CORE, Design, designs
from melanion.area.errors import AreaError
from melanion.area.experiment import execute, missing
from melanion.area.measure import Result, measure
from melanion.area.systems import in_turn, missing_tools, unit
from melanion.area.tools import Liberty, liberty

__all__ = [
    "CORE",
    "AreaError",
    "Design",
    "Liberty",
    "Result",
    "designs",
    "execute",
    "in_turn",
    "liberty",
    "measure",
    "missing",
    "missing_tools",
    "unit",
]
