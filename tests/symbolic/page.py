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

This page is for readers who want to know which commands of the microprogram are proved.
The program of a command is executed symbolically from one `idle` word to the next, over all paths,
with arbitrary contents of all memories. The result is compared with the functions of
`melanion/model` on the same state: status or word, fields of all tasks and objects, the operations
on every list in their order, the core, and expiries. The proof also checks that every use of a list
keeps its contract, that no word reads too early after a store to the same address, and that the
invariants assumed at the beginning hold at the end.
The numbers of tasks, objects and priorities are arbitrary; there is one core. The list engines are
proved separately ([proofs](proofs.md)): here a list is a sequence.
Interrupts, background jobs, accounts of cycles, several cores and the trace are not covered.
[tests/symbolic](../../tests/symbolic/__init__.py) has the code and the mutants.
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
