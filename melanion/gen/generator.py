"""From the facts to the text of every generated file.

Pure: `files` returns names and texts, nothing is written.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import get_args

from jinja2 import Environment, PackageLoader, StrictUndefined

from melanion.spec import Spec
from melanion.spec.formula import names as formula_names
from melanion.spec.schema import IdKind, bits

MARKER = "Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again."

# Templates and what they make, relative to the root.
OUTPUTS = {
    "mel_pkg.sv.j2": "gen/sv/mel_pkg.sv",
    "mel_spec.h.j2": "gen/c/melanion/mel_spec.h",
    "mel_gen.py.j2": "gen/python/mel_gen/__init__.py",
    **{
        f"{page}.md.j2": f"docs/reference/{page}.md"
        for page in ("commands", "registers", "parameters", "trace", "kernels", "status")
    },
}

ID_KINDS = get_args(IdKind)
BLOCKS = ("never", "always", "timeout", "operand")


def files(spec: Spec) -> dict[str, str]:
    """Path (relative to the root, with slashes) → text."""
    environment = _environment()
    values = _values(spec)
    return {path: environment.get_template(name).render(values) for name, path in OUTPUTS.items()}


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
    environment = Environment(
        loader=PackageLoader("melanion.gen"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(
        quote=quote, cell=cell, dash=dash, wrapped=wrapped, formula_names=formula_names
    )
    environment.globals.update(camel=camel, snake=snake, bits=bits)
    return environment


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
        "marker": MARKER,
        "commands": commands,
        "ops": list(ops.values()),
        "identity": spec.registers.registers["identity"].value,
        "answer": spec.registers.answer.model_dump(),
        "contexts": spec.trace.context.model_dump(),
        "id_kinds": ID_KINDS,
        "blocks": BLOCKS,
        "by_callers": _grouped(callers),
        "by_id_kind": _grouped(numbered, without=ID_KINDS[0]),
        "by_blocks": _grouped(
            {ops[n]: row.blocks for n, row in commands.items()}, without=BLOCKS[0]
        ),
    }


def _grouped(
    rows: Mapping[str, str], without: str | None = None
) -> Iterable[tuple[str, list[str]]]:
    """Names by value, in order of first appearance."""
    groups: dict[str, list[str]] = {}
    for name, value in rows.items():
        if value != without:
            groups.setdefault(value, []).append(name)
    return list(groups.items())
