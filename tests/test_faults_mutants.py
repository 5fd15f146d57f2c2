# SPDX-License-Identifier: Apache-2.0
"""Planted bugs (tests/faults/mutants.yaml): the sweep that is named there must notice each."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import config, paths
from melanion.errors import MelanionError
from tests import test_kernel_boot
from tests.faults import boundaries, guarded, races, requests, resets, silence, whole, windows
from tests.faults.guarded import Touch
from tests.faults.resets import ResetError
from tests.faults.stage import LIMITS
from tests.random import bench
from tests.random.campaign import SIZES
from tests.random.records import RejectedError
from tests.verilated import BenchError

ROOT = paths.data_root()


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (from the top of the tree)."""

    name: str
    check: str
    file: str
    old: str
    new: str
    why: str


FILE = Path(__file__).parent / "faults" / "mutants.yaml"
ALL = [Mutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]
OF_UNIT = [mutant for mutant in ALL if mutant.file.startswith("hw/")]
OF_SYSTEM = [mutant for mutant in ALL if mutant not in OF_UNIT]
# Each takes a build of hardware, or a long sweep: three in every run, one of the unit, of C and of
# the bus; the rest in `make soak`.
QUICK = frozenset(
    {
        "an edge is lost and not counted",
        "giving a semaphore is not atomic",
        "the bus waits for ever for an answer",
    }
)
NOTICED = (AssertionError, RejectedError, BenchError, ResetError, MelanionError)


def _all_contexts(program: Path) -> None:
    for where in requests.CONTEXTS:
        requests.check_refused(program, where)


def _all_races(program: Path) -> None:
    for contender in races.CONTENDERS:
        races.check_race(program, contender)


BENCH_CHECKS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "illegal_requests": ("odd", _all_contexts),
    "legal_requests": ("odd", requests.check_accepted),
    "illegal_accesses": ("odd", windows.check_illegal_accesses),
    "loads": ("odd", windows.check_loads),
    "unit_storm": ("odd", boundaries.check_storm),
    "edges": ("odd", boundaries.check_edges_without_effect),
    "wakeups": ("odd", boundaries.check_wakeup_limit),
    "counts": ("odd", boundaries.check_semaphore_limit),
    "longest": ("odd", lambda program: races.check_longest_limit(program, LIMITS)),
    "races": ("small", _all_races),
    "windows_of_cores": ("two", windows.check_windows_of_cores),
}


def _interrupted(kernel: str, _: Path) -> None:
    whole.interrupted(config.find(kernel), delays=60, handle=True, max_cycles=6_000_000)


SYSTEM_CHECKS: dict[str, Callable[[Path], object]] = {
    "interrupted_sw": lambda folder: _interrupted("sw", folder),
    "interrupted_hwrtos": lambda folder: _interrupted("hwrtos", folder),
    "interrupted_port": lambda folder: _interrupted("port", folder),
    "bounded_storm": lambda _: whole.check_limited(config.find("hwrtos")),
    "random_waits": lambda _: whole.interrupted_at_random(config.find("hwrtos"), 1),
    "mismatched_pair": test_kernel_boot.test_other_parameters,
    "other_device": test_kernel_boot.test_other_device,
    "never_ready": test_kernel_boot.test_never_ready,
    "no_grant": lambda folder: silence.check_silent_from_reset(silence.NO_GRANT, folder),
    "no_answer": lambda folder: silence.check_silent_from_reset(silence.NO_ANSWER, folder),
    "busy": silence.check_busy,
    "falls_silent": silence.check_falls_silent,
    "falls_silent_at_port": lambda folder: silence.check_falls_silent(folder, "port"),
    "user_mode": lambda _: guarded.check_refused(
        guarded.system("hwrtos", pmp=True), Touch.LOAD_UNIT
    ),
    "user_mode_of_two": lambda _: guarded.check_refused(
        guarded.system("hwrtos-2", pmp=True), Touch.STORE_UNIT
    ),
}


def plant(mutant: Mutant, copy: Path) -> None:
    """Change the file in a copy of the tree."""
    path = copy / mutant.file
    text = path.read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.name}: `old` must occur once in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def _marked(mutant: Mutant) -> object:
    marks = () if mutant.name in QUICK else (pytest.mark.soak,)
    return pytest.param(mutant, id=mutant.name.replace(" ", "_"), marks=marks)


@pytest.mark.parametrize("mutant", [_marked(mutant) for mutant in OF_UNIT])
def test_bug_in_the_unit_is_noticed(mutant: Mutant, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "hw" / "rtl", tmp_path / "hw" / "rtl")
    plant(mutant, tmp_path)
    rtl = tmp_path / "hw" / "rtl"
    if mutant.check == "resets":
        program = resets.build(rtl)
    else:
        program = bench.build(SIZES[BENCH_CHECKS[mutant.check][0]], rtl, assertions=False)
    try:
        with pytest.raises(NOTICED) as finding:
            if mutant.check == "resets":
                resets.check_resets(program, resets.SEED)
            else:
                BENCH_CHECKS[mutant.check][1](program)
        print(str(finding.value)[:500])
    finally:
        shutil.rmtree(program.parent, ignore_errors=True)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folders, with copies of kernel/ and soc/ that may be changed."""
    copy = tmp_path / "root"
    copy.mkdir()
    for name in ("hw", "spec", "gen", "apps", "configs", "experiments"):
        (copy / name).symlink_to(ROOT / name)
    for name in ("kernel", "soc"):
        shutil.copytree(ROOT / name, copy / name)
    monkeypatch.setattr(paths, "data_root", lambda: copy)
    return copy


@pytest.mark.parametrize("mutant", [_marked(mutant) for mutant in OF_SYSTEM])
def test_bug_in_the_c_side_or_the_bus_is_noticed(
    mutant: Mutant, root: Path, tmp_path: Path
) -> None:
    plant(mutant, root)
    folder = tmp_path / "program"
    folder.mkdir()
    with pytest.raises((*NOTICED, subprocess.SubprocessError)) as finding:
        SYSTEM_CHECKS[mutant.check](folder)
    print(str(finding.value)[:500])


def test_every_sweep_has_a_planted_bug() -> None:
    assert {mutant.check for mutant in ALL} == {*BENCH_CHECKS, *SYSTEM_CHECKS, "resets"}
    assert {mutant.name for mutant in ALL} >= QUICK


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_bug_fits_the_text(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
