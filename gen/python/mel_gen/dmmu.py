# SPDX-License-Identifier: Apache-2.0
"""The facts of spec/dmmu.yaml in Python. Pure data.

Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
"""

from __future__ import annotations

from enum import IntEnum

FACTS_HASH = "0b0d6f9c9d2694216cabb1adbebe451f7cb10ffab91f20a7aad672b86e460b79"
FACTS_HASH_WORD = 0x0b0d6f9c
IDENTITY = 0x4D454C4D
WINDOW_BYTES = 4096


class Command(IntEnum):
    """Stores that are a command; the value is the byte offset in the window."""

    ALLOCATE = 0x000
    RELEASE = 0x004
    GIVE = 0x008
    CLEAR = 0x00C


class Region(IntEnum):
    """Offsets of number 0."""

    ALLOCATION = 0x400


class Answer(IntEnum):
    """Answers."""

    DONE = 0x0
    FULL = 0xFFFFFFFE
    NONE = 0xFFFFFFFF


class Register(IntEnum):
    """Registers; the value is the byte offset in the window."""

    IDENTITY = 0xC00
    FACTS_HASH = 0xC04
    SIZES = 0xC08
    CORE = 0xC0C
    REFUSED = 0xC10
    ANSWER = 0xC14
    FAILED = 0xC18
    FREE = 0xC1C
    LEAST = 0xC20


# Parameters: SystemVerilog name, default, minimum, maximum.
PARAMETERS = {
    "blocks": ("Blocks", 256, 2, 256),
    "owners": ("Owners", 64, 1, 256),
    "cores": ("Cores", 1, 1, 4),
}
