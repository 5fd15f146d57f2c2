# SPDX-License-Identifier: Apache-2.0
"""The example of a user's own command, apps/examples/rendezvous: its scenarios on the model and on
the RTL, its program on one core and on two, and mutants of its microprogram, which are noticed."""

from __future__ import annotations

import os
import py_compile
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, commands, config, scenario
from melanion.cli.commands import command
from melanion.errors import MelanionError
from melanion.model import Limits
from melanion.run import run_program
from melanion.scenario import language
from melanion.scenario.executor import differences
from tests.commands.example import EXAMPLE, change, copied, system

SYSTEM = config.load(EXAMPLE / "system.yaml")
assert SYSTEM.own is not None
OWN = SYSTEM.own
SCENARIOS = OWN.scenarios


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_on_the_model(path: Path) -> None:
    language.add(OWN.rows)
    loaded = scenario.load(path, commands.meanings(OWN))
    assert list(differences(loaded, scenario.execute(loaded).log, "the model")) == []


def test_every_scenario_is_named() -> None:
    assert sorted(SCENARIOS) == sorted((EXAMPLE / "scenarios").glob("*.yaml"))


def test_a_mutant_of_the_model_is_noticed(tmp_path: Path) -> None:
    """Although a bytecode file of the same second and size is beside it."""
    place = copied(tmp_path)
    model = place / "rendezvous.py"
    py_compile.compile(str(model), doraise=True)
    before = model.stat().st_mtime_ns
    change(model, "= partner.word, argument", "= argument, partner.word")
    os.utime(model, ns=(before, before))
    said = CliRunner().invoke(command, [str(place / "system.yaml"), "--model"])
    assert isinstance(said.exception, MelanionError)
    assert "entry 1 is 'first rendezvous_meet E_OK 9', the model gave" in said.exception.message


def test_scenarios_on_the_unit() -> None:
    said = CliRunner().invoke(command, [str(EXAMPLE / "system.yaml")])
    assert said.exit_code == 0, said.output
    lines = said.output.splitlines()
    assert lines[0].split() == ["96", "rendezvous_meet"]
    assert [line.split()[0] for line in lines[2:]] == ["ok"] * len(SCENARIOS)


# Mutants of rendezvous.mu: the file's text, and another.
MUTANTS = {
    "the words are not swapped": ("value[caller] = y", "value[caller] = p"),
    "a wait has no end": ("        p = w\n", "        p = 0xFFFFFFFF\n"),
}


@pytest.mark.soak
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_of_the_program_is_noticed(mutant: str, tmp_path: Path) -> None:
    """By its scenarios, which its author has; the control is the test above."""
    old, new = MUTANTS[mutant]
    place = copied(tmp_path)
    change(place / "rendezvous.mu", old, new)
    with pytest.raises(MelanionError):
        command.main([str(place / "system.yaml")], standalone_mode=False)


SOAK = pytest.mark.soak
SYSTEMS = [
    ("hwrtos", 1),
    pytest.param("hwrtos", 2, marks=SOAK),
    pytest.param("port", 1, marks=SOAK),
    pytest.param("banked", 1, marks=SOAK),
]


@pytest.mark.parametrize(("kernel", "cores"), SYSTEMS)
def test_program(kernel: str, cores: int, tmp_path: Path) -> None:
    """The golden model has replayed it, too."""
    place = copied(tmp_path)
    change(place / "system.yaml", "kernel: hwrtos", f"kernel: {kernel}")
    change(place / "system.yaml", "core: {type: ibex}", f"core: {{type: ibex, count: {cores}}}")
    result = run_program(system(place), build.application(place))
    assert result.console == "rendezvous: the total is 10066\n"
    assert result.replay is not None
    assert result.replay.commands > 2 * 100
    assert Limits(own=commands.meanings(OWN)) == Limits()
