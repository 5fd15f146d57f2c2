# SPDX-License-Identifier: Apache-2.0
"""C of a user's commands: `mel_commands.h` for his program, and the functions that it declares."""

from __future__ import annotations

from mel_gen import IdKind

from melanion.spec.own import OwnCommand, OwnCommands
from melanion.spec.schema import bits

HEADER, SOURCE = "mel_commands.h", "mel_commands.c"
_LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */\n"
_MADE = "Made from the file that the configuration names in `commands`; do not edit."


def header(own: OwnCommands) -> str:
    """Declarations, and what each does."""
    guard = HEADER.upper().replace(".", "_")
    text = f"{_LICENCE}/* {HEADER}: calls of the user's own commands. {_MADE} */\n"
    text += f"#ifndef {guard}\n#define {guard}\n\n#include <melanion/melanion.h>\n"
    for name, row in own.rows.items():
        text += f"\n/* {row.text} */\n{_prototype(name, row)};\n"
    text += (
        "\n/* Any of them by its number; *value is written when the call brings one. */\n"
        "mel_status_t mel_command(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand,"
        " uint32_t *value);\n"
        "\n/* Whether a call that ends with E_OK brings a word. */\n"
        "bool mel_command_brings(uint32_t op);\n"
    )
    return f"{text}\n#endif\n"


def source(own: OwnCommands) -> str:
    """Their functions, for the coupling of the system."""
    text = f"{_LICENCE}/* {SOURCE}: calls of the user's own commands. {_MADE} */\n"
    text += f'#include "unit/unit.h"\n\n#include <{HEADER}>\n'
    for name, row in own.rows.items():
        text += f"\n{_prototype(name, row)}\n{{\n{_body(row)}}}\n"
    text += (
        "\nmel_status_t mel_command(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand,"
        " uint32_t *value)\n{\n    switch (op) {\n"
    )
    for row in own.rows.values():
        text += f"    case {row.op}:\n"
        text += "        mel_unit_operand(operand);\n" if row.operand else ""
        text += f"        return {_call(row, 'id', 'argument', 'value')};\n"
    text += "    default:\n        (void)id, (void)argument, (void)operand, (void)value;\n"
    text += "        return MEL_E_RSFN;\n    }\n}\n"
    brings = [f"op == {row.op}" for row in own.rows.values() if row.value]
    text += "\nbool mel_command_brings(uint32_t op)\n{\n    (void)op;\n"
    return f"{text}    return {' || '.join(brings) or 'false'};\n}}\n"


def _prototype(name: str, row: OwnCommand) -> str:
    words = [f"mel_id_t {row.id}"] if row.id != IdKind.NONE.value else []
    words += [f"uint32_t {field}" for field in row.argument]
    words += [f"uint32_t {operand}" for operand in row.operand or ()]
    words += ["uint32_t *value"] if row.value else []
    return f"mel_status_t mel_{name}({', '.join(words) or 'void'})"


def _body(row: OwnCommand) -> str:
    text = "".join(f"    mel_unit_operand({operand});\n" for operand in row.operand or ())
    fields = []
    for field, place in row.argument.items():
        high, low = bits(place)
        mask = (1 << high - low + 1) - 1
        one = field if mask == 0xFFFF_FFFF else f"({field} & {mask:#x}u)"
        fields.append(f"{one} << {low}" if low else one)
    number = row.id if row.id != IdKind.NONE.value else "0"
    return f"{text}    return {_call(row, number, ' | '.join(fields) or '0', 'value')};\n"


def _call(row: OwnCommand, number: str, argument: str, value: str) -> str:
    """A number that the unit does not have stays one: 255 at most."""
    words = f"{row.op}, mel_unit_limit({number}), {argument}"
    return f"mel_unit_call_value({words}, {value})" if row.value else f"mel_unit_call({words})"
