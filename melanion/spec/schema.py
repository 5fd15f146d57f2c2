# SPDX-License-Identifier: Apache-2.0
"""The shape of `spec/*.yaml`: one class per kind of row. Unknown keys and wrong types are errors.

What concerns several rows or files (numbers given twice, names that must exist elsewhere) is in
`rules`.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from melanion.spec.check import PATTERN_WORDS

WORD = 0xFFFF_FFFF
LAST_REGISTER = 0xFFFC  # offset
REGISTERS = 0xFC00  # offset of the first register
OP_BYTES = 1024  # bytes of the window for each number
REGISTERS_OP = REGISTERS // OP_BYTES  # the registers stand where this number would
USER_OPS = 96  # from here on numbers are the users'
LAST_OP = 127

NAME = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
KERNEL_NAME = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
STATUS_NAME = r"^E_[A-Z]+$"
SV_NAME = r"^[A-Z][A-Za-z0-9]*$"
BIT_RANGE = r"^\[[0-9]{1,2}(:[0-9]{1,2})?\]$"
PATTERN_WORDS.update(
    {
        NAME: "lower-case words joined by underscores, such as task_create",
        KERNEL_NAME: "lower-case words joined by hyphens, such as sw-poll",
        STATUS_NAME: "a status name such as E_PAR",
        SV_NAME: "a name in UpperCamelCase, such as Tasks",
        BIT_RANGE: '"[high:low]" or "[bit]" with 31 >= high >= low >= 0',
    }
)

Name = Annotated[str, StringConstraints(pattern=NAME)]
KernelName = Annotated[str, StringConstraints(pattern=KERNEL_NAME)]
StatusName = Annotated[str, StringConstraints(pattern=STATUS_NAME)]
SvName = Annotated[str, StringConstraints(pattern=SV_NAME)]
Text = Annotated[str, StringConstraints(min_length=1)]
CallerName = Literal["task", "handler", "idle"]


class Row(BaseModel):
    """Strict and immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def bits(text: str) -> tuple[int, int]:
    """`[7:0]` or `[4]` as (high, low)."""
    high, _, low = text.strip("[]").partition(":")
    return int(high), int(low or high)


def _check_bits(text: str) -> str:
    high, low = bits(text)
    if not 31 >= high >= low:
        raise PydanticCustomError("bits", "")
    return text


Op = Annotated[int, Field(ge=1, lt=USER_OPS)]  # op 0 is never used
BitRange = Annotated[str, StringConstraints(pattern=BIT_RANGE), AfterValidator(_check_bits)]


IdKind = Literal["none", "task", "semaphore", "interrupt", "event_flags", "queue", "mutex", "timer"]


class Command(Row):
    op: Op
    id: IdKind
    argument: dict[Name, BitRange]
    operand: dict[Name, Text] | None = Field(default=None, min_length=1, max_length=1)
    value: Text | None = None
    callers: list[CallerName] = Field(min_length=1)
    blocks: Literal["never", "always", "timeout", "operand"]
    status: list[StatusName]
    text: Text


class IrqAction(Row):
    value: int = Field(ge=0, le=7)
    object: Literal["none", "semaphore", "task", "event_flags", "queue"]
    text: Text


class Limits(Row):
    wakeups: int = Field(ge=1, le=15)
    semaphore_count: int = Field(ge=1, le=65535)
    locks: int = Field(ge=1, le=255)
    message_priorities: int = Field(ge=1, le=8)


class CommandsFile(Row):
    commands: dict[Name, Command]
    irq_action: dict[Name, IrqAction]
    limits: Limits


class Status(Row):
    value: int = Field(ge=-128, le=0)
    text: Text


class StatusFile(Row):
    status: dict[StatusName, Status]


class Answer(Row):
    dispatch_due: Literal[1]
    waiting: Literal[2]
    unsettled: Literal[4]


class Register(Row):
    offset: int = Field(ge=REGISTERS, le=LAST_REGISTER, multiple_of=4)
    access: Literal["ro", "rw"]
    value: int | None = Field(default=None, ge=0, le=WORD)
    text: Text


class RegisterArray(Row):
    """Registers of consecutive words. `first`, `last`: texts of the outermost ones; `text`: of the
    others, with `{i}` for the number of one and `{next}` for that of the next."""

    offset: int = Field(ge=REGISTERS, le=LAST_REGISTER, multiple_of=4)
    count: int = Field(ge=2, le=64)
    access: Literal["ro", "rw"]
    first: Text
    text: Text
    last: Text

    def register(self, index: int) -> Register:
        """One of them. It may lie outside the window: a rule says so (melanion/spec/rules.py)."""
        texts = {0: self.first, self.count - 1: self.last}
        text = self.text.replace("{i}", str(index)).replace("{next}", str(index + 1))
        return Register.model_construct(
            offset=self.offset + 4 * index,
            access=self.access,
            value=None,
            text=texts.get(index, text),
        )


class Query(Row):
    op: Op
    id: IdKind
    text: Text


Offset = Annotated[int, Field(ge=0, lt=0x100, multiple_of=4)]


class Port(Row):
    """The port decodes by wires: it has one layout (hw/bridges/mel_port.sv)."""

    base: Literal[0xFFFF_F800]
    bytes: Literal[2048]
    object_bits: Literal[8]
    packed: Literal[0x000]
    plain: Literal[0x100]
    registers: Literal[0x400]


class Banks(Row):
    """Words of hw/banks/mel_bank_switch.sv, which decodes them so; the frame is 128 bytes, a word
    for each register."""

    base: Literal[0xFFFF_FE00]
    switch: Offset
    switch_trap: Offset
    forget: Offset
    frame: Literal[0x100]


class UserOps(Row):
    """Numbers of commands that users add."""

    first: Literal[96]
    last: Literal[127]


class RegistersFile(Row):
    window_bytes: Literal[131072]
    user_ops: UserOps
    port: Port
    banks: Banks
    answer: Answer
    registers: dict[Name, Register]
    arrays: dict[Name, RegisterArray] = Field(default={}, exclude=True)
    queries: dict[Name, Query]
    task_state: dict[Name, Annotated[int, Field(ge=0, le=7)]]

    @model_validator(mode="after")
    def _with_arrays(self) -> Self:
        """Append the registers of `arrays`; a row of `registers` with such a name stays."""
        for name, array in self.arrays.items():
            for index in range(array.count):
                self.registers.setdefault(f"{name}_{index}", array.register(index))
        return self


class Parameter(Row):
    sv: SvName
    default: int = Field(ge=0)
    minimum: int = Field(ge=0)
    maximum: int = Field(ge=0, lt=1 << 64)
    unit: Text
    hash: bool
    step: int = Field(default=1, ge=1)
    needs: dict[Name, Annotated[list[int], Field(min_length=2, max_length=2)]] = {}
    text: Text | None = None

    @property
    def allowed(self) -> str:
        """Its values, for a reader."""
        if self.step == 1:
            return f"{self.minimum} … {self.maximum}"
        return ", ".join(map(str, range(self.minimum, self.maximum + 1, self.step)))


class Derived(Row):
    sv: SvName
    formula: Text
    unit: Text


class ParametersFile(Row):
    parameters: dict[Name, Parameter]
    derived: dict[Name, Derived]


Coupling = Literal["none", "bus", "port", "banked"]


PROTOTYPE = r"^mel_[a-z_]+\((void|\w+ \*?\w+(, \w+ \*?\w+)*)\)$"
PATTERN_WORDS[PROTOTYPE] = "a C function without its type, such as mel_timer_stop(mel_id_t timer)"

Prototype = Annotated[str, StringConstraints(pattern=PROTOTYPE)]


class Kernel(Row):
    coupling: Coupling
    implementations: dict[Name, Name]
    unit: bool
    timeout_order: Literal["most_urgent_first", "any"]
    lacks: list[Name] = []
    in_c: list[Name] = []
    replayed: bool = True
    text: Text


class Variant(Row):
    """A kernel that differs from another in these keys, and in implementations that it names."""

    of: KernelName
    coupling: Coupling | None = None
    implementations: dict[Name, Name] = {}
    text: Text


class KernelsFile(Row):
    functions: dict[Name, list[Prototype]] = {}
    meanings: dict[Name, Text] = {}
    kernels: dict[KernelName, Kernel]
    variants: dict[KernelName, Variant] = {}

    def rows(self) -> dict[str, tuple[str, Kernel]]:
        """All kernels by name, the variants filled in: (the kernel that each is of, its row)."""
        found = {name: (name, kernel) for name, kernel in self.kernels.items()}
        for name, variant in self.variants.items():
            base = self.kernels[variant.of]
            given = {
                "coupling": variant.coupling or base.coupling,
                "implementations": {**base.implementations, **variant.implementations},
                "text": variant.text,
            }
            found[name] = (variant.of, base.model_copy(update=given))
        return found


class Record(Row):
    cycle: Literal["u64"]
    kind: Literal["u8"]
    core: Literal["u8"]
    a: Literal["u16"]
    b: Literal["u32"]
    c: Literal["u32"]
    d: Literal["u32"]


class Event(Row):
    kind: int = Field(ge=1, le=255)
    source: Literal["kernel", "core", "device"] = Field(alias="from")
    a: Text
    b: Text
    c: Text
    d: Text
    text: Text


class Contexts(Row):
    task: Literal[0]
    handler: Literal[1]
    idle: Literal[2]
    unknown: Literal[3]


class TraceFile(Row):
    record: Record
    context: Contexts
    events: dict[Name, Event]
    exit_reason: dict[Name, Annotated[int, Field(ge=0, le=255)]]


class View(Row):
    """The view decodes by wires: it has one layout (hw/bridges/mel_booster.sv)."""

    base: Literal[0x200]
    bytes: Literal[0x100]
    processors: Literal[3]
    processor: Literal[0x10]
    shared: Literal[0x40]


class ServiceWord(Row):
    op: Literal["[31:26]"]
    id: Literal["[25:18]"]
    argument: Literal["[17:0]"]


class ViewRegister(Row):
    of: Literal["processor", "shared"]
    offset: Offset
    store: Name
    load: Name
    text: Text


class BoosterFile(Row):
    view: View
    word: ServiceWord
    registers: dict[Name, ViewRegister]
