# SPDX-License-Identifier: Apache-2.0
"""Design-space sweeps: systems × parameters × programs, all of a grid or searched, on one machine
or a Dask cluster; the front of worst cycles, cells and memory.

A point is a system with a name that other commands take. What the results store holds of the same
sources is not run again, and each outcome is kept as it comes (docs/decisions/0044-sweeps.md).
"""

from melanion.sweep.campaign import Campaign
from melanion.sweep.cluster import Cluster
from melanion.sweep.errors import SweepError
from melanion.sweep.file import load
from melanion.sweep.front import Answer, front
from melanion.sweep.page import page
from melanion.sweep.plan import Plan, Point, Quantity
from melanion.sweep.pool import Pool, Workers
from melanion.sweep.present import Sweep, csv_text, json_text

__all__ = [
    "Answer",
    "Campaign",
    "Cluster",
    "Plan",
    "Point",
    "Pool",
    "Quantity",
    "Sweep",
    "SweepError",
    "Workers",
    "csv_text",
    "front",
    "json_text",
    "load",
    "page",
]
