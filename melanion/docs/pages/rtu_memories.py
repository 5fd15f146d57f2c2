# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/rtu.md about the database application in two memories: one that never
waits, without caches, and the paper's, shared and slow, behind caches. From the cycles that tests
assert."""

from __future__ import annotations

from melanion.claims.verdict import judge
from melanion.docs.pages.reproduced import result, says, word
from melanion.docs.table import codes, number, table
from melanion.report.reproduction import ours_text, paper_text

SHARED = "rtu-shared"
LOCKS = "rtu-locks"
WITHOUT = ("rtu-db", "rtu-split")  # experiments with the claims of the other memory
MEMORY = "+shared"  # suffix of a system's name
ROWS = ("total", "communication", "context_switch", "computation")
MISSES = ("instruction_misses", "data_misses")


def rows() -> str:
    """A row per metric and number of tasks, a column per kernel: without caches · with caches."""
    with_caches, without = result(SHARED), result(WITHOUT[0])
    kernels = [kernel.removesuffix(MEMORY) for kernel in with_caches.kernels]
    rows = []
    for name in (*ROWS, *MISSES):
        metric = with_caches.definition.metrics[name]
        for parameters in metric.combinations:
            cells = [f"{metric.title.partition(':')[0]} ({parameters['tasks']} tasks)"]
            for kernel in kernels:
                pair = (
                    without.find(kernel, name, parameters) if name in ROWS else None,
                    with_caches.get(f"{kernel}{MEMORY}", name, parameters),
                )
                cells.append(" · ".join(number(each.row.median) for each in pair if each))
            rows.append(cells)
    return table("lr", ("median", *codes(kernels)), rows)


def locks() -> str:
    """Block of docs/explanation/lock-cache.md: the application with locks of the program. A row per
    metric and parameters, a column per kernel: without caches · with caches."""
    found = result(LOCKS)
    kernels = [name for name in found.kernels if not name.endswith(MEMORY)]
    rows = []
    for name, metric in found.definition.metrics.items():
        what, _, guard = metric.title.partition(", ")
        guard = guard.partition(",")[0]
        for parameters in metric.combinations:
            ((key, value),) = parameters.items()
            cells = [what, guard, f"{key} {value}"]
            for kernel in kernels:
                each = (found.get(system, name, parameters) for system in (kernel, kernel + MEMORY))
                cells.append(" · ".join(number(one.row.median) for one in each))
            rows.append(cells)
    return table("lllr", ("median, cycles", "guarded by", "parameter", *codes(kernels)), rows)


def verdicts() -> str:
    """The claims that both memories have, with their verdicts in each."""
    without = [verdict for name in WITHOUT for verdict in judge(result(name))]
    known = {(each.claim.says, each.kernel): each for each in without}
    rows = []
    last = None
    for each in judge(result(SHARED)):
        kernel = each.kernel.removesuffix(MEMORY)
        other = known.get((each.claim.says, kernel))
        if other is None:
            continue
        cells = (paper_text(each), ours_text(other), word(other), ours_text(each), word(each))
        rows.append(("" if each.claim is last else says(each), f"`{kernel}`", *cells))
        last = each.claim
    heads = ("claim", "kernel", "paper", "no wait states", "verdict", "behind caches", "verdict")
    return table("llrrlrl", heads, rows)
