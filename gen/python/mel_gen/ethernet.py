# SPDX-License-Identifier: Apache-2.0
"""The facts of spec/ethernet.yaml in Python. Pure data.

Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
"""

from __future__ import annotations

from enum import IntEnum

FACTS_HASH = "8a37ab34e8f83dbfce28af3851826a1b723567c0c37e860c8884357029a7b99a"
FACTS_HASH_WORD = 0x8a37ab34
IDENTITY = 0x4D454C45
WINDOW_BYTES = 4096


class Command(IntEnum):
    """Stores that are a command; the value is the byte offset in the window."""

    RELEASE = 0x600
    SEND = 0x604
    START = 0x608


class Region(IntEnum):
    """Offsets of number 0."""

    FRAME = 0x000
    ROUND_TRIP = 0x800


class Answer(IntEnum):
    """Answers."""

    DONE = 0x0
    NONE = 0xFFFFFFFF


class Register(IntEnum):
    """Registers; the value is the byte offset in the window."""

    IDENTITY = 0xC00
    FACTS_HASH = 0xC04
    SIZES = 0xC08
    CORE = 0xC0C
    REFUSED = 0xC10
    ANSWER = 0xC14
    LENGTH = 0xC18
    ROOM = 0xC1C
    ACCEPTED = 0xC20
    LOST = 0xC24
    FOREIGN = 0xC28
    MALFORMED = 0xC2C
    SENT = 0xC30
    STATION = 0xC34
    FORM = 0xD00
    BYTES = 0xD04
    PERIOD = 0xD08
    LOSS = 0xD0C
    REORDER = 0xD10
    CORRUPT = 0xD14
    SEED = 0xD18
    BUSY = 0xD1C
    OFFERED = 0xD20
    DROPPED = 0xD24
    CORRUPTED = 0xD28
    REPLIES = 0xD2C
    WRONG = 0xD30
    DISORDERED = 0xD34
    OTHERS = 0xD38


# Parameters: SystemVerilog name, default, minimum, maximum.
PARAMETERS = {
    "slots": ("Slots", 4, 2, 16),
    "words": ("Words", 384, 32, 384),
    "samples": ("Samples", 256, 2, 256),
    "cores": ("Cores", 1, 1, 4),
}
