# SPDX-License-Identifier: Apache-2.0
"""The SQLite file: its tables, and the few ways in which it is written and read.

Every write is one transaction that is whole or absent, also when the process is killed in it:
SQLite rolls back what a killed writer left, when the file is opened next. Several processes may
write.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs

from melanion import paths
from melanion.measure.rows import Measurement, Row
from melanion.measure.worst_case import worst_case_of_json
from melanion.results.errors import ResultsError
from melanion.results.unit import MeasuredSet, Unit

PLACE = "MELANION_RESULTS"
APPLICATION = 0x4D454C41  # "MELA" in the header: the file is ours
SCHEMA = 2
WITHOUT_WORST_CASES = 1  # the version before, whose files are taken over
PATIENCE = 60.0  # seconds that a writer waits for another one

# `outcomes`: the figures of a unit; units of several commits with the same figures share them.
# `plan`: what a set wants; `taken`: a worker has begun it, `unit`: it is done.
TABLES = """
CREATE TABLE outcomes (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE);
CREATE TABLE rows (
  outcome INTEGER NOT NULL REFERENCES outcomes, place INTEGER NOT NULL,
  metric TEXT NOT NULL, parameters TEXT NOT NULL, unit TEXT NOT NULL, n INTEGER NOT NULL,
  min INTEGER NOT NULL, median INTEGER NOT NULL, p99 INTEGER NOT NULL, max INTEGER NOT NULL,
  histogram BLOB NOT NULL, PRIMARY KEY (outcome, place)) WITHOUT ROWID;
CREATE TABLE units (
  id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, experiment TEXT NOT NULL,
  kernel TEXT NOT NULL, definition TEXT NOT NULL, judged TEXT NOT NULL, "commit" TEXT NOT NULL,
  provenance TEXT NOT NULL, configuration TEXT NOT NULL,
  outcome INTEGER NOT NULL REFERENCES outcomes);
CREATE TABLE sets (
  id INTEGER PRIMARY KEY, began TEXT NOT NULL, ended TEXT, command TEXT NOT NULL);
CREATE TABLE plan (
  "set" INTEGER NOT NULL REFERENCES sets, experiment TEXT NOT NULL, kernel TEXT NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0, unit INTEGER REFERENCES units, seconds REAL, measured TEXT,
  PRIMARY KEY ("set", experiment, kernel));
CREATE INDEX plan_units ON plan (unit)"""
# Since version 2: worst cases of runs, as JSON. The table keeps the name that it had then.
WORST_CASES = """
CREATE TABLE windows (unit INTEGER PRIMARY KEY REFERENCES units, content BLOB NOT NULL)"""
FOUND = """SELECT u.experiment, u.kernel, u.definition, u.judged, u.provenance, u.configuration,
  u.outcome, w.content, s.command, p.measured FROM plan p JOIN units u ON u.id = p.unit
  JOIN sets s ON s.id = p."set" LEFT JOIN windows w ON w.unit = u.id """


def location() -> Path:
    """`MELANION_RESULTS`, else a file of the checkout, else one in the user's data folder. It is no
    cache, so `make clean` leaves it."""
    chosen = os.environ.get(PLACE)
    if chosen:
        return Path(chosen)
    folder = paths.data_root() if paths.is_checkout() else platformdirs.user_data_path("melanion")
    return folder / "results.sqlite"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """One file; made when it is absent. Raises ResultsError."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with _explained(file), closing(self._connect()) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            owner = connection.execute("PRAGMA application_id").fetchone()[0]
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                for statement in [*TABLES.split(";\n"), WORST_CASES]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
            elif owner != APPLICATION:
                raise _strange(file, "it is a database of something else")
            elif version == WITHOUT_WORST_CASES:
                connection.execute(WORST_CASES)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
            elif version != SCHEMA:
                raise ResultsError(
                    f"{file} has the tables of version {version} of the results store, and this"
                    f" Melanion reads version {SCHEMA}; move it away, or name another file in"
                    f" {PLACE}."
                )

    def _connect(self) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with _explained(self.file), closing(self._connect()) as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: whole, or (after an error, or when we are killed) absent."""
        with self._reading() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    # ---- writing ---------------------------------------------------------------------------------

    def begin(self, command: str, wanted: Sequence[tuple[str, str]]) -> int:
        """A new set that wants these units (experiment, kernel), in this order; its number."""
        with self._writing() as connection:
            done = connection.execute(
                "INSERT INTO sets (began, command) VALUES (?, ?)", (_now(), command)
            )
            number = int(done.lastrowid or 0)
            connection.executemany(
                'INSERT INTO plan ("set", experiment, kernel) VALUES (?, ?, ?)',
                [(number, *each) for each in wanted],
            )
        return number

    def claim(self, number: int, among: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
        """The first of these units of a set that no worker has begun; it is begun now."""
        with self._writing() as connection:
            for experiment, kernel in among:
                done = connection.execute(
                    'UPDATE plan SET taken = 1 WHERE "set" = ? AND experiment = ? AND kernel = ?'
                    " AND taken = 0",
                    (number, experiment, kernel),
                )
                if done.rowcount:
                    return experiment, kernel
        return None

    def add(self, number: int, unit: Unit, seconds: float | None) -> None:
        """A unit of a set, all of it or nothing. It took so long; None: it was only looked up."""
        with self._writing() as connection:
            _add(connection, number, unit, seconds)

    def want(self, number: int, wanted: Sequence[tuple[str, str]]) -> None:
        """A set wants these units, too."""
        with self._writing() as connection:
            connection.executemany(
                'INSERT OR IGNORE INTO plan ("set", experiment, kernel) VALUES (?, ?, ?)',
                [(number, *each) for each in wanted],
            )

    def add_all(self, number: int, units: Sequence[Unit]) -> None:
        """Units that were only looked up, in one transaction."""
        with self._writing() as connection:
            for unit in units:
                _add(connection, number, unit, None)

    def end(self, number: int) -> None:
        """The command got what it could."""
        with self._writing() as connection:
            connection.execute("UPDATE sets SET ended = ? WHERE id = ?", (_now(), number))

    def keep(self, command: str, units: Sequence[Unit], seconds: float | None = None) -> int:
        """A whole set that was measured already: all of it or nothing; its number."""
        with self._writing() as connection:
            done = connection.execute(
                "INSERT INTO sets (began, ended, command) VALUES (?, ?, ?)",
                (_now(), _now(), command),
            )
            number = int(done.lastrowid or 0)
            for unit in units:
                _add(connection, number, unit, seconds)
        return number

    # ---- reading ---------------------------------------------------------------------------------

    def sets(self) -> list[MeasuredSet]:
        """All, the oldest first."""
        with self._reading() as connection:
            found = connection.execute(
                "SELECT s.id, s.began, coalesce(s.ended, ''), s.command, count(p.experiment),"
                ' count(p.unit) FROM sets s LEFT JOIN plan p ON p."set" = s.id GROUP BY s.id'
                " ORDER BY s.id"
            )
            return [MeasuredSet(*row) for row in found]

    def of_set(self, number: int) -> list[Unit]:
        """The units that a set has got."""
        return self._units('WHERE p."set" = ? ORDER BY p.rowid', number)

    def newest(self, commit: str = "") -> list[Unit]:
        """Units measured or confirmed last, one of every experiment and system; `commit`: only at
        commits that begin so."""
        latest = """WHERE p.rowid IN (SELECT max(q.rowid) FROM plan q JOIN units v ON v.id = q.unit
          WHERE substr(v."commit", 1, length(?1)) = ?1 GROUP BY v.experiment, v.kernel)
          ORDER BY p.rowid"""
        return self._units(latest, commit)

    def measured(self, experiment: str) -> list[Unit]:
        """Units of an experiment, whatever they were measured by, in the order in which they were
        last asked for."""
        latest = """WHERE u.experiment = ? AND p.rowid IN
          (SELECT max(q.rowid) FROM plan q WHERE q.unit IS NOT NULL GROUP BY q.unit)
          ORDER BY p.rowid"""
        return self._units(latest, experiment)

    def seconds(self) -> dict[tuple[str, str], float]:
        """Duration of each unit's last measurement, in seconds."""
        with self._reading() as connection:
            found = connection.execute(
                "SELECT experiment, kernel, seconds FROM plan WHERE seconds IS NOT NULL"
                " ORDER BY rowid"
            )
            return {(experiment, kernel): spent for experiment, kernel, spent in found}

    def _units(self, which: str, value: object) -> list[Unit]:
        with self._reading() as connection:
            return [
                Unit(
                    experiment=experiment,
                    kernel=kernel,
                    definition=definition,
                    judged=judged,
                    provenance=json.loads(provenance),
                    configuration=json.loads(configuration),
                    measurements=_measurements(connection, outcome, experiment, kernel),
                    worst_case=content and worst_case_of_json(_unpacked(content)),
                    command=command,
                    measured=measured,
                )
                for experiment, kernel, definition, judged, provenance, configuration, outcome,
                content, command, measured in connection.execute(FOUND + which, (value,)).fetchall()
            ]  # fmt: skip


def _add(connection: sqlite3.Connection, number: int, unit: Unit, seconds: float | None) -> None:
    """Write a unit, unless it is there, and that the set has it."""
    known = connection.execute("SELECT id FROM units WHERE digest = ?", (unit.digest,)).fetchone()
    identity = known[0] if known else _insert(connection, unit)
    connection.execute(
        'INSERT INTO plan ("set", experiment, kernel, taken, unit, seconds, measured)'
        " VALUES (?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET unit = excluded.unit,"
        " seconds = excluded.seconds, measured = excluded.measured, taken = 1",
        (number, unit.experiment, unit.kernel, identity, seconds, _now()),
    )


def _insert(connection: sqlite3.Connection, unit: Unit) -> int:
    """The number of a new unit; its figures are written unless they are there."""
    found = connection.execute("SELECT id FROM outcomes WHERE digest = ?", (unit.rows_digest,))
    row = found.fetchone()
    outcome = int(row[0]) if row else _insert_rows(connection, unit)
    done = connection.execute(
        'INSERT INTO units (digest, experiment, kernel, definition, judged, "commit", provenance,'
        " configuration, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(unit.digest, unit.experiment, unit.kernel, unit.definition, unit.judged, unit.commit),
            json.dumps(unit.provenance, ensure_ascii=False),
            json.dumps(unit.configuration, ensure_ascii=False),
            outcome,
        ),
    )
    identity = int(done.lastrowid or 0)
    if unit.worst_case is not None:
        content = _packed(unit.worst_case.as_json())
        connection.execute("INSERT INTO windows VALUES (?, ?)", (identity, content))
    return identity


def _insert_rows(connection: sqlite3.Connection, unit: Unit) -> int:
    done = connection.execute("INSERT INTO outcomes (digest) VALUES (?)", (unit.rows_digest,))
    outcome = int(done.lastrowid or 0)
    connection.executemany(
        f"INSERT INTO rows VALUES ({', '.join('?' * 11)})",
        [
            (
                *(outcome, place, each.row.metric, json.dumps(each.row.parameters)),
                *(each.row.unit, each.row.n, each.row.min, each.row.median, each.row.p99),
                *(each.row.max, _packed(each.histogram)),
            )
            for place, each in enumerate(unit.measurements)
        ],
    )
    return outcome


def _measurements(
    connection: sqlite3.Connection, outcome: int, experiment: str, kernel: str
) -> tuple[Measurement, ...]:
    found = connection.execute(
        "SELECT metric, parameters, unit, n, min, median, p99, max, histogram FROM rows"
        " WHERE outcome = ? ORDER BY place",
        (outcome,),
    )
    return tuple(
        Measurement(
            Row(experiment, kernel, metric, json.loads(parameters), *rest),
            tuple((value, count) for value, count in _unpacked(histogram)),
        )
        for metric, parameters, *rest, histogram in found
    )


def _packed(value: Any) -> bytes:
    return zlib.compress(json.dumps(value).encode())


def _unpacked(content: bytes) -> Any:
    return json.loads(zlib.decompress(content))


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise _unusable(file, str(error)) from error
        raise _strange(file, str(error)) from error
    except OSError as error:
        raise _unusable(file, (error.strerror or str(error)).lower()) from error


def _unusable(file: Path, reason: str) -> ResultsError:
    return ResultsError(
        f"{file}: the results store cannot be used ({reason}); free space, correct the permissions,"
        f" or name another file in {PLACE}."
    )


def _strange(file: Path, reason: str) -> ResultsError:
    return ResultsError(
        f"{file} is no results store ({reason}); move it away, or name another file in {PLACE}."
    )
