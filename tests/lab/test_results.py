# SPDX-License-Identifier: Apache-2.0
"""The results store: what goes in comes out, once; what is killed leaves whole units; references,
comparisons, the estimate of the time left; what cannot be read."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from melanion import paths
from melanion.results import (
    Change,
    ResultsError,
    Store,
    Unit,
    assemble,
    choose,
    collect,
    compare,
    result,
)
from melanion.results.estimate import Estimate, words
from melanion.results.store import SCHEMA, location
from tests.common import stored

UNITS = [unit for unit in stored.units() if unit.experiment in ("latency", "area")]
FIRST = UNITS[0]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "folder" / "results.sqlite")


def slower(unit: Unit, by: int, commit: str = "fedcba987654") -> Unit:
    """Every row takes longer, at another commit."""
    changed = [
        replace(each, row=replace(each.row, max=each.row.max + by)) for each in unit.measurements
    ]
    worst_case = unit.worst_case and replace(unit.worst_case, end=unit.worst_case.end + by)
    decided = stored.provenance(commit)
    return replace(
        unit,
        measurements=tuple(changed),
        provenance=decided,
        worst_case=worst_case,
        command="later",
    )


# ---- what is kept --------------------------------------------------------------------------------


def test_a_unit_comes_out_as_it_went_in(store: Store) -> None:
    number = store.keep("melanion compare latency", UNITS)
    found = Store(store.file).of_set(number)
    assert [replace(each, command="", measured="") for each in found] == UNITS
    assert {each.command for each in found} == {"melanion compare latency"}
    assert all(each.measured.endswith("+00:00") for each in found)
    assert [(each.experiment, each.kernel) for each in store.newest()] == [
        (each.experiment, each.kernel) for each in UNITS
    ]


def test_pieces_of_runs_are_kept_with_their_units(store: Store) -> None:
    number = store.keep("a", UNITS)
    worst_cases = [each.worst_case for each in store.of_set(number)]
    assert (
        worst_cases == [each.worst_case for each in UNITS]
        and any(worst_cases)
        and not all(worst_cases)
    )
    without = replace(FIRST, worst_case=None)
    store.keep("b", [without])
    found = {each.experiment: each for each in store.newest()}
    assert found["latency"].worst_case is None and without.digest != FIRST.digest


def test_a_file_of_the_version_before_is_taken_over(tmp_path: Path) -> None:
    """It has no excerpts of runs; its figures stay."""
    file = tmp_path / "older"
    Store(file).keep("a", [replace(each, worst_case=None) for each in UNITS])
    with sqlite3.connect(file) as connection:
        connection.execute("DROP TABLE windows")
        connection.execute("PRAGMA user_version = 1")
    store = Store(file)
    assert [each.worst_case for each in store.newest()] == [None] * len(UNITS)
    store.keep("b", [FIRST])
    assert [each.worst_case for each in store.newest()] == [
        *[None] * (len(UNITS) - 1),
        FIRST.worst_case,
    ]


def test_the_same_figures_are_kept_once(store: Store) -> None:
    """Again: nothing new but the set. At another commit: its provenance, not its rows."""

    def counts() -> tuple[int, ...]:
        with sqlite3.connect(store.file) as connection:
            tables = ("outcomes", "rows", "units", "sets")
            return tuple(
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in tables
            )

    store.keep("a", [FIRST])
    one = counts()
    store.keep("b", [FIRST])
    assert counts() == (*one[:3], 2)
    store.keep("c", [replace(FIRST, provenance=stored.provenance("fedcba987654"))])
    assert counts() == (*one[:2], one[2] + 1, 3)
    store.keep("d", [slower(FIRST, 1)])
    assert counts()[:2] == (one[0] + 1, 2 * one[1])


def test_newest_is_what_was_asked_for_last(store: Store) -> None:
    store.keep("a", UNITS)
    store.keep("b", [slower(FIRST, 5)])
    found = {(each.experiment, each.kernel): each for each in store.newest()}
    assert found["latency", FIRST.kernel].measurements == slower(FIRST, 5).measurements
    assert len(found) == len(UNITS)
    assert len(store.newest(stored.COMMIT)) == len(UNITS)
    assert len(store.newest("fedcba9")) == 1


def test_workers_take_each_unit_once(store: Store) -> None:
    jobs = [("latency", "sw"), ("latency", "hwrtos")]
    number = store.begin("a", jobs)
    assert [store.claim(number, jobs) for _ in range(3)] == [*jobs, None]
    (found,) = store.sets()
    assert (found.wanted, found.got, found.ended) == (2, 0, "")
    store.add(number, FIRST, 3.5)
    assert store.seconds() == {("latency", FIRST.kernel): 3.5}
    store.end(number)
    assert store.sets()[0].got == 1 and store.sets()[0].ended


# ---- whatever ends a run -------------------------------------------------------------------------


def write_forever(store: Store, told: int) -> None:
    """Body of the process that is killed."""
    number = store.begin("killed", [(each.experiment, each.kernel) for each in UNITS])
    for turn in itertools.count():
        store.add(number, slower(UNITS[turn % len(UNITS)], turn), 1.0)
        os.write(told, b".")


def whole(store: Store) -> bool:
    """Every unit of the store has all its rows, and the file is sound."""
    with sqlite3.connect(store.file) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        loose = connection.execute("PRAGMA foreign_key_check").fetchall()
    sizes = {(each.experiment, each.kernel): len(each.measurements) for each in UNITS}
    units = [unit for each in store.sets() for unit in store.of_set(each.number)]
    return (
        sound
        and not loose
        and all(len(unit.measurements) == sizes[unit.experiment, unit.kernel] for unit in units)
    )


def test_killed_writers_leave_whole_units(store: Store) -> None:
    """Killed at once, and in the middle of writing, again and again."""
    kept = 0
    for units in (1, 2, 4, 7, 9):
        ours, told = os.pipe()
        child = os.fork()
        if child == 0:
            write_forever(store, told)
        for _ in range(units):
            os.read(ours, 1)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ours)
        os.close(told)
        assert whole(store)
        last = store.sets()[-1]
        assert last.ended == "" and last.got >= min(units, len(UNITS))
        kept += last.got
    assert kept > 10
    store.keep("after", UNITS)
    assert whole(store) and len(store.newest()) == len(UNITS)


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("statement", ["INTO outcomes", "INTO rows", "INTO units", "INTO plan"])
def test_a_unit_that_is_not_whole_is_not_there(
    store: Store, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    """Ended behind each of the statements that write a unit."""
    number = store.begin("a", [])

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *rest: object) -> sqlite3.Cursor:
            done = super().execute(sql, *rest)  # type: ignore[arg-type]
            if statement in sql:
                raise Killed
            return done

        def executemany(self, sql: str, *rest: object) -> sqlite3.Cursor:
            done = super().executemany(sql, *rest)  # type: ignore[arg-type]
            if statement in sql:
                raise Killed
            return done

    connect = sqlite3.connect
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Connection, **k))
        with pytest.raises(Killed):
            store.add(number, FIRST, 1.0)
    with sqlite3.connect(store.file) as connection:
        for table in ("outcomes", "rows", "units", "plan"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_a_store_that_writes_piecewise_is_noticed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mutant: every statement is a transaction of its own."""
    from contextlib import contextmanager

    @contextmanager
    def piecewise(self: Store):  # type: ignore[no-untyped-def]
        with self._reading() as connection:
            yield connection

    monkeypatch.setattr(Store, "_writing", piecewise)
    with pytest.raises(AssertionError):
        test_a_unit_that_is_not_whole_is_not_there(store, monkeypatch, "INTO units")


# ---- what cannot be read or written --------------------------------------------------------------


def test_where_the_store_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MELANION_RESULTS", str(tmp_path / "x"))
    assert location() == tmp_path / "x"
    monkeypatch.delenv("MELANION_RESULTS")
    assert location() == paths.data_root() / "results.sqlite"
    monkeypatch.setattr(paths, "is_checkout", lambda: False)
    assert location() == platformdirs.user_data_path("melanion") / "results.sqlite"


def test_pages_name_the_checkouts_of_figures_that_are_of_several() -> None:
    """Figures are of one commit, of two commits of a checkout, or of two checkouts."""

    def provenance(*origins: tuple[str, str]) -> str:
        units = [
            replace(unit, provenance={**unit.provenance, "commit": commit, "checkout": checkout})
            for unit, (commit, checkout) in zip(UNITS, origins, strict=False)
        ]
        found = {unit.kernel: unit for unit in units}
        assert list(found) == [unit.kernel for unit in units]
        return str(assemble.provenance(found)["commit"])

    first, second = (unit.kernel for unit in UNITS[:2])
    assert provenance(("c1", "a/m"), ("c1", "a/m")) == "c1"
    assert provenance(("c1", "a/m"), ("c2", "a/m")) == f"c1 ({first}), c2 ({second})"
    assert provenance(("c1", "a/m"), ("c1", "b/m")) == f"c1 in a/m ({first}), c1 in b/m ({second})"
    assert provenance(("c1", ""), ("c1", "b/m")) == (
        f"c1 in an unknown checkout ({first}), c1 in b/m ({second})"
    )


def refused(file: Path) -> str:
    with pytest.raises(ResultsError) as caught:
        Store(file)
    return caught.value.message


def test_files_that_are_no_store(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("This is no database, and long enough to be looked at as one. " * 20)
    assert refused(text) == (
        f"{text} is no results store (file is not a database); move it away, or name another file"
        " in MELANION_RESULTS."
    )
    other = tmp_path / "other"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE x (y)")
    assert refused(other) == (
        f"{other} is no results store (it is a database of something else); move it away, or name"
        " another file in MELANION_RESULTS."
    )
    newer = tmp_path / "newer"
    Store(newer)
    with sqlite3.connect(newer) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    assert refused(newer) == (
        f"{newer} has the tables of version {SCHEMA + 1} of the results store, and this Melanion"
        f" reads version {SCHEMA}; move it away, or name another file in MELANION_RESULTS."
    )


def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    assert refused(tmp_path) == (
        f"{tmp_path}: the results store cannot be used (unable to open database file); free space,"
        " correct the permissions, or name another file in MELANION_RESULTS."
    )
    (tmp_path / "file").write_text("")
    below = tmp_path / "file" / "results.sqlite"
    assert refused(below) == (
        f"{below}: the results store cannot be used (file exists); free space, correct the"
        " permissions, or name another file in MELANION_RESULTS."
    )


# ---- references ----------------------------------------------------------------------------------


def test_references(store: Store, tmp_path: Path) -> None:
    store.keep("a", UNITS)
    store.keep("b", [slower(FIRST, 5)])
    assert [choose(store, text).name for text in ("newest", "1", "last", "last~1")] == [
        *("newest", "set 1", "set 2", "set 1"),
    ]
    commit = choose(store, stored.COMMIT + "0" * 28)
    assert (commit.name, len(commit.units)) == (f"commit {stored.COMMIT}", len(UNITS))
    assert len(choose(store, "fedcba9").units) == 1
    other = Store(tmp_path / "other.sqlite")
    other.keep("c", UNITS[:2])
    assert len(choose(store, str(other.file)).units) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "yesterday",
            "'yesterday' names no results; write `newest` (of each experiment and system the last"
            " figures), a set's number, `last`, `last~1` (the one before), a commit (7 hexadecimal"
            " digits or more), or the file of another store.",
        ),
        (
            "last~1",
            "'last~1' names no results: {file} holds 1 set; `melanion report list` shows them.",
        ),
        (
            "7",
            "'7' names no results: {file} holds no set of that number; `melanion report list` shows"
            " those that it holds.",
        ),
        (
            "1",
            "'1': set 1 (`melanion reproduce`) ended before anything was measured; run that command"
            " again, or name another set.",
        ),
        (
            "abcdef0",
            "'abcdef0' names no results: nothing in {file} was measured at that commit; `melanion"
            " report list` shows what it holds.",
        ),
        (
            "newest",
            "{file} holds no results yet; `melanion reproduce` or `melanion compare` adds some.",
        ),
    ],
)
def test_references_that_name_nothing(store: Store, text: str, message: str) -> None:
    store.begin("melanion reproduce", [("latency", "sw")])
    with pytest.raises(ResultsError) as caught:
        choose(store, text)
    assert caught.value.message == message.format(file=store.file)


# ---- results and differences ---------------------------------------------------------------------


def test_result_of_a_collection_names_what_is_missing() -> None:
    two = collect("x", [unit for unit in UNITS if unit.kernel in ("sw", "hwrtos")])
    found, missing = result(two, "latency", ["hwrtos", "sw", "banked"])
    assert found is not None and found.kernels == ("hwrtos", "sw")
    assert missing == {"banked": "the results hold no figures"}
    assert found.provenance["systems"]["sw"]["core"] == "1 × ibex main"
    assert found.provenance["commit"] == stored.COMMIT


def test_figures_of_an_older_definition_are_not_shown() -> None:
    old = replace(FIRST, definition="0" * 32)
    found, missing = result(collect("x", [old]), "latency", [old.kernel])
    assert found is None
    assert missing == {old.kernel: "the figures are of another definition of latency"}


def test_experiments_that_read_the_same_rows_share_units() -> None:
    whole = stored.collection()
    tick, queue = (result(whole, name)[0] for name in ("wp-tick", "wp-queue"))
    assert tick is not None and queue is not None
    assert tick.find("sw", "wake", {"n": 1}) == queue.find("sw", "wake", {"n": 1})


def changes(before: Sequence[Unit], after: Sequence[Unit]) -> list[Change]:
    return list(compare(collect("A", before), collect("B", after)))


def test_equal_results_have_no_difference() -> None:
    assert changes(UNITS, [replace(u, provenance=stored.provenance("x")) for u in UNITS]) == []


def test_every_row_that_differs_is_named_with_its_direction() -> None:
    rows = len(FIRST.measurements)
    assert [each.word for each in changes([FIRST], [slower(FIRST, 1)])] == ["slower"] * rows
    assert [each.word for each in changes([slower(FIRST, 1)], [FIRST])] == ["faster"] * rows
    assert [each.word for each in changes([FIRST], [])] == ["gone"] * rows
    assert [each.word for each in changes([], [FIRST])] == ["new"] * rows


@pytest.mark.parametrize(
    ("change", "unit", "word"),
    [
        ({"median": -1}, "cycles", "faster"),
        ({"median": -1, "max": 1}, "cycles", "slower"),
        ({"p99": 1}, "cycles", "other"),
        ({"n": 1}, "cycles", "other"),
        ({"max": 1}, "cells", "more"),
        ({"max": -1}, "bytes", "less"),
    ],
)
def test_words_of_a_difference(change: dict[str, int], unit: str, word: str) -> None:
    each = FIRST.measurements[0]
    row = replace(each.row, unit=unit)
    other = replace(row, **{key: getattr(row, key) + by for key, by in change.items()})
    before, after = (replace(FIRST, measurements=(replace(each, row=one),)) for one in (row, other))
    assert [found.word for found in changes([before], [after])] == [word]


# ---- the time left -------------------------------------------------------------------------------


JOBS = [("a", "x"), ("a", "y"), ("b", "x")]


def test_estimate_follows_what_units_took_before() -> None:
    """Half as fast as then, two at a time; of a unit that nobody knows, as long as the others."""
    found = Estimate(JOBS, {("a", "x"): 10.0, ("a", "y"): 30.0}, 2)
    assert found.left() is None and found.count == (0, 3)
    found.done(("a", "x"), 20.0, found=False)
    assert found.left() == pytest.approx(2 * (30 + 20) / 2)
    found.done(("a", "y"), 60.0, found=False)
    found.done(("b", "x"), 40.0, found=False)
    assert found.left() == 0 and found.count == (3, 3)


def test_estimate_of_a_repeat_is_short() -> None:
    found = Estimate(JOBS, dict.fromkeys(JOBS, 600.0), 1)
    found.done(("a", "x"), 2.0, found=True)
    assert found.left() == pytest.approx(2 * 2.0)
    found.done(("a", "y"), 300.0, found=False)  # half of what is done had to be measured
    assert found.left() == pytest.approx(0.5 * 2.0 + 0.5 * 0.5 * 600)


def test_estimate_without_knowledge() -> None:
    found = Estimate(JOBS, {}, 1)
    found.done(("a", "x"), 30.0, found=False)
    assert found.left() == pytest.approx(2 * 30)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (0.0, "about 1 s left"),
        (42.0, "about 42 s left"),
        (540.0, "about 9 min left"),
        (8000.0, "about 2 h left"),
    ],
)
def test_time_in_words(seconds: float | None, text: str) -> None:
    assert words(seconds) == text
