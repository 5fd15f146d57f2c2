# SPDX-License-Identifier: Apache-2.0
"""The unit in shapes that test_random.py leaves out: at twice the clock of its cores, without a
monitor, without objects (and so with the lean program).
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mel_gen import Command, IrqAction, Status, TraceKind

from melanion import micro
from melanion.model import Limits
from tests.random import bench
from tests.random.campaign import SIZES as LIMITS
from tests.random.campaign import Case, CaseError, execute, run_case
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError
from tests.random.script import Entry, Kind

DOUBLE = ("small", "two")  # at twice the clock of the cores
OBJECTS = ("semaphores", "event_flags", "mutexes", "queues", "messages")
COMMANDS = 200


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("size", DOUBLE)
def test_unit_at_twice_the_clock_agrees_with_the_model(size: str, profile: str) -> None:
    case = Case(size, profile, 1, COMMANDS, ratio=2)
    result = run_case(case, case.build())
    assert result.commands > COMMANDS // 2


# Mutants of what only a unit at twice the clock has: a text of mel_unit.sv, its replacement, the
# profile that shows it, and how the judge names it.
TWICE = {
    "cycles are read without regard to the words behind": (
        "assign cycles_read = cycles + {{26{shift[5]}}, shift};",
        "assign cycles_read = cycles + 32'(shift & 6'd0);",
        "hostile",
        "cycles beyond its budget|load of 0x",
    ),
    "ticks count cycles of the unit": (
        ".advance_i        (core_edge),",
        ".advance_i        (1'b1),",
        "timers",
        "a tick comes too early",
    ),
}


@pytest.mark.parametrize("name", TWICE)
def test_judge_notices_a_mutant_at_twice_the_clock(name: str, tmp_path: Path) -> None:
    old, new, profile, complaint = TWICE[name]
    for file in bench.RTL.iterdir():
        text = file.read_text(encoding="utf-8")
        if file.name == "mel_unit.sv":
            assert text.count(old) == 1
            text = text.replace(old, new)
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    case = Case("small", profile, 1, COMMANDS, ratio=2)
    run_case(case, case.build())  # without the mutant
    with pytest.raises(CaseError, match=complaint):
        run_case(case, case.build(tmp_path))


def test_what_is_not_measured_reads_as_zero() -> None:
    limits = replace(LIMITS["small"], monitor=0)
    program = bench.build(limits)
    for profile in ("deadlines", "timers"):
        entries = generate(1, limits, PROFILES[profile], 3 * COMMANDS)
        execute(program, limits, entries, 1)


WITHOUT: dict[str, Any] = dict.fromkeys(OBJECTS, 0)
BARE = replace(LIMITS["small"], **WITHOUT)


def run_bare(program: Path, limits: Limits, profile: str, seed: int) -> None:
    """A random script on a unit without objects."""
    entries = generate(seed, limits, PROFILES[profile], 2 * COMMANDS)
    execute(program, limits, entries, seed)


@pytest.mark.parametrize("cores", [1, 2])
def test_the_lean_program_agrees_with_the_model(cores: int) -> None:
    """A unit without objects has a program of its own, and no lists of waits."""
    limits = replace(BARE, cores=cores)
    program = bench.build(limits)
    for profile in PROFILES:
        run_bare(program, limits, profile, 1)


def lean_without(word: int, folder: Path) -> Path:
    """The bench of BARE with a mutant: at that word of the lean program the step ends."""
    files = [shutil.copy(file, folder) for file in bench.sources()[:-1]]
    paths = [*map(Path, files), bench.HERE / "bench.sv"]
    (package,) = [path for path in paths if path.name == "mel_program_pkg.sv"]
    head, words = package.read_text(encoding="utf-8").split(" LeanWords ")
    lines = words.split("\n")
    end = 1 + micro.assemble_lean().tables.lean_words - 1  # an unwritten word ends the step
    lines[1 + word] = f"{lines[end]},"
    package.write_text(" LeanWords ".join((head, "\n".join(lines))), encoding="utf-8")
    return bench.build(BARE, files=paths)


def test_a_word_that_the_lean_program_lacks_is_noticed(tmp_path: Path) -> None:
    program = lean_without(micro.assemble_lean().tables.slots["command task_wakeup"], tmp_path)
    with pytest.raises(RejectedError):
        run_bare(program, BARE, "mixed", 1)


def map_to_objects(program: Path) -> None:
    """A line is mapped to every action of an object, which a unit without objects refuses."""
    actions = (IrqAction.SEMAPHORE_GIVE, IrqAction.EVENT_FLAGS_SET, IrqAction.QUEUE_POST)
    entries = [Entry(Kind.COMMAND, Command.IRQ_MAP, argument=action) for action in actions]
    run = execute(program, BARE, entries, 1).run
    answers = [event[6] for event in run.events if event[1] == TraceKind.ANSWER]
    assert answers == [Status.E_PAR & 0xFFFF_FFFF] * len(actions)


def test_lines_are_not_mapped_to_objects_of_a_unit_without(tmp_path: Path) -> None:
    map_to_objects(bench.build(BARE))
    first_action = micro.assemble_lean().symbols["irq_map_action"] + IrqAction.SEMAPHORE_GIVE
    with pytest.raises(RejectedError):
        map_to_objects(lean_without(first_action, tmp_path))


def test_claims_begin_anew_when_ticks_stop() -> None:
    case = Case("small", "interrupts", 1, 0)
    handler = (
        Entry(Kind.EDGE, number=0, gap=1, delay=4),
        Entry(Kind.WAIT, argument=3000, after=3, handler=1),
        Entry(Kind.COMMAND, Command.DISPATCH_ENABLE, delay=40),
    )
    ticks = Entry(Kind.COMMAND, Command.TICK_SET, argument=5000)
    entries = [
        Entry(Kind.COMMAND, Command.DISPATCH_ENABLE),
        Entry(Kind.COMMAND, Command.IRQ_MAP, argument=0x10, operand=0),
        Entry(Kind.COMMAND, Command.IRQ_ENABLE),
        ticks,
        Entry(Kind.COMMAND, Command.CLAIM_LIMIT, argument=1),
        *handler,
        ticks._replace(argument=0),
        ticks,
        *handler,
    ]
    result = execute(case.build(), case.limits, entries, 1)
    assert result.cycles < 5000


def test_failure_names_the_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("small", "mixed", 1, 20, ratio=2)

    def reject(*arguments: object) -> None:
        raise RejectedError("no")

    monkeypatch.setattr("tests.random.campaign.execute", reject)
    with pytest.raises(CaseError, match=r"--commands 20 --ratio 2"):
        run_case(case, case.build())
