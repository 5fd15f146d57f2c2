# SPDX-License-Identifier: Apache-2.0
"""mel_dmmu: what both front ends say of it, and random accesses of all cores against a reference
in Python (tests/rtl/dmmu), with mutants. Its proofs: test_proofs.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from mel_gen.dmmu import PARAMETERS, Command, Region, Register
from ruamel.yaml import YAML

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.rtl.dmmu import bench
from tests.rtl.dmmu.bench import LIST, generics
from tests.rtl.dmmu.reference import Dmmu, Size
from tests.rtl.test_rtl_lint import complaints, verilator

FOLDER = ROOT / "hw" / "dmmu"
FEW, MANY = Size(8, 3, 2), Size(77, 20, 4)
NAMED = {"few": FEW, "many": MANY}
MORE = [Size(2, 1, 1), Size(16, 16, 1), Size(256, 256, 4), Size(256, 2, 3), Size(5, 33, 2)]
ACCESSES = 6_000
SOAK = 60_000
# Situations that random accesses must reach: always, with few of each, with many.
ALWAYS = {
    "allocate", "allocate, full", "full, with as many free", "behind a gap", "release", "give",
    "clear", "refused: no blocks", "refused: too many blocks", "refused: no such owner",
    "refused: no such next owner", "refused: another owner's", "refused: a free block",
    "refused: no allocation begins there", "refused: no such block", "refused: a word with clear",
    "refused: other bits of the word", "refused: no such command", "refused: no such register",
    "refused: no such block to load", "refused: not a whole word", "all blocks at once",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/dmmu); `size` (of NAMED) shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    size: str = "many"


ROWS = YAML(typ="safe").load((bench.HERE / "mutants.yaml").read_text(encoding="utf-8"))
MUTANTS = [Mutant(**row) for row in ROWS]


def named(size: Size) -> str:
    return f"{size.blocks} blocks, {size.owners} owners, {size.cores} cores"


@pytest.mark.parametrize("size", [FEW, MANY, *MORE], ids=named)
def test_verilator_has_nothing_to_say(size: Size) -> None:
    files = map(str, bench.sources())
    result = verilator("--top-module", "mel_dmmu", *generics(size), *files)
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize("parameter", PARAMETERS)
@pytest.mark.parametrize("beyond", [False, True], ids=["below", "above"])
def test_a_parameter_out_of_range_stops_elaboration(parameter: str, beyond: bool) -> None:
    name, _, minimum, maximum = PARAMETERS[parameter]
    value = maximum + 1 if beyond else minimum - 1
    files = map(str, bench.sources())
    result = verilator("--top-module", "mel_dmmu", f"-G{name}={value}", *files)
    text = f"mel_dmmu: parameter {name} = {value} is out of range {minimum}..{maximum}"
    assert result.returncode != 0
    assert text in result.stdout


def test_yosys_accepts_it() -> None:
    """read_slang, as synthesis and proofs do."""
    names = " ".join(file.relative_to(ROOT).as_posix() for file in bench.sources())
    words = f"--top mel_dmmu -G Cores=3 {names}"
    commands = f"read_slang --threads 1 -DSYNTHESIS {words}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


def test_the_file_list_is_complete() -> None:
    assert {file for file in bench.sources() if file.parent == FOLDER} == set(FOLDER.glob("*.sv"))
    assert LIST.parent == FOLDER


def test_random_accesses_reach_all() -> None:
    for size in NAMED.values():
        seen, complaint = bench.run(bench.build(size), size, seed=1, accesses=ACCESSES)
        assert complaint == ""
        assert seen["accesses"] >= ACCESSES
        assert {what for what in ALWAYS if not seen[what]} == set()


@pytest.mark.soak
@pytest.mark.parametrize("size", [FEW, MANY, *MORE], ids=named)
def test_many_random_accesses(size: Size) -> None:
    program = bench.build(size)
    for seed in (2, 3):
        _, complaint = bench.run(program, size, seed=seed, accesses=SOAK)
        assert complaint == ""


@pytest.mark.parametrize("blocks", [2, 3, 16, 17, 64, 255, 256])
def test_an_allocation_takes_seven_cycles_at_most(blocks: int) -> None:
    """From the cycle in which it is taken to the first in which its answer can be loaded; decision
    0041 allows 16."""
    assert 1 + Size(blocks, 1, 1).allocating <= 7


def finding(name: str, number: int) -> str:
    """Return the reference's complaint about a mutant of this size (the bench holds all); empty
    when it agrees."""
    program = bench.build(NAMED[name], schemata.plant(bench.sources(), MUTANTS))

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, NAMED[name], seed=1, accesses=ACCESSES)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{name} {number}".encode())]
    return kept.verdict("dmmu", contents + kept.folders("tests/rtl/dmmu"), look)


@pytest.mark.parametrize("name", NAMED)
def test_without_a_bug_all_agrees(name: str) -> None:
    assert finding(name, 0) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = finding(mutant.size, 1 + MUTANTS.index(mutant))
    assert complaint.startswith("access "), complaint


# ---- the reference -------------------------------------------------------------------------------


def test_the_reference_walks_through_the_decision() -> None:
    """Decision 0041, so that the reference is not only what the unit does."""
    unit = Dmmu(Size(8, 4, 1))

    def do(command: Command, owner: int, number: int, after: int = 0) -> int:
        unit.access(0, True, command, 0xF, owner | number << 8 | after << 24)
        return unit.access(0, False, Register.ANSWER, 0xF, 0)

    def load(offset: int) -> int:
        return unit.access(0, False, offset, 0xF, 0)

    assert do(Command.ALLOCATE, 0, 3) == 0
    assert do(Command.ALLOCATE, 1, 1) == 3
    assert do(Command.ALLOCATE, 0, 2) == 4
    assert load(Register.FREE) == 2
    assert do(Command.RELEASE, 0, 0) == 0
    assert do(Command.ALLOCATE, 2, 4) == 0xFFFFFFFE  # five are free, three of them together
    assert (load(Register.FAILED), load(Register.REFUSED)) == (1, 0)
    assert do(Command.ALLOCATE, 2, 2) == 0  # the lowest run that is long enough
    assert load(Region.ALLOCATION + 4 * 4) == 0 | 2 << 8
    assert do(Command.RELEASE, 1, 4) == 0xFFFFFFFF  # another's
    assert do(Command.GIVE, 0, 4, 1) == 0
    assert load(Region.ALLOCATION + 4 * 4) == 1 | 2 << 8
    assert do(Command.RELEASE, 0, 4) == 0xFFFFFFFF
    assert do(Command.RELEASE, 1, 5) == 0xFFFFFFFF  # no allocation begins there
    assert do(Command.RELEASE, 1, 4) == 0
    assert (load(Register.FREE), load(Register.LEAST)) == (5, 2)
    assert load(Register.REFUSED) == 3
