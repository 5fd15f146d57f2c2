# SPDX-License-Identifier: Apache-2.0
"""Evidence for a safety analysis: what notices a flipped bit of each part of the unit, and what
recorded flips led to. It certifies nothing.

`structure` reads the netlist of the unit, and knows nothing of the room that protects it.
"""

from melanion.safety.sheet import SafetyError, SafetySheet, make

__all__ = ["SafetyError", "SafetySheet", "make"]
