"""Planted bugs in the C side of kernels (tests/mutants/kernel.yaml): a scenario catches each."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import paths
from melanion.model import ReplayError
from melanion.run import RunError
from melanion.scenario import load
from tests import scenario_run

FILE = Path(__file__).parent / "mutants" / "kernel.yaml"


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` of the folder kernel/; `scenario` shows the bug."""

    name: str
    kernel: str
    file: str
    old: str
    new: str
    scenario: str


MUTANTS = [Mutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folders, with a copy of kernel/ that may be changed."""
    original = paths.data_root()
    copy = tmp_path / "root"
    copy.mkdir()
    for name in ("hw", "soc", "spec", "gen", "apps", "configs", "experiments"):
        (copy / name).symlink_to(original / name)
    shutil.copytree(original / "kernel", copy / "kernel")
    monkeypatch.setattr(paths, "data_root", lambda: copy)
    return copy


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_mutant_is_caught(mutant: Mutant, root: Path, tmp_path: Path) -> None:
    path = root / "kernel" / mutant.file
    text = path.read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.name}: `old` must occur once in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    scenario = load(scenario_run.SCENARIOS / f"{mutant.scenario}.yaml")
    system = scenario_run.system_of(scenario, mutant.kernel)
    try:
        finding = scenario_run.complaint(scenario, system, tmp_path)
    except (ReplayError, RunError) as error:
        finding = error.message
    assert finding is not None, f"{mutant.scenario} passed with the bug: {mutant.name}"
    print(finding)
