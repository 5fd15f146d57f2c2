# SPDX-License-Identifier: Apache-2.0
"""mel_lock_cache: what both front ends say of it, and random accesses of all cores against a
reference in Python (tests/rtl/lock_cache), with mutants. Its proofs: test_proofs.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from mel_gen.lock_cache import PARAMETERS
from ruamel.yaml import YAML

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.rtl.lock_cache import bench
from tests.rtl.lock_cache.bench import LIST, generics
from tests.rtl.lock_cache.reference import LockCache, Size
from tests.rtl.test_rtl_lint import complaints, verilator

FOLDER = ROOT / "hw" / "lock_cache"
TOLD, GIVEN = Size(2, 3, 2, 0), Size(3, 5, 4, 1, 8)
NAMED = {"told": TOLD, "given": GIVEN}
MORE = [
    Size(64, 64, 4, 0),
    Size(64, 64, 4, 1),
    Size(1, 1, 1, 1, 2),
    Size(128, 128, 3, 1, 256),
    Size(5, 13, 1, 0),
    Size(7, 128, 2, 1, 3),
]
ACCESSES = 6_000
MANY = 150_000
# Situations that random accesses must reach: always, if all are told, if locks are handed over.
ALWAYS = {
    "taken, short", "taken, long", "freed, short", "freed, long", "waits, short", "waits, long",
    "waits, long for its own", "handed over, short", "handed over, taken", "tried in vain",
    "notice", "withdrawn", "withdrawn, passed on", "released for another", "state",
    "refused: not held", "refused: waits for itself", "refused: no such core",
    "refused: no such lock", "refused: no priority", "refused: read only",
    "refused: no such register", "refused: not a whole word",
}  # fmt: skip
REACHED = {
    "told": ALWAYS | {"told 1", "told 2", "told again"},
    "given": ALWAYS
    | {"handed over, long", "priority before time", "time before turn", "handed over to its own"}
    | {"priority changed", "refused: not yet told"},
}


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of hw/lock_cache); `size` (of NAMED) shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    size: str = "given"


ROWS = YAML(typ="safe").load((bench.HERE / "mutants.yaml").read_text(encoding="utf-8"))
MUTANTS = [Mutant(**row) for row in ROWS]


def named(size: Size) -> str:
    return f"{size.short}+{size.long} locks, {size.cores} cores, hand-over {size.hand_over}"


@pytest.mark.parametrize("size", [TOLD, GIVEN, *MORE], ids=named)
def test_verilator_has_nothing_to_say(size: Size) -> None:
    files = map(str, bench.sources())
    result = verilator("--top-module", "mel_lock_cache", *generics(size), *files)
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize("parameter", PARAMETERS)
@pytest.mark.parametrize("beyond", [False, True], ids=["below", "above"])
def test_a_parameter_out_of_range_stops_elaboration(parameter: str, beyond: bool) -> None:
    name, _, minimum, maximum = PARAMETERS[parameter]
    value = maximum + 1 if beyond else minimum - 1
    if value < 0:
        return  # an unsigned parameter has no such value
    files = map(str, bench.sources())
    result = verilator("--top-module", "mel_lock_cache", f"-G{name}={value}", *files)
    text = f"mel_lock_cache: parameter {name} = {value} is out of range {minimum}..{maximum}"
    assert result.returncode != 0
    assert text in result.stdout


def test_yosys_accepts_it() -> None:
    """read_slang, as synthesis and proofs do."""
    names = " ".join(file.relative_to(ROOT).as_posix() for file in bench.sources())
    words = f"--top mel_lock_cache -G Cores=3 -G HandOver=1 {names}"
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
@pytest.mark.parametrize("size", [TOLD, GIVEN, *MORE], ids=named)
def test_many_random_accesses(size: Size) -> None:
    program = bench.build(size)
    for seed in (2, 3):
        _, complaint = bench.run(program, size, seed=seed, accesses=MANY)
        assert complaint == ""


def finding(name: str, number: int) -> str:
    """Return the reference's complaint about a mutant of this size (the bench holds all); empty
    when it agrees."""
    program = bench.build(NAMED[name], schemata.plant(bench.sources(), MUTANTS))

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, NAMED[name], seed=1, accesses=ACCESSES)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{name} {number}".encode())]
    return kept.verdict("lock cache", contents + kept.folders("tests/rtl/lock_cache"), look)


@pytest.mark.parametrize("name", NAMED)
def test_without_a_bug_all_agrees(name: str) -> None:
    assert finding(name, 0) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = finding(mutant.size, 1 + MUTANTS.index(mutant))
    assert complaint.startswith("access "), complaint


# ---- the reference -------------------------------------------------------------------------------


def test_the_reference_hands_over_by_priority() -> None:
    """A walk through decision 0019, so that the reference is not only what the unit does."""
    locks = LockCache(GIVEN)
    long_2 = 0x200 + 4 * 2

    def load(core: int, address: int) -> int:
        return locks.access(core, False, address, 0xF, 0)

    def store(core: int, address: int, word: int = 0) -> int:
        return locks.access(core, True, address, 0xF, word)

    assert load(0, long_2) == 1
    for core, priority in ((1, 5), (3, 3), (2, 3)):
        assert store(core, 0xC18, priority) == 0
        assert load(core, long_2) == 0
    assert store(1, long_2) == 0xFFFFFFFF  # not its lock
    assert store(0, long_2) == 0
    assert locks.irq == 0b1000  # core 3 waited before core 2
    assert store(3, long_2) == 0xFFFFFFFF  # it does not know yet
    assert load(3, 0xC1C) == 2
    assert load(3, 0xC1C) == 0xFFFFFFFF
    assert store(2, 0x400 + long_2, 7) == 0  # less urgent than core 1 from now on
    assert store(3, long_2) == 0
    assert locks.irq == 0b0010
    assert load(0, 0xC14) == 2


def test_the_reference_tells_all() -> None:
    locks = LockCache(Size(1, 1, 3, 0))
    for core in range(3):
        assert locks.access(core, False, 0x200, 0xF, 0) == (core == 0)
    assert locks.access(2, True, 0x200, 0xF, 1) == 0  # in the name of core 0
    assert locks.irq == 0b110
    assert locks.access(0, False, 0x200, 0xF, 0) == 1  # faster than those who were told
