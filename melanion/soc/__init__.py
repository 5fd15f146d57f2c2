"""What a system is made of: RTL, headers, linker script, and the record of everything decided.

`files` renders what one configuration needs; `rtl_sources` and `simulation_sources` list the rest.
"""

from melanion.soc.address_map import MEMORY_BASE, RESET_PC, addresses
from melanion.soc.files import files, hardware_parameters
from melanion.soc.sources import SocError, Sources, rtl_sources, simulation_sources

__all__ = [
    "MEMORY_BASE",
    "RESET_PC",
    "SocError",
    "Sources",
    "addresses",
    "files",
    "hardware_parameters",
    "rtl_sources",
    "simulation_sources",
]
