# SPDX-License-Identifier: Apache-2.0
"""The script that CI runs (scripts/checks.py), which tests a run makes, and in which order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from melanion import paths
from tests.common import limited, needed, order, soak
from tests.rules.test_setup import script

ROOT = paths.data_root()
checks = script("checks")


def test_ci_runs_make_test() -> None:
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert run.read_text(encoding="utf-8").rstrip().endswith("exec make test")


# ---- what a run says -----------------------------------------------------------------------------

RESULTS = """<testsuites><testsuite>
<testcase classname="tests.test_x" name="a" time="1.5"/>
<testcase classname="tests.test_x" name="b" time="0"><skipped message="gdb: it is not"/></testcase>
<testcase classname="tests.test_y" name="c" time="3"><failure/></testcase>
<testcase classname="tests.test_y" name="d" time="0.25"><error/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def cases(tmp_path: Path) -> list[object]:
    (tmp_path / "tests.xml").write_text(RESULTS, encoding="utf-8")
    found = checks.read_results(tmp_path / "tests.xml")
    assert isinstance(found, list)
    return found


def test_counting(cases: list[object], tmp_path: Path) -> None:
    count = checks.counted(cases)
    assert str(count) == "1 passed, 2 failed, 1 skipped"
    assert str(count + checks.Count(2, 0)) == "3 passed, 2 failed, 1 skipped"
    (tmp_path / "tests.xml").write_text("<testsuites", encoding="utf-8")
    for name in ("tests.xml", "missing.xml"):
        assert checks.counted(checks.read_results(tmp_path / name)) == checks.Count(0, 1)


def test_reasons_and_the_slowest_are_named(cases: list[object]) -> None:
    assert list(checks.summary(cases)) == [
        "skipped 1: gdb: it is not",
        "the 4 slowest tests, in seconds, each with the builds that it needs first:",
        "   3.0  tests/test_y.py::c",
        "   1.5  tests/test_x.py::a",
        "   0.2  tests/test_y.py::d",
        "   0.0  tests/test_x.py::b",
    ]
    assert checks.durations(cases) == {"tests/test_x.py": 1.5, "tests/test_y.py": 3.2}


def test_what_did_not_run_is_counted(tmp_path: Path) -> None:
    kept = '<properties><property name="kept" value="yes"/></properties>'
    text = RESULTS.replace('time="1.5"/>', f'time="0">{kept}</testcase>')
    (tmp_path / "tests.xml").write_text(text, encoding="utf-8")
    first, *_ = checks.summary(checks.read_results(tmp_path / "tests.xml"))
    assert first == "1 of them passed in an earlier run of the same sources and tools"


@pytest.mark.parametrize(
    ("ci", "there", "failed"), [("true", True, 1), ("true", False, 0), ("", True, 0)]
)
def test_a_skip_fails_in_ci_where_its_tool_is_there(
    ci: str,
    there: bool,
    failed: int,
    cases: list[object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(checks, "is_there", lambda tool: there and tool == "gdb")
    assert checks.judged(cases) == checks.Count(0, failed)
    said = "FAILED gdb is there, and tests that need it were skipped\n"
    assert capsys.readouterr().out == (said if failed else "")


@pytest.mark.parametrize("tool", ["gdb", "cargo", "browser"])
def test_a_reason_names_a_tool_that_can_be_looked_for(tool: str) -> None:
    said = needed.reason(tool, "no such program")
    assert checks.is_there(said.partition(":")[0]) == (needed.problem(tool) == "")


def test_the_compiler_can_be_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, there in (("gcc (12.2.0-14) 12.2.0", True), ("gcc 14.1.0", False)):
        monkeypatch.setattr(checks, "version", lambda program, text=version: text)
        assert checks.is_there("compiler") == there
    assert not checks.is_there("root may write everywhere")


ENDED = """
import subprocess, sys
sys.path.insert(0, "scripts")
import checks
child = '''import time
try:
    print("begun", flush=True)
    time.sleep(600)
finally:
    print("ended")
'''
sys.exit(checks.run_interruptibly([sys.executable, "-u", "-c", child]))
"""


def test_whoever_ends_the_checks_ends_the_tests() -> None:
    words = [sys.executable, "-c", ENDED]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.terminate()
        rest, _ = process.communicate(timeout=limited.HUNG)
    assert rest == "ended\n"
    assert process.returncode not in (0, -signal.SIGTERM)


def test_a_run_that_breaks_off_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "RESULTS", tmp_path / "build" / "tests.xml")
    assert checks.run_tests(["--no-such-option"]) == checks.Count(0, 1)
    assert list((tmp_path / "build").iterdir()) == []


def test_long_campaigns_have_an_order_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []
    monkeypatch.setattr(checks, "RESULTS", tmp_path / "build" / "tests.xml")
    monkeypatch.setattr(checks, "read_results", lambda _: [checks.Case("a.py", "t", 2.5, "passed")])

    def run(words: Sequence[str]) -> int:
        asked.append(words)
        return 0

    monkeypatch.setattr(checks, "run_interruptibly", run)
    assert checks.run_tests([], soak=True) == checks.run_tests([]) == checks.Count(1, 0)
    assert list(asked[0][-3:]) == ["-m", "soak", "--kept"]
    assert "soak" not in asked[1]
    files = {path.name: json.loads(path.read_text()) for path in (tmp_path / "build").iterdir()}
    assert files == {order.SOAK_FILE: {"a.py": 2.5}, order.FILE: {"a.py": 2.5}}


def test_a_failed_check_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [("good", [sys.executable, "-c", ""]), ("bad", [sys.executable, "-c", "exit('no')"])]
    monkeypatch.setattr(checks, "static_checks", lambda: iter(commands))
    assert checks.main(["--lint"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 1 failed, 0 skipped"
    assert lines[-2].endswith(f" s of processor time on {checks.CPUS} processors")
    assert "no" in lines


def test_static_checks_cover_every_module() -> None:
    names = [name for name, _ in checks.static_checks()]
    assert names[:4] == ["ruff", "ruff format", "mypy", "melanion gen --check"]
    folders = set((ROOT / "hw").iterdir()) - {ROOT / "hw" / name for name in ("bench", "formal")}
    modules = {path.stem for folder in folders for path in folder.glob("*.sv")}
    assert {f"lint {stem}" for stem in modules if not stem.endswith("_pkg")} <= set(names)


# ---- which tests there are, and in which order ---------------------------------------------------

MARKED = """import pytest
LONG = pytest.mark.soak
@pytest.mark.parametrize(("a", "b"), [(1, 2), pytest.param(3, 4, marks=LONG)], ids=["x", "y"])
def test_two(a, b): ...
@pytest.mark.parametrize("a", [pytest.param(1, marks=[LONG])])
def test_long_parameters(a): ...
@LONG
def test_long(): ...
"""


def collected(folder: Path, expression: str) -> tuple[set[str], bool]:
    """The tests of MARKED, and whether any were made and then left out."""
    (folder / "test_marked.py").write_text(MARKED, encoding="utf-8")
    (folder / "conftest.py").write_text("from tests.common.soak import *\n", encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = soak\n", encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*words, "-m", expression, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
    )
    names = {line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line}
    return names, "deselected" in done.stdout


def test_long_tests_are_made_when_they_are_asked_for(tmp_path: Path) -> None:
    long = {"test_two[y]", "test_long_parameters[1]", "test_long"}
    assert collected(tmp_path, "soak or not soak") == ({"test_two[x]", *long}, False)
    assert collected(tmp_path, "soak") == (long, True)
    # A list with marked parameters alone stays: an empty one would count as a skipped test.
    assert collected(tmp_path, "not soak") == ({"test_two[x]"}, True)


def test_a_list_without_marks_stays() -> None:
    mark = pytest.mark.parametrize("a", [1, 2], ids=str).mark
    assert soak.shortened(mark) == mark


def test_the_longest_file_comes_first() -> None:
    files = ["b.py", "a.py", "c.py", "a.py", "new.py"]
    places = order.ranks(files, {"a.py": 1.0, "b.py": 1.0, "c.py": 9.5})
    assert sorted(places, key=places.__getitem__) == ["c.py", "new.py", "a.py", "b.py"]


def test_a_program_is_ended_by_its_processor_time_alone() -> None:
    for code, status in (("while True: pass", -signal.SIGXCPU), ("time.sleep(1.5)", 0)):
        words = [sys.executable, "-c", f"import time\n{code}"]
        assert subprocess.run(words, preexec_fn=limited.processor(1)).returncode == status
