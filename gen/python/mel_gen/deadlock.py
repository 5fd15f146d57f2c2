# SPDX-License-Identifier: Apache-2.0
"""The facts of spec/deadlock.yaml in Python. Pure data.

Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
"""

from __future__ import annotations

from enum import IntEnum

FACTS_HASH = "2ce860b59ddac17100552a50b96848058fe51b07f3bd4dd81742d75fdbfb5d3e"
FACTS_HASH_WORD = 0x2ce860b5
IDENTITY = 0x4D454C44
WINDOW_BYTES = 4096


class Command(IntEnum):
    """Stores that are a command; the value is the byte offset in the window."""

    REQUEST = 0x000
    GRANT = 0x004
    RELEASE = 0x008
    WITHDRAW = 0x00C
    CLEAR = 0x010


class Region(IntEnum):
    """Offsets of number 0."""

    HOLDER = 0x400
    WAITING = 0x600


class Answer(IntEnum):
    """Answers."""

    WAITS = 0x0
    DONE = 0x1
    DEADLOCK = 0x2
    NONE = 0xFFFFFFFF


class Register(IntEnum):
    """Registers; the value is the byte offset in the window."""

    IDENTITY = 0xC00
    FACTS_HASH = 0xC04
    SIZES = 0xC08
    CORE = 0xC0C
    REFUSED = 0xC10
    ANSWER = 0xC14
    NOTICE = 0xC18
    STEPS = 0xC1C
    PROCESSES = 0xC20
    PROCESSES_HIGH = 0xC24
    RESOURCES = 0xC28
    RESOURCES_HIGH = 0xC2C


# Parameters: SystemVerilog name, default, minimum, maximum.
PARAMETERS = {
    "processes": ("Processes", 16, 2, 64),
    "resources": ("Resources", 16, 2, 64),
    "cores": ("Cores", 1, 1, 4),
}
