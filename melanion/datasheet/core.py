# SPDX-License-Identifier: Apache-2.0
"""Clock cycles per instruction, for the two variants of the Ibex core.

A cost is that of an edge: from the first cycle in which one instruction is in the ID stage to the
first cycle in which the next one is; `stall` is what that one then waits there for a load. Memory
answers in the cycle after the request; what an access to the hardware unit takes longer is not in
here (accesses.py).

Source: the core's own description of its pipeline ("Pipeline Details" of the Ibex reference), read
against `ibex_id_stage.sv` of the pinned package; tests/lab/test_datasheet_cost.py compares every
edge of measured runs with this table. `main`: writeback stage, branch target ALU, multiplier of one
cycle; `small`: neither, multiplier of several cycles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from melanion.build.listing import Instruction

LOADS = frozenset({"lw", "lh", "lhu", "lb", "lbu"})
STORES = frozenset({"sw", "sh", "sb"})
BRANCHES = frozenset(
    {"beq", "bne", "blt", "bge", "bltu", "bgeu", "bgt", "ble", "bgtu", "bleu"}
    | {"beqz", "bnez", "bltz", "bgez", "bgtz", "blez"}
)
JUMPS = frozenset({"j", "jal", "jr", "jalr", "ret"})
MULTIPLIES = frozenset({"mul", "mulh", "mulhu", "mulhsu"})
DIVIDES = frozenset({"div", "divu", "rem", "remu"})
CSR = frozenset({"csrr", "csrw", "csrs", "csrc", "csrrw", "csrrs", "csrrc"})
# They let the pipeline run empty when they write one of these: interrupts are looked at anew.
CSR_FLUSHES = frozenset({"csrw", "csrs", "csrrw", "csrrs"})
FLUSHED = frozenset({"mstatus", "mie"})
# One cycle: arithmetic, the bit manipulation of the variant `main` (Zba, Zbb) included.
PLAIN = frozenset(
    {"add", "sub", "neg", "lui", "auipc", "li", "mv", "nop", "and", "or", "xor", "not"}
    | {"sll", "srl", "sra", "slt", "sltu", "sltiu", "slti", "seqz", "snez", "sltz", "sgtz"}
    | {"sh1add", "sh2add", "sh3add", "min", "minu", "max", "maxu", "andn", "orn", "xnor"}
    | {"clz", "ctz", "cpop", "sext.b", "sext.h", "zext.b", "zext.h", "rev8", "orc.b"}
)
ROTATES = frozenset({"rol", "ror"})  # on the variant `main`: two shifts, one after the other
RETURN = "mret"
# The first operand of these is no register that they write.
READS_FIRST = STORES | BRANCHES | {"jr", "jalr", "csrw", "csrs", "csrc"}

_REGISTER = re.compile(r"\b(?:zero|ra|sp|gp|tp|fp|t[0-6]|s1[01]|s[0-9]|a[0-7])\b")


class CostError(Exception):
    """An instruction of which this table knows no cost: its mnemonic."""


@dataclass(frozen=True)
class Core:
    """Cycles of a variant. `load`, `store`: until the next instruction is first in ID; `load_use`:
    more, when that one reads what was loaded (`stall`). `unaligned`: more, where a jump leads to an
    instruction of 4 bytes, which may lie in two words. `flush`: a write of FLUSHED, `mret`."""

    name: str
    load: int
    load_use: int
    store: int
    taken: int
    jump: int
    multiply: int
    multiply_high: int
    divide: int = 37
    rotate: int = 2
    not_taken: int = 1
    csr: int = 1
    flush: int = 3
    unaligned: int = 1

    def cycles(self, instruction: Instruction, following: Instruction) -> int:
        """The edge to an instruction that follows it on a path, at the worst alignment, without
        `stall`. Raises CostError."""
        name = instruction.mnemonic
        if name in LOADS:
            return self.load
        if name in STORES:
            return self.store
        if name in BRANCHES:
            if following.address == instruction.after != instruction.target:
                return self.not_taken
            return self.taken + self._fetch(following)
        if name in JUMPS:
            return self.jump + self._fetch(following)
        if name == RETURN or (name in CSR_FLUSHES and FLUSHED & {*instruction.operands}):
            return self.flush + self._fetch(following)
        return self._executes(name)

    def stall(self, instruction: Instruction, following: Instruction) -> int:
        """Cycles for which the next instruction then waits in ID for what this one loads."""
        loads = instruction.mnemonic in LOADS
        return self.load_use if loads and _reads(following, instruction.operands[0]) else 0

    def _executes(self, name: str) -> int:
        if name in PLAIN:
            return 1
        if name in ROTATES:
            return self.rotate
        if name in CSR:
            return self.csr
        if name in MULTIPLIES:
            return self.multiply if name == "mul" else self.multiply_high
        if name in DIVIDES:
            return self.divide
        raise CostError(name)

    def _fetch(self, following: Instruction) -> int:
        return self.unaligned if following.size == 4 else 0


CORES = {
    "main": Core("main", 1, 1, 1, taken=2, jump=2, multiply=1, multiply_high=2),
    "small": Core("small", 2, 0, 2, taken=3, jump=2, multiply=3, multiply_high=4),
}


def _reads(instruction: Instruction, register: str) -> bool:
    """It reads the register, or may: aliases hide operands (`ret` reads ra)."""
    if register == "zero":
        return False
    name, operands = instruction.mnemonic, instruction.operands
    if name == "ret":
        return register == "ra"
    reads = operands if name in READS_FIRST else operands[1:]
    return register in _REGISTER.findall(" ".join(reads))
