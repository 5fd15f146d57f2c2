# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/reference/rtu.md about the database application in two memories: one that never
waits, without caches, and the paper's, shared and slow, behind caches. From the cycles that tests
assert."""

from __future__ import annotations

from reproduced import result

from melanion.experiments.verdict import Verdict, judge
from melanion.report.reproduction import ours_text, paper_text
from melanion.report.tally import verdict_text

SHARED = "rtu-shared"
WITHOUT = ("rtu-db", "rtu-split")  # experiments with the claims of the other memory
MEMORY = "+shared"  # suffix of a system's name
ROWS = ("total", "communication", "context_switch", "computation")
MISSES = ("instruction_misses", "data_misses")


def rows() -> str:
    """A row per metric and number of tasks, a column per kernel: without caches · with caches."""
    with_caches, without = result(SHARED), result(WITHOUT[0])
    kernels = [kernel.removesuffix(MEMORY) for kernel in with_caches.kernels]
    lines = [
        f"| median | {' | '.join(f'`{kernel}`' for kernel in kernels)} |",
        f"|---|{'--:|' * len(kernels)}",
    ]
    for name in (*ROWS, *MISSES):
        metric = with_caches.definition.metrics[name]
        for parameters in metric.combinations:
            cells = []
            for kernel in kernels:
                pair = (
                    without.find(kernel, name, parameters) if name in ROWS else None,
                    with_caches.get(f"{kernel}{MEMORY}", name, parameters),
                )
                cells.append(" · ".join(f"{each.row.median:_}" for each in pair if each))
            head = f"{metric.title.partition(':')[0]} ({parameters['tasks']} tasks)"
            lines.append(f"| {head} | {' | '.join(cells).replace('_', ' ')} |")
    return "\n".join(lines) + "\n"


def verdicts() -> str:
    """The claims that both memories have, with their verdicts in each."""
    without = [verdict for name in WITHOUT for verdict in judge(result(name))]
    known = {(each.claim.says, each.kernel): each for each in without}
    lines = [
        "| claim | kernel | paper | no wait states | verdict | behind caches | verdict |",
        "|---|---|--:|--:|---|--:|---|",
    ]
    last = None
    for each in judge(result(SHARED)):
        kernel = each.kernel.removesuffix(MEMORY)
        other = known.get((each.claim.says, kernel))
        if other is None:
            continue
        says = "" if each.claim is last else f"{each.claim.says} ({_whose(each)})"
        last = each.claim
        cells = (paper_text(each), ours_text(other), _word(other), ours_text(each), _word(each))
        lines.append(f"| {says} | `{kernel}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _whose(verdict: Verdict) -> str:
    return "ours" if verdict.claim.by == "ours" else verdict.claim.source


def _word(verdict: Verdict) -> str:
    met = verdict.word in ("reproduced", "holds")
    return verdict_text(verdict) if met else f"**{verdict_text(verdict)}**"
