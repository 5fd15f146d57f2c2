# SPDX-License-Identifier: Apache-2.0
"""The flips of a campaign, drawn from its seed: flip n depends on the seed and n alone, so that a
longer campaign begins with those of a shorter one, and each can be repeated.

Kinds of state take turns; within a kind every bit has the same probability, and every cycle of the
run without a flip.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from mel_gen import TraceKind

from melanion.inject.space import Field, Kind, Space
from melanion.trace import Events

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # splitmix64 (soc/sim/random.h)
LONGEST_SEED = _MASK


@dataclass(frozen=True)
class Flip:
    """Bit `bit` of an element of a field, in this cycle."""

    number: int
    cycle: int
    field: Field
    element: int
    bit: int


def draw(seed: int, number: int, space: Space, cycles: int) -> Flip:
    """`cycles`: length of the run without a flip."""
    state = _mixed((seed ^ _mixed(number)) & _MASK)
    kind = space.kinds[number % len(space.kinds)]
    fields = space.of(kind)
    ends = list(accumulate(field.size for field in fields))
    place = _mixed(state) % ends[-1]
    chosen = bisect_right(ends, place)
    within = place - (ends[chosen - 1] if chosen else 0)
    element, bit = divmod(within, fields[chosen].bits)
    return Flip(number, _mixed(state + _STEP) % cycles, fields[chosen], element, bit)


def _mixed(value: int) -> int:
    z = (value + _STEP) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Plan:
    """Flips as lines for the simulation (soc/sim/inject/plan.h)."""

    def __init__(self, space: Space, events: Events) -> None:
        """`events`: of the run without a flip; they say which task runs."""
        self._contexts = space.contexts
        switches = events[events["kind"] == TraceKind.DISPATCH]
        cores = (switches[switches["core"] == core] for core in np.unique(switches["core"]))
        self._switches = [(each["cycle"], each["a"]) for each in cores]

    def line(self, flip: Flip) -> str:
        return f"{flip.number} {flip.cycle} {self._target(flip)}\n"

    def _target(self, flip: Flip) -> str:
        field = flip.field
        if field.kind == "contexts":
            words = self._contexts.words
            pointers = [str(pointer) for pointer in self._asleep(flip)]
            tagged = int(self._contexts.tagged)
            return " ".join(
                map(str, ["context", flip.element, flip.bit, tagged, *words, *pointers])
            )
        if field.address:
            address = field.address + flip.element
            return f"memory {address & ~3} {address % 4 * 8 + flip.bit}"
        return f"state {field.scope} {field.name} {flip.element} {flip.bit}"

    def _asleep(self, flip: Flip) -> list[int]:
        """Pointers to contexts, from that of the drawn task on, without the tasks that run."""
        running = set()
        for cycles, chosen in self._switches:
            if before := int(np.searchsorted(cycles, flip.cycle)):
                running.add(int(chosen[before - 1]))
        tasks = list(self._contexts.pointers)
        first = tasks.index(int(flip.field.module.removeprefix("task ")))
        turned = [*tasks[first:], *tasks[:first]]
        return [self._contexts.pointers[task] for task in turned if task not in running]


def shares(space: Space) -> dict[Kind, int]:
    """Bits of each kind."""
    return {kind: space.size(kind) for kind in space.kinds}
