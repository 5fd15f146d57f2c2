# SPDX-License-Identifier: Apache-2.0
"""Block of docs/explanation/deadlock.md: one request by the deadlock detection unit and by C. The
rows are those that tests assert; nothing is measured here."""

from __future__ import annotations

from melanion.claims import load
from melanion.docs.rows import FILES, lines
from melanion.docs.table import number, table

EXPERIMENT = "deadlock"
HEADS = {"unit": "unit", "reduce": "same algorithm in C", "walk": "walk in C"}


def cycles() -> str:
    """A line per system, shape and number of processes, a column per way of detection."""
    found = {
        (line["kernel"], line["metric"], line["parameters"]): int(line["max"])
        for line in lines(FILES[EXPERIMENT])
    }
    rows = []
    for kernel in dict.fromkeys(kernel for kernel, _, _ in found):
        parameters = load(EXPERIMENT).metrics["unit"].parameters
        for shape in parameters["shape"]:
            for processes in parameters["processes"]:
                label = f"shape={shape} processes={processes}"
                values = (number(found[kernel, metric, label]) for metric in HEADS)
                rows.append([f"`{kernel}`", str(shape), str(processes), *values])
    return table("llr", ("system", "shape", "processes", *HEADS.values()), rows)
