# SPDX-License-Identifier: Apache-2.0
"""Tests of the long campaigns (`soak`) are made only when they are asked for.

Contract: with the plain `-m 'not soak'` no item is made that pytest would deselect; any other
expression sees all of them. tests/conftest.py hands pytest these hooks.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

PLAIN = "not soak"
SOAK = "soak"


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, obj: object
) -> list[pytest.Item] | None:
    """No item of a function, or in a file, that is marked as a whole."""
    if collector.config.option.markexpr != PLAIN:
        return None
    marks = getattr(obj, "pytestmark", ())
    marked = isinstance(marks, list) and any(mark.name == SOAK for mark in marks)
    return [] if marked or collector.get_closest_marker(SOAK) else None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take marked parameters out of the lists before pytest makes items of them."""
    if metafunc.config.option.markexpr != PLAIN:
        return
    marks = metafunc.definition.own_markers
    marks[:] = [shortened(mark) if mark.name == "parametrize" else mark for mark in marks]


def shortened(mark: pytest.Mark) -> pytest.Mark:
    """The list without marked parameters; as it was when no parameter would be left."""
    if len(mark.args) < 2:
        return mark
    names, values, *rest = mark.args
    kept = list(enumerate(values))
    plain = [(number, value) for number, value in kept if not is_soak(value)]
    chosen = plain or kept
    options: dict[str, Any] = dict(mark.kwargs)
    ids = options.get("ids")
    if ids is not None and not callable(ids):
        every = list(ids)
        options["ids"] = [every[number] for number, _ in chosen]
    values = [value for _, value in chosen]
    return pytest.mark.parametrize(names, values, *rest, **options).mark


def is_soak(value: object) -> bool:
    """A parameter that is marked."""
    marks: Iterable[Any] = value.marks if isinstance(value, ParameterSet) else ()
    return any(mark.name == SOAK for mark in marks)


def new_seed() -> int:
    """The first seed of a campaign, from the clock; it is printed, because failures must repeat.
    For tests marked `new_seeds`."""
    seed = int(time.time()) % 1_000_000_000
    print(f"seeds from {seed}")
    return seed
