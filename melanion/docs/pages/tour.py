# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/tour.md: one call that waits, as machine code, instruction by instruction, and on
the timeline."""

from __future__ import annotations

from mel_gen import Command, TraceKind

from melanion import config
from melanion.docs.facts import TOUR_KERNEL, TOUR_NAMES, Facts
from melanion.docs.table import fenced
from melanion.docs.walk import PROBED, timeline
from melanion.run.annotations import annotated
from melanion.soc import addresses
from melanion.trace import perfetto


def address() -> str:
    """Address of the store of the shown call."""
    window = addresses(config.find("hwrtos"))["unit_base"]
    store = window + Command.SEMAPHORE_TAKE * 1024
    return f"    {window:#010x} + {Command.SEMAPHORE_TAKE:d} · 1024 + 0 · 4 = {store:#010x}\n"


def code(facts: Facts) -> str:
    """The machine code of the call."""
    lines = [
        f"{each.offset:4d}  {each.text}"
        for each in facts.code.values()
        if each.function == "mel_sem_take"
    ]
    return fenced(lines)


def steps(facts: Facts) -> str:
    """Instructions and events of the shown call, by cycle. Runs of register moves are shortened."""
    return timeline(facts, *facts.span)


def marks(facts: Facts) -> str:
    """Marks of the Perfetto timeline in the same cycles."""
    own = facts.events[
        (facts.events["kind"] != TraceKind.TRACEPOINT) | (facts.events["a"] != PROBED)
    ]
    end = facts.cycle(int(facts.events["cycle"][facts.span[1]]))
    system = config.find(TOUR_KERNEL)
    events, annotations = annotated(system, own)
    drawn = perfetto.marks(events, system.parameters.tasks, annotations, TOUR_NAMES)
    marks = [(facts.cycle(mark.cycle), mark) for mark in sorted(drawn, key=lambda each: each.cycle)]
    lines = [
        f"{cycle:5d}  {mark.track:<28}{mark.kind:<9}{mark.name}".rstrip()
        for cycle, mark in marks
        if 0 <= cycle <= end
    ]
    return fenced([f"{'cycle':>5}  {'track':<28}{'':<9}name", *lines])
