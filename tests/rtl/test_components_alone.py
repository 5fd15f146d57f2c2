# SPDX-License-Identifier: Apache-2.0
"""Components alone (tests/rtl/components): lint by both front ends, and random accesses of all
cores against a reference in Python, with mutants. Proofs: test_proofs; the references themselves:
test_component_references.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from tests.common import kept, schemata, yosys
from tests.common.verilated import ROOT
from tests.rtl.components import deadlock, dmmu, lock_cache
from tests.rtl.components.bench import ACCESSES, Component, Mutant
from tests.rtl.test_rtl_lint import complaints, verilator

COMPONENTS = (deadlock.COMPONENT, dmmu.COMPONENT, lock_cache.COMPONENT)
MUTANTS = {each.name: each.mutants() for each in COMPONENTS}


def named(size: Any) -> str:
    return ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in asdict(size).items())


EVERY = pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)
SIZES = pytest.mark.parametrize(
    ("component", "size"),
    [
        pytest.param(each, size, id=f"{each.name}: {named(size)}")
        for each in COMPONENTS
        for size in (*each.sizes.values(), *each.more)
    ],
)


@SIZES
def test_verilator_has_nothing_to_say(component: Component, size: Any) -> None:
    files = map(str, component.sources())
    result = verilator("--top-module", component.top, *component.generics(size), *files)
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize(
    ("component", "parameter", "value"),
    [
        pytest.param(each, parameter, value, id=f"{each.name}: {value} {parameter}")
        for each in COMPONENTS
        for parameter, (_, _, minimum, maximum) in each.parameters.items()
        for value in (minimum - 1, maximum + 1)
        if value >= 0  # parameters are unsigned
    ],
)
def test_a_parameter_out_of_range_stops_elaboration(
    component: Component, parameter: str, value: int
) -> None:
    name, _, minimum, maximum = component.parameters[parameter]
    files = map(str, component.sources())
    result = verilator("--top-module", component.top, f"-G{name}={value}", *files)
    text = f"{component.top}: parameter {name} = {value} is out of range {minimum}..{maximum}"
    assert result.returncode != 0
    assert text in result.stdout


@EVERY
def test_yosys_accepts_it(component: Component) -> None:
    """read_slang, as synthesis and proofs do."""
    names = " ".join(file.relative_to(ROOT).as_posix() for file in component.sources())
    words = f"--top {component.top} {component.yosys} {names}"
    commands = f"read_slang --threads 1 -DSYNTHESIS {words}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


@EVERY
def test_the_file_list_is_complete(component: Component) -> None:
    folder = component.file_list.parent
    listed = {file for file in component.sources() if file.parent == folder}
    assert listed == set(folder.glob("*.sv"))


@EVERY
def test_random_accesses_reach_all(component: Component) -> None:
    for name, size in component.sizes.items():
        seen, complaint = component.run(component.build(size), size, seed=1, accesses=ACCESSES)
        assert complaint == ""
        assert seen["accesses"] >= ACCESSES
        assert {what for what in component.situations[name] if not seen[what]} == set()


@pytest.mark.soak
@SIZES
def test_many_random_accesses(component: Component, size: Any) -> None:
    program = component.build(size)
    for seed in (2, 3):
        _, complaint = component.run(program, size, seed=seed, accesses=component.soak)
        assert complaint == ""


def finding(component: Component, name: str, number: int) -> str:
    """Return the reference's complaint about a mutant of this size (the bench holds all); empty
    when it agrees."""
    size = component.sizes[name]
    program = component.build(size, schemata.plant(component.sources(), MUTANTS[component.name]))

    def look() -> str:
        with schemata.chosen(number):
            return component.run(program, size, seed=1, accesses=ACCESSES)[1]

    contents = [("bench", program.parent.name.encode()), ("bug", f"{name} {number}".encode())]
    return kept.verdict(component.name, contents + kept.folders("tests/rtl/components"), look)


@pytest.mark.parametrize(
    ("component", "name"),
    [
        pytest.param(each, name, id=f"{each.name}: {name}")
        for each in COMPONENTS
        for name in each.sizes
    ],
)
def test_without_a_bug_all_agrees(component: Component, name: str) -> None:
    assert finding(component, name, 0) == ""


@pytest.mark.parametrize(
    ("component", "mutant"),
    [
        pytest.param(each, mutant, id=f"{each.name}: {mutant.name}")
        for each in COMPONENTS
        for mutant in MUTANTS[each.name]
    ],
)
def test_planted_bug_is_noticed(component: Component, mutant: Mutant) -> None:
    complaint = finding(component, mutant.size, 1 + MUTANTS[component.name].index(mutant))
    assert complaint.startswith("access "), complaint
