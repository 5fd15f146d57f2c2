# SPDX-License-Identifier: Apache-2.0
"""A result as files: JSON (the rows and where they come from), CSV (one line per row), HTML."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from melanion.claims.reader import short
from melanion.claims.result import Result
from melanion.errors import MelanionError
from melanion.measure.rows import Row, as_json
from melanion.report.page import page
from melanion.results.unit import Unit
from melanion.results.unit import as_json as unit_json

COLUMNS = (
    "experiment",
    "kernel",
    "metric",
    "parameters",
    "unit",
    "n",
    "min",
    "median",
    "p99",
    "max",
)


class ReportError(MelanionError):
    """A report could not be written."""


def json_text(result: Result) -> str:
    document = as_json(list(result.measurements), result.provenance)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def csv_text(result: Result) -> str:
    return csv_rows([each.row for each in result.measurements])


def csv_rows(rows: Sequence[Row]) -> str:
    """A line of names, then one line per row; `parameters` as `n=8 which=first`."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        parameters = " ".join(f"{key}={value}" for key, value in row.parameters.items())
        writer.writerow({**asdict(row), "parameters": parameters})
    return stream.getvalue()


def units_text(units: Sequence[Unit], *, as_csv: bool) -> str:
    """Units as lines of CSV, or as JSON with all that decided each. An experiment of a user has the
    name that the files of `melanion compare` give it."""
    named = [
        replace(
            unit,
            experiment=short(unit.experiment),
            measurements=tuple(
                replace(each, row=replace(each.row, experiment=short(each.row.experiment)))
                for each in unit.measurements
            ),
        )
        for unit in units
    ]
    if as_csv:
        return csv_rows([each.row for unit in named for each in unit.measurements])
    document = {"schema": 1, "units": [unit_json(unit) for unit in named]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write(result: Result, folder: Path) -> list[Path]:
    """`report.html`, `<experiment>.json`, `<experiment>.csv` in a folder, which is made. Raises
    ReportError."""
    texts = {
        "report.html": page(result),
        f"{result.experiment}.json": json_text(result),
        f"{result.experiment}.csv": csv_text(result),
    }
    return [write_text(folder / name, text) for name, text in texts.items()]


def check_writable(file: Path) -> None:
    """Raise ReportError now rather than after the runs, when `file` could not be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        with tempfile.TemporaryFile(dir=file.parent):
            pass
    except OSError as error:
        raise _refused(file, error) from None


def write_text(file: Path, text: str) -> Path:
    """UTF-8, whole or not at all. Raises ReportError."""
    return write_bytes(file, text.encode("utf-8"))


def write_bytes(file: Path, content: bytes) -> Path:
    """Whole or not at all: into a file beside it, then renamed. Raises ReportError."""
    check_writable(file)
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            umask = os.umask(0)
            os.umask(umask)
            Path(name).chmod(0o666 & ~umask)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _refused(file, error) from None
    return file


def _refused(file: Path, error: OSError) -> ReportError:
    reason = error.strerror or str(error)
    return ReportError(
        f"{file} cannot be written ({reason[0].lower()}{reason[1:]}); name another place with"
        f" --out or --json."
    )
