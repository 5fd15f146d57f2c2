# SPDX-License-Identifier: Apache-2.0
"""Programs that documents walk through."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from mel_gen import ANSWER_WAITING, Command, TraceKind

from melanion.docs.walk import Walk

TOUR_APP, TOUR_KERNEL = "pingpong", "hwrtos"
TOUR_NAMES = {0: "ping", 1: "pong"}  # its tasks
TOUR_ROUND = 3  # number of the shown waiting call: the program is in its rhythm
PORT_KERNEL, BANKED_KERNEL, MEASURED_APP = "port", "banked", "latency"
# Functions of the program that an interrupt enters, and to which it leads.
BANKED_FUNCTIONS = ("mel_vectors", "take_once")
VEXRISCV_KERNELS = ("sw-vexriscv", "hwrtos-vexriscv", "port-vexriscv")
VEXRISCV_FUNCTIONS = ("mel_vectors", "mel_vector_software", "take_once")


class Facts(Walk):
    """Data for the documents, computed when first used: the walks of the tour, of the port, of the
    banks and of the other core."""

    def __init__(self) -> None:
        super().__init__(TOUR_KERNEL, TOUR_APP, TOUR_NAMES)
        self.port = Walk(PORT_KERNEL, MEASURED_APP)
        self.banked = Walk(BANKED_KERNEL, MEASURED_APP)
        self.banked_interrupts = Walk(BANKED_KERNEL, MEASURED_APP, functions=BANKED_FUNCTIONS)
        vexriscv = VEXRISCV_KERNELS[-1]
        self.vexriscv = Walk(vexriscv, MEASURED_APP)
        self.vexriscv_interrupts = Walk(vexriscv, MEASURED_APP, functions=VEXRISCV_FUNCTIONS)

    @cached_property
    def span(self) -> tuple[int, int]:
        """Indices of the first instruction of one waiting `mel_sem_take`, and of the one after the
        return of the task that runs instead."""
        events = self.events
        takes = (events["kind"] == TraceKind.COMMAND) & (events["d"] == ANSWER_WAITING)
        takes &= events["a"] & 0xFF == Command.SEMAPHORE_TAKE
        command = int(np.flatnonzero(takes)[TOUR_ROUND - 1])
        first = max(i for i in range(command) if self.at(i) == ("mel_sem_take", 0))
        after = range(command, len(events))
        last = next(i for i in after if (self.at(i) or ("",))[0] in TOUR_NAMES.values())
        return first, last

    def cycle(self, cycle: int) -> int:
        """A cycle of the run as the tour counts it: the call begins in 0."""
        return cycle - int(self.events["cycle"][self.span[0]])
