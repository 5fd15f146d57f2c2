# SPDX-License-Identifier: Apache-2.0
"""The command that measures asserted rows anew: what it writes, and what it says of rows that
moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion.docs import asserted, command, compiler, rows, sources, sweep
from melanion.measure import Row

FILE = """experiment,kernel,metric,parameters,unit,n,min,median,p99,max
mine,a,take,n=1,cycles,4,5,5,5,6
mine,b,take,n=1,cycles,4,7,7,7,7
mine,b,give,,cycles,1,9,9,9,9
"""
PARAMETERS: dict[str, int | str] = {"n": 1}
MOVED = "mine b take n=1: median 7 → 8, p99 7 → 8, max 7 → 8\nmine_cycles.csv: 3 rows, 1 moved\n"


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The only asserted file, in which `b` would now take a cycle longer."""
    path = tmp_path / "mine_cycles.csv"
    path.write_text(FILE, encoding="utf-8")
    measured = {
        "a": [Row("mine", "a", "take", PARAMETERS, "cycles", 4, 5, 5, 5, 6)],
        "b": [
            Row("mine", "b", "take", PARAMETERS, "cycles", 4, 7, 8, 8, 8),
            Row("mine", "b", "give", {}, "cycles", 1, 9, 9, 9, 9),
        ],
    }
    digests = {("mine", "a"): "1", ("mine", "b"): "2"}
    monkeypatch.setattr(rows, "FILES", {"mine": path})
    monkeypatch.setattr(asserted, "measure", lambda experiment, kernel: measured[kernel])
    monkeypatch.setattr(compiler, "is_asserted", lambda: True)
    monkeypatch.setattr(sources, "FILE", tmp_path / "sources.csv")
    monkeypatch.setattr(
        sources, "present", lambda name, kernels: {(name, k): digests[name, k] for k in kernels}
    )
    return path


def test_rows_that_moved_are_written_and_named(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["asserted"]) == 0
    assert capsys.readouterr().out == MOVED
    assert file.read_text(encoding="utf-8") == FILE.replace("7,7,7,7", "7,8,8,8")
    assert sources.recorded() == {("mine", "a"): "1", ("mine", "b"): "2"}


def test_a_check_writes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["asserted", "mine", "--check"]) == 1
    assert capsys.readouterr().out == MOVED
    assert file.read_text(encoding="utf-8") == FILE
    assert not sources.FILE.exists()


@pytest.mark.usefixtures("file")
def test_other_systems_stay(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["asserted", "mine", "--kernels", "a", "--check"]) == 0
    assert capsys.readouterr().out == "mine_cycles.csv: 3 rows, 0 moved\n"


def test_a_row_that_is_gone_or_new_is_named() -> None:
    old = rows.lines_of(FILE)
    assert asserted.moved(old, old[:2]) == ["b give: gone"]
    assert asserted.moved(old[:2], old) == ["b give: new"]


@pytest.mark.usefixtures("file")
def test_an_experiment_without_asserted_rows_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        command.main(["asserted", "yours"])
    assert "'yours' has no asserted rows; there are mine" in capsys.readouterr().err


def test_another_compiler_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler, "is_asserted", lambda: False)
    assert command.main(["asserted"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("asserted: the compiler is ")
    assert said.endswith("so nothing was measured. Install that version.\n")


def test_every_file_of_asserted_rows_is_renewed() -> None:
    there = {*rows.ASSERTED.glob("*_cycles.csv"), *rows.ASSERTED.glob("*_gates.csv")}
    assert there == set(rows.FILES.values())


def test_a_sweep_leaves_the_digests_of_its_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written: list[str] = []
    monkeypatch.setattr(sweep, "measure", lambda kernel: kernel)
    monkeypatch.setattr(sweep, "write", written.extend)
    monkeypatch.setattr(sources, "FILE", tmp_path / "sources.csv")
    monkeypatch.setattr(
        sources, "present", lambda name, kernels: {(name, kernel): "1" for kernel in kernels}
    )
    assert command.main(["interference", "--kernels", "hwrtos,port"]) == 0
    assert written == ["hwrtos", "port"]
    assert sources.recorded() == {("interference", k): "1" for k in written}
