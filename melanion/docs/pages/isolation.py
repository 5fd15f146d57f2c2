# SPDX-License-Identifier: Apache-2.0
"""Block of docs/explanation/isolation.md: cycles of calls and switches from user mode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from statistics import median

from mel_gen import TraceKind

from melanion import build, config
from melanion.docs.table import table
from melanion.run import run_program

APP = "crossing"
SYSTEMS = ("hwrtos-isolated", "port-isolated", "sw-isolated")
WAYS = ("machine mode", "user mode, one domain", "user mode, two domains")  # as in crossing.c
SPANS = {1: "poll", 2: "give", 3: "yield"}  # tracepoint at the beginning → what follows


def cycles(name: str) -> Mapping[str, Mapping[str, int]]:
    """Way → what is done → median cycles, from tracepoint to tracepoint."""
    events = run_program(config.find(name), build.application(APP)).events
    points = events[events["kind"] == TraceKind.TRACEPOINT]
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one, other in pairwise(points):
        span = SPANS.get(int(one["a"]))
        if span is not None and one["b"] == other["b"]:
            found[WAYS[int(one["b"])]][span].append(int(other["cycle"]) - int(one["cycle"]))
    return {
        way: {span: round(median(each)) for span, each in spans.items()}
        for way, spans in found.items()
    }


def shown() -> str:
    """A row for each system and way."""
    heads = ("system", "tasks in", "poll of a semaphore", "give", "yield to another task")
    rows = [
        (f"`{name}`", way, *(str(each[span]) for span in SPANS.values()))
        for name in SYSTEMS
        for way, each in cycles(name).items()
    ]
    return table("llr", heads, rows)
