# SPDX-License-Identifier: Apache-2.0
"""Annotations of a run: beginnings and ends of waits with their causes, and inherited priorities,
as the golden model finds them while it executes the events."""

from __future__ import annotations

import numpy as np

from melanion.config import System
from melanion.model.replay import Player, tuples
from melanion.run.annotator import Annotator
from melanion.run.replaying import followed, limits, patience
from melanion.trace import Events, events_of
from melanion.trace.annotations import Annotations


def annotated(
    system: System, events: Events, since: int = 0, until: int | None = None
) -> tuple[Events, Annotations]:
    """The events to draw (those of kernel calls, where C keeps the objects), and what they brought
    about: nothing is known where no model follows the kernel. `since`, `until`: cycles; of the
    events before and behind nothing is known, but that who waits or inherits then does so from the
    first event on. Raises ReplayError."""
    if not system.kernel_info.replayed:
        return events[_between(events, since, until)], Annotations(known=False)
    sizes = limits(system, system.parameters)
    if system.kernel_info.in_c:
        events = events_of(followed(system, events))
    player = Player(sizes, system.kernel_info, patience(system), {})
    annotator = Annotator(player.kernel)
    shown = _between(events, since, until)
    player.play(list(tuples(events[: shown.start])))
    for number, event in enumerate(tuples(events[shown])):
        annotator.before(event)
        player.play([event])
        annotator.after(number, event)
    annotations = {number: tuple(each) for number, each in annotator.found.items()}
    return events[shown], Annotations(annotations)


def _between(events: Events, since: int, until: int | None) -> slice:
    cycles = events["cycle"]
    last = len(events) if until is None else int(np.searchsorted(cycles, until, side="right"))
    return slice(int(np.searchsorted(cycles, since)), last)
