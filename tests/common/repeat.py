# SPDX-License-Identifier: Apache-2.0
"""A repeat with nothing changed: a test file that passed passes without running (`--kept`).

Contract: `make test` and `make soak` say `--kept`; who names a file or a test runs it. What decides
is the whole checkout, the tools, the settings of the environment and the marks asked for
(tests/common/kept.py). A file is kept as soon as each of its tests has passed, unless the checkout
was edited meanwhile; one with a skipped or failed test runs again, and so does a test marked
`new_seeds`. Each test that was not run says so in the results: the property `kept`, which checks.py
counts. MELANION_CACHE=FOLDER with an empty folder runs everything.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

import pytest

from tests.common import kept

PROPERTY = "kept"
# Variables that place builds and results: no verdict depends on them.
ELSEWHERE = ("MELANION_CACHE", "MELANION_RESULTS")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--kept",
        action="store_true",
        help="files that passed for the same checkout and tools pass without running",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("kept"):
        return
    if config.option.keyword or config.args_source != config.ArgsSource.TESTPATHS:
        raise pytest.UsageError("--kept is for whole runs: leave it out to run chosen tests.")
    config.pluginmanager.register(
        Repeat(config.option.markexpr, hasattr(config, "workerinput")), "repeat"
    )


def file_of(test: str) -> str:
    """The file of a test's identifier."""
    return test.partition("::")[0]


class Repeat:
    """In a worker it leaves out what is kept; in the process that collects results it keeps."""

    def __init__(self, marks: str, is_worker: bool) -> None:
        settings = sorted(
            f"{name}={value}"
            for name, value in os.environ.items()
            if name.startswith("MEL") and name not in ELSEWHERE
        )
        self.decided = [*kept.checkout(), ("settings", "\n".join([marks, *settings]).encode())]
        self.is_worker = is_worker
        self.begin = time.time()
        self.left: dict[str, set[str]] = {}  # tests of each file that have not passed

    def is_kept(self, file: str) -> bool:
        """Whether this file passed before."""
        return kept.is_known(file, self.decided)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Report a kept test as passed; pytest runs any other."""
        if item.get_closest_marker("new_seeds") or not self.is_kept(file_of(item.nodeid)):
            return None
        hook = item.ihook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for when in ("setup", "call", "teardown"):
            report = pytest.TestReport(
                item.nodeid,
                item.location,
                {},
                "passed",
                None,
                when,
                user_properties=[(PROPERTY, "yes")],
            )
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._collected(item.nodeid for item in session.items)

    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Take the tests that a worker collected; each collects all."""
        if not self.left:
            self._collected(ids)

    def _collected(self, tests: Iterable[str]) -> None:
        for test in tests:
            self.left.setdefault(file_of(test), set()).add(test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a file with the end of its last test."""
        file = file_of(report.nodeid)
        if self.is_worker or file not in self.left:
            return
        if not report.passed:
            del self.left[file]
        elif report.when == "teardown":
            self.left[file].discard(report.nodeid)
            if not self.left[file] and kept.last_edit() < self.begin:
                kept.verdict(file, self.decided, lambda: "passed")
