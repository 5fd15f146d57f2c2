# SPDX-License-Identifier: Apache-2.0
"""The safety sheet: all state of the unit is in it, once; what it calls watched is; its flips are
those that were run; wrong use."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from melanion import build, config, soc
from melanion.build import protected
from melanion.cli import group
from melanion.docs import injection
from melanion.errors import MelanionError
from melanion.inject import CLASSES, Campaign, prepared, run
from melanion.inject import present as inject_present
from melanion.inject.present import result
from melanion.results import Store
from melanion.run import Settings
from melanion.safety import SafetyError, SafetySheet, make, present
from melanion.safety.state import EFFECTS, PROTECTION, State, states

SYSTEM = "hwrtos-protected"
LIVES = str(build.application(injection.APP).folder)


@cache
def sheet(system: str) -> SafetySheet:
    return make(config.find(system), None)


def summary(system: str) -> dict[str, Any]:
    """Account that the protection gives of itself."""
    found = config.find(system)
    made = protected.guarded(found, soc.rtl_sources(found).files, lambda _: None)
    assert made is not None
    text = (made.unit.folder / protected.SUMMARY).read_text(encoding="utf-8")
    return dict(json.loads(text))


def test_all_state_is_in_it_once() -> None:
    """As the protection counts it, which other code reads."""
    found, told = sheet(SYSTEM), summary(SYSTEM)
    own = [each for each in found.states if each.part == PROTECTION]
    registers = [each for each in found.states if not each.rows and each not in own]
    memories = [each for each in found.states if each.rows]
    assert sum(each.bits for each in registers) == told["register_bits"]
    assert sorted((each.rows, each.width - 1) for each in memories) == sorted(
        tuple(size) for size in told["memories"].values()
    )
    parts = {each.part for each in found.states} - {PROTECTION}
    assert parts == {name.removeprefix("gen_") for name in told["groups"]} == set(EFFECTS)
    assert found.watched == found.bits == sum(each.bits for each in found.states)


def test_with_parity_alone_registers_are_not_watched() -> None:
    for each in sheet("hwrtos-parity").states:
        is_watched = each.rows > 0 or each.part == PROTECTION
        assert (each.watched, each.mechanism == "none") == (is_watched * each.bits, not is_watched)


def _states(module: dict[str, Any]) -> dict[tuple[str, str], State]:
    return {(each.part, each.name): each for each in states(module)}


def test_a_hole_in_the_netlist_is_a_hole_in_the_sheet() -> None:
    found = config.find(SYSTEM)
    made = protected.guarded(found, soc.rtl_sources(found).files, lambda _: None)
    assert made is not None
    module = json.loads(made.unit.json.read_text(encoding="utf-8"))["modules"][protected.TOP]
    whole = _states(module)
    names = module["netnames"]
    shadow = next(net["bits"] for name, net in names.items() if name.startswith("cycles_q.shadow"))
    cells = module["cells"]
    del cells[next(name for name, c in cells.items() if c["connections"].get("Q") == shadow)]
    memory = next(c for c in cells.values() if c["parameters"].get("MEMID") == "\\u_datapath.store")
    memory["connections"]["RD_DATA"][0] += 10_000_000
    holed = _states(module)
    moved = {key for key in whole if holed[key] != whole[key]}
    registers, store = ("unit", "registers"), ("datapath", "store")
    assert moved == {registers, store}
    assert holed[registers].watched == whole[registers].watched - 32
    assert holed[store] == replace(whole[store], watched=0, mechanism="none")


def command(*words: str) -> Result:
    return CliRunner().invoke(group, ["datasheet", *words])


def test_recorded_flips_are_in_every_form(tmp_path: Path) -> None:
    files = {name: tmp_path / f"sheet.{name}" for name in ("json", "markdown", "html")}
    done = command(SYSTEM, "--safety", *(w for n, f in files.items() for w in (f"--{n}", str(f))))
    assert done.exit_code == 0, done.output
    document = json.loads(files["json"].read_text(encoding="utf-8"))
    rows = [row for row in injection.recorded() if row["system"] == SYSTEM]
    assert [(e["kind"], e["counts"]) for e in document["flips"]] == [
        (row["kind"], {name: int(row[name]) for name in CLASSES}) for row in rows
    ]
    assert document["bits"] == document["watched"]
    for name in ("markdown", "html"):
        text = files[name].read_text(encoding="utf-8")
        assert f"commit {rows[0]['commit']}" in text
        assert "bits of the unit (100.0 %) raises an alarm" in text
        assert "certifies nothing" in text


def test_the_terminal_has_every_section() -> None:
    done = command("hwrtos-parity", "--safety")
    assert done.exit_code == 0, done.output
    for section in present.sections(sheet("hwrtos-parity")):
        assert section.title in done.output
    assert "No flips of hwrtos-parity are on record here" in " ".join(done.output.split())


def test_flips_of_a_campaign(tmp_path: Path) -> None:
    campaign = Campaign(config.find(SYSTEM), build.application(LIVES), 1, 10)
    with prepared(campaign, Settings(defines={"ROUNDS": 3}), lambda _: None) as (ready, harness):
        records = run(ready, harness, Store(tmp_path / "results.sqlite"), "melanion inject", 2)
        done = result(ready, records, "melanion inject", 0, 0.0)
    file = tmp_path / "inject.json"
    file.write_text(inject_present.json_text(done), encoding="utf-8")
    found = make(config.find(SYSTEM), file)
    assert [(e.kind, e.bits, e.counts, e.silent) for e in found.flips] == [
        (line.kind, line.bits, line.counts, line.silent) for line in done.kinds
    ]
    with pytest.raises(SafetyError) as caught:
        make(config.find("hwrtos-parity"), file)
    assert caught.value.message == (
        f"--flips {file}: its flips are of {SYSTEM}, with other sizes or another protection than"
        " hwrtos-parity; name the inject.json of `melanion inject hwrtos-parity PROGRAM`."
    )


# ---- wrong use -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["sw", "--safety"],
            "sw: the kernel sw has no hardware unit, and a safety sheet is about the state of one;"
            " name a system with one, such as hwrtos-protected.",
        ),
        (
            ["hwrtos", "--safety"],
            "hwrtos: unit_protection is 'none', so nothing notices a flipped bit of the unit; name"
            " the system with the word protected or parity, or write unit_protection: all.",
        ),
        (
            [SYSTEM, "--safety", "--measured", "x.csv"],
            "--measured: --safety measures no call; leave --measured out.",
        ),
        (
            [SYSTEM, "--safety", "--save", "x.csv"],
            "--save: --safety measures no call; leave --save out.",
        ),
        (
            [SYSTEM, "--prove"],
            "--prove: a data sheet proves nothing; write --safety, too.",
        ),
        (
            [SYSTEM, "--flips", "x.json"],
            "--flips: a data sheet has none; write --safety, too.",
        ),
        (
            [SYSTEM, "--safety", "--flips", "x.json"],
            "--flips x.json: No such file or directory; name a file that can be read.",
        ),
    ],
)
def test_wrong_words_are_refused(
    words: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command(*words)
    assert isinstance(done.exception, MelanionError)
    assert (done.exception.message, done.exception.exit_code) == (text, 2)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("kind,bits\n", "it is not JSON"),
        ("[1]", "its keys have other values"),
        ('{"provenance": {}}', "it has no key 'system'"),
    ],
)
def test_what_is_no_campaign_is_refused(tmp_path: Path, content: str, why: str) -> None:
    file = tmp_path / "inject.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(SafetyError) as caught:
        make(config.find(SYSTEM), file)
    assert caught.value.message == (
        f"--flips {file}: {why}, so it is no inject.json of `melanion inject`; name such a file."
    )
