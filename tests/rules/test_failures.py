# SPDX-License-Identifier: Apache-2.0
"""tests/common/failures.py: a failure is on disk while later tests still run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from melanion import paths

TESTS = """
from pathlib import Path
import pytest
FILE = Path("build/failures.txt")
def test_right(): pass
def test_wrong(): assert 6 * 7 == 43, "the answer"
def test_later(): assert "the answer" in FILE.read_text()
@pytest.fixture
def broken(): raise OSError("no such board")
def test_set_up(broken): pass
"""


def test_a_failure_is_written_at_once(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "failures.txt").write_text("an earlier run", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.common.failures", "-n1"]
    environment = {**os.environ, "PYTHONPATH": str(paths.data_root())}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert "1 failed, 2 passed, 1 error" in done.stdout, done.stdout
    text = (tmp_path / "build" / "failures.txt").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if line.startswith("=" * 20)]
    assert [line.split("::")[-1] for line in headings] == ["test_wrong", "test_set_up"]
    assert "no such board" in text and "an earlier run" not in text
