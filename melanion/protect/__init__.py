# SPDX-License-Identifier: Apache-2.0
"""Detection of every single bit flip in a design, added to its netlist (docs/decisions/0051).

`protected` takes a module as yosys writes it in JSON, after `memory_collect`: each register gets a
second one beside it (registers), each row of a memory a parity bit over its data and its address
(memories), and the module gets the output `fault_o`. Pure: melanion/build/protected.py runs yosys.
"""

from melanion.protect.netlist import Netlist, ProtectError
from melanion.protect.protection import Design, Part, Protection, protected

__all__ = ["Design", "Netlist", "Part", "ProtectError", "Protection", "protected"]
