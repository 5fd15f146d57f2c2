# SPDX-License-Identifier: Apache-2.0
"""Classify accesses to the hardware unit, and bound the cycles that each adds until it is served.

The bounds are those of hw/formal/mel_bounds_pkg.sv, which the theorems of mel_sequencer and
mel_command use; tests/lab/test_datasheet_unit.py compares them. They hold for one core or several,
whatever else asks for service, except for two cases that the theorems exclude: a command that meets
an object still being cleared waits until that is done, and steps of others in which inheritance
works take longer (`chain_cycles` each).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import mel_gen
from mel_gen import Command, Query, Register

from melanion.config import System
from melanion.soc import addresses

STEP_CYCLES = 5  # a command's step that judges no event flags and walks no chain of owners
LONG_CYCLES = 8  # of any step, the cycles left out in which inheritance works
AFTER_LONGER = 5  # from the last cycle of a step till the next may begin
LANES = 16  # tasks whose conditions on event flags are judged in a cycle
SWITCH_CYCLES = 2  # from the unit's dispatch to the grant of the store that asked for it

JUDGES = frozenset({Command.EVENT_FLAGS_SET, Command.EVENT_FLAGS_DELETE})
# Commands after which the priorities of a chain of owners may change.
INHERITS = frozenset(
    {Command.MUTEX_LOCK, Command.MUTEX_UNLOCK, Command.MUTEX_DELETE}
    | {Command.TASK_RELEASE, Command.TASK_SET_PRIORITY, Command.TASK_TERMINATE}
)
# They may have to wait for what is still being cleared away (mel_execute_*.sv, `try_again`).
AWAITS_CLEARING = frozenset(
    {Command.SEMAPHORE_CREATE, Command.SEMAPHORE_DELETE, Command.MUTEX_CREATE}
    | {Command.MUTEX_DELETE, Command.QUEUE_CREATE, Command.QUEUE_DELETE, Command.TASK_START}
    | {Command.TASK_EXIT, Command.TASK_TERMINATE, Command.TASK_DELETE}
)


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
    SWITCH = "switch"  # switch of the register banks: the unit's dispatch and their own cycles
    BANK = "bank"  # another word of the register banks

    @property
    def unit(self) -> bool:
        """It reaches the unit."""
        return self not in (Kind.MEMORY, Kind.BANK)


# Accesses that the sequencer serves; the access port alone answers the rest.
SERVED = frozenset(
    {Kind.COMMAND, Kind.QUERY, Kind.OPERAND, Kind.VALUE, Kind.DISPATCH, Kind.CLAIM, Kind.SWITCH}
)
_LOADS: dict[int, Kind] = {
    Register.DISPATCH: Kind.DISPATCH,
    Register.CLAIM: Kind.CLAIM,
    Register.VALUE: Kind.VALUE,
}


@dataclass(frozen=True)
class Access:
    """One access. `command`: which, when it is one."""

    kind: Kind
    command: Command | None = None


def decode(address: int, window: int, *, store: bool) -> Access:
    """The access to an address whose object number counts as 0; the unit's window begins there."""
    offset = address - window
    if 0 <= offset < mel_gen.WINDOW_BYTES:
        return _window(offset, store)
    if mel_gen.BANK_SWITCH <= address <= mel_gen.BANK_FRAMES:
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
        return Access(Kind.QUERY if op in set(Query) else Kind.ANSWER)
    if store:
        return Access(Kind.OPERAND if offset == Register.OPERAND else Kind.REGISTER)
    return Access(_LOADS.get(offset, Kind.REGISTER))


def _command(op: int) -> Access:
    return Access(Kind.COMMAND, Command(op) if op in set(Command) else None)


# ---- bounds --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unit:
    """The unit of a system: its proved bounds, in cycles. `chain`: the longest chain of owners;
    `window`: where the core reaches it.

    `free`: nothing but the program's own accesses asks for service."""

    tasks: int
    cores: int
    chain: int
    window: int
    free: bool = False

    @property
    def flag_cycles(self) -> int:
        """A step that judges event flags."""
        return -(-self.tasks // LANES) + 4

    @property
    def longest(self) -> int:
        return max(self.flag_cycles, LONG_CYCLES)

    @property
    def access_wait(self) -> int:
        """Steps of others before an access is served."""
        return 2 * self.cores - 1 + (2 * self.cores - 1) // (self.cores + 1) + 1

    @property
    def served_cycles(self) -> int:
        """From the first cycle of an access at the sequencer to its last, whatever else asks."""
        period = self.longest + (5 if self.cores > 1 else 4)
        return period * (1 + self.access_wait) + self.longest

    @property
    def chain_cycles(self) -> int:
        """A step that changes inherited priorities along the longest chain."""
        return 8 + 6 * self.chain

    def command_cycles(self, command: Command | None) -> int:
        """The command's own step: U."""
        if command == Command.MUTEX_LOCK:
            return max(6 + 8 * self.chain, STEP_CYCLES)
        if command in INHERITS:
            return max(self.chain_cycles, LONG_CYCLES)
        return self.flag_cycles if command in JUDGES else STEP_CYCLES

    def waits(self, access: Access) -> int:
        """Cycles by which an access may be answered later than memory is."""
        if access.kind not in SERVED:
            return 0
        after = SWITCH_CYCLES if access.kind == Kind.SWITCH else 0
        own = self.command_cycles(access.command)
        if self.free:
            return AFTER_LONGER + own + after
        return self.served_cycles + (own if access.command in INHERITS else 0) + after


def unit(system: System) -> Unit:
    """The unit of a system that has one."""
    sizes = system.parameters
    chain = min(sizes.tasks, sizes.mutexes)
    return Unit(sizes.tasks, system.core.count, chain, addresses(system)["unit_base"])
