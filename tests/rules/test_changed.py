# SPDX-License-Identifier: Apache-2.0
"""`make check`: which tests and checks it chooses for changed files (scripts/changed.py)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from melanion import paths

ROOT = paths.data_root()
sys.path.insert(0, str(ROOT / "scripts"))

import changed  # noqa: E402 (after the path is known)

TEXTS = {
    "tests/test_a.py": "from melanion.run.judge import ending\nfrom tests.common import kept\n",
    "tests/test_b.py": 'script("setup")\n',
    "tests/test_c.py": "from melanion.run import run_program\n",
    "tests/test_d.py": 'TREE / "timeline.html"\n',
}


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("tests/test_b.py", {"tests/test_b.py"}),
        ("tests/common/kept.py", {"tests/test_a.py"}),
        ("melanion/run/judge.py", {"tests/test_a.py"}),
        ("melanion/run/__init__.py", {"tests/test_c.py"}),
        ("melanion/run/runner.py", set()),
        ("melanion/a/x.py", {"tests/test_a.py"}),
        ("scripts/setup.py", {"tests/test_b.py"}),
        ("melanion/templates/timeline.html", {"tests/test_d.py"}),
        ("docs/tour.md", {"tests/docs/test_docs.py", "tests/rules/test_words.py"}),
        ("hw/engine/mel_time.sv", {"tests/rtl/test_rtl_lint.py", "tests/rtl/test_cycles.py"}),
        (
            "tests/scenarios/x.yaml",
            {"tests/scenarios/test_scenario_loader.py", "tests/scenarios/test_scenarios.py"},
        ),
    ],
)
def test_tests_of_a_file(file: str, tests: set[str]) -> None:
    assert changed.tests_of(file, TEXTS) == tests


def test_the_quickest_run_and_the_others_are_named() -> None:
    seconds = {"tests/test_a.py": changed.BUDGET, "tests/test_b.py": 1.0}
    files = ["tests/test_a.py", "tests/test_b.py"]
    assert changed.chosen(files, TEXTS, seconds) == (["tests/test_b.py"], ["tests/test_a.py"])
    assert changed.chosen(["LICENSE"], TEXTS, seconds) == ([], [])


def test_tests_that_are_added_exist() -> None:
    assert {test for tests in changed.MORE.values() for test in tests} <= set(changed.test_files())
    for beginning in changed.MORE:
        assert (ROOT / beginning).exists(), beginning


def test_lint_of_changed_files() -> None:
    def names(*files: str) -> list[str]:
        return [name for name, _ in changed.lint(list(files))]

    assert names("scripts/setup.py") == ["ruff", "ruff format", "mypy"]
    assert names("spec/kernels.yaml") == ["melanion gen --check"]
    assert names("hw/engine/mel_time.sv", "docs/tour.md") == ["lint mel_time"]
    assert dict(changed.lint(["scripts/setup.py"]))["ruff"][-1] == "scripts/setup.py"


def test_changed_files_exist() -> None:
    assert all((ROOT / name).is_file() for name in changed.changed())
    assert Path(changed.__file__).is_file()


def test_help_names_it() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "@echo 'make check " in makefile and "python scripts/changed.py" in makefile
