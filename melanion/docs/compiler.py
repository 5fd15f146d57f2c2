# SPDX-License-Identifier: Apache-2.0
"""Compiler of the asserted figures: machine code and cycles depend on it."""

from __future__ import annotations

from melanion.build import tools
from melanion.docs.errors import DocsError
from melanion.doctor.needs import RISCV_GCC_ASSERTED


def is_asserted() -> bool:
    """The installed one is that of the documents."""
    return f" {RISCV_GCC_ASSERTED}" in tools.version(tools.CROSS_GCC)


def require(what: str, done: str) -> None:
    """Raise DocsError with another compiler. `what` is of the asserted one, and nothing was
    `done`."""
    if not is_asserted():
        have = tools.version(tools.CROSS_GCC)
        raise DocsError(
            f"the compiler is {have}; {what} are those of {RISCV_GCC_ASSERTED}, so nothing was"
            f" {done}. Install that version."
        )
