# SPDX-License-Identifier: Apache-2.0
"""Bridges: proofs (hw/formal/mel_bridge_*), bus models of others on the real unit, mutants."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mel_gen import ANSWER_WAITING, Register, Status
from ruamel.yaml import YAML

from tests.common import yosys
from tests.common.verilated import ROOT
from tests.random.mutants import Mutant
from tests.rtl import proved
from tests.rtl.bridges import simulate
from tests.rtl.bridges.program import Step, directed, traffic
from tests.rtl.bridges.simulate import SimulationError
from tests.rtl.test_proofs import prove

HERE = ROOT / "tests" / "rtl" / "bridges"
PROOFS = sorted(file.stem for file in (ROOT / "hw" / "formal").glob("mel_bridge_*.sby"))
BRIDGES = sorted(file.stem for file in (ROOT / "hw" / "bridges").glob("mel_bridge_*.sv"))

# ---- proofs ----------------------------------------------------------------------------------


def load_mutants() -> list[Mutant]:
    """The mutants of tests/rtl/bridges/mutants.yaml."""
    text = (HERE / "mutants.yaml").read_text(encoding="utf-8")
    return [Mutant(**item) for item in YAML(typ="safe").load(text)]


MUTANTS = load_mutants()


def plant(mutant: Mutant, folder: Path) -> None:
    """Change the file in this folder."""
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.name}: the old text is not once in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def proof_of(mutant: Mutant) -> str:
    """The proof that must notice it."""
    stem = Path(mutant.file).stem
    return "mel_bridge_unit" if stem == "mel_access" else stem


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that the proofs of bridges read."""
    for name in ("gen/sv", "hw/engine", "hw/bridges", "hw/formal"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "build").mkdir()
    return tmp_path


def test_every_bridge_has_a_proof_and_every_proof_planted_bugs() -> None:
    assert {*BRIDGES, "mel_bridge_unit"} == set(PROOFS)
    assert {proof_of(mutant) for mutant in MUTANTS} == set(PROOFS)


@pytest.mark.parametrize("task", ["quick", "reach"])
@pytest.mark.parametrize("proof", PROOFS)
def test_proof(checkout: Path, proof: str, task: str) -> None:
    def check() -> str:
        text = prove(checkout, proof, task)
        assert "DONE (PASS, rc=0)" in text, text[-3000:]
        return "PASS"

    proved.verdict(checkout, proof, task, "proved", check)


def in_turn() -> list[object]:
    """Mutants as parameters: of each proof every second one is left to `make soak`."""
    of: dict[str, int] = {}
    found: list[object] = []
    for mutant in MUTANTS:
        proof = proof_of(mutant)
        of[proof] = of.get(proof, 0) + 1
        marks = [] if of[proof] % 2 else [pytest.mark.soak]
        found.append(pytest.param(mutant, id=f"{proof}: {mutant.name}", marks=marks))
    return found


@pytest.mark.parametrize("mutant", in_turn())
def test_proof_notices(checkout: Path, mutant: Mutant) -> None:
    """By what is promised: the hints of the induction are off."""
    folder = "engine" if mutant.file == "mel_access.sv" else "bridges"
    plant(mutant, checkout / "hw" / folder)
    proof = proof_of(mutant)

    def check() -> str:
        text = prove(checkout, proof, "bugs")
        assert f"Assert failed in {proof}_proof" in text, text[-3000:]
        assert "DONE (FAIL, rc=2)" in text, text[-3000:]
        return "noticed"

    proved.verdict(checkout, proof, "bugs", "noticed", check)


AXI = "mel_bridge_axi4_lite"


def axi_path(folder: Path) -> bool:
    """A combinational path leads from an AXI input to an AXI output (AXI forbids it)."""
    channels = "aw", "w", "b", "ar", "r"
    suffixes = ("valid", "ready", "addr", "data", "strb", "resp")
    ports = [f"{channel}{suffix}" for channel in channels for suffix in suffixes]
    outputs = " ".join(f"o:{port}_o" for port in ports)
    inputs = " ".join(f"i:{port}_i" for port in ports)
    registers = "$dff,$adff,$dffe,$adffe,$aldff"
    commands = (
        f"read_slang --threads 1 -DSYNTHESIS --top {AXI} ../../gen/sv/mel_pkg.sv {AXI}.sv;"
        " proc; opt_clean;"
        f" cd {AXI}; select -set outs {outputs}; select -set ins {inputs};"
        f" select -assert-none @outs %ci*:-{registers} @ins %i"
    )
    said = yosys.complaint(folder, commands)
    assert not said or "Assertion failed: selection is not empty" in said, said
    return bool(said)


def test_no_combinational_path_through_axi(checkout: Path) -> None:
    assert not axi_path(checkout / "hw" / "bridges")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("wready_o  = !w_held_q;", "wready_o  = !w_held_q && awvalid_i;"),
        ("bvalid_o = answered && write_q;", "bvalid_o = answered && write_q && !arvalid_i;"),
    ],
)
def test_a_combinational_path_is_noticed(checkout: Path, old: str, new: str) -> None:
    plant(Mutant("path", f"{AXI}.sv", old, new, "AXI forbids it"), checkout / "hw" / "bridges")
    assert axi_path(checkout / "hw" / "bridges")


# ---- the real unit, driven by bus models of others ---------------------------------------------


def disagreements(steps: list[Step], answers: dict[str, list[int]]) -> list[str]:
    """Steps in which a bus got another answer than expected, or than the other buses."""
    found = []
    for index, step in enumerate(steps):
        got = {bus: given[index] for bus, given in answers.items()}
        if len(set(got.values())) > 1 or not all(map(step.agrees, got.values())):
            given = ", ".join(f"{bus} {answer:#x}" for bus, answer in got.items())
            found.append(f"step {index}, {step}: {given}")
    return found


def check(steps: list[Step], seed: int, stall: int) -> None:
    answers = simulate.run(steps, seed=seed, stall=stall)
    assert set(answers) == set(simulate.BUSES)
    assert {len(given) for given in answers.values()} == {len(steps)}
    assert disagreements(steps, answers) == [], f"seed {seed}, stall {stall}"


@pytest.mark.parametrize("stall", [0, 30])
def test_kernel_session_through_every_bus(stall: int) -> None:
    check(directed(), 1, stall)


@pytest.mark.parametrize("stall", [0, 30])
def test_random_traffic_through_every_bus(stall: int) -> None:
    check(traffic(1 + stall, 500), 1, stall)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 7, 8])  # stalls of 14, 49 and 0
def test_much_random_traffic_through_every_bus(seed: int) -> None:
    check(traffic(seed, 5000), seed, 7 * (seed % 8))


@pytest.mark.parametrize("fault", [1, 2, 3], ids=["strobes", "address", "data"])
def test_sessions_notice(fault: int) -> None:
    """A bug behind the bridges changes answers, or stops a session."""
    steps = directed()
    try:
        answers = simulate.run(steps, seed=1, stall=0, fault=fault)
    except SimulationError:
        return
    assert disagreements(steps, answers)


def test_a_bus_that_differs_is_noticed() -> None:
    steps = [Step(0, expected=1, mask=1), Step(4)]
    assert disagreements(steps, {"a": [3, 0], "b": [3, 0]}) == []
    assert len(disagreements(steps, {"a": [3, 0], "b": [1, 0]})) == 1
    assert len(disagreements(steps, {"a": [2, 5], "b": [2, 5]})) == 2


def test_traffic_reaches_much() -> None:
    """Commands that succeed, that wait, that are refused in several ways; dispatches of tasks."""
    steps = traffic(1, 500) + traffic(31, 500)
    calls = [step for step in steps if step.command]
    assert len({step.offset >> 10 for step in calls if step.expected == Status.E_OK}) > 30
    assert len({step.expected for step in calls}) > 8
    assert any(step.expected == ANSWER_WAITING for step in calls)
    assert len({step.expected for step in steps if step.offset == Register.DISPATCH}) > 3
