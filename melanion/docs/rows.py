# SPDX-License-Identifier: Apache-2.0
"""Asserted rows: the files of tests/ that tests compare to the cycle, or to the gate."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from melanion import paths
from melanion.measure.rows import Parameters, Row

ASSERTED = paths.data_root() / "tests" / "asserted"
AREA = "rtu-area"
FILES = {  # experiment → its file
    **{path.stem.removesuffix("_cycles"): path for path in sorted(ASSERTED.glob("*_cycles.csv"))},
    AREA: ASSERTED / f"{AREA}_gates.csv",
}
# Rows of `latency`, `cores` and `calls` on the unit that the microprogrammed one replaced
# (docs/decisions/0034): they cannot be measured again.
REPLACED = ASSERTED / "replaced_unit.csv"
# Systems that the pages of all calls show.
KERNELS = ("sw", "hwrtos", "port", "banked")

Line = dict[str, str]


def lines_of(text: str) -> list[Line]:
    """Lines of a CSV file by the names in its first."""
    return list(csv.DictReader(io.StringIO(text)))


def lines(path: Path) -> list[Line]:
    """Lines of a CSV file."""
    return lines_of(path.read_text(encoding="utf-8"))


def read(path: Path) -> list[Row]:
    """Rows of a file, as an experiment gives them."""
    return [
        Row(
            experiment=line["experiment"],
            kernel=line["kernel"],
            metric=line["metric"],
            parameters=_parameters(line["parameters"]),
            unit=line["unit"],
            **{key: int(line[key]) for key in ("n", "min", "median", "p99", "max")},
        )
        for line in lines(path)
    ]


def _parameters(text: str) -> Parameters:
    """`n=8 which=first`."""
    pairs = (word.split("=") for word in text.split())
    return {key: int(value) if value.isdecimal() else value for key, value in pairs}


def text_of(lines: list[Line]) -> str:
    """A CSV file of lines, at least one, all with the names of the first."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return stream.getvalue()
