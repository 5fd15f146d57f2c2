# SPDX-License-Identifier: Apache-2.0
"""Reads the rows of `melanion compare … --json FILE`, and prints what one more waiting task costs.

    python results.py FILE

Standard library only; `pandas.DataFrame(flat(FILE))` makes a table of the same rows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import linear_regression
from typing import Any


def flat(file: Path) -> list[dict[str, Any]]:
    """The rows, each parameter a column of its own."""
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    return [{**row, **row["parameters"]} for row in rows]


def slopes(rows: Sequence[Mapping[str, Any]], over: str) -> dict[str, float]:
    """Kernel → cycles for each further one of `over`, by least squares through the medians."""
    return {
        kernel: linear_regression(
            [row[over] for row in rows if row["kernel"] == kernel],
            [row["median"] for row in rows if row["kernel"] == kernel],
        ).slope
        for kernel in dict.fromkeys(row["kernel"] for row in rows)
    }


def main() -> None:
    rows = flat(Path(sys.argv[1]))
    for kernel, slope in slopes(rows, "n").items():
        medians = [row["median"] for row in rows if row["kernel"] == kernel]
        print(f"{kernel:10} {slope:6.1f} cycles for each task ({medians[0]} … {medians[-1]})")


if __name__ == "__main__":
    main()
