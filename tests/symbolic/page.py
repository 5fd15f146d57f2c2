# SPDX-License-Identifier: Apache-2.0
"""docs/reference/program-proofs.md: which commands are proved against the model. `python -m
tests.symbolic.page` writes it."""

from __future__ import annotations

from pathlib import Path

from melanion import paths
from melanion.spec import Spec, load
from tests.symbolic.commands import PROVED

PAGE = Path("docs", "reference", "program-proofs.md")
HEAD = """<!-- Made by `python -m tests.symbolic.page`. Do not edit. -->
# Proofs of the microprogram

The program of a command is executed symbolically from the `idle` word to the next, over all paths,
with free contents of all memories, and compared with the functions of `melanion/model` on the same
state: status or word, fields of all tasks and objects, the operations on every list in their order,
the core, expiries. Demanded besides: whoever uses a list keeps its contract, no word reads behind a
store to the same address, and the invariants that the proof begins with hold at the end.
Tasks, objects and priorities may be any number; there is one core. The list engines are proved on
their own ([proofs](proofs.md)): here a list is a sequence.
Not part of it: interrupts and background jobs, accounts of cycles, several cores, the trace.
Code and mutants: [tests/symbolic](../../tests/symbolic/__init__.py).
"""


def page(spec: Spec) -> str:
    """The page's text."""
    names = [*spec.commands.commands, *spec.registers.queries]
    lines = [HEAD, "| command or query | proved |", "|---|---|"]
    for name in names:
        lines.append(f"| {name} | {PROVED.get(name) or 'all'} |" if name in PROVED
                     else f"| {name} | not yet |")  # fmt: skip
    counted = sum(name in PROVED for name in names)
    lines += ["", f"{counted} of {len(names)}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    (paths.data_root() / PAGE).write_text(page(load()), encoding="utf-8")
