# SPDX-License-Identifier: Apache-2.0
"""Proofs of the hardware: runs the tasks of hw/formal/*.sby, plants bugs that they must notice, and
makes the page of theorems.

A theorem is one task of a proof; what it says is in hw/formal/theorems.yaml. `bugs` tasks of a
proof are no theorems: they only look for mutants.
"""

from __future__ import annotations

from melanion.prove.errors import ProveError
from melanion.prove.mutant import Mutant, caught, mutants, plant
from melanion.prove.page import page, record
from melanion.prove.runner import Outcome, prove, run_task, workspace
from melanion.prove.theorem import Theorem, select, theorems
from melanion.prove.tools import Tools, find

__all__ = [
    "Mutant",
    "Outcome",
    "ProveError",
    "Theorem",
    "Tools",
    "caught",
    "find",
    "mutants",
    "page",
    "plant",
    "prove",
    "record",
    "run_task",
    "select",
    "theorems",
    "workspace",
]
