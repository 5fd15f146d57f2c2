# SPDX-License-Identifier: Apache-2.0
"""Flips that need no run: which ones, and that a run of them ends as was told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from melanion import build, config
from melanion.inject import Campaign, Record, campaign, prepared, present, run
from melanion.inject.campaign import Prepared, record
from melanion.inject.flips import Flip
from melanion.inject.harness import Harness
from melanion.inject.quiet import Quiet
from melanion.inject.space import Field
from melanion.results import Store
from melanion.run import Settings
from tests.protect.test_system import LIVES

PROTECTED = config.find("hwrtos-protected")
SCOPE = "TOP.mel_top.gen_unit.u_tile.u_unit.u_netlist"
ROWS = Field("memories", "u_unit.u_netlist", "rows_mem", 8, 12, SCOPE)
REGISTER = Field("registers", "u_unit.u_netlist", "count_q", 1, 12, SCOPE)
CODE = Field("configuration", "unit/task.c", "mel_task_start", 64, 8, address=0x1000_0400)
FIELDS = (ROWS, REGISTER, CODE)


def finished(field: Field, cycle: int = 100, **changes: object) -> Record:
    """A flip of row 3, masked and left."""
    usual = Record(
        7, cycle, field.kind, field.module, field.name, 3, 0, "masked", None, "", True, False
    )
    return replace(usual, **changes)  # type: ignore[arg-type]


def teller(known: Record, flip: Flip, system: config.System = PROTECTED) -> int | None:
    quiet = Quiet(system, FIELDS)
    quiet.learn([known])
    return quiet.teller(flip)


@pytest.mark.parametrize(("cycle", "bit"), [(100, 0), (100, 11), (5000, 4)])
def test_a_later_flip_of_a_quiet_row_is_told(cycle: int, bit: int) -> None:
    assert teller(finished(ROWS), Flip(9, cycle, ROWS, 3, bit)) == 7


@pytest.mark.parametrize(
    ("known", "flip"),
    [
        (finished(ROWS), Flip(9, 99, ROWS, 3, 0)),  # an access may be between
        (finished(ROWS), Flip(9, 100, ROWS, 4, 0)),
        (finished(ROWS, left=False), Flip(9, 100, ROWS, 3, 0)),  # it was written over
        (finished(ROWS, name="detected"), Flip(9, 100, ROWS, 3, 0)),
        (finished(ROWS, evidence="the order between tasks differs"), Flip(9, 100, ROWS, 3, 0)),
        (finished(REGISTER), Flip(9, 100, REGISTER, 3, 0)),
        (finished(CODE), Flip(9, 100, CODE, 3, 0)),
    ],
)
def test_others_are_run(known: Record, flip: Flip) -> None:
    assert teller(known, flip) is None


def test_rows_without_parity_are_run() -> None:
    """There a row may be read, and what was read may not matter for this bit alone."""
    assert teller(finished(ROWS), Flip(9, 100, ROWS, 3, 0), config.find("hwrtos")) is None


def test_the_earliest_known_cycle_counts() -> None:
    quiet = Quiet(PROTECTED, FIELDS)
    quiet.learn([finished(ROWS, 300), finished(ROWS, 200, number=8), finished(ROWS, 250, number=9)])
    assert quiet.teller(Flip(10, 200, ROWS, 3, 0)) == 8
    assert quiet.teller(Flip(10, 199, ROWS, 3, 0)) is None


# ---- in a campaign -------------------------------------------------------------------------------


@contextmanager
def ready(flips: int, only: str) -> Iterator[tuple[Prepared, Harness]]:
    wanted = Campaign(PROTECTED, build.application(LIVES), 1, flips, only)
    with prepared(wanted, Settings(defines={"ROUNDS": 3}), lambda _: None) as found:
        yield found


def wrong(found: Prepared, harness: Harness, told: list[Record]) -> list[int]:
    """Flips whose run ends otherwise than was told."""
    flips = sorted((found.flip(each.number) for each in told), key=lambda flip: flip.cycle)
    plan = "".join(map(found.plan.line, flips))
    by_number = {each.number: each for each in told}
    return [
        ended.number
        for ended in harness.run(plan, 2, found.limit)
        if record(found, ended) != replace(by_number[ended.number], evidence="", teller=None)
    ]


FEW = ("u_ready_first_mem",)  # 64 rows, so that many flips meet the same one


def test_what_is_told_is_what_a_run_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a rule that forgets the cycle is noticed."""
    monkeypatch.setattr(campaign, "BATCH", 20)
    with ready(200, "u_unit") as (found, harness):
        few = tuple(each for each in found.space.fields if each.name in FEW)
        assert len(few) == len(FEW), [each.name for each in found.space.fields]
        found = replace(found, space=replace(found.space, fields=few))
        store = Store(tmp_path / "results.sqlite")
        records = run(found, harness, store, "test", 2)
        told = [each for each in records if each.teller is not None]
        assert len(told) > 20
        assert wrong(found, harness, told) == []
        assert all(records[each.teller or 0].cycle <= each.cycle for each in told)
        assert run(found, harness, store, "test", 2) == records  # from the store
        monkeypatch.setattr(Quiet, "teller", _any_cycle)
        other = Store(tmp_path / "other.sqlite")
        careless = [
            each for each in run(found, harness, other, "test", 2) if each.teller is not None
        ]
        assert wrong(found, harness, careless)


def _any_cycle(quiet: Quiet, flip: Flip) -> int | None:
    told = quiet._from.get((flip.field.module, flip.field.name, flip.element))
    return None if told is None else told[1]


def test_a_noticed_flip_ends_its_run(tmp_path: Path) -> None:
    """Its class and latency are those of the whole run."""
    with ready(40, "registers") as (found, harness):
        records = run(found, harness, Store(tmp_path / "results.sqlite"), "test", 2)
        noticed = [each for each in records if each.evidence == "status E_SYS"]
        assert len(noticed) > 20
        flips = sorted((found.flip(each.number) for each in noticed), key=lambda flip: flip.cycle)
        plan = "".join(map(found.plan.line, flips))
        short, whole = (
            {each.number: each for each in harness.run(plan, 2, found.limit, early=early)}
            for early in (True, False)
        )
        by_number = {each.number: each for each in records}
        for number, ended in whole.items():
            assert record(found, ended) == by_number[number]
        lengths = [short[n].seen.cycles < whole[n].seen.cycles for n in short]
        assert sum(lengths) > 0.8 * len(lengths)


def test_flips_that_were_not_run_are_counted(tmp_path: Path) -> None:
    with ready(20, "u_unit") as (found, harness):
        records = run(found, harness, Store(tmp_path / "results.sqlite"), "test", 2)
        told = [replace(records[0], teller=3), *records[1:]]
        done = present.result(found, told, "melanion inject", 0, 0.0)
        assert "1 were not run, because earlier ones tell their class" in present.summary(done)
        assert '"told": 1,' in present.json_text(done)
