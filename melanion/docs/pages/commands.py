# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/howto/add-a-command.md and add-your-own-command.md: numbers of commands and
queries that are taken; the files of the example of a user."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from melanion import paths
from melanion.spec import load
from melanion.spec.schema import REGISTERS_OP, USER_OPS


def numbers() -> str:
    """Numbers available, used and free."""
    spec = load(paths.data_root() / "spec")
    taken = {row.op for row in spec.commands.commands.values()}
    asked = {row.op for row in spec.registers.queries.values()}
    free = sorted({*range(1, USER_OPS)} - {REGISTERS_OP} - taken - asked)
    left = ", ".join(_spans(free)) if free else "none"
    return (
        f"The command region has room for {USER_OPS - 2} numbers: {len(taken)} commands and"
        f" {len(asked)} queries use {len(taken | asked)} of them. Free: {left}.\n"
    )


def own() -> str:
    """Files of apps/examples/rendezvous, and their lines."""
    folder = paths.data_root() / "apps" / "examples" / "rendezvous"
    names = ["commands.yaml", "rendezvous.mu", "rendezvous.py"]
    names += sorted(str(path.relative_to(folder)) for path in folder.glob("scenarios/*.yaml"))
    rows = [(name, (folder / name).read_text(encoding="utf-8").count("\n")) for name in names]
    text = "| file | lines |\n|---|--:|\n"
    text += "".join(f"| `{name}` | {lines} |\n" for name, lines in rows)
    return f"{text}| together | {sum(lines for _, lines in rows)} |\n"


def _spans(numbers: list[int]) -> Iterator[str]:
    """Sorted numbers, with `first … last` for those in a row."""
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        row = [number for _, number in group]
        yield str(row[0]) if len(row) == 1 else f"{row[0]} … {row[-1]}"
