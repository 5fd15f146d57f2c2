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
    # As mel_engine.sv chooses.
    assemble = micro.assemble_lanes if sizes.flag_lanes else micro.assemble
    if not objects:
        assemble = micro.assemble_lean
    return report.document(assemble(own=system.own))
