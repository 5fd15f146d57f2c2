# SPDX-License-Identifier: Apache-2.0
"""Findings of tests: the words of a check, an assertion or a comparison with the model.

A failure to build, start or write something is an error of the test, never a finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from melanion.model.replay import ReplayError
from melanion.run import RunError

WORDS = (AssertionError, RunError, ReplayError)
_OF_TOOLS = re.compile(
    r"the simulation (was ended by signal|refused its input|failed:|left no end|cannot be started)"
    r"|cannot be (made|written)"
)


def words(check: Callable[[], object], *others: type[Exception]) -> str:
    """Return the words of a failed check; empty when it passes. Other errors pass through."""
    kinds: tuple[type[Exception], ...] = (*WORDS, *others)
    try:
        check()
    except kinds as error:
        said = str(error) or repr(error)
        if _OF_TOOLS.search(said):
            raise
        return said[:500]
    return ""


@contextmanager
def noticed(*others: type[Exception]) -> Iterator[None]:
    """The block must fail with the words of a check, or with one of `others`."""
    with pytest.raises((*WORDS, *others)) as found:
        yield
    said = str(found.value)
    assert not _OF_TOOLS.search(said), f"that is no finding: {said}"
    print(said[:500])
