# SPDX-License-Identifier: Apache-2.0
"""The example of docs/tutorial/own-experiment.md, in a folder outside the checkout: it measures
what the page says, its script prints what the page shows, and a wrong program is noticed."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from melanion import cli, paths
from tests.docs.test_docs import text_of

ROOT = paths.data_root()
FOLDER = ROOT / "docs" / "tutorial" / "own_experiment"
WAITERS = [1, 2, 4, 8, 16, 32]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MELANION_RESULTS", str(tmp_path / "results.sqlite"))
    monkeypatch.chdir(tmp_path)
    copy = tmp_path / "deleting"
    shutil.copytree(FOLDER, copy)
    for name in ("stage.c", "stage.h"):
        shutil.copy(ROOT / "apps" / "benchmarks" / "stage" / name, copy)
    return copy


def compare(*words: str) -> int:
    with pytest.raises(SystemExit) as caught:
        cli.main(["compare", "deleting/deleting.yaml", *words])
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_rows_files_and_script_are_those_of_the_page(folder: Path) -> None:
    assert compare("--json", "deleting.json") == 0
    document = json.loads(Path("deleting.json").read_text(encoding="utf-8"))
    rows = document["rows"]
    assert {row["experiment"] for row in rows} == {"deleting"}
    for kernel in ("sw", "sw-sorted", "hwrtos"):
        assert [row["parameters"]["n"] for row in rows if row["kernel"] == kernel] == WAITERS
    assert {"command", "commit", "tools", "systems"} <= document["provenance"].keys()
    made = Path("build", "deleting")
    lines = list(csv.DictReader((made / "deleting.csv").open(encoding="utf-8")))
    assert [line["parameters"] for line in lines[:2]] == ["n=1", "n=2"]
    assert [int(line["max"]) for line in lines] == [row["max"] for row in rows]
    page = (made / "report.html").read_text(encoding="utf-8")
    assert "Semaphore deleted: hwrtos is flat at " in page and "<svg" in page
    words = [sys.executable, "deleting/results.py", "deleting.json"]
    done = subprocess.run(words, check=True, capture_output=True, encoding="utf-8")
    assert done.stdout == text_of(FOLDER / "expected.txt")
    definition = folder / "deleting.yaml"
    definition.write_text(text_of(definition).partition("figures:")[0], encoding="utf-8")
    assert compare("--kernels", "sw") == 0
    assert "Figures" not in (made / "report.html").read_text(encoding="utf-8")


def test_program_and_definition_that_differ_are_noticed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = text_of(folder / "deleting.yaml")
    (folder / "deleting.yaml").write_text(text.replace("16, 32]", "16]"), encoding="utf-8")
    assert compare("--kernels", "sw") == 1
    assert "deleting on sw: delete was measured for " in capsys.readouterr().err
