# SPDX-License-Identifier: Apache-2.0
"""The bench's two files: the trace (spec/trace.yaml), the log of accesses and lines."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from melanion.model import Limits
from melanion.model.replay import Event

TRACE = struct.Struct("<QBBHIII")
LOG = struct.Struct("<QQIBBBxIII4x")
LOAD, STORE, LINES, EDGE, WORK = range(5)  # kinds of log records (bench.cpp)


in_order = attrgetter("answered", "accepted")


class RejectedError(Exception):
    """The run is wrong; the text says where and what was expected. `entry`: of the script."""

    def __init__(self, text: str, entry: int | None = None) -> None:
        super().__init__(text)
        self.entry = entry


class Access(NamedTuple):
    """One record of the bench's log.

    For LINES `read` has bit 0 dispatch, bit 1 handler of the core; for EDGE `address` is the line.
    """

    accepted: int
    answered: int
    address: int
    kind: int
    byte_enable: int
    core: int
    written: int
    read: int
    entry: int


@dataclass(frozen=True)
class Run:
    """Record of a run, in order of time.

    `exact`: its cycles are those of the RTL. `work`: first and last cycles in which background work
    began, with an event or without. `step`: cycles of the longest step of its program; 0 of the
    model alone, which works at once. `halves`: the unit has two cycles in each of the cores, which
    times do not tell apart.
    """

    limits: Limits
    events: list[Event]
    accesses: list[Access]
    work: list[tuple[int, int]]
    exact: bool = True
    step: int = 0
    halves: bool = False


def parse(limits: Limits, trace: bytes, log: bytes) -> Run:
    """The bench's two files."""
    records = list(map(Access._make, LOG.iter_unpack(log)))
    return Run(
        limits,
        list(TRACE.iter_unpack(trace)),
        sorted((a for a in records if a.kind != WORK), key=in_order),
        [(record.accepted, record.answered) for record in records if record.kind == WORK],
    )
