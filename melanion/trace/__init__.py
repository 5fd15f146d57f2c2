"""Traces of runs: the file of the simulation → events."""

from melanion.trace.events import EVENT, Events, TraceError, read

__all__ = ["EVENT", "Events", "TraceError", "read"]
