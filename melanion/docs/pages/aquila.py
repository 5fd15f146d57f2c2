# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/aquila.md: the two tables of the report with our kernels beside them,
its contradictions, and the verdicts; from the files of cycles that tests assert. The paper's
numbers are those of the claims."""

from __future__ import annotations

from melanion.claims.claim import Claim
from melanion.claims.reference import load_references
from melanion.claims.result import Result
from melanion.docs.pages import reproduced
from melanion.docs.table import NONE, codes, number, table
from melanion.measure.rows import Parameters, Row

SEED = "aquila"
CORES = {"VexRiscv": "-vexriscv", "Ibex": ""}  # and how its systems' names end
LOCKS = ("critical", "peterson", "amoswap", "filter", "semaphore", "mutex")


def notes() -> str:
    """Contradictions in the report."""
    (reference,) = load_references(SEED)
    return "".join(f"* {note}\n" for note in reference.notes)


def switches() -> str:
    """Table I: of each quantum the average, smallest and largest cycles, the switches and their
    instructions; a table a core."""
    found = reproduced.result("aquila-switch")
    parts = []
    for core, kernels in _by_core(found).items():
        rows = []
        for quantum in found.definition.metrics["switch"].parameters["quantum"]:
            at: Parameters = {"quantum": quantum}
            cells = [f"{quantum} ms", _paper_switch(found, quantum)]
            for kernel in kernels:
                each, average, count, instructions = (
                    _row(found, kernel, name, at)
                    for name in ("switch", "average", "count", "instructions")
                )
                words = f"**{average.max}** · {each.min} · {each.max} · {count.max} × "
                cells.append(words + str(instructions.max))
            rows.append(cells)
        parts.append((core, table("lr", _heads("quantum", kernels), rows)))
    return _cores(parts)


def _paper_switch(found: Result, quantum: int | str) -> str:
    """Paper's numbers in the claims about this quantum."""
    numbers: dict[tuple[str, str], float | None] = {
        (claim.metric, claim.rules[0].statistic): claim.paper
        for claim in found.definition.claims
        if claim.by == "paper"
        and claim.rules[0].where.get("quantum") == quantum
        and claim.rules[0].quantity == "value"
        and claim.metric in ("average", "switch")
    }
    average, least, most = (
        f"{numbers[key]:.0f}" for key in (("average", "max"), ("switch", "min"), ("switch", "max"))
    )
    return f"**{average}** · {least} · {most}"


def totals() -> str:
    """Cycles of both tasks by quantum, and those over the ones of the longest quantum."""
    found = reproduced.result("aquila-switch")
    quanta = found.definition.metrics["switch"].parameters["quantum"]
    rows = []
    for kernel in found.kernels:
        values = [_row(found, kernel, "total_cycles", {"quantum": each}).max for each in quanta]
        cells = [f"{number(value)} ({value / values[-1]:.3f})" for value in values]
        rows.append((f"`{kernel}`", *cells))
    return table("lr", ("kernel", *(f"{quantum} ms" for quantum in quanta)), rows)


def locks() -> str:
    """Table II: of each lock the average, smallest and largest cycles; a table a core."""
    found = reproduced.result("aquila-sync")
    parts = []
    for core, kernels in _by_core(found).items():
        rows = []
        for lock in LOCKS:
            metric = found.definition.metrics[lock]
            for parameters in metric.combinations:
                tasks = f", n = {parameters['tasks']}" if "tasks" in parameters else ""
                cells = [f"{metric.title}{tasks}: {parameters['step']}"]
                cells.append(_paper_lock(found, lock, parameters))
                cells += [_lock(found, kernel, lock, parameters) for kernel in kernels]
                rows.append(cells)
        parts.append((core, table("lr", _heads("", kernels), rows)))
    return _cores(parts)


def _lock(found: Result, kernel: str, lock: str, parameters: Parameters) -> str:
    each = found.find(kernel, lock, parameters)
    if each is None:
        return NONE
    summed = _row(found, kernel, f"{lock}_sum", parameters)
    return f"**{summed.max / each.row.n:.3f}** · {each.row.min} · {each.row.max}"


def _paper_lock(found: Result, lock: str, parameters: Parameters) -> str:
    """Its sum over the number of times, which the claim's metric has, too."""
    for claim in found.definition.claims:
        if _printed(claim, lock, parameters) and claim.paper is not None:
            times = found.definition.metrics[lock].samples
            return f"**{claim.paper / times:.3f}**"
    return NONE


def _printed(claim: Claim, lock: str, parameters: Parameters) -> bool:
    return claim.metric == f"{lock}_sum" and claim.rules[0].where == parameters


# ---- tables --------------------------------------------------------------------------------------


def _by_core(found: Result) -> dict[str, list[str]]:
    """The kernels of each core, in order."""
    other = CORES["VexRiscv"]
    return {
        core: [k for k in found.kernels if k.endswith(other) == bool(end)]
        for core, end in CORES.items()
    }


def _cores(parts: list[tuple[str, str]]) -> str:
    """A table of each core."""
    return "\n".join(f"On {core}:\n\n{text}" for core, text in parts)


def _heads(first: str, kernels: list[str]) -> list[str]:
    return [first, "Aquila", *codes(kernels)]


def _row(found: Result, kernel: str, metric: str, parameters: Parameters) -> Row:
    each = found.find(kernel, metric, parameters)
    assert each is not None, (kernel, metric, parameters)
    return each.row
