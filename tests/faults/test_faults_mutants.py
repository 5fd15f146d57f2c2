# SPDX-License-Identifier: Apache-2.0
"""Mutants (tests/faults/mutants.yaml): the sweep that is named there must notice each."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from melanion import config, paths
from tests.common import findings, kept, planted_tree, schemata
from tests.faults import (
    boundaries,
    guarded,
    planted,
    races,
    requests,
    resets,
    silence,
    whole,
    windows,
)
from tests.faults.guarded import Touch
from tests.faults.resets import ResetError
from tests.faults.silence import SilentTree
from tests.faults.stage import LIMITS
from tests.kernel import test_kernel_boot
from tests.random import mutants
from tests.random.records import RejectedError

ROOT = paths.data_root()


ALL = planted.load()
OF_UNIT = planted.of_unit()
OF_SYSTEM = [mutant for mutant in ALL if not mutant.of_unit]
# Mutants of C for every run: short ones, and one sweep; the rest in `make soak`. Those of unit and
# bus are all in every run.
QUICK = frozenset(
    {
        "giving a semaphore is not atomic",
        "a boot program does not look at the parameters",
        "a boot program does not look at the identity",
        "a bus error of the unit says nothing about it",
    }
)


def _all_contexts(program: Path) -> None:
    for where in requests.CONTEXTS:
        requests.check_refused(program, where)


UNIT_CHECKS: dict[str, Callable[[Path], object]] = {
    "illegal_requests": _all_contexts,
    "legal_requests": requests.check_accepted,
    "illegal_accesses": windows.check_illegal_accesses,
    "loads": windows.check_loads,
    "unit_storm": boundaries.check_storm,
    "edges": boundaries.check_edges_without_effect,
    "wakeups": boundaries.check_wakeup_limit,
    "counts": boundaries.check_semaphore_limit,
    "longest": lambda program: races.check_longest_limit(program, LIMITS),
    "races": lambda program: races.check_race(program, races.CONTENDERS[0]),
    "windows_of_cores": windows.check_windows_of_cores,
    "resets": lambda program: resets.check_resets(program, resets.SEED, every=101),
}


def _interrupted(kernel: str, _: Path) -> None:
    whole.interrupted(config.find(kernel), delays=60, handle=True, max_cycles=6_000_000)


def _limited() -> None:
    system = config.find("hwrtos")
    whole.check_limited(whole.storm(system, True, whole.LIMIT), whole.periods(system, whole.LIMIT))


SYSTEM_CHECKS: dict[str, Callable[[Path], object]] = {
    "interrupted_sw": lambda folder: _interrupted("sw", folder),
    "interrupted_hwrtos": lambda folder: _interrupted("hwrtos", folder),
    "interrupted_port": lambda folder: _interrupted("port", folder),
    "bounded_storm": lambda _: _limited(),
    # A third more cycles than without a bug: one that stops the bus runs into the limit.
    "random_waits": lambda _: whole.interrupted_at_random(config.find("hwrtos"), 1, 4_000_000),
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


def _marked(mutant: planted.Mutant) -> object:
    marks = () if mutant.name in QUICK else (pytest.mark.soak,)
    return pytest.param(mutant, id=mutant.name.replace(" ", "_"), marks=marks)


def of_unit(check: str) -> Path:
    """The bench of the unit for a check, with all bugs of its size."""
    size = planted.size_of(check)
    if check == "resets":
        return resets.build(mutants.sources(size))
    return mutants.program(size)


def finding(check: str, number: int) -> str:
    """Return the words of a check on a mutant of the unit; empty when it passes. BenchError passes
    through."""
    program = of_unit(check)

    def look() -> str:
        with schemata.chosen(number):
            return findings.words(lambda: UNIT_CHECKS[check](program), RejectedError, ResetError)

    contents = [
        ("bench", program.parent.name.encode()),
        ("bug", f"{check} {number}".encode()),
        *kept.folders(*mutants.JUDGES, "tests/faults"),
    ]
    return kept.verdict(f"{check} with bug {number}", contents, look)


@pytest.mark.parametrize("check", UNIT_CHECKS)
def test_the_unit_without_a_bug_passes(check: str) -> None:
    assert finding(check, 0) == ""


@pytest.mark.parametrize("mutant", OF_UNIT, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_bug_in_the_unit_is_noticed(mutant: planted.Mutant) -> None:
    said = finding(mutant.check, mutants.number_of(mutant))
    assert said, f"nothing was noticed of: {mutant.name} ({mutant.why})"
    print(said)


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


def check_system(check: str, folder: Path) -> None:
    folder.mkdir()
    SYSTEM_CHECKS[check](folder)


# All bugs of the bus are in one build.
OF_BUS = silence.of_bus()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SilentTree:
    return SilentTree(tmp_path_factory.mktemp("woven"))


def of_bus(tree: SilentTree, bug: planted.Mutant | None, check: str, folder: Path) -> str:
    contents = [("check", check.encode()), *kept.folders("tests/common/bare")]
    return planted_tree.finding(tree, bug, lambda: SYSTEM_CHECKS[check](folder), contents)


@pytest.mark.parametrize("check", sorted({bug.check for bug in OF_BUS}))
def test_the_bus_without_a_bug_passes(tree: SilentTree, check: str, tmp_path: Path) -> None:
    assert of_bus(tree, None, check, tmp_path) == ""


@pytest.mark.parametrize("mutant", OF_BUS, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_bug_in_the_bus_is_noticed(
    tree: SilentTree, mutant: planted.Mutant, tmp_path: Path
) -> None:
    said = of_bus(tree, mutant, mutant.check, tmp_path)
    assert said, f"nothing was noticed of: {mutant.name} ({mutant.why})"
    print(said)


QUICK_CHECKS = {mutant.check for mutant in OF_SYSTEM if mutant.name in QUICK}


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, marks=() if check in QUICK_CHECKS else (pytest.mark.soak,))
        for check in SYSTEM_CHECKS
    ],
)
def test_a_system_without_a_bug_passes(check: str, root: Path, tmp_path: Path) -> None:
    check_system(check, tmp_path / "program")


@pytest.mark.parametrize("mutant", [_marked(m) for m in OF_SYSTEM if m not in OF_BUS])
def test_bug_in_the_c_side_is_noticed(mutant: planted.Mutant, root: Path, tmp_path: Path) -> None:
    path = root / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    with findings.noticed():
        check_system(mutant.check, tmp_path / "program")


def test_every_sweep_has_a_planted_bug() -> None:
    assert {mutant.check for mutant in ALL} == {*UNIT_CHECKS, *SYSTEM_CHECKS}
    assert {mutant.name for mutant in ALL} >= QUICK


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_bug_fits_the_text(mutant: planted.Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
