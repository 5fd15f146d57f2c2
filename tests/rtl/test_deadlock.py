# SPDX-License-Identifier: Apache-2.0
"""mel_deadlock: what both front ends say of it, and random accesses of all cores against a
reference in Python (tests/rtl/deadlock), with mutants. Its proofs: test_proofs.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from mel_gen.deadlock import PARAMETERS, Command, Register
from ruamel.yaml import YAML

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.rtl.deadlock import bench
from tests.rtl.deadlock.bench import LIST, generics
from tests.rtl.deadlock.reference import Deadlock, Size
from tests.rtl.test_rtl_lint import complaints, verilator

FOLDER = ROOT / "hw" / "deadlock"
FEW, MANY = Size(3, 4, 2), Size(9, 12, 4)
NAMED = {"few": FEW, "many": MANY}
MORE = [Size(2, 2, 1), Size(16, 16, 1), Size(64, 64, 4), Size(64, 2, 3), Size(5, 33, 2)]
ACCESSES = 6_000
SOAK = 100_000
# Situations that random accesses must reach: always, with few of each, with many.
ALWAYS = {
    "request", "request, waits", "grant", "release", "withdraw", "clear", "waits for a free one",
    "deadlock by request", "deadlock by grant", "deadlock of 2", "deadlock of 3", "resolved",
    "waits beside a deadlock", "notice taken back", "refused: requests its own",
    "refused: requests twice", "refused: grants what is held", "refused: withdraws no request",
    "refused: releases what it does not hold", "refused: a word with clear",
    "refused: no such process or resource", "refused: no such command",
    "refused: no such register", "refused: no such resource to load", "refused: not a whole word",
}  # fmt: skip
REACHED = {"few": ALWAYS | {"longest reduction"}, "many": ALWAYS | {"deadlock of 4", "between"}}


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/deadlock); `size` (of NAMED) shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    size: str = "many"


ROWS = YAML(typ="safe").load((bench.HERE / "mutants.yaml").read_text(encoding="utf-8"))
MUTANTS = [Mutant(**row) for row in ROWS]


def named(size: Size) -> str:
    return f"{size.processes} processes, {size.resources} resources, {size.cores} cores"


@pytest.mark.parametrize("size", [FEW, MANY, *MORE], ids=named)
def test_verilator_has_nothing_to_say(size: Size) -> None:
    files = map(str, bench.sources())
    result = verilator("--top-module", "mel_deadlock", *generics(size), *files)
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize("parameter", PARAMETERS)
@pytest.mark.parametrize("beyond", [False, True], ids=["below", "above"])
def test_a_parameter_out_of_range_stops_elaboration(parameter: str, beyond: bool) -> None:
    name, _, minimum, maximum = PARAMETERS[parameter]
    value = maximum + 1 if beyond else minimum - 1
    files = map(str, bench.sources())
    result = verilator("--top-module", "mel_deadlock", f"-G{name}={value}", *files)
    text = f"mel_deadlock: parameter {name} = {value} is out of range {minimum}..{maximum}"
    assert result.returncode != 0
    assert text in result.stdout


def test_yosys_accepts_it() -> None:
    """read_slang, as synthesis and proofs do."""
    names = " ".join(file.relative_to(ROOT).as_posix() for file in bench.sources())
    words = f"--top mel_deadlock -G Cores=3 {names}"
    commands = f"read_slang --threads 1 -DSYNTHESIS {words}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


def test_the_file_list_is_complete() -> None:
    assert {file for file in bench.sources() if file.parent == FOLDER} == set(FOLDER.glob("*.sv"))
    assert LIST.parent == FOLDER


def test_random_accesses_reach_all() -> None:
    for name, size in NAMED.items():
        seen, complaint = bench.run(bench.build(size), size, seed=1, accesses=ACCESSES)
        assert complaint == ""
        assert seen["accesses"] >= ACCESSES
        assert {what for what in REACHED[name] if not seen[what]} == set()


@pytest.mark.soak
@pytest.mark.parametrize("size", [FEW, MANY, *MORE], ids=named)
def test_many_random_accesses(size: Size) -> None:
    program = bench.build(size)
    for seed in (2, 3):
        _, complaint = bench.run(program, size, seed=seed, accesses=SOAK)
        assert complaint == ""


def finding(name: str, number: int) -> str:
    """Return the reference's complaint about a mutant of this size (the bench holds all); empty
    when it agrees."""
    program = bench.build(NAMED[name], schemata.plant(bench.sources(), MUTANTS))

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, NAMED[name], seed=1, accesses=ACCESSES)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{name} {number}".encode())]
    return kept.verdict("deadlock", contents + kept.folders("tests/rtl/deadlock"), look)


@pytest.mark.parametrize("name", NAMED)
def test_without_a_bug_all_agrees(name: str) -> None:
    assert finding(name, 0) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = finding(mutant.size, 1 + MUTANTS.index(mutant))
    assert complaint.startswith("access "), complaint


# ---- the reference -------------------------------------------------------------------------------


def test_the_reference_walks_through_the_decision() -> None:
    """Decision 0039, so that the reference is not only what the unit does."""
    unit = Deadlock(Size(4, 4, 1))

    def do(command: Command, process: int, resource: int) -> int:
        unit.access(0, True, command, 0xF, process | resource << 8)
        return unit.access(0, False, Register.ANSWER, 0xF, 0)

    def load(register: Register) -> int:
        return unit.access(0, False, register, 0xF, 0)

    assert do(Command.REQUEST, 0, 0) == 1  # free: it holds it
    assert do(Command.REQUEST, 1, 1) == 1
    assert do(Command.REQUEST, 2, 0) == 0  # waits, in no deadlock
    assert do(Command.REQUEST, 0, 1) == 0
    assert do(Command.REQUEST, 1, 0) == 2  # 0 and 1 wait for each other
    assert (load(Register.PROCESSES), load(Register.RESOURCES)) == (0b0011, 0b0011)
    assert unit.irq == 1
    assert do(Command.REQUEST, 3, 1) == 0  # waits for one in a deadlock: in none itself
    assert do(Command.WITHDRAW, 1, 0) == 1
    assert (load(Register.PROCESSES), load(Register.NOTICE)) == (0, 1)
    unit.access(0, True, Register.NOTICE, 0xF, 0)
    assert unit.irq == 0
    assert do(Command.RELEASE, 1, 1) == 1
    assert do(Command.REQUEST, 1, 1) == 0  # free, but others wait for it
    assert do(Command.GRANT, 3, 1) == 1
    assert do(Command.GRANT, 0, 1) == 0xFFFFFFFF  # held
