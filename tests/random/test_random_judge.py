# SPDX-License-Identifier: Apache-2.0
"""The random test itself: what its scripts are, that its judge rejects what is wrong, that failures
can be repeated and made small. What the unit does in the scripts: test_random.py.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from mel_gen import ANSWER_WAITING, Command, TraceKind
from mel_gen import COMMANDS as INFO

from melanion import paths
from melanion.model import Kernel, Limits
from tests.random import bench, script
from tests.random.campaign import SIZES, Case, CaseError, Result, execute, run_case, shrink
from tests.random.edges import EdgeLedger
from tests.random.generate import generate
from tests.random.judge import judge
from tests.random.profiles import NOTIFICATIONS, OBJECTS, PROFILES
from tests.random.records import LOAD, STORE, RejectedError, parse
from tests.random.script import Flag, Kind
from tests.random.ticks import PUBLISHED, Ticks

CASE = Case("small", "mixed", 1, 300)


@pytest.fixture(scope="module")
def good() -> Result:
    return run_case(CASE, bench.build(CASE.limits))


@pytest.mark.parametrize("profile", ["plain", "semaphores", "flags", "queues", "mutexes", "timers"])
def test_a_profile_touches_its_objects_only(profile: str) -> None:
    """So a noun of the RTL is tested before the others are there."""
    objects = PROFILES[profile].objects
    others = {int(c) for c in Command if INFO[c].id in OBJECTS - objects} | set(NOTIFICATIONS)
    for seed in range(1, 6):
        for size in ("tiny", "small", "no_interrupts"):
            entries = generate(seed, SIZES[size], PROFILES[profile], 500)
            commands = [entry for entry in entries if entry.kind == Kind.COMMAND]
            assert not {entry.op for entry in commands} & others
            if not PROFILES[profile].words:
                assert all(entry.operand is None for entry in commands)
                assert not any(entry.flags & Flag.VALUE for entry in entries)


def test_same_seed_gives_same_script() -> None:
    first, second = (generate(7, CASE.limits, PROFILES["hostile"], 200) for _ in range(2))
    assert first == second
    assert first != generate(8, CASE.limits, PROFILES["hostile"], 200)


def test_script_file_keeps_every_entry(tmp_path: Path) -> None:
    entries = generate(3, CASE.limits, PROFILES["hostile"], 200)
    script.write(tmp_path / "script", entries)
    assert script.read(tmp_path / "script") == entries


def test_judge_accepts_the_run_and_rejects_a_lost_event(good: Result) -> None:
    judge(good.run)
    # Without any one dispatch of a task or wait of one the rest cannot be right. (A refused command
    # may be lost unseen: it changes a count, and its answer counts only if it is loaded.)
    chosen = [
        index
        for index, (_, kind, _, subject, _, _, result) in enumerate(good.run.events)
        if (kind == TraceKind.DISPATCH and subject < CASE.limits.tasks)
        or (kind == TraceKind.COMMAND and result == ANSWER_WAITING)
    ]
    assert len(chosen) > 10
    for index in chosen[:10]:
        events = good.run.events[:index] + good.run.events[index + 1 :]
        with pytest.raises(RejectedError):
            judge(replace(good.run, events=events))


def test_judge_rejects_a_wrong_load(good: Result) -> None:
    loads = [i for i, access in enumerate(good.run.accesses) if access.kind == LOAD]
    for index in loads[5::40]:
        accesses = list(good.run.accesses)
        accesses[index] = accesses[index]._replace(read=accesses[index].read ^ 1)
        with pytest.raises(RejectedError, match=rf"script entry {accesses[index].entry}:"):
            judge(replace(good.run, accesses=accesses))


def test_failure_names_seed_and_replay_command() -> None:
    error = pickle.loads(pickle.dumps(CaseError(CASE, "status differs")))  # from a worker
    text = str(error)
    assert text.splitlines() == [
        "python -m tests.random --size small --profile mixed --seed 1 --commands 300",
        "status differs",
    ]


def test_parse_orders_by_time(good: Result) -> None:
    times = [access.answered for access in good.run.accesses]
    assert times == sorted(times)
    assert {access.kind for access in good.run.accesses} >= {LOAD, STORE}
    assert parse(CASE.limits, b"", b"").events == []


SET, BEFORE, SHORTER, LONGER = 1000, 300, 200, 400  # cycles; lengths of ticks


def ticks(length: int, *, halves: bool) -> Ticks:
    """A length is set in the cycle in which a count of BEFORE cycles ends, whose tick follows."""
    found = Ticks(replace(parse(CASE.limits, b"", b""), halves=halves))
    found.set(SET - BEFORE, BEFORE)
    found.set(SET, length)
    found.tick(SET + PUBLISHED)
    return found


@pytest.mark.parametrize("length", [SHORTER, LONGER])
@pytest.mark.parametrize("halves", [False, True])
def test_a_tick_has_the_length_that_is_set_as_its_count_begins(length: int, halves: bool) -> None:
    found = ticks(length, halves=halves)
    first = SET + length + PUBLISHED
    found.tick(first)
    found.tick(first + length)
    with pytest.raises(RejectedError, match="too early"):
        found.tick(first + 2 * length - 1)


@pytest.mark.parametrize("length", [SHORTER, LONGER])
def test_either_length_is_meant_at_twice_the_clock(length: int) -> None:
    """The length before may still be that of the next tick, and of no further one."""
    first = SET + BEFORE + PUBLISHED
    with pytest.raises(RejectedError, match=r"too early|too late"):
        ticks(length, halves=False).tick(first)
    found = ticks(length, halves=True)
    found.tick(first)
    with pytest.raises(RejectedError, match="too early"):
        found.tick(first + length - 1)
    found.tick(first + length)
    between = (min(length, BEFORE) + max(length, BEFORE)) // 2
    with pytest.raises(RejectedError, match=r"too early|too late"):
        ticks(length, halves=True).tick(SET + between + PUBLISHED)


def test_any_part_of_a_script_is_a_script() -> None:
    program = bench.build(CASE.limits)
    entries = generate(5, CASE.limits, PROFILES["mixed"], 200)
    for part in (entries[::2], entries[1::3], entries[100:]):
        execute(program, CASE.limits, part + entries[-3:], 5)


def test_shrink_of_a_good_script_is_empty() -> None:
    assert shrink(CASE, bench.build(CASE.limits)) == []


@pytest.mark.parametrize(("disabled", "complaint"), [(True, ""), (False, "1 are unaccounted for")])
def test_an_edge_while_its_line_is_served_waits_anew(disabled: bool, complaint: str) -> None:
    """… so that a later disable may forget it, however long the line has been quiet."""
    kernel = Kernel(Limits(interrupts=1))
    kernel.interrupts[0].enabled = True
    ledger = EdgeLedger(kernel)
    ledger.rise(0, 100)
    ledger.rise(0, 105)
    ledger.serve(0, 110)
    if disabled:
        ledger.command(Command.IRQ_DISABLE, 0, 200)
    found = ledger.difference(0, 400)
    assert found.endswith(complaint) if complaint else found == ""


def test_a_copy_that_is_none_is_told_in_one_sentence(tmp_path: Path) -> None:
    words = ["--size", "tiny", "--profile", "mixed", "--rtl", str(tmp_path / "nosuch")]
    done = subprocess.run(
        [sys.executable, "-m", "tests.random", *words],
        cwd=paths.data_root(),
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"{tmp_path}/nosuch is no copy of hw/engine: it has no mel_unit.f; make one with"
        f" `cp -r hw/engine {tmp_path}/nosuch`, or correct the path.\n"
    )
