# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/howto/add-a-command.md: the numbers of commands and queries that are taken."""

from __future__ import annotations

from melanion import paths
from melanion.spec import load
from melanion.spec.schema import OPS


def numbers() -> str:
    """Numbers available, used and free."""
    spec = load(paths.data_root() / "spec")
    taken = {row.op for row in spec.commands.commands.values()}
    asked = {row.op for row in spec.registers.queries.values()}
    free = sorted(set(range(1, OPS)) - taken - asked)
    left = ", ".join(map(str, free)) if free else "none"
    return (
        f"The command region has room for {OPS - 1} numbers: {len(taken)} commands and"
        f" {len(asked)} queries use {len(taken | asked)} of them. Free: {left}.\n"
    )
