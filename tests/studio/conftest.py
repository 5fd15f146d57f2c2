# SPDX-License-Identifier: Apache-2.0
"""The browser of the tests of the page and of the studio."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.common.browser import Browser, open_browser, program


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = program()
    assert path is not None
    with open_browser(path) as found:
        yield found
