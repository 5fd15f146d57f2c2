# SPDX-License-Identifier: Apache-2.0
"""The order of test files: the one that takes longest first, so that workers end together.

The durations are those of the last whole run (`make test` writes build/durations.json), before
the first one those of tests/durations.json, which is such a file of a run from nothing. Files of
`make soak` take other times: soak_durations.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from melanion import paths

UNKNOWN = 6.0  # seconds: the mean of files that are not listed
FOLDERS = ("build", "tests")
FILE, SOAK_FILE = "durations.json", "soak_durations.json"


def durations(file: str = FILE) -> dict[str, float]:
    """Seconds of each test file; empty where no run was recorded."""
    for folder in FOLDERS:
        path = paths.data_root() / folder / file
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def ranks(names: Iterable[str], known: dict[str, float]) -> dict[str, int]:
    """The place of each file in the order."""
    heaviest_first = sorted(set(names), key=lambda name: (-known.get(name, UNKNOWN), name))
    return {name: place for place, name in enumerate(heaviest_first)}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort on workers only: a run in one process keeps the order of the command line."""
    if not hasattr(config, "workerinput"):
        return
    files = [item.nodeid.partition("::")[0] for item in items]
    soak = config.option.markexpr == "soak"
    places = ranks(files, durations(SOAK_FILE if soak else FILE))
    items.sort(key=lambda item: places[item.nodeid.partition("::")[0]])
