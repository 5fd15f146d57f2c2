# SPDX-License-Identifier: Apache-2.0
"""Files of a program: memory contents for $readmemh, listing, symbols, SystemVerilog package."""

from __future__ import annotations

from melanion.micro.program import Program
from melanion.micro.tables import REGISTER_BASE, Tables
from melanion.spec import Spec
from melanion.spec.schema import IdKind
from typing import get_args

MARKER = "Generated from hw/micro/ by `python -m melanion.micro`. Do not edit: change hw/micro/ and run it again."
ID_KINDS = get_args(IdKind)
BLOCKS = ("never", "always", "timeout", "operand")
# Field names that are keywords of SystemVerilog, and what word_t calls them.
KEYWORDS = {"priority": "prio"}


def files(program: Program) -> dict[str, str]:
    """Name → text of all that a build reads."""
    return {
        "mel_program.hex": program_hex(program),
        "mel_check.hex": check_hex(program.tables),
        "mel_micro_pkg.sv": package(program.tables),
    }


def reports(program: Program) -> dict[str, str]:
    """Name → text of what a developer reads."""
    return {"mel_program.lst": listing(program), "mel_program.sym": symbols(program)}


def program_hex(program: Program) -> str:
    digits = (program.tables.width + 3) // 4
    return "".join(f"{value:0{digits}x}\n" for value in program.values)


def listing(program: Program) -> str:
    """Address, word, source, place; labels on lines of their own."""
    digits = (program.tables.width + 3) // 4
    names: dict[int, list[str]] = {}
    for name, address in program.symbols.items():
        names.setdefault(address, []).append(name)
    lines = []
    for address, word in sorted(program.words.items()):
        lines += [f"{name}:" for name in names.get(address, [])]
        lines.append(f"{address:03x} {word.encode():0{digits}x}  {word.text:<70} // {word.place}")
    return "\n".join([*lines, f"// {len(program.words)} of {program.tables.machine.words} words"]) + "\n"


def symbols(program: Program) -> str:
    rows = sorted((address, name) for name, address in program.symbols.items())
    return "".join(f"{address:03x} {name}\n" for address, name in rows)


def check_hex(tables: Tables) -> str:
    """Rows of the check table, index {write, in_registers, op or word of the register}."""
    widths = tables.machine.check.model_dump()
    digits = (sum(widths.values()) + 3) // 4
    lines = []
    for index in range(256):
        row, value = check_row(tables.spec, index), 0
        for name, width in widths.items():
            value = value << width | row[name]
        lines.append(f"{value:0{digits}x}\n")
    return "".join(lines)


def check_row(spec: Spec, index: int) -> dict[str, int]:
    """What is checked before a request begins."""
    write, in_registers, place = bool(index & 128), bool(index & 64), index & 63
    contexts = spec.trace.context.model_dump()
    everyone = sum(1 << contexts[name] for name in ("task", "handler", "idle"))
    row = {"answer": 0, "exists": 0, "kind": 0, "callers": everyone, "blocks": 0}
    if in_registers:
        offset = REGISTER_BASE + 4 * place
        found = [r for r in spec.registers.registers.values() if r.offset == offset]
        row["exists"] = int(any(not write or r.access == "rw" for r in found))
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


def camel(name: str) -> str:
    """not_flag → NotFlag."""
    return "".join(word.capitalize() for word in name.split("_"))


def package(tables: Tables) -> str:
    """mel_micro_pkg.sv."""
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// mel_micro_pkg: the fields of a microword, what their values mean, and the numbers of the",
        "// program: pages, devices, jobs, addresses where steps begin.",
        f"// {MARKER}",
        "package mel_micro_pkg;",
        "",
        "  // No single module uses every number.",
        "  // verilator lint_off UNUSEDPARAM",
        "",
        f"  localparam int unsigned WordWidth = {tables.width};",
        f"  localparam int unsigned ProgramWords = {tables.machine.words};",
    ]
    for name in tables.values:
        if tables.fields[name].values:
            lines += ["", *_enum(name, tables.fields[name].width, tables.values[name])]
    machine = tables.machine
    groups = (
        ("Page", "read_page", machine.pages),
        ("Index", "immediate", machine.indexes),
        ("Job", "immediate", machine.jobs),
        ("Register", "a", machine.registers),
        ("Device", "device", machine.device_operations),
        ("DeviceRead", "a", {n: row.number for n, row in machine.device_reads.items()}),
        ("DeviceTest", "position", machine.device_tests),
        ("Entry", "next", machine.entries),
        ("Entry", "next", {f"{n}s": v for n, v in machine.slots.model_dump().items()}),
    )
    for prefix, field, names in groups:
        if names:
            lines.append("")
        width = tables.fields[field].width
        for name, value in names.items():
            lines.append(f"  localparam logic [{width - 1}:0] {prefix}{camel(name)} = {width}'d{value};")
    lines += ["", "  // A microword, most significant field first.", "  typedef struct packed {"]
    for name, row in tables.fields.items():
        kind = f"{name}_e" if row.values else f"logic [{row.width - 1}:0]"
        kind = "logic" if kind == "logic [0:0]" else kind
        lines.append(f"    {kind} {KEYWORDS.get(name, name)};")
    lines += ["  } word_t;", "", "  // verilator lint_on UNUSEDPARAM", "", "endpackage"]
    return "\n".join(lines) + "\n"


def _enum(name: str, width: int, values: dict[str, int]) -> list[str]:
    rows = [f"    {camel(name)}{camel(value)} = {width}'d{number}" for value, number in values.items()]
    return [f"  typedef enum logic [{width - 1}:0] {{", ",\n".join(rows), f"  }} {name}_e;"]
