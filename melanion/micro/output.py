# SPDX-License-Identifier: Apache-2.0
"""Files that hardware is built from: the packages of fields and of the program; and memory contents
for $readmemh, for a program under work."""

from __future__ import annotations

from typing import get_args

from jinja2 import PackageLoader

from melanion.micro.program import Program
from melanion.micro.tables import Tables
from melanion.spec import Spec
from melanion.spec.schema import REGISTERS, IdKind
from melanion.templates import environment

MARKER = (
    "Generated from spec/ by `melanion gen`. Do not edit:"
    " change hw/micro/ or spec/ and run it again."
)
ID_KINDS = get_args(IdKind)
BLOCKS = ("never", "always", "timeout", "operand")
CHECK_ROWS = 512


def files(program: Program, lean: Program, lanes: Program) -> dict[str, str]:
    """Path (relative to the root, with slashes) → text, of the whole program, the lean one, and
    that of units with lanes for event flags."""
    return {
        "gen/sv/mel_micro_pkg.sv": package(program.tables),
        "gen/sv/mel_program_pkg.sv": program_package(program, lean, lanes),
    }


def memories(program: Program) -> dict[str, str]:
    """Name → memory contents, which a simulation reads when it starts (MEL_PROGRAM)."""
    return {"mel_program.hex": program_hex(program)}


def program_package(program: Program, lean: Program, lanes: Program) -> str:
    """mel_program_pkg.sv."""
    width = program.tables.size_width + program.tables.width
    return (
        environment(PackageLoader("melanion.micro"))
        .get_template("mel_program_pkg.sv.j2")
        .render(
            marker=MARKER,
            words=[f"{width}'h{value:x}" for value in program.values],
            lean_words=[f"{width}'h{value:x}" for value in lean.values],
            lanes_words=[f"{width}'h{value:x}" for value in lanes.values],
            width=width,
            size_width=program.tables.size_width,
            checks=[
                f"{check_width(program.tables)}'h{row:x}" for row in check_rows(program.tables)
            ],
            check_width=check_width(program.tables),
            kinds=kinds(program.tables.spec),
            held=held_back(program.tables),
            fields=", ".join(
                f"{n} {w}" for n, w in program.tables.machine.check.model_dump().items()
            ),
        )
    )


def program_hex(program: Program) -> str:
    """The program store, a line per word: the number of a size, and the word."""
    tables = program.tables
    width = tables.size_width + tables.width
    return _hex("The program of the microprogrammed unit", program.values, width)


def check_width(tables: Tables) -> int:
    """Bits of a row of the check table."""
    return sum(tables.machine.check.model_dump().values())


def check_rows(tables: Tables) -> list[int]:
    """The check table. Index: {write, in_registers, op or word of the register}."""
    values = []
    for index in range(CHECK_ROWS):
        row, value = check_row(tables.spec, index), 0
        for name, width in tables.machine.check.model_dump().items():
            value = value << width | row[name]
        values.append(value)
    return values


def kinds(spec: Spec) -> dict[str, list[str]]:
    """Kinds of the number in an address, with the names of the commands and queries of each."""
    ops = {row.op: row.id for row in spec.commands.commands.values()}
    ops |= {row.op: row.id for row in spec.registers.queries.values()}
    found: dict[str, list[str]] = {}
    for op, kind in ops.items():
        if kind != ID_KINDS[0]:
            found.setdefault(camel(kind), []).append(f"7'd{op}")
    return found


def held_back(tables: Tables) -> list[str]:
    """Ops of the commands that wait while a set of flags or a chain of owners goes on."""
    commands, own = tables.spec.commands.commands, tables.spec.registers.user_ops
    ops = [f"7'd{commands[name].op}" for name in tables.machine.held_back]
    return [*ops, f"[7'd{own.first}:7'd{own.last}]"]


def _hex(text: str, values: list[int], width: int) -> str:
    """Memory contents for $readmemh, which allows comments."""
    digits = (width + 3) // 4
    rows = "".join(f"{value:0{digits}x}\n" for value in values)
    return f"// {text}, a word per line.\n// {MARKER}\n{rows}"


def check_row(spec: Spec, index: int) -> dict[str, int]:
    """Return the facts of a request that are known before its program begins."""
    write, in_registers, place = bool(index & 256), bool(index & 128), index & 127
    contexts = spec.trace.context.model_dump()
    everyone = sum(1 << contexts[name] for name in ("task", "handler", "idle"))
    row = {"answer": 0, "exists": 0, "kind": 0, "callers": everyone, "blocks": 0}
    if in_registers:
        offset = REGISTERS + 4 * place
        found = [each for each in spec.registers.registers.values() if each.offset == offset]
        row["exists"] = int(any(not write or each.access == "rw" for each in found))
        return row
    if write:
        for command in spec.commands.commands.values():
            if command.op == place:
                row["exists"] = 1
                row["kind"] = ID_KINDS.index(command.id)
                row["callers"] = sum(1 << contexts[name] for name in command.callers)
                row["blocks"] = BLOCKS.index(command.blocks)
        return row
    for query in spec.registers.queries.values():
        if query.op == place:
            return row | {"exists": 1, "kind": ID_KINDS.index(query.id)}
    return row | {"answer": 1, "exists": 1}


def package(tables: Tables) -> str:
    """mel_micro_pkg.sv."""
    machine = tables.machine
    width = {name: row.width for name, row in tables.fields.items()}
    reads = {name: row.number for name, row in machine.device_reads.items()}
    size_width = tables.size_width
    slots = {f"{name}s": base for name, base in machine.slots.model_dump().items()}
    groups = (
        ("Pages of the state store.", "Page", width["read_page"], machine.pages),
        ("Places in a page.", "Index", width["immediate"], machine.indexes),
        ("Registers of the file.", "Register", width["a"], machine.registers),
        ("Sizes of the unit, which it puts into `constant`.", "Size", size_width, machine.sizes),
        ("Operations of devices.", "Device", width["device"], machine.device_operations),
        ("What devices say: operand A.", "DeviceRead", width["a"], reads),
        ("Tests of devices: position.", "DeviceTest", width["position"], machine.device_tests),
        ("Jobs of the background.", "Job", width["immediate"], machine.jobs),
        ("Addresses where steps begin.", "Entry", width["next"], {**machine.entries, **slots}),
    )
    made = environment(PackageLoader("melanion.micro"))
    made.globals.update(camel=camel)
    return made.get_template("mel_micro_pkg.sv.j2").render(
        marker=MARKER,
        machine=machine,
        lean_words=tables.lean_words,
        fields=tables.fields,
        groups=groups,
        types={name: _type(tables, name) for name in tables.fields},
    )


def _type(tables: Tables, name: str) -> str:
    row = tables.fields[name]
    if row.values:
        return f"{name}_e"
    return "logic" if row.width == 1 else f"logic [{row.width - 1}:0]"


def camel(name: str) -> str:
    """not_flag → NotFlag."""
    return "".join(word.capitalize() for word in name.split("_"))
