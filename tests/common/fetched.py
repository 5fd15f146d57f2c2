# SPDX-License-Identifier: Apache-2.0
"""Kernels whose files cargo fetches: where it cannot, tests leave them out and say why."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache

from melanion.build import freertos
from melanion.build.errors import BuildError, FetchError
from tests.common import needed


@cache
def cargo_problem() -> str:
    """Return the doctor's complaint about cargo, or that of a failed fetch; empty: no complaint."""
    if problem := needed.problem("cargo"):
        return problem
    try:
        freertos.upstream()
    except FetchError as error:  # a fetched file that is not the pinned one fails its test
        return error.message
    except BuildError:
        return ""
    return ""


needs_cargo = needed.needs("cargo", cargo_problem())


def buildable(kernels: Iterable[str]) -> list[str]:
    """Return the kernels that can be built here; warn if freertos is left out."""
    problem = cargo_problem()
    if problem:
        warnings.warn(f"freertos is left out: {problem}", stacklevel=2)
    return [kernel for kernel in kernels if kernel != "freertos" or not problem]
