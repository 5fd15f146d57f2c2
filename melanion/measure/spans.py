# SPDX-License-Identifier: Apache-2.0
"""Spans that several experiments measure: ticks and what they take, interrupts off."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from mel_gen import TraceKind

from melanion.measure.definition import ExperimentError
from melanion.measure.recording import Phase
from melanion.measure.rows import Samples
from melanion.trace import Events

TIMER_TRAP = 0x8007  # field a of the trap of the RISC-V machine timer
# At least this share of the loop's turns must be undisturbed, else its undisturbed length is not
# known.
UNDISTURBED = 0.8


def boundaries(events: Events) -> Samples:
    """The cycles in which ticks begin.

    With a hardware unit its tick event. Without one the first cycle of the timer's trap: two to
    four cycles after the
    timer's line rose when the core computes, which favours the software kernel by as much.
    """
    traps = events[(events["kind"] == TraceKind.TRAP) & (events["a"] == TIMER_TRAP)]
    ticks = traps if len(traps) else events[events["kind"] == TraceKind.TICK]
    cycles: Samples = ticks["cycle"].astype(np.int64)
    return cycles


def lost_per_tick(phase: Phase, loop: int) -> tuple[Samples, float]:
    """Cycles that each tick took from the turns of a loop of constant length, which pass the
    tracepoint `loop`, and the mean length of a tick in cycles.

    A turn counts to the tick that fell into it; a turn without a tick to the last tick before it.
    """
    turns = phase.tracepoint(loop)["cycle"].astype(np.int64)
    ticks = boundaries(phase.events)
    lengths = np.diff(turns)
    if not len(lengths) or not len(ticks):
        raise ExperimentError(
            f"{phase.label}: {len(turns)} turns of the loop, {len(ticks)} ticks; none may be 0."
        )
    base = int(lengths.min())
    share = float(np.mean(lengths == base))
    if share < UNDISTURBED:
        raise ExperimentError(
            f"{phase.label}: only {100 * share:.0f} % of the loop's turns take its shortest"
            f" time of {base}"
            f" cycles; at least {100 * UNDISTURBED:.0f} % must, else what a tick costs is not"
            f" known."
        )
    tick_of_turn = np.searchsorted(ticks, turns[1:], side="right") - 1
    # The first and the last tick of the phase may be cut off.
    whole = (tick_of_turn > 0) & (tick_of_turn < len(ticks) - 1)
    lost = np.bincount(
        tick_of_turn[whole], weights=(lengths - base)[whole], minlength=len(ticks) - 1
    )
    samples = lost[1 : len(ticks) - 1].astype(np.int64)
    return samples, float(np.diff(ticks).mean()) if len(ticks) > 1 else 0.0


def irq_off_within(phase: Phase, starts: Samples, ends: Samples) -> Samples:
    """Longest span with interrupts disabled that began in each time from a start to its end; 0:
    none did."""
    spans = phase.kind(TraceKind.IRQ_OFF)
    lengths = spans["b"].astype(np.int64)
    begins = spans["cycle"].astype(np.int64) - lengths

    def longest() -> Iterator[int]:
        for start, end in zip(starts, ends, strict=True):
            yield int(lengths[(begins >= start) & (begins < end)].max(initial=0))

    return np.array(list(longest()), dtype=np.int64)
