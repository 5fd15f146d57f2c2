# SPDX-License-Identifier: Apache-2.0
"""Traces of runs: the file of the simulation → events."""

from melanion.trace.events import EVENT, Events, TraceError, events_of, read

__all__ = ["EVENT", "Events", "TraceError", "events_of", "read"]
