# SPDX-License-Identifier: Apache-2.0
"""The assembler of the microprogram `hw/micro/*.mu` (docs/decisions/0034)."""

from melanion.micro.errors import MicroError
from melanion.micro.program import Program, assemble

__all__ = ["MicroError", "Program", "assemble"]
