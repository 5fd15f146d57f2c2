# SPDX-License-Identifier: Apache-2.0
"""From the facts to the text of every generated file.

`files` returns names and texts, nothing is written. The microprogram's come from hw/micro.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import get_args

from jinja2 import Environment, PackageLoader

from melanion import micro
from melanion.micro import output
from melanion.spec import Spec
from melanion.spec.formula import names as formula_names
from melanion.spec.schema import OP_BYTES, REGISTERS_OP, IdKind, bits
from melanion.templates import environment

MARKER = "Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again."

# Templates and what they make, relative to the root.
OUTPUTS = {
    "mel_pkg.sv.j2": "gen/sv/mel_pkg.sv",
    "mel_sizes_check.sv.j2": "gen/sv/mel_sizes_check.sv",
    "mel_booster_pkg.sv.j2": "gen/sv/mel_booster_pkg.sv",
    "mel_spec.h.j2": "gen/c/melanion/mel_spec.h",
    "mel_booster.h.j2": "gen/c/melanion/mel_booster.h",
    "mel_gen.py.j2": "gen/python/mel_gen/__init__.py",
    "mel_lock_pkg.sv.j2": "gen/sv/mel_lock_pkg.sv",
    "mel_lock_cache.h.j2": "gen/c/melanion/mel_lock_cache.h",
    "lock_cache.py.j2": "gen/python/mel_gen/lock_cache.py",
    **{
        f"{page}.md.j2": f"docs/reference/{page}.md"
        for page in (
            *("commands", "registers", "parameters", "trace", "kernels", "status"),
            *("lock_cache", "booster_registers"),
        )
    },
}
# Templates of a component, and what they make for each.
COMPONENT_OUTPUTS = {
    "component_pkg.sv.j2": "gen/sv/mel_{}_pkg.sv",
    "component.h.j2": "gen/c/melanion/mel_{}.h",
    "component.py.j2": "gen/python/mel_gen/{}.py",
    "component.md.j2": "docs/reference/{}.md",
}

VIEW_SLOTS = 16  # registers of the booster's view that a core reaches, at most
ID_KINDS = get_args(IdKind)
BLOCKS = ("never", "always", "timeout", "operand")


def files(spec: Spec) -> dict[str, str]:
    """Path (relative to the root, with slashes) → text. Raises MicroError."""
    made = _environment()
    values = _values(spec)
    found = {path: made.get_template(name).render(values) for name, path in OUTPUTS.items()}
    for component, facts in spec.components.items():
        digest = spec.component_hash(component)
        for name, path in COMPONENT_OUTPUTS.items():
            text = made.get_template(name).render(
                values, component=component, facts=facts, facts_hash=digest
            )
            found[path.format(component)] = text
    stubs = made.get_template("lacks.c.j2")
    for kernel, functions in _lacking(spec).items():
        found[f"gen/c/lacks/{kernel}.c"] = stubs.render(values, kernel=kernel, functions=functions)
    return found | output.files(
        micro.assemble(spec=spec),
        micro.assemble_lean(spec=spec),
        micro.assemble_lanes(spec=spec),
    )


def camel(name: str) -> str:
    """task_create → TaskCreate, E_TMOUT → ETmout."""
    return "".join(word.capitalize() for word in name.split("_"))


def snake(name: str) -> str:
    """TickCyclesMin → tick_cycles_min."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def quote(text: str) -> str:
    """A Python string literal as ruff formats it."""
    return json.dumps(text, ensure_ascii=False)


def cell(text: str) -> str:
    """A text in a Markdown table."""
    return text.replace("|", "\\|")


def dash(text: str) -> str:
    """`none` and `unused` as a table shows them."""
    return "–" if text in ("none", "unused") else text


def wrapped(names: Iterable[str]) -> str:
    """Case labels, six blanks deep after the first line."""
    return textwrap.fill(", ".join(names), 94).replace("\n", "\n      ")


def _environment() -> Environment:
    made = environment(PackageLoader("melanion.gen"))
    made.filters.update(
        quote=quote, cell=cell, dash=dash, wrapped=wrapped, formula_names=formula_names
    )
    made.globals.update(camel=camel, snake=snake, bits=bits)
    return made


def _values(spec: Spec) -> dict[str, object]:
    commands = spec.commands.commands
    ops = {name: f"Op{camel(name)}" for name in commands}
    numbered = {ops[name]: row.id for name, row in commands.items()} | {
        f"Query{camel(name)}": row.id for name, row in spec.registers.queries.items()
    }
    callers = {
        ops[name]: "".join("01"[c in row.callers] for c in ("task", "handler", "idle"))
        for name, row in commands.items()
    }
    return {
        "spec": spec,
        "offset_bits": _offset_bits(spec),
        "registers_op": REGISTERS_OP,
        "registers_end": (REGISTERS_OP + 1) * OP_BYTES,
        "locks": spec.lock_cache,
        "sizes": {n: row for n, row in spec.parameters.parameters.items() if row.hash},
        "marker": MARKER,
        "commands": commands,
        "ops": list(ops.values()),
        "identity": spec.registers.registers["identity"].value,
        "answer": spec.registers.answer.model_dump(),
        "contexts": spec.trace.context.model_dump(),
        "id_kinds": ID_KINDS,
        "blocks": BLOCKS,
        "by_callers": _grouped(callers),
        "view_slots": _view_slots(spec),
        "own_view": [n for n, row in spec.booster.registers.items() if row.of == "processor"],
        "by_id_kind": _grouped(numbered, without=ID_KINDS[0]),
        "by_blocks": _grouped(
            {ops[n]: row.blocks for n, row in commands.items()}, without=BLOCKS[0]
        ),
    }


def _offset_bits(spec: Spec) -> int:
    """Bits of an offset in the window."""
    return (spec.registers.window_bytes - 1).bit_length()


def _lacking(spec: Spec) -> dict[str, list[tuple[str, list[str]]]]:
    """Kernel → the functions that it lacks, as C declares them, each with the names of its
    parameters. Kernels that lack none are left out."""
    table = spec.kernels.functions
    return {
        name: [
            (each, re.findall(r"[ *](\w+)[,)]", each))
            for word in table
            if word in kernel.lacks
            for each in table[word]
        ]
        for name, kernel in spec.kernels.kernels.items()
        if not set(table).isdisjoint(kernel.lacks)
    }


def _view_slots(spec: Spec) -> list[tuple[str, str | None, str | None]]:
    """Slots of the booster's view, by word, those of a processor before the shared ones: name, and
    the window offset, as SystemVerilog, that a store and a load of it become (None: illegal)."""
    view, registers = spec.booster.view, spec.registers.registers
    own = view.processor // 4
    width = _offset_bits(spec)
    slots: list[tuple[str, str | None, str | None]] = [("none", None, None)] * VIEW_SLOTS

    def target(word: str, store: bool) -> str | None:
        if word in ("none", "microseconds", "service"):
            return None
        if word == "answer":
            return f"{width}'h00000"
        if store and word in spec.commands.commands:
            return f"{width}'h{spec.commands.commands[word].op << 10:05X}"
        return f"{width}'h{registers[word].offset:05X}"

    for name, row in spec.booster.registers.items():
        place = row.offset // 4 + (own if row.of == "shared" else 0)
        slots[place] = (name, target(row.store, True), target(row.load, False))
    return slots


def _grouped(
    rows: Mapping[str, str], without: str | None = None
) -> Iterable[tuple[str, list[str]]]:
    """Names by value, in order of first appearance."""
    groups: dict[str, list[str]] = {}
    for name, value in rows.items():
        if value != without:
            groups.setdefault(value, []).append(name)
    return list(groups.items())
