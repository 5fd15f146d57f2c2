# SPDX-License-Identifier: Apache-2.0
"""mel_queues alone: random steps against a reference in C++ (tests/rtl/queues), mutants that
this must notice, and misuse that the module's own assertions must notice.
"""

from __future__ import annotations

import pytest
from ruamel.yaml import YAML

from tests.common import kept, schemata
from tests.common.verilated import ROOT
from tests.random.mutants import Mutant
from tests.rtl.queues import bench
from tests.rtl.queues.bench import Size
from tests.rtl.test_rtl_lint import complaints, verilator

FILES = bench.sources(ROOT / "hw/rtl")
SMALL = Size(2, 4)
SIZES = [Size(1, 1), SMALL, Size(16, 64), Size(128, 256)]
ODD = [Size(1, 9, 2), Size(5, 13, 3), Size(3, 256), Size(9, 2)]
OPERATIONS = 200_000
# Misuse of bench.cpp → the assertion that names it.
MISUSES = {
    1: "a_push",
    2: "a_pop",
    3: "a_create",
    4: "a_read_first",
    5: "a_read_or_operation",
    6: "a_create",
    7: "a_delete",
    8: "a_purge",
    9: "a_priority",
}


BLIND = 10  # kBlind of bench.cpp
# The assertion about the module's inside → a bug (old, new) that it notices.
INSIDE = {
    "a_slots_conserve": ("frees_q   = pops_q || purges_q;", "frees_q   = purges_q;"),
    "a_slot_was_free": ("free_top = slot_t'(free_q - count_t'(1));", "free_top = '0;"),
    "a_slot_was_used": ("popped_q <= slot_t'(top.task_id);", "popped_q <= ~slot_t'(top.task_id);"),
    "a_count_conserves": (
        "inside {QueuePop, QueuePopPush, QueuePurge})",
        "inside {QueuePopPush, QueuePurge})",
    ),
    "a_flags": ("flags_d.empty   = last;", "flags_d.empty   = 1'b0;"),
    "a_reserved": ("(purges_q && last)", "purges_q"),
    "a_record_collision": ("read      = read_i && settled_o;", "read      = read_i;"),
    "a_stack_collision": (
        "free_top = slot_t'(free_q - count_t'(1));",
        "free_top = slot_t'(free_q);",
    ),
    "a_word_collision": ("word_read = settled_o;", "word_read = 1'b1;"),
}


def named(size: Size) -> str:
    return f"{size.queues} queues, {size.messages} messages"


def load_mutants() -> list[Mutant]:
    """The mutants of tests/rtl/queues/mutants.yaml."""
    text = (bench.HERE / "mutants.yaml").read_text(encoding="utf-8")
    return [Mutant(**item) for item in YAML(typ="safe").load(text)]


MUTANTS = load_mutants()


@pytest.mark.parametrize("size", [*SIZES, *ODD, Size(0, 64), Size(16, 0)], ids=named)
def test_verilator_has_nothing_to_say(size: Size) -> None:
    files = map(str, FILES)
    result = verilator("--top-module", "mel_queues", *bench.generics(size), *files)
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize("size", SIZES, ids=named)
def test_random_steps(size: Size) -> None:
    """Every kind of operation, in every number of cycles that it can take; a pool without room."""
    reached, complaint = bench.run(bench.build(size, FILES), size, seed=1, operations=OPERATIONS)
    assert complaint == ""
    assert reached["operations"] == OPERATIONS
    for what in ("create 1", "delete 1", "push 2", "pop 1", "pop_push 3", "purge 1", "pool_full"):
        assert reached[what] > 0, what
    if size.queues > 1:
        for what in ("pop 2", "pop_push 4", "purge 2", "second_purge"):
            assert reached[what] > 0, what
    assert reached["deepest"] > size.messages // 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 6])
@pytest.mark.parametrize("size", SIZES + ODD, ids=named)
def test_many_random_steps(size: Size, seed: int) -> None:
    _, complaint = bench.run(bench.build(size, FILES), size, seed=seed, operations=1_000_000)
    assert complaint == ""


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_noticed(misuse: int) -> None:
    program = bench.build(SMALL, FILES)
    _, complaint = bench.run(program, SMALL, seed=1, operations=10_000, misuse=misuse)
    assert f"{MISUSES[misuse]}: 'assert' failed" in complaint, complaint


# ---- mutants -------------------------------------------------------------------------------------

# Mutants that the assertions about the inside deny; misuse BLIND: nothing else looks.
OF_INSIDE = [
    Mutant(assertion, "mel_queues.sv", old, new, "it is what the assertion denies")
    for assertion, (old, new) in INSIDE.items()
]
PLANTED = [*MUTANTS, *OF_INSIDE]


def finding(mutant: Mutant | None, *, assertions: bool) -> str:
    """Return the complaint of the random test about a mutant, or of the assertions alone; empty
    when there is none. None: the same bench without a mutant."""
    files = schemata.plant(FILES, PLANTED)
    program = bench.build(SMALL, files, assertions=assertions)
    number = 1 + PLANTED.index(mutant) if mutant else 0
    misuse = BLIND if assertions else 0

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, SMALL, seed=1, operations=OPERATIONS, misuse=misuse)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{number} {misuse}".encode())]
    return kept.verdict("queues", contents + kept.folders("tests/rtl/queues"), look)


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
