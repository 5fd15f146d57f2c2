"""Kernels whose files cargo fetches: where it cannot, tests leave them out and say what the doctor
says."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import pytest

from melanion.doctor import Machine
from melanion.doctor.needs import SYSTEM


def cargo_problem() -> str:
    """What the doctor says of cargo here; empty: it can fetch."""
    need = next(need for need in SYSTEM if need.name == "cargo")
    return need.probe(Machine()).problem


needs_cargo = pytest.mark.skipif(bool(cargo_problem()), reason=cargo_problem() or "cargo is there")


def buildable(kernels: Iterable[str]) -> list[str]:
    """Those that can be built here."""
    problem = cargo_problem()
    if problem:
        warnings.warn(f"freertos is left out: {problem}", stacklevel=2)
    return [kernel for kernel in kernels if kernel != "freertos" or not problem]
