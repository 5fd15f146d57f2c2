# SPDX-License-Identifier: Apache-2.0
"""Claims: what is said about rows. Experiments (`experiments/*.yaml`), the documents that they
reproduce, verdicts."""

from melanion.claims.experiment import Experiment
from melanion.claims.reader import load, names

__all__ = ["Experiment", "load", "names"]
