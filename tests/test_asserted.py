# SPDX-License-Identifier: Apache-2.0
"""The command that measures asserted rows anew: what it writes, and what it says of rows that
moved."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from melanion import paths
from melanion.experiments import Row

SCRIPTS = paths.data_root() / "scripts"
FILE = """experiment,kernel,metric,parameters,unit,n,min,median,p99,max
mine,a,take,n=1,cycles,4,5,5,5,6
mine,b,take,n=1,cycles,4,7,7,7,7
mine,b,give,,cycles,1,9,9,9,9
"""
PARAMETERS: dict[str, int | str] = {"n": 1}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """scripts/asserted.py with one file, in which `b` would now take a cycle longer."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    module = importlib.import_module("asserted")
    file = tmp_path / "mine_cycles.csv"
    file.write_text(FILE, encoding="utf-8")
    rows = {
        "a": [Row("mine", "a", "take", PARAMETERS, "cycles", 4, 5, 5, 5, 6)],
        "b": [
            Row("mine", "b", "take", PARAMETERS, "cycles", 4, 7, 8, 8, 8),
            Row("mine", "b", "give", {}, "cycles", 1, 9, 9, 9, 9),
        ],
    }
    monkeypatch.setattr(module, "FILES", {"mine": file})
    monkeypatch.setattr(module, "measure", lambda experiment, kernel: rows[kernel])
    monkeypatch.setattr(module, "asserted_compiler", lambda: True)
    digests = {("mine", "a"): "1", ("mine", "b"): "2"}
    monkeypatch.setattr(module.sources, "FILE", tmp_path / "sources.csv")
    monkeypatch.setattr(
        module.sources,
        "present",
        lambda name, kernels: {(name, k): digests[name, k] for k in kernels},
    )
    return module


MOVED = "mine b take n=1: median 7 → 8, p99 7 → 8, max 7 → 8\nmine_cycles.csv: 3 rows, 1 moved\n"


def test_rows_that_moved_are_written_and_named(
    script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main([]) == 0
    assert capsys.readouterr().out == MOVED
    text = script.FILES["mine"].read_text(encoding="utf-8")
    assert text == FILE.replace("7,7,7,7", "7,8,8,8")
    assert script.sources.recorded() == {("mine", "a"): "1", ("mine", "b"): "2"}


def test_a_check_writes_nothing(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["mine", "--check"]) == 1
    assert capsys.readouterr().out == MOVED
    assert script.FILES["mine"].read_text(encoding="utf-8") == FILE
    assert not script.sources.FILE.exists()


def test_other_systems_stay(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["mine", "--kernels", "a", "--check"]) == 0
    assert capsys.readouterr().out == "mine_cycles.csv: 3 rows, 0 moved\n"


def test_a_row_that_is_gone_or_new_is_named(script: Any) -> None:
    old = script.lines_of(FILE)
    assert script.moved(old, old[:2]) == ["b give: gone"]
    assert script.moved(old[:2], old) == ["b give: new"]


def test_an_experiment_without_asserted_rows_is_refused(
    script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        script.main(["yours"])
    assert "'yours' has no asserted rows; there are mine" in capsys.readouterr().err


def test_another_compiler_is_refused(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "asserted_compiler", lambda: False)
    assert script.main([]) == 1
    assert "so nothing was measured. Install that version.\n" in capsys.readouterr().err


def test_every_file_of_asserted_cycles_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    files = importlib.import_module("asserted").FILES.values()
    folder = Path(__file__).parent
    assert {*folder.glob("*_cycles.csv"), *folder.glob("*_gates.csv")} == set(files)
