# SPDX-License-Identifier: Apache-2.0
"""Failures are written down at once, in build/failures.txt: a campaign of hours shows a defect in
its first minute and keeps it when the campaign is broken off.

Contract: a plugin that scripts/checks.py asks for (-p). The process that collects results begins
the file anew and appends the name and the text of each failure; workers write nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

FILE = Path("build", "failures.txt")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(config.rootpath / FILE))


class Failures:
    """The hooks of the collecting process."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(exist_ok=True)
        file.write_text("", encoding="utf-8")
        self.file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.append(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.append(report)

    def append(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """Write a failure; nothing of any other outcome."""
        if report.failed:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(f"{'=' * 20} {report.nodeid}\n{report.longreprtext}\n")
