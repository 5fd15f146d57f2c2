# SPDX-License-Identifier: Apache-2.0
"""The results store: every measured unit with where it comes from, in one SQLite file.

A *unit* is one experiment on one system; it is added in one transaction when it has been measured,
so that whatever ends a run, finished units stay and half of one never appears. A *set* is what one
command wanted and got. Pages, tables and comparisons are made from here
(docs/decisions/0029-results-store.md); the build cache only makes a repeat fast.
"""

from melanion.results.assemble import Collection, collect, result
from melanion.results.choice import choose, there
from melanion.results.difference import Change, compare
from melanion.results.errors import ResultsError
from melanion.results.gather import Job, gather, of_program
from melanion.results.store import Store, location
from melanion.results.unit import MeasuredSet, Unit, of_run, of_synthesis, origins

__all__ = [
    "Change",
    "Collection",
    "Job",
    "MeasuredSet",
    "ResultsError",
    "Store",
    "Unit",
    "choose",
    "collect",
    "compare",
    "gather",
    "location",
    "of_program",
    "of_run",
    "of_synthesis",
    "origins",
    "result",
    "there",
]
