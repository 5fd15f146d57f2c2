# SPDX-License-Identifier: Apache-2.0
"""Classify accesses to the hardware unit: what an address asks. How long each takes: unit.py."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import mel_gen
from mel_gen import Command, Query, Register


class Kind(enum.Enum):
    """Meaning of an address to the accessing core."""

    MEMORY = "memory"
    COMMAND = "command"
    ANSWER = "answer"
    QUERY = "query"
    OPERAND = "operand"
    VALUE = "value"
    DISPATCH = "dispatch"
    CLAIM = "claim"
    REGISTER = "register"
    SWITCH = "switch"  # switch of contexts: the unit's dispatch and its own cycles
    BANK = "bank"  # another word of it

    @property
    def unit(self) -> bool:
        """It reaches the unit."""
        return self not in (Kind.MEMORY, Kind.BANK)


# Accesses that the program serves; the access port alone gives answers.
SERVED = frozenset(
    {Kind.COMMAND, Kind.QUERY, Kind.OPERAND, Kind.VALUE, Kind.DISPATCH, Kind.CLAIM}
    | {Kind.REGISTER, Kind.SWITCH}
)
_LOADS: dict[int, Kind] = {
    Register.DISPATCH: Kind.DISPATCH,
    Register.CLAIM: Kind.CLAIM,
    Register.VALUE: Kind.VALUE,
    Register.READY: Kind.ANSWER,
}


@dataclass(frozen=True)
class Access:
    """One access. `op`: the command, query or register, where the kind leaves it open; None: there
    is none. `store`: of a register."""

    kind: Kind
    op: Command | Query | Register | None = None
    store: bool = False

    @property
    def command(self) -> Command | None:
        return self.op if isinstance(self.op, Command) else None


def decode(address: int, window: int, *, store: bool) -> Access:
    """The access to an address whose object number counts as 0; the unit's window begins there."""
    offset = address - window
    if 0 <= offset < mel_gen.WINDOW_BYTES:
        return _window(offset, store)
    if mel_gen.BANK_SWITCH <= address <= mel_gen.BANK_FORGET:
        switches = address in (mel_gen.BANK_SWITCH, mel_gen.BANK_SWITCH_TRAP)
        return Access(Kind.SWITCH if switches else Kind.BANK)
    if address >= mel_gen.BANK_FRAME:
        return Access(Kind.BANK)
    if address >= mel_gen.PORT_BASE:
        return _port(address - mel_gen.PORT_BASE, store)
    return Access(Kind.MEMORY)


def _port(offset: int, store: bool) -> Access:
    if offset >= mel_gen.PORT_REGISTERS:
        return _window(Register.IDENTITY + offset - mel_gen.PORT_REGISTERS, store)
    if not store:
        return Access(Kind.ANSWER)
    plain = offset >= mel_gen.PORT_PLAIN
    return _command((offset - (mel_gen.PORT_PLAIN if plain else mel_gen.PORT_PACKED)) // 4)


def _window(offset: int, store: bool) -> Access:
    if offset < Register.IDENTITY or offset >= mel_gen.REGISTERS_END:
        op = offset // 0x400
        if store:
            return _command(op)
        return Access(Kind.QUERY, Query(op)) if op in set(Query) else Access(Kind.ANSWER)
    if store and offset == Register.OPERAND:
        return Access(Kind.OPERAND)
    if not store and offset in _LOADS:
        return Access(_LOADS[offset])
    return Access(Kind.REGISTER, Register(offset) if offset in set(Register) else None, store)


def _command(op: int) -> Access:
    return Access(Kind.COMMAND, Command(op) if op in set(Command) else None)
