# SPDX-License-Identifier: Apache-2.0
"""The browser's side of the page by itself (studio/): its types, and its own tests in Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from melanion import paths
from melanion.build import cache
from melanion.build.front import front
from tests.common.needed import needs, problem

pytestmark = needs("npm", problem("npm"))
SOURCE = paths.data_root() / "studio"


def npm(folder: Path, *words: str) -> str:
    program = shutil.which("npm")
    assert program is not None
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_types_and_own_tests(tmp_path: Path) -> None:
    """With the packages of the lock file."""
    folder = tmp_path / "studio"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("node_modules"))
    npm(folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    npm(folder, "run", "check")
    said = npm(folder, "test")
    assert "# fail 0" in said
    assert int(said.split("# pass ")[1].split()[0]) > 20


def test_a_source_that_is_wrong_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    shutil.copytree(SOURCE, root / "studio", ignore=shutil.ignore_patterns("node_modules"))
    (root / "studio" / "src" / "page.ts").write_text('import "./nowhere";\n')
    monkeypatch.setattr(paths, "data_root", lambda: root)
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "cache")
    with pytest.raises(Exception, match=r"npm run failed in studio/: .*nowhere"):
        front()
