# SPDX-License-Identifier: Apache-2.0
"""mel_interrupts and mel_time alone: random cycles against references in C++
(tests/rtl/engine_parts), mutants that these must notice, and misuse that the modules' own
assertions must notice.
"""

from __future__ import annotations

import pytest
from ruamel.yaml import YAML

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.random.mutants import Mutant
from tests.rtl.engine_parts import bench
from tests.rtl.engine_parts.bench import INTERRUPTS, TIME, Part
from tests.rtl.test_rtl_lint import complaints, verilator

Size = tuple[int, ...]
WRAPS = 2**32 - 20  # the ticks of a run pass 2^32
CASES: dict[Part, list[Size]] = {
    INTERRUPTS: [(32, 9), (64, 17), (0, 1), (1, 0), (5, 3), (40, 0), (0, 0)],
    TIME: [(64, 8, 0), (256, 16, WRAPS), (4, 0, WRAPS), (13, 1, 0), (60, 4, 5)],
}
SIZES = [(part, size) for part, sizes in CASES.items() for size in sizes]
CYCLES = 200_000
# Situations that a run of the first size reaches.
REACHED: dict[Part, tuple[str, ...]] = {
    INTERRUPTS: (
        "disable_with_edge", "first_not_offered", "first_offered", "lost", "raise_with_edge",
        "offered_at_once", "rounds", "take_with_edge", "taken",
    ),
    TIME: (
        "changed", "deadlines_found", "expiries_found", "lines", "set_as_it_elapses",
        "set_beside_found", "set_for_next_tick", "started", "stopped", "taken", "ticks",
        "timers_found", "withdrawn",
    ),
}  # fmt: skip
# The size with which mutants are looked for: small, so that lines and entries meet often.
SMALL: dict[Part, Size] = {INTERRUPTS: (13, 4), TIME: (6, 2, WRAPS)}

# Misuse of the drivers → the assertion that names it.
MISUSES: dict[Part, dict[int, str]] = {
    INTERRUPTS: {1: "a_alone", 2: "a_take_first"},
    TIME: {
        1: "a_publish", 2: "a_sets_apart", 3: "a_note_apart", 4: "a_length", 5: "a_lengths_apart",
    },
}  # fmt: skip
BLIND = 10  # kBlind of the drivers
# The assertion about a module's inside → a mutant that it notices.
INSIDE = {
    "a_first_pending": "a request shows that has just been taken",
    "a_complete": "a tick may be published before what is written is compared",
}


def named(value: object) -> str:
    return value.top if isinstance(value, Part) else str(value)


@pytest.mark.parametrize(("part", "size"), SIZES, ids=named)
def test_verilator_has_nothing_to_say(part: Part, size: Size) -> None:
    files = map(str, part.files)
    result = verilator("--top-module", part.top, *part.generics(size), *files)
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize("part", CASES, ids=named)
def test_yosys_accepts_the_part(part: Part) -> None:
    files = " ".join(file.relative_to(ROOT).as_posix() for file in part.files)
    commands = f"read_slang --threads 1 -DSYNTHESIS --top {part.top} {files}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


@pytest.mark.parametrize(("part", "size"), SIZES, ids=named)
def test_random_cycles(part: Part, size: Size) -> None:
    reached, complaint = bench.run(part.build(size, part.files), size, seed=1, cycles=CYCLES)
    assert complaint == ""
    assert reached["cycles"] == CYCLES
    if size == CASES[part][0]:
        for what in REACHED[part]:
            assert reached[what] > 0, what


def test_every_line_has_its_turn() -> None:
    """Under storms an edge waits for one edge of each other line, and of none for a second."""
    size = CASES[INTERRUPTS][0]
    program = INTERRUPTS.build(size, INTERRUPTS.files)
    reached, complaint = bench.run(program, size, seed=1, cycles=CYCLES)
    assert complaint == ""
    assert reached["longest_wait"] == sum(size) - 1


def test_a_line_that_flipped_while_it_is_disabled_is_served_once() -> None:
    size = SMALL[INTERRUPTS]
    program = INTERRUPTS.build(size, INTERRUPTS.files)
    reached, complaint = bench.run(program, size, seed=1, cycles=CYCLES)
    assert complaint == ""
    assert min(reached["flips"], reached["take_disabled"]) > 100


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 6])
@pytest.mark.parametrize(("part", "size"), SIZES, ids=named)
def test_many_random_cycles(part: Part, size: Size, seed: int) -> None:
    program = part.build(size, part.files)
    assert bench.run(program, size, seed=seed, cycles=3_000_000)[1] == ""


@pytest.mark.parametrize(("part", "misuse"), [(p, m) for p in CASES for m in MISUSES[p]], ids=named)
def test_misuse_is_noticed(part: Part, misuse: int) -> None:
    size = SMALL[part]
    program = part.build(size, part.files)
    _, complaint = bench.run(program, size, seed=1, cycles=CYCLES, misuse=misuse)
    assert f"{MISUSES[part][misuse]}: 'assert' failed" in complaint, complaint


# ---- mutants -------------------------------------------------------------------------------------


def load_mutants() -> list[Mutant]:
    """The mutants of tests/rtl/engine_parts/mutants.yaml."""
    text = (bench.HERE / "mutants.yaml").read_text(encoding="utf-8")
    return [Mutant(**item) for item in YAML(typ="safe").load(text)]


MUTANTS = load_mutants()
PLANTED = {part: [m for m in MUTANTS if m.file == f"{part.top}.sv"] for part in CASES}


def finding(part: Part, number: int, *, assertions: bool) -> str:
    """Return the complaint of the random test about a mutant, or of the assertions alone; empty
    when there is none. 0: the same bench without a mutant."""
    files = schemata.plant(part.files, PLANTED[part])
    program = part.build(SMALL[part], files, assertions=assertions)
    misuse = BLIND if assertions else 0

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, SMALL[part], seed=1, cycles=CYCLES, misuse=misuse)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{number} {misuse}".encode())]
    return kept.verdict("engine_parts", contents + kept.folders("tests/rtl/engine_parts"), look)


def of_mutant(mutant: Mutant, *, assertions: bool) -> str:
    part = next(part for part in CASES if mutant in PLANTED[part])
    return finding(part, 1 + PLANTED[part].index(mutant), assertions=assertions)


@pytest.mark.parametrize("assertions", [False, True])
@pytest.mark.parametrize("part", CASES, ids=named)
def test_without_a_bug_all_agrees(part: Part, assertions: bool) -> None:
    assert finding(part, 0, assertions=assertions) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = of_mutant(mutant, assertions=False)
    assert "\ncycle " in complaint, complaint


@pytest.mark.parametrize("assertion", INSIDE)
def test_assertion_about_the_inside_can_fail(assertion: str) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == INSIDE[assertion])
    complaint = of_mutant(mutant, assertions=True)
    assert f"{assertion}: 'assert' failed" in complaint, complaint
