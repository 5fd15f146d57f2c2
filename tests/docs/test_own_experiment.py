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
from melanion.claims.claim import Claim, Rule
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
    assert (
        "deleting on sw: delete: n=32 is marked, and not in the definition; make program and"
        " definition agree."
    ) in capsys.readouterr().err
    (folder / "deleting.yaml").write_text(
        text.replace("10_000_000", "5_000").replace("32]", "32, 33]"), encoding="utf-8"
    )
    assert compare("--kernels", "sw") == 1
    said = capsys.readouterr().err
    assert said.rstrip().endswith(
        "; let a task end it with mel_exit(), or allow more with max_cycles in the definition."
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "kernels: [sw, sw-sorted, hwrtos]\nmax",
            "kernels: [sw, hwrtis]\nmax",
            "4: kernels[1] is refused: 'hwrtis' is no system; did you mean hwrtos (`melanion"
            " systems` lists all).",
        ),
        ("[1, 2, 4,", "[1, 1, 4,", "18: metrics.delete.parameters.n has 1 twice; write each value"),
        (
            "app: .",
            "app: delete",
            "3: app is 'delete', which is no folder beside this file and no program of Melanion;",
        ),
        ("app: .", "app: latancy", "Melanion; did you mean benchmarks/latency."),
        ("app: .", "app: benchmarks/latancy", "Melanion; did you mean benchmarks/latency."),
        ("app: .", "app: elswhere", "Melanion; did you mean elsewhere."),
    ],
)
def test_a_wrong_name_has_file_and_line_on_any_kernel(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    """Also where the kernels of the definition are not run."""
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "app.yaml").write_text("name: elsewhere\n", encoding="utf-8")
    text = text_of(folder / "deleting.yaml")
    assert text.count(old) == 1
    (folder / "deleting.yaml").write_text(text.replace(old, new), encoding="utf-8")
    for words in ((), ("--kernels", "hwrtos")):
        assert compare(*words) != 0
        error = capsys.readouterr().err
        assert error.startswith("melanion: deleting/deleting.yaml:") or str(folder) in error
        assert said in error


def test_a_program_without_its_file_is_told_where_it_belongs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "app.yaml").unlink()
    assert compare() != 0
    assert (
        "deleting.yaml:3: app is '.', its own folder, which has no app.yaml; add one there, with at"
        " least a line such as `name: deleting`, or name the folder of the program."
    ) in capsys.readouterr().err
    (folder / "program").mkdir()
    text = text_of(folder / "deleting.yaml").replace("app: .", "app: program")
    (folder / "deleting.yaml").write_text(text, encoding="utf-8")
    assert compare() != 0
    said = capsys.readouterr().err
    assert "3: app is 'program', a folder without app.yaml; add one there, or name another" in said


def test_the_page_lists_the_keys_that_a_claim_needs() -> None:
    page = text_of(ROOT / "docs" / "tutorial" / "own-experiment.md")
    (line,) = [each for each in page.splitlines() if each.startswith("A claim needs ")]
    claim, rule = line.split("; a rule needs ")
    for part, model in ((claim, Claim), (rule, Rule)):
        needed = [name for name, field in model.model_fields.items() if field.is_required()]
        assert needed and all(f"`{name}`" in part for name in needed)
