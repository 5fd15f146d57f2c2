# SPDX-License-Identifier: Apache-2.0
"""References to result sets, as a user types them."""

from __future__ import annotations

import re
from pathlib import Path

from melanion.results.assemble import Collection, collect
from melanion.results.errors import ResultsError
from melanion.results.store import Store
from melanion.results.unit import MeasuredSet

NEWEST = "newest"
GRAMMAR = (
    "write `newest` (of each experiment and system the last figures), a set's number, `last`,"
    " `last~1` (the one before), a commit (7 hexadecimal digits or more), or the file of another"
    " store"
)


def there(file: Path) -> Store:
    """The store that a command reads. Raises ResultsError when there is none, and makes none."""
    if not file.is_file():
        raise _empty(file)
    return Store(file)


def _empty(file: Path) -> ResultsError:
    return ResultsError(
        f"{file} holds no results yet; `melanion reproduce` or `melanion compare` adds some."
    )


def choose(store: Store, text: str) -> Collection:
    """The units that a reference names. Raises ResultsError: it names none."""
    if text == NEWEST:
        found = collect(text, store.newest())
        if not found.units:
            raise _empty(store.file)
        return found
    if match := re.fullmatch(r"last(?:~(\d+))?", text):
        return _of_set(store, text, _back(store, text, int(match[1] or 0)))
    if re.fullmatch(r"\d{1,6}", text):
        return _of_set(store, text, _numbered(store, text))
    if re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?", text):
        return _of_commit(store, text)
    if Path(text).is_file():
        other = choose(Store(Path(text)), NEWEST)
        return Collection(text, other.units)
    raise ResultsError(f"{text!r} names no results; {GRAMMAR}.", 2)


def _back(store: Store, text: str, steps: int) -> MeasuredSet:
    found = store.sets()
    if steps >= len(found):
        raise ResultsError(
            f"{text!r} names no results: {store.file} holds {_counted(len(found))};"
            " `melanion report list` shows them.",
            2,
        )
    return found[-1 - steps]


def _numbered(store: Store, text: str) -> MeasuredSet:
    for each in store.sets():
        if each.number == int(text):
            return each
    raise ResultsError(
        f"{text!r} names no results: {store.file} holds no set of that number;"
        " `melanion report list` shows those that it holds.",
        2,
    )


def _of_set(store: Store, text: str, chosen: MeasuredSet) -> Collection:
    if not chosen.got:
        raise ResultsError(
            f"{text!r}: set {chosen.number} (`{chosen.command}`) ended before anything was"
            " measured; run that command again, or name another set.",
            2,
        )
    name = f"set {chosen.number}"
    return collect(name, store.of_set(chosen.number))


def _of_commit(store: Store, text: str) -> Collection:
    # Full hashes may be given; twelve digits are kept.
    kept = text if text.endswith("-dirty") else text[:12]
    found = collect(f"commit {kept}", store.newest(kept))
    if not found.units:
        raise ResultsError(
            f"{text!r} names no results: nothing in {store.file} was measured at that commit;"
            " `melanion report list` shows what it holds.",
            2,
        )
    return found


def _counted(number: int) -> str:
    return "no set" if number == 0 else "1 set" if number == 1 else f"{number} sets"
