# SPDX-License-Identifier: Apache-2.0
"""mel_context_store and mel_context_exchange alone: random cores against what each context wrote
last (tests/rtl/contexts), and mutants that this must notice.
"""

from __future__ import annotations

import pytest
from ruamel.yaml import YAML

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.random.mutants import Mutant
from tests.rtl.contexts import bench
from tests.rtl.contexts.bench import MODULES, Size
from tests.rtl.test_rtl_lint import complaints, verilator

ONE, TWO, THREE = Size(8), Size(8, cores=2), Size(5, 5, cores=3)
SIZES = [ONE, Size(128), Size(12, 8), TWO, THREE]
MANY = [Size(256), Size(3), Size(2, 16), Size(17, 6, 2), Size(16, cores=4), Size(256, 7, 4)]
CYCLES = 200_000
LATEST = 5  # cycles from a dispatch to the registers, with one core


def named(size: Size) -> str:
    return f"{size.tasks} tasks, {size.resident} resident, {size.cores} cores"


def load_mutants() -> list[Mutant]:
    """The mutants of tests/rtl/contexts/mutants.yaml."""
    text = (bench.HERE / "mutants.yaml").read_text(encoding="utf-8")
    return [Mutant(**item) for item in YAML(typ="safe").load(text)]


MUTANTS = load_mutants()


@pytest.mark.parametrize("size", [*SIZES, Size(1), Size(256, 16, 4)], ids=named)
def test_verilator_has_nothing_to_say(size: Size) -> None:
    package, store, exchange = map(str, MODULES)
    stores = bench.generics(size)
    for top, file, words in (
        ("mel_context_store", store, stores),
        ("mel_context_exchange", exchange, [word for word in stores if "Resident" not in word]),
    ):
        result = verilator("--top-module", top, *words, package, file)
        assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize("top", ["mel_context_store", "mel_context_exchange"])
def test_yosys_accepts_it(top: str) -> None:
    files = " ".join(file.relative_to(ROOT).as_posix() for file in MODULES)
    commands = f"read_slang --threads 1 -DSYNTHESIS -GCores=2 --top {top} {files}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


@pytest.mark.parametrize("size", SIZES, ids=named)
def test_random_cores(size: Size) -> None:
    """Registers that were at hand, and that came in every number of cycles."""
    reached, complaint = bench.run(bench.build(size), size, seed=1, cycles=CYCLES)
    assert complaint == ""
    assert reached["cycles"] == CYCLES
    assert reached["switches"] > CYCLES // 20
    late = LATEST if size.cores == 1 else 4 * size.cores
    for cycles in range(1, late + 1):
        assert reached[f"ready {cycles}"] > 0, cycles
    assert reached["gone"] > 0
    assert reached["frames"] > 1000
    assert size.cores == 1 or reached["moves"] > 1000


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("size", SIZES + MANY, ids=named)
def test_many_random_cores(size: Size, seed: int) -> None:
    """Together 11 million cycles for each seed, and more than a million switches."""
    _, complaint = bench.run(bench.build(size), size, seed=seed, cycles=1_000_000)
    assert complaint == ""


# ---- mutants -------------------------------------------------------------------------------------


# Mutants that only an assertion about the inside denies.
OF_INSIDE = [mutant for mutant in MUTANTS if "assertion" in mutant.why]


def finding(mutant: Mutant | None, size: Size, *, assertions: bool = False) -> str:
    """Return the complaint of the random test about a mutant, or of the assertions; empty when
    there is none. None: the same bench without a mutant."""
    files = schemata.plant(MODULES, MUTANTS)
    program = bench.build(size, files, assertions=assertions)
    number = 1 + MUTANTS.index(mutant) if mutant else 0

    def look() -> str:
        with schemata.chosen(number):
            return bench.run(program, size, seed=1, cycles=CYCLES, blind=assertions)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", str(number).encode())]
    return kept.verdict("contexts", contents + kept.folders("tests/rtl/contexts"), look)


def size_for(mutant: Mutant) -> Size:
    """Return three cores where it is about what several owe each other."""
    alone = mutant.file == "mel_context_store.sv" and "several cores" not in mutant.why
    return ONE if alone else THREE


@pytest.mark.parametrize(("size", "assertions"), [(ONE, False), (ONE, True), (THREE, False)])
def test_without_a_bug_all_agrees(size: Size, assertions: bool) -> None:
    assert finding(None, size, assertions=assertions) == ""


@pytest.mark.parametrize(
    "mutant", [m for m in MUTANTS if m not in OF_INSIDE], ids=lambda mutant: mutant.name
)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = finding(mutant, size_for(mutant))
    assert "cycle " in complaint, complaint


@pytest.mark.parametrize("mutant", OF_INSIDE, ids=lambda mutant: mutant.name)
def test_assertion_about_the_inside_can_fail(mutant: Mutant) -> None:
    complaint = finding(mutant, ONE, assertions=True)
    assert "a_apart: 'assert' failed" in complaint, complaint
