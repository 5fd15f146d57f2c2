# SPDX-License-Identifier: Apache-2.0
"""Every error of the assembler, as its whole sentence."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from melanion import micro, paths
from melanion.micro.__main__ import main
from melanion.micro.tables import FOLDER, KNOWN, load_tables
from melanion.spec import load
from tests.micro.machine import HERE, assemble, rows

FAULTS = rows("faults.yaml")
MACHINE_FAULTS = rows("machine_faults.yaml")


def text_of(fault: dict[str, Any]) -> str:
    return str(fault["text"]) if "text" in fault else f"at irq: {fault['effects']}\n"


def complaints(text: str) -> list[str]:
    with pytest.raises(micro.MicroError) as caught:
        assemble(text)
    return [line.removeprefix("hw/micro/test.mu:") for line in caught.value.message.splitlines()]


@pytest.mark.parametrize("fault", FAULTS, ids=[text_of(fault) for fault in FAULTS])
def test_fault_gets_its_sentence(fault: dict[str, Any]) -> None:
    found = complaints(text_of(fault))
    assert len(found) == len(fault["says"])
    for sentence, expected in zip(found, fault["says"], strict=True):
        if expected.endswith("…"):
            assert sentence.startswith(expected[:-1])
        else:
            assert sentence == expected


GOOD = {
    "reads one behind the other": "read queue[object]\n read value[object]\n x = M\n goto idle",
    "the store reads beside what is stored": "register[3] = x\n read register[4]\n goto idle",
    "a read that was annulled": "test held M@any; read task[object]\n if flag goto a\n"
    " read queue[object]\n pass\n x = M\n goto idle\na: pass\n x = M\n goto idle",
    "old M behind a read": "read task[x]\n read queue[object]\n x = M\n x = M@queue\n goto idle",
    "the flag of an annulled test": "x = y\n goto a\n test device.took\na: if flag: x = y\n"
    " goto idle",
    "the carry behind a slot": "goto a after next\n x = x + y\na: if carry: x = y\n goto idle",
    "the carry of bit 16": "x = x + y carry 16\n if carry: x = y\n goto idle",
}


@pytest.mark.parametrize("name", GOOD)
def test_no_false_alarm(name: str) -> None:
    records = "at irq: read task[object]\n pass\n goto start after next\n pass\n"
    assemble(f"{records}at 0x50: start: {GOOD[name]}")


def test_a_program_that_fits_nowhere() -> None:
    assert complaints("at irq: goto a\na: " + "x = x + 1\n" * 1000 + "goto idle") == [
        "2: a (1001 words) fits nowhere in 1024 words; shorten the program."
    ]


def test_all_errors_of_all_files_come_at_once(folder: Path) -> None:
    (folder / "a.mu").write_text("at irq: frob\n", encoding="utf-8")
    (folder / "b.mu").write_text("at init: pass\n frob\n", encoding="utf-8")
    with pytest.raises(micro.MicroError) as caught:
        micro.assemble(folder)
    sentence = "`frob` is no effect; correct it (the language: melanion/micro/__init__.py)."
    assert caught.value.message.splitlines() == [
        f"hw/micro/a.mu:1: {sentence}",
        f"hw/micro/b.mu:2: {sentence}",
    ]


# ---- tables --------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(paths.data_root() / FOLDER / "word.yaml", tmp_path)
    shutil.copy(HERE / "machine.yaml", tmp_path)
    return tmp_path


def plant(path: Path, old: str, new: str) -> int:
    """Replace a text that occurs once; returns its line."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def broken(folder: Path) -> list[str]:
    with pytest.raises(micro.MicroError) as caught:
        load_tables(folder, load())
    return caught.value.message.splitlines()


@pytest.mark.parametrize("row", MACHINE_FAULTS, ids=[row["new"] for row in MACHINE_FAULTS])
def test_faults_of_the_machine(folder: Path, row: dict[str, Any]) -> None:
    line = plant(folder / "machine.yaml", row["old"], row["new"])
    assert f"hw/micro/machine.yaml:{line}: {row['says']}" in broken(folder)


@pytest.mark.parametrize("name", KNOWN)
def test_fields_that_the_assembler_fills_must_be_there(folder: Path, name: str) -> None:
    plant(folder / "word.yaml", f"\n  {name}: ", f"\n  frob_{name}: ")
    says = f"fields has no field {name}, which the assembler fills; add it."
    assert any(line.endswith(says) for line in broken(folder))


def test_values_fit_into_their_field(folder: Path) -> None:
    line = plant(folder / "word.yaml", "running: 2, before: 3", "running: 2, before: 4")
    says = "fields.level.values.before is 4, which does not fit into 2 bits; widen the field."
    assert f"hw/micro/word.yaml:{line}: {says}" in broken(folder)


def test_tables_must_be_there(folder: Path) -> None:
    (folder / "machine.yaml").unlink()
    assert broken(folder) == [
        "hw/micro/machine.yaml:1: the file cannot be read (No such file or directory);"
        " correct its path, or restore the file."
    ]


# ---- command line --------------------------------------------------------------------------------


def test_command_line_writes_a_program(folder: Path) -> None:
    (folder / "a.mu").write_text("at idle: idle\nat irq: goto idle\n", encoding="utf-8")
    result = CliRunner().invoke(main, [str(folder / "out"), "--source", str(folder)])
    assert result.exit_code == 0
    assert result.output.startswith("2 of 1024 words\n")
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        *("mel_micro_pkg.sv", "mel_program.hex", "mel_program.lst"),
        *("mel_program.sym", "mel_program_pkg.sv"),
    ]


def test_command_line_says_what_is_wrong_and_writes_nothing(folder: Path) -> None:
    (folder / "a.mu").write_text("at irq: frob\n", encoding="utf-8")
    result = CliRunner().invoke(main, [str(folder / "out"), "--source", str(folder)])
    assert result.exit_code == 1
    assert result.output.startswith("Error: hw/micro/a.mu:1: `frob` is no effect;")
    assert not (folder / "out").exists()
