# SPDX-License-Identifier: Apache-2.0
"""Campaigns of single bit flips in the state of a kernel: what happens when a bit flips
(docs/decisions/0048-injection.md)."""

from melanion.inject.campaign import Campaign, Record, as_run, prepared, run, single
from melanion.inject.errors import InjectError
from melanion.inject.outcome import CLASSES, SILENT, Class

__all__ = [
    "CLASSES",
    "SILENT",
    "Campaign",
    "Class",
    "InjectError",
    "Record",
    "as_run",
    "prepared",
    "run",
    "single",
]
