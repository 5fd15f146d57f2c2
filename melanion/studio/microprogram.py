# SPDX-License-Identifier: Apache-2.0
"""The microprogram of a system's unit, as a page lists it beside the unit's cycles."""

from __future__ import annotations

from melanion import micro
from melanion.config import System
from melanion.micro import report


def listing(system: System) -> bytes:
    """The listing of the program that the unit executes, compressed. Raises MicroError."""
    sizes = system.parameters
    objects = sizes.semaphores + sizes.event_flags + sizes.queues + sizes.mutexes
    assemble = micro.assemble if objects else micro.assemble_lean  # as mel_engine.sv chooses
    return report.document(assemble(own=system.own))
