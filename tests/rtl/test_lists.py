# SPDX-License-Identifier: Apache-2.0
"""mel_lists alone: random operations against a reference in C++ (tests/rtl/lists), mutants that
this must notice, and misuse that the module's own assertions must notice.
"""

from __future__ import annotations

import pytest
from ruamel.yaml import YAML

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.random.mutants import Mutant
from tests.rtl.lists import bench
from tests.rtl.lists.bench import SOURCES, Size
from tests.rtl.test_rtl_lint import complaints, verilator

SMALL = Size(3, 8, 16, 2)
WAITS = Size(384, 32, 256, first=256, groups=4)  # 64 tasks, 256 objects
WIDE = Size(512, 32, 256)
READY = Size(2, 32, 64, 2)  # one core
SIZES = [
    Size(1, 2, 2, 1),
    SMALL,
    WAITS,
    WIDE,
    READY,
    Size(6, 32, 64, 6),
    Size(12, 8, 16, first=8, groups=2),
]
ODD = [Size(1, 5, 9), Size(5, 7, 13, 2), Size(384, 32, 200), Size(3, 256, 256, 3), Size(2, 17, 64)]
OPERATIONS = 200_000
# Misuse of bench.cpp → the assertion that names it.
MISUSES = {
    1: "a_op",
    2: "a_object",
    3: "a_prio",
    4: "a_node",
    5: "a_insert",
    6: "a_remove",
    7: "a_remove",
    8: "a_walk",
    9: "a_clear",
}
# Its numbers beyond the last object, priority and node fit the ports.
ROOMY = Size(3, 7, 13, 2)

BLIND = 10  # kBlind of bench.cpp
# The assertion about the module's inside → a bug (old, new) that it notices.
INSIDE = {
    "a_top_has_bit": (
        "bitmap_d = inserts ? bitmap_q | here :",
        "bitmap_d = inserts ? bitmap_q :",
    ),
    "a_top_valid": ("valid: inserts || !is_tail,", "valid: !is_tail,"),
    "a_top_is_head": ("prio: prio_q, node: ends_d.head}", "prio: prio_q, node: ends_d.tail}"),
}


def named(size: Size) -> str:
    tables = f", {size.first} in the first table" if size.first else ""
    return f"{size.objects} objects, {size.priorities} priorities, {size.nodes} nodes{tables}"


def load_mutants() -> list[Mutant]:
    """The mutants of tests/rtl/lists/mutants.yaml."""
    text = (bench.HERE / "mutants.yaml").read_text(encoding="utf-8")
    return [Mutant(**item) for item in YAML(typ="safe").load(text)]


MUTANTS = load_mutants()


@pytest.mark.parametrize("size", [*SIZES, *ODD, Size(1024, 256, 1024)], ids=named)
def test_verilator_has_nothing_to_say(size: Size) -> None:
    result = verilator("--top-module", "mel_lists", *bench.generics(size), *map(str, SOURCES))
    assert (result.returncode, complaints(result.stdout)) == (0, "")


def test_yosys_accepts_it() -> None:
    files = " ".join(file.relative_to(ROOT).as_posix() for file in SOURCES)
    commands = f"read_slang --threads 1 -DSYNTHESIS --top mel_lists {files}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


@pytest.mark.parametrize("size", SIZES, ids=named)
def test_random_operations(size: Size) -> None:
    """Every kind of operation, in every number of cycles that it can take."""
    reached, complaint = bench.run(bench.build(size), size, seed=1, operations=OPERATIONS)
    assert complaint == ""
    assert reached["operations"] == OPERATIONS
    for what in ("tail 3", "head 3", "remove 3", "remove 6", "walk 3", "walk 6", "look 1"):
        assert reached[what] > 0, what
    for what in ("all_members", "whole_walks", "no_first", "a_first"):
        assert reached[what] > 0, what
    assert reached["longest"] > min(size.nodes // size.groups // 2, 20)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 6])
@pytest.mark.parametrize("size", SIZES + ODD, ids=named)
def test_many_random_operations(size: Size, seed: int) -> None:
    _, complaint = bench.run(bench.build(size), size, seed=seed, operations=1_000_000)
    assert complaint == ""


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_noticed(misuse: int) -> None:
    program = bench.build(ROOMY)
    _, complaint = bench.run(program, ROOMY, seed=1, operations=10_000, misuse=misuse)
    assert f"{MISUSES[misuse]}: 'assert' failed" in complaint, complaint


# ---- mutants -------------------------------------------------------------------------------------

# Mutants that the assertions about the inside deny; misuse BLIND: nothing else looks.
OF_INSIDE = [
    Mutant(assertion, "mel_lists.sv", old, new, "it is what the assertion denies")
    for assertion, (old, new) in INSIDE.items()
]
PLANTED = [*MUTANTS, *OF_INSIDE]


def finding(mutant: Mutant | None, *, assertions: bool) -> str:
    """Return the complaint of the random test about a mutant, or of the assertions alone; empty
    when there is none. None: the same bench without a mutant."""
    files = schemata.plant(SOURCES, PLANTED)
    program = bench.build(SMALL, files, assertions=assertions)
    number = 1 + PLANTED.index(mutant) if mutant else 0
    misuse = BLIND if assertions else 0

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, SMALL, seed=1, operations=OPERATIONS, misuse=misuse)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{number} {misuse}".encode())]
    return kept.verdict("lists", contents + kept.folders("tests/rtl/lists"), look)


@pytest.mark.parametrize("assertions", [False, True])
def test_without_a_bug_all_agrees(assertions: bool) -> None:
    assert finding(None, assertions=assertions) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = finding(mutant, assertions=False)
    assert "operation" in complaint, complaint


@pytest.mark.parametrize("mutant", OF_INSIDE, ids=lambda mutant: mutant.name)
def test_assertion_about_the_inside_can_fail(mutant: Mutant) -> None:
    complaint = finding(mutant, assertions=True)
    assert f"{mutant.name}: 'assert' failed" in complaint, complaint
