# SPDX-License-Identifier: Apache-2.0
"""Mutants of microwords: one field of one word of hw/micro has another value.

All run on one bench, which loads the program of each. tests/mutants/microwords.csv holds a sample
with the script that notices each, or why none can; `python -m tests.random.microwords` makes it
anew, because words change. With a number it only looks for scripts, for so many words.
"""

from __future__ import annotations

import csv
import hashlib
import io
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from melanion.micro import Program, output
from melanion.micro.tables import Tables
from tests.common.verilated import ROOT, BenchError
from tests.random import bench, steps
from tests.random.campaign import Case, execute
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError

FILE = ROOT / "tests" / "mutants" / "microwords.csv"
COLUMNS = ("file", "word", "field", "value", "profile", "seed", "commands", "why")
SIZE = "small"
SHORT, LONG = 150, 600  # commands of a script
SAMPLE = 60  # words of the file
# Profiles that execute the words of a file most; then the others.
LIKELY = {
    "account": ("deadlines", "slices"),
    "deadline": ("deadlines",),
    "drain": ("semaphores", "queues"),
    "event_flags": ("flags",),
    "interrupt": ("interrupts",),
    "mutex": ("mutexes",),
    "notification": ("notifications",),
    "priority": ("mutexes",),
    "quantum": ("slices",),
    "queue": ("queues",),
    "semaphore": ("semaphores",),
    "task": ("tasks",),
    "time": ("timers",),
    "timer": ("timers",),
    "wait": ("mutexes", "timers"),
}
BROAD = ("mixed", "hostile", "rapid", "interrupts", "deadlines", "tasks", "mutexes", "flags")
SEEDS = (1, 2)

Script = tuple[str, int, int]  # profile, seed, commands


class Mutant(NamedTuple):
    """`word`: its text in the file. `profile`, `seed`, `commands`: the script that notices it; or
    empty, 0, and `why` none does."""

    file: str
    word: str
    field: str
    value: int
    profile: str = ""
    seed: int = 0
    commands: int = 0
    why: str = ""

    def __str__(self) -> str:
        return f"{self.file}: `{self.word}` with {self.field} {self.value}"


def sample(program: Program, count: int) -> list[Mutant]:
    """A mutant for each of some words, in an order that a change of other words does not alter."""
    found = {}
    for word in program.words.values():
        name = Path(word.place.file).name
        digest = hashlib.sha256(f"{name} {word.text}".encode()).digest()
        if mutant := _mutate(program.tables, name, word.text, word.fields, digest):
            found[digest] = mutant
    return [found[digest] for digest in sorted(found)[:count]]


def _mutate(
    tables: Tables, file: str, text: str, fields: dict[str, int], digest: bytes
) -> Mutant | None:
    """Another legal value of one of the fields that the word sets."""
    choice = random.Random(digest)
    names = sorted(name for name in fields if name not in ("annul", "next"))
    if not names:
        return None
    field = choice.choice(names)
    if field in tables.values:
        others = sorted(set(tables.values[field].values()) - {fields[field]})
        value = choice.choice(others)
    else:
        value = fields[field] ^ 1 << choice.randrange(tables.fields[field].width)
    return Mutant(file, text, field, value)


def words(program: Program, mutant: Mutant | None) -> str | None:
    """Contents of the program store; None: the program has no such word any more."""
    if mutant is None:
        return output.memories(program)["mel_program.hex"]
    for word in program.words.values():
        if Path(word.place.file).name == mutant.file and word.text == mutant.word:
            if word.get(mutant.field) == mutant.value:
                return None
            return _with(program, word.fields, mutant)
    return None


def _with(program: Program, fields: dict[str, int], mutant: Mutant) -> str:
    before = fields.get(mutant.field, 0)
    fields[mutant.field] = mutant.value
    program.__dict__.pop("values", None)
    try:
        return output.memories(program)["mel_program.hex"]
    finally:
        fields[mutant.field] = before
        program.__dict__.pop("values", None)


@cache
def program() -> Path:
    """The bench that loads its program."""
    case = Case(SIZE, "mixed", 1, SHORT)
    return bench.build(case.limits, loads=True)


def noticed(text: str, profile: str, seed: int, commands: int) -> str:
    """Return the first difference of a script with a program from the model; empty: none."""
    case = Case(SIZE, profile, seed, commands)
    entries = generate(seed, case.limits, PROFILES[profile], commands)
    try:
        execute(program(), case.limits, entries, seed, text)
    except (RejectedError, BenchError, ValueError, KeyError) as error:
        return str(error) or type(error).__name__
    return ""


def search(text: str, file: str) -> Script | None:
    """The first script that notices a program."""
    first = LIKELY.get(file.removesuffix(".mu"), ())
    broad = [*first, *(name for name in BROAD if name not in first)]
    every = [*broad, *(name for name in PROFILES if name not in broad)]
    tries = [(name, seed, SHORT) for seed in SEEDS for name in broad]
    tries += [(name, 1, LONG) for name in every]
    return next((choice for choice in tries if noticed(text, *choice)), None)


def load() -> list[Mutant]:
    """The recorded sample."""
    rows = csv.DictReader(io.StringIO(FILE.read_text(encoding="utf-8")))
    return [
        Mutant(
            row["file"],
            row["word"],
            row["field"],
            int(row["value"]),
            row["profile"],
            int(row["seed"]),
            int(row["commands"]),
            row["why"],
        )
        for row in rows
    ]


def search_all(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """With the script that notices each."""
    whole = steps.names().program
    for mutant in mutants:
        text = words(whole, mutant)
        found = search(text, mutant.file) if text else None
        yield Mutant(*mutant[:4], *found) if found else mutant


def main(arguments: Sequence[str]) -> int:
    """Search, print, and without a number write the file."""
    known = {(m.file, m.word, m.field, m.value): m.why for m in load()} if FILE.exists() else {}
    count = int(arguments[0]) if arguments else SAMPLE
    rows = []
    for mutant in search_all(sample(steps.names().program, count)):
        rows.append(mutant._replace(why="" if mutant.profile else known.get(mutant[:4], "")))
        script = (
            f"{mutant.profile} {mutant.seed} {mutant.commands}" if mutant.profile else "NOTHING"
        )
        print(f"{script}: {mutant}", flush=True)
    print(f"{sum(bool(row.profile) for row in rows)} of {len(rows)} are noticed")
    if not arguments:
        with FILE.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
