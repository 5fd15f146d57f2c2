# SPDX-License-Identifier: Apache-2.0
"""All that a flip can hit in a system with a program: the bits of the kernel's state, by kind.

Hardware: registers and memories of the modules in soc/sim/inject/state.vlt, as the simulation
lists them. Software: variables of the kernel's own object files, the registers that it saved of
tasks that do not run, and its code. Stacks of boot code and handlers are left out, and so are core,
bus, devices, and all that belongs to the program.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from melanion.build import Program, kernel_objects
from melanion.config import System
from melanion.inject.errors import InjectError

Kind = Literal["registers", "memories", "contexts", "data", "configuration"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MEANINGS: Mapping[Kind, str] = {
    "registers": "flip-flops of the kernel's hardware",
    "memories": "memories of the kernel's hardware, saved contexts of a bank among them",
    "contexts": "registers of tasks that do not run, saved on their stacks by the kernel",
    "data": "variables of the kernel's C part",
    "configuration": "what no run changes: microprogram and check table (RAM of an FPGA), code and"
    " constants of the kernel's C part",
}

CONFIGURATION = ("program_mem", "check_mem")  # ends of the names of memories that nothing writes
OBSERVERS = ("rsp_answer_q",)  # registers that serve the trace port alone
MEMORY = "_mem"  # end of the names of memories
LEAST_MEMORY = 8  # elements of others: arrays below that have one for each core
TOP = re.compile(
    r"TOP\.mel_top\.((gen_unit|gen_no_unit\.gen_shared)\.u_tile\.)?"
)  # tiles of the top
STACK = "_stack"  # end of the names of stacks

# Words of a saved context: of a task in a call, of a preempted one (kernel/arch/riscv/frame.h); of
# FreeRTOS's port (portContext.h), which has one form.
CALL_WORDS, FULL_WORDS, FREERTOS_WORDS = 13, 29, 31


@dataclass(frozen=True)
class Field:
    """Bits that can be hit: `elements` of `bits` each. `module`: instance in the hardware, or
    source file. `address`: of the first byte in memory; contexts: `element` is that of a word."""

    kind: Kind
    module: str
    name: str
    elements: int
    bits: int
    scope: str = ""
    address: int = 0

    @property
    def size(self) -> int:
        return self.elements * self.bits


@dataclass(frozen=True)
class Contexts:
    """Places of saved contexts: addresses of the words that point to them, by task; their form."""

    pointers: Mapping[int, int]
    words: tuple[int, ...]

    @property
    def tagged(self) -> bool:
        """The two lowest bits of a pointer say which form the context has."""
        return len(self.words) > 1


@dataclass(frozen=True)
class Space:
    """Fields, in an order that is the same on every machine."""

    fields: tuple[Field, ...]
    contexts: Contexts

    @property
    def kinds(self) -> tuple[Kind, ...]:
        found = {field.kind for field in self.fields}
        return tuple(kind for kind in KINDS if kind in found)

    def of(self, kind: Kind) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.kind == kind)

    def size(self, kind: Kind) -> int:
        """Bits of a kind."""
        return sum(field.size for field in self.of(kind))

    def only(self, name: str) -> Space:
        """The fields of a kind, of a module, or of modules within one. Raises InjectError."""
        chosen = tuple(
            field
            for field in self.fields
            if name in (field.kind, field.module) or field.module.startswith(f"{name}.")
        )
        if not chosen:
            known = sorted({*self.kinds, *(field.module for field in self.fields)})
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}."
            raise InjectError(f"{name}: no module or kind of state has this name; {hint}", 2)
        return Space(chosen, self.contexts)


def space(system: System, program: Program, listed: Iterable[str]) -> Space:
    """`listed`: the lines `state …` of the simulation."""
    hardware = list(_hardware(listed))
    contexts = _contexts(system, program)
    fields = [*hardware, *_software(program)]
    if contexts.pointers:
        words = max(contexts.words)
        fields += [
            Field("contexts", f"task {task}", "context", words, 32) for task in contexts.pointers
        ]
    return Space(tuple(fields), contexts)


def _hardware(listed: Iterable[str]) -> Iterator[Field]:
    for line in listed:
        _, scope, name, elements, bits = line.split()
        if name in OBSERVERS:
            continue
        number = int(elements)
        is_memory = name.endswith(MEMORY) or number >= LEAST_MEMORY
        kind: Kind = "memories" if is_memory else "registers"
        if name.endswith(CONFIGURATION):
            kind = "configuration"
        yield Field(kind, TOP.sub("", scope), name, number, int(bits), scope)


def _software(program: Program) -> Iterator[Field]:
    for found in kernel_objects(program):
        if found.name.endswith(STACK):
            continue
        kind: Kind = "data" if found.is_data else "configuration"
        yield Field(kind, found.source, found.name, found.size, 8, address=found.address)


def _contexts(system: System, program: Program) -> Contexts:
    """Tasks whose stacks the program names: each has a context there, unless a bank keeps it."""
    arrays = {each.name: each for each in kernel_objects(program) if each.is_data}
    tasks = system.parameters.tasks
    known = [stack.number for stack in program.content.stacks if stack.number < tasks]
    form: tuple[int, ...] = (CALL_WORDS, FULL_WORDS)
    count = tasks + 1
    if system.kernel_info.of == "freertos":
        array, form = arrays.get("mel_freertos_tasks"), (FREERTOS_WORDS,)
        count = tasks + 2
    else:
        array = arrays.get("mel_tasks") or arrays.get("mel_contexts")
    if array is None or system.coupling == "banked":
        return Contexts({}, form)
    stride = array.size // count
    return Contexts({task: array.address + task * stride for task in sorted(known)}, form)
