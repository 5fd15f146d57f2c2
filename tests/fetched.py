# SPDX-License-Identifier: Apache-2.0
"""Kernels whose files cargo fetches: where it cannot, tests leave them out and say why."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache

import pytest

from melanion.build import freertos
from melanion.build.errors import BuildError, FetchError
from melanion.doctor import Machine
from melanion.doctor.needs import SYSTEM


@cache
def cargo_problem() -> str:
    """What the doctor says of cargo here, or that there is no network; empty: it has fetched."""
    need = next(need for need in SYSTEM if need.name == "cargo")
    problem = need.probe(Machine()).problem
    if problem:
        return problem
    try:
        freertos.upstream()
    except FetchError as error:  # a fetched file that is not the pinned one fails its test
        return error.message
    except BuildError:
        return ""
    return ""


needs_cargo = pytest.mark.skipif(bool(cargo_problem()), reason=cargo_problem() or "cargo is there")


def buildable(kernels: Iterable[str]) -> list[str]:
    """Those that can be built here."""
    problem = cargo_problem()
    if problem:
        warnings.warn(f"freertos is left out: {problem}", stacklevel=2)
    return [kernel for kernel in kernels if kernel != "freertos" or not problem]
