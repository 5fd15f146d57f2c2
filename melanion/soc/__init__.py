# SPDX-License-Identifier: Apache-2.0
"""Parts of a system: RTL, headers, linker script, and the record of everything decided.

`files` renders what one configuration needs; `rtl_sources` and `simulation_sources` list the rest.
"""

from melanion.soc.address_map import MEMORY_BASE, RESET_PC, addresses
from melanion.soc.files import (
    files,
    hardware_parameters,
    protected_unit,
    system_package,
    unit_parameters,
)
from melanion.soc.sources import (
    Package,
    Purpose,
    SocError,
    Sources,
    package,
    refuse_protection,
    rtl_sources,
    simulation_rtl,
    simulation_sources,
    top_sources,
    unit_sources,
)

__all__ = [
    "MEMORY_BASE",
    "RESET_PC",
    "Package",
    "Purpose",
    "SocError",
    "Sources",
    "addresses",
    "files",
    "hardware_parameters",
    "package",
    "protected_unit",
    "refuse_protection",
    "rtl_sources",
    "simulation_rtl",
    "simulation_sources",
    "system_package",
    "top_sources",
    "unit_parameters",
    "unit_sources",
]
