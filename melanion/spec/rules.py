# SPDX-License-Identifier: Apache-2.0
"""Rules of `spec/` that concern several rows or files.

Each yields (file, key path, what is wrong and what to do).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from melanion.spec.facts import Spec
from melanion.spec.formula import FormulaError
from melanion.spec.formula import names as formula_names
from melanion.spec.schema import LAST_REGISTER, REGISTERS_OP, Command, KernelsFile, bits
from melanion.spec.yaml_file import KeyPath

Finding = tuple[str, KeyPath, str]

OTHERS = ("freertos",)  # kernels whose semantics the model does not know
INTERFACES = ("run_queue", "wait_queue", "lock", "ipi", "objects", "current")  # kernel/sources.yaml
FULL_ARGUMENT = "[31:0]"


def broken(spec: Spec) -> Iterator[Finding]:
    """Everything that is wrong between the rows."""
    yield from _statuses(spec)
    yield from _ops(spec)
    for name, command in spec.commands.commands.items():
        yield from broken_command(spec, name, command)
    yield from _numbers(spec)
    yield from _arrays(spec)
    yield from _parameters(spec)
    yield from _kernels(spec)
    yield from _view(spec)
    identity = spec.registers.registers.get("identity")
    if identity is None or identity.value is None:
        place: KeyPath = ("registers",) if identity is None else ("registers", "identity")
        rest = "has no `identity` register with a `value`; add one: boot code looks for it"
        yield "registers", place, rest


def _twice(file: str, numbers: Iterable[tuple[KeyPath, int]]) -> Iterator[Finding]:
    """Numbers that two rows share."""
    owners: dict[int, KeyPath] = {}
    for path, number in numbers:
        first = owners.setdefault(number, path)
        if first != path:
            owner = ".".join(str(step) for step in first)
            text = hex(number) if path[-1] == "offset" else str(number)
            rest = f"is {text}, which {owner} already has; use a number that no other has"
            yield file, path, rest


def _statuses(spec: Spec) -> Iterator[Finding]:
    rows = spec.status.status
    yield from _twice("status", ((("status", n, "value"), row.value) for n, row in rows.items()))
    if "E_OK" not in rows or rows["E_OK"].value != 0:
        yield (
            "status",
            ("status",),
            "has no E_OK with value 0; add it: a call that is done returns 0",
        )


def _ops(spec: Spec) -> Iterator[Finding]:
    commands = {("commands", name, "op"): row.op for name, row in spec.commands.commands.items()}
    queries = {("queries", name, "op"): row.op for name, row in spec.registers.queries.items()}
    yield from _twice("commands", commands.items())
    for file, ops in (("commands", commands), ("registers", queries)):
        for path, op in ops.items():
            if op == REGISTERS_OP:
                yield file, path, f"is {op}, where the registers stand; use another number"
    taken = {op: path[1] for path, op in commands.items()}
    for path, op in queries.items():
        if op in taken:
            rest = (
                f"is {op}, which the command {taken[op]} already has; use a number that"
                f" no other has"
            )
            yield "registers", path, rest
    yield from _twice("registers", queries.items())


def broken_command(spec: Spec, name: str, command: Command) -> Iterator[Finding]:
    """Everything that is wrong in one row of a command."""
    path: KeyPath = ("commands", name)
    for key, entries in (("callers", command.callers), ("status", command.status)):
        for place, entry in enumerate(entries):
            if entry in entries[:place]:
                yield (
                    "commands",
                    (*path, key, place),
                    f"is {entry!r} for the second time; remove it",
                )
    for place, status in enumerate(command.status):
        if status not in spec.status.status:
            rest = (
                f"is {status!r}; allowed are the names in spec/status.yaml; correct it"
                f" or add it there"
            )
            yield "commands", (*path, "status", place), rest
    used = 0
    for field, text in command.argument.items():
        high, low = bits(text)
        mask = (1 << high + 1) - (1 << low)
        if used & mask:
            rest = (
                f"is {text!r} and overlaps another field of this argument; give each bit"
                f" to one field"
            )
            yield "commands", (*path, "argument", field), rest
        used |= mask
    if command.blocks == "timeout" and list(command.argument.values()) != [FULL_ARGUMENT]:
        rest = (
            f"is 'timeout'; then the argument must be one field {FULL_ARGUMENT!r}, the"
            f" number of ticks"
        )
        yield "commands", (*path, "blocks"), rest
    if command.blocks == "operand" and list(command.operand or ()) != ["timeout"]:
        rest = "is 'operand'; then the operand must be `timeout`, the number of ticks; correct one"
        yield "commands", (*path, "blocks"), rest


def _numbers(spec: Spec) -> Iterator[Finding]:
    def of(file: str, table: str, key: str, rows: Mapping[str, int]) -> Iterator[Finding]:
        tail: KeyPath = (key,) if key else ()
        return _twice(file, (((table, name, *tail), number) for name, number in rows.items()))

    actions = {name: row.value for name, row in spec.commands.irq_action.items()}
    arrays = {
        f"{name}_{index}": name
        for name, array in spec.registers.arrays.items()
        for index in range(array.count)
    }
    offsets: Iterator[tuple[KeyPath, int]] = (
        (
            ("arrays", arrays[name], "offset") if name in arrays else ("registers", name, "offset"),
            row.offset,
        )
        for name, row in spec.registers.registers.items()
    )
    kinds = {name: row.kind for name, row in spec.trace.events.items()}
    yield from of("commands", "irq_action", "value", actions)
    yield from _twice("registers", offsets)
    yield from of("registers", "task_state", "", spec.registers.task_state)
    yield from of("trace", "events", "kind", kinds)
    yield from of("trace", "exit_reason", "", spec.trace.exit_reason)


def _arrays(spec: Spec) -> Iterator[Finding]:
    """Registers of an array: inside the window, under names of their own."""
    registers = spec.registers.registers
    for name, array in spec.registers.arrays.items():
        last = array.offset + 4 * (array.count - 1)
        if last > LAST_REGISTER:
            rest = f"puts the last register at {last:#x}; allowed is at most {LAST_REGISTER:#x}"
            yield "registers", ("arrays", name, "count"), f"{rest}; lower it"
        for index in range(array.count):
            own = f"{name}_{index}"
            if registers[own] != array.register(index):
                rest = f"has the register {own}, which `registers` has, too; rename one"
                yield "registers", ("arrays", name), rest


def _parameters(spec: Spec) -> Iterator[Finding]:
    parameters = spec.parameters.parameters
    owners: dict[str, KeyPath] = {}
    for table, rows in (("parameters", parameters), ("derived", spec.parameters.derived)):
        for name, row in rows.items():
            first = owners.setdefault(row.sv, (table, name))
            if first != (table, name):
                rest = (
                    f"is {row.sv!r}, which {'.'.join(map(str, first))} already has; use"
                    f" another name"
                )
                yield "parameters", (table, name, "sv"), rest
    for name, parameter in parameters.items():
        path: KeyPath = ("parameters", name)
        if parameter.minimum > parameter.maximum:
            rest = (
                f"is {parameter.minimum}; allowed is at most the maximum"
                f" {parameter.maximum}; correct one"
            )
            yield "parameters", (*path, "minimum"), rest
        elif not parameter.minimum <= parameter.default <= parameter.maximum:
            rest = (
                f"is {parameter.default}; allowed is {parameter.minimum} …"
                f" {parameter.maximum}; correct it"
            )
            yield "parameters", (*path, "default"), rest
        elif (parameter.default - parameter.minimum) % parameter.step:
            rest = f"is {parameter.default}; allowed is {parameter.allowed}; correct it"
            yield "parameters", (*path, "default"), rest
        for other in parameter.needs:
            if other not in parameters or not parameters[other].hash:
                rest = f"names {other}, which is no size of the unit; correct the name"
                yield "parameters", (*path, "needs", other), rest
    for name, derived in spec.parameters.derived.items():
        path = ("derived", name, "formula")
        try:
            used = formula_names(derived.formula)
        except FormulaError as error:
            rest = (
                f"is {derived.formula!r} and {error}; allowed are parameters, whole numbers, + - *"
            )
            yield "parameters", path, f"{rest}; correct it"
            continue
        for word in used:
            if word not in parameters:
                known = ", ".join(parameters)
                rest = f"is {derived.formula!r}; {word} is no parameter; known are {known}"
                yield "parameters", path, f"{rest}; correct it"


def _kernels(spec: Spec) -> Iterator[Finding]:
    known = {*spec.commands.commands, *spec.registers.queries, *spec.kernels.meanings}
    for name, kernel in spec.kernels.kernels.items():
        path: KeyPath = ("kernels", name)
        if kernel.unit and kernel.coupling == "none":
            rest = "is 'none'; a kernel with `unit: true` needs bus, port or banked; correct one"
            yield "kernels", (*path, "coupling"), rest
        if not kernel.implementations:
            rest = "is empty; a kernel names its implementations; add them"
            yield "kernels", (*path, "implementations"), rest
        for place, lacking in enumerate(kernel.lacks):
            if lacking not in known:
                rest = f"is {lacking!r}, which is no command, query or meaning; correct the name"
                yield "kernels", (*path, "lacks", place), rest
            elif lacking not in {*spec.kernels.functions, *spec.kernels.meanings}:
                rest = f"is {lacking!r}, for which no function stands; add it under `functions`"
                yield "kernels", (*path, "lacks", place), rest
        if not kernel.replayed and name not in OTHERS:
            rest = (
                f"is false; a kernel of ours is replayed, only {', '.join(OTHERS)} is not; remove"
                " the key"
            )
            yield "kernels", (*path, "replayed"), rest
        for place, kept in enumerate(kernel.in_c):
            if kept not in spec.parameters.parameters:
                rest = f"is {kept!r}, which is no parameter; correct the name"
                yield "kernels", (*path, "in_c", place), rest
        yield from _interfaces(path, kernel.implementations)
    yield from _variants(spec.kernels)


def _variants(file: KernelsFile) -> Iterator[Finding]:
    for name, variant in file.variants.items():
        path: KeyPath = ("variants", name)
        if name in file.kernels:
            yield "kernels", path, "is the name of a kernel, too; rename one of them"
        if variant.of not in file.kernels:
            some = ", ".join(file.kernels)
            rest = f"is {variant.of!r}; allowed is one of {some}; correct the name"
            yield "kernels", (*path, "of"), rest
        yield from _interfaces(path, variant.implementations)


def _interfaces(path: KeyPath, names: Iterable[str]) -> Iterator[Finding]:
    for name in names:
        if name not in INTERFACES:
            rest = f"is an unknown interface; known are {', '.join(INTERFACES)}; correct the name"
            yield "kernels", (*path, "implementations", name), rest


def _view(spec: Spec) -> Iterator[Finding]:
    """The register view of the booster: places of their own, and what the unit has."""
    rows = spec.booster.registers
    for kind in ("processor", "shared"):
        yield from _twice(
            "booster",
            ((("registers", n, "offset"), r.offset) for n, r in rows.items() if r.of == kind),
        )
    view, registers = spec.booster.view, spec.registers.registers
    sizes = {"processor": view.processor, "shared": view.bytes - view.shared}
    stores = {*spec.commands.commands, *(n for n, r in registers.items() if r.access == "rw")}
    known = {
        "store": stores | {"service", "none"},
        "load": {*registers, "answer", "microseconds", "none"},
    }
    for name, row in rows.items():
        if row.offset >= sizes[row.of]:
            rest = f"is {row.offset:#x}; allowed is less than {sizes[row.of]:#x}; correct it"
            yield "booster", ("registers", name, "offset"), rest
        for key, word in (("store", row.store), ("load", row.load)):
            if word not in known[key]:
                rest = f"is {word!r}, which the unit does not have as a {key}; correct the name"
                yield "booster", ("registers", name, key), rest
