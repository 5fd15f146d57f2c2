# SPDX-License-Identifier: Apache-2.0
"""Measures anew what tests assert to the cycle, so that no asserted figure is typed by hand.

`python scripts/asserted.py` writes tests/<experiment>_cycles.csv of every experiment, and
tests/rtu-area_gates.csv; it names each row that moved. EXPERIMENT … measures these alone,
`--kernels LIST` these systems alone (the rows of the others stay). `--check` writes nothing; its
exit code is 1 when a row moved. What the build cache holds is not measured again; without it the
whole takes about an hour of processor time. `interference` has more files: scripts/interference.py
writes those. Cycles depend on the compiler: with another than the asserted one nothing is written.
What decided the rows is recorded with them (scripts/sources.py).

Then `python scripts/documents.py` writes the documents that show these rows.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import sources
from documents import asserted_compiler

from melanion import area, paths
from melanion.build import tools
from melanion.doctor.needs import RISCV_GCC_ASSERTED
from melanion.errors import MelanionError
from melanion.experiments.rows import Row
from melanion.experiments.work import work
from melanion.report.export import csv_rows

TESTS = paths.data_root() / "tests"
AREA = "rtu-area"
FILES = {
    **{path.stem.removesuffix("_cycles"): path for path in sorted(TESTS.glob("*_cycles.csv"))},
    AREA: TESTS / f"{AREA}_gates.csv",
}
KEY = ("kernel", "metric", "parameters")

Line = dict[str, str]


def lines_of(text: str) -> list[Line]:
    return list(csv.DictReader(io.StringIO(text)))


def measure(experiment: str, kernel: str) -> list[Row]:
    """The rows of one system. Raises MelanionError of every room below."""
    if experiment == AREA:
        found = area.execute(AREA, kernel, command="scripts/asserted.py").measurements
    else:
        found = work(experiment, kernel, lambda _: None).measurements
    return [each.row for each in found]


def renewed(experiment: str, old: Sequence[Line], kernels: Iterable[str]) -> list[Line]:
    """The lines of a file with those of these systems measured anew."""
    found = {kernel: lines_of(csv_rows(measure(experiment, kernel))) for kernel in kernels}
    order = dict.fromkeys(line["kernel"] for line in old)
    kept = {name: [line for line in old if line["kernel"] == name] for name in order}
    return [line for name in order for line in found.get(name, kept[name])]


def moved(old: Sequence[Line], new: Sequence[Line]) -> list[str]:
    """A sentence for each row that differs."""
    before, after = ({tuple(line[k] for k in KEY): line for line in each} for each in (old, new))
    told = []
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key, {}), after.get(key, {})
        names = [name for name in (was or now) if was.get(name) != now.get(name)]
        if not was or not now:
            told.append(f"{' '.join(filter(None, key))}: {'new' if now else 'gone'}")
        elif names:
            changes = (f"{name} {was[name]} → {now[name]}" for name in names)
            told.append(f"{' '.join(filter(None, key))}: {', '.join(changes)}")
    return told


def write(path: Path, lines: Sequence[Line]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def renew(experiment: str, kernels: Sequence[str], *, check: bool) -> int:
    """One file; returns how many rows moved."""
    path = FILES[experiment]
    old = lines_of(path.read_text(encoding="utf-8"))
    there = dict.fromkeys(line["kernel"] for line in old)
    chosen = [name for name in there if not kernels or name in kernels]
    new = renewed(experiment, old, chosen)
    told = moved(old, new)
    for sentence in told:
        print(f"{experiment} {sentence}")
    if told and not check:
        write(path, new)
    if experiment != AREA and not check:
        sources.write(sources.present(experiment, chosen))
    print(f"{path.name}: {len(new)} rows, {len(told)} moved", flush=True)
    return len(told)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=", ".join(FILES))
    parser.add_argument("--kernels", default="", help="systems, by commas; all when left out")
    parser.add_argument("--check", action="store_true", help="write nothing, name what moved")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.experiments if name not in FILES]
    if unknown:
        parser.error(f"'{unknown[0]}' has no asserted rows; there are {', '.join(FILES)}")
    if not asserted_compiler():
        have = tools.version(tools.CROSS_GCC)
        print(
            f"asserted: the compiler is {have}; rows are those of {RISCV_GCC_ASSERTED}, so nothing"
            " was measured. Install that version.",
            file=sys.stderr,
        )
        return 1
    kernels = list(filter(None, options.kernels.split(",")))
    try:
        count = sum(
            renew(name, kernels, check=options.check) for name in options.experiments or FILES
        )
    except MelanionError as error:
        print(f"asserted: {error.message}", file=sys.stderr)
        return error.exit_code
    return 1 if options.check and count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
