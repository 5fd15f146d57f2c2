# SPDX-License-Identifier: Apache-2.0
"""tests/common/repeat.py: which files pass without running, and which run again."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from melanion import paths
from tests.common import kept
from tests.common.repeat import Repeat

GOOD = """
import pytest
def test_first(): open("ran", "a").write("good ")
@pytest.mark.new_seeds
def test_second(): open("ran", "a").write("new ")
"""
BAD = """
def test_right(): open("ran", "a").write("bad ")
def test_wrong(): assert False
"""
SKIPS = """
import pytest
def test_there(): open("ran", "a").write("skips ")
@pytest.mark.skip
def test_absent(): pass
"""
FILES = {"test_good.py": GOOD, "test_bad.py": BAD, "test_skips.py": SKIPS}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    for name, text in FILES.items():
        (tmp_path / "tests" / name).write_text(text, encoding="utf-8")
    settings = "[pytest]\ntestpaths = tests\nmarkers = new_seeds\n"
    (tmp_path / "pytest.ini").write_text(settings, encoding="utf-8")
    return tmp_path


def run(project: Path, *words: str, **settings: str) -> tuple[str, str]:
    """Return the tests that ran, and the output of pytest."""
    (project / "ran").write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(paths.data_root()), **settings}
    environment["MELANION_CACHE"] = str(project / "cache")
    command = [sys.executable, "-m", "pytest", "-p", "tests.common.repeat", "-q", *words]
    done = subprocess.run(
        command,
        cwd=project,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    ran = sorted((project / "ran").read_text(encoding="utf-8").split())
    return " ".join(ran), done.stdout


def test_a_file_that_passed_does_not_run_again(project: Path) -> None:
    """A run with workers keeps what a run in one process leaves out."""
    alone, workers = ["-n", "0"], ["-n", "2"]
    assert run(project, "--kept", *workers)[0] == "bad good new skips"
    ran, said = run(project, "--kept", *alone, "--junitxml=results.xml")
    assert ran == "bad new skips"
    assert "1 failed, 4 passed, 1 skipped" in said
    results = (project / "results.xml").read_text(encoding="utf-8")
    assert results.count('name="kept" value="yes"') == 1
    # A setting that programs read, and a run that does not say --kept.
    assert run(project, "--kept", *alone, MEL_MUTANT="1")[0] == "bad good new skips"
    assert run(project, *alone)[0] == "bad good new skips"


def test_chosen_tests_always_run(project: Path) -> None:
    for words in (["tests/test_good.py"], ["-k", "first"]):
        ran, said = run(project, "--kept", *words)
        assert ran == ""
        assert "--kept is for whole runs: leave it out to run chosen tests." in said


@pytest.mark.parametrize(("edited", "keeps"), [(0.0, ["a.py"]), (math.inf, [])])
def test_an_edit_during_the_run_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch, edited: float, keeps: list[str]
) -> None:
    found: list[str] = []
    monkeypatch.setattr(kept, "last_edit", lambda: edited)
    monkeypatch.setattr(kept, "verdict", lambda what, contents, check: found.append(what))
    repeat = Repeat("not soak", is_worker=False)
    repeat.pytest_xdist_node_collection_finished(["a.py::x", "a.py::y"])
    for test in ("a.py::x", "a.py::y"):
        for when in ("setup", "call", "teardown"):
            report = pytest.TestReport(test, ("a.py", 1, "x"), {}, "passed", None, when)
            repeat.pytest_runtest_logreport(report)
    assert found == keeps
