# SPDX-License-Identifier: Apache-2.0
"""The facts of spec/lock_cache.yaml in Python. Pure data.

Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
"""

from __future__ import annotations

from enum import IntEnum

FACTS_HASH = "b6937bf9c46dd319a36530e285c35ea25b22e4e9ba61e05b98e24d9c0734882a"
FACTS_HASH_WORD = 0xb6937bf9
IDENTITY = 0x4D454C4B
WINDOW_BYTES = 4096


class Region(IntEnum):
    """Offsets of lock 0 of a kind; lock n is 4 · n further."""

    LOCK_SHORT = 0x000
    LOCK_LONG = 0x200
    TRY_SHORT = 0x400
    TRY_LONG = 0x600
    STATE_SHORT = 0x800
    STATE_LONG = 0xA00


class Answer(IntEnum):
    """Answers of loads."""

    WAITS = 0x0
    TAKEN = 0x1
    NONE = 0xFFFFFFFF


class Register(IntEnum):
    """Registers; the value is the byte offset in the window."""

    IDENTITY = 0xC00
    FACTS_HASH = 0xC04
    SIZES = 0xC08
    PRIORITIES = 0xC0C
    CORE = 0xC10
    REFUSED = 0xC14
    PRIORITY = 0xC18
    NOTICE = 0xC1C


# Fields of a lock's state: (high, low).
STATE = {
    "held": (0, 0),
    "handed": (1, 1),
    "holder": (5, 4),
    "waiting": (11, 8),
}
# Parameters: SystemVerilog name, default, minimum, maximum.
PARAMETERS = {
    "short_locks": ("ShortLocks", 64, 1, 128),
    "long_locks": ("LongLocks", 64, 1, 128),
    "cores": ("Cores", 1, 1, 4),
    "hand_over": ("HandOver", 0, 0, 1),
    "priorities": ("Priorities", 32, 2, 256),
}
