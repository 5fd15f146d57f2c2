# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.litex.measure` writes tests/asserted/litex.csv: cycles of a software kernel and
of the unit in a SoC that LiteX made. `python -m melanion.docs` then writes docs/howto/litex.md."""

from __future__ import annotations

import tempfile
from pathlib import Path

from melanion.docs import litex
from melanion.docs.rows import Line, text_of
from tests.litex.environment import KERNELS, demo, measured


def rows() -> list[Line]:
    """The lines of the file, measured."""
    found = []
    for kernel in KERNELS:
        with tempfile.TemporaryDirectory(prefix="melanion-litex-") as folder:
            figures = measured(demo(Path(folder), kernel, "latency"))
        found += [
            {"kernel": kernel, "measure": name, "cycles": str(value)}
            for name, value in figures.items()
        ]
    return found


if __name__ == "__main__":
    litex.FILE.write_text(text_of(rows()), encoding="utf-8")
