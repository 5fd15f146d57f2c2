# SPDX-License-Identifier: Apache-2.0
"""Tools that tests need. A test whose tool is missing is skipped, with a reason `tool: problem`.

scripts/checks.py reads these reasons: in CI a tool that is there and not used is a failure.
"""

from __future__ import annotations

from functools import cache

import pytest

from melanion.doctor import Machine
from melanion.doctor.needs import SYSTEM, TESTS


@cache
def problem(tool: str) -> str:
    """Return the doctor's complaint about a tool (melanion/doctor/needs.py); empty: it is there."""
    return next(need for need in (*SYSTEM, *TESTS) if need.name == tool).probe(Machine()).problem


def needs(tool: str, found: str) -> pytest.MarkDecorator:
    """Skip the test when `found`, the problem with the tool, is not empty."""
    return pytest.mark.skipif(bool(found), reason=reason(tool, found))


def reason(tool: str, found: str) -> str:
    """Why a test is skipped, in the form that scripts/checks.py reads."""
    return f"{tool}: {found or 'it is there'}"
