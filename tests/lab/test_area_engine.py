# SPDX-License-Identifier: Apache-2.0
"""Area and clock of the microprogrammed unit: the measured rows keep their limits, and are those of
the present sources."""

from __future__ import annotations

import re

import pytest

from melanion.area import program
from melanion.area.design import UNIT_TOP
from melanion.docs import engine_area
from melanion.docs.engine_area import TARGETS

ROWS = engine_area.recorded()
FIRST = TARGETS[0]


def test_rows_are_those_of_these_sources() -> None:
    assert engine_area.stale(ROWS) == []


def test_rows_keep_their_limits() -> None:
    assert engine_area.misses(ROWS) == []


def test_the_median_is_no_worse_than_the_worst() -> None:
    assert all(0 < float(row["fmax_min"]) <= float(row["fmax"]) for row in ROWS)
    assert all(int(row["ff"]) > 0 for row in ROWS)


# ---- what the checks find ------------------------------------------------------------------------


def good() -> list[dict[str, str]]:
    """Rows that just reach their limits."""
    figures = [
        {"comb": t.comb, "ff": 1, "bram": t.bram, "fmax": t.fmax, "fmax_min": 1} for t in TARGETS
    ]
    text = engine_area.text_of(figures).splitlines()
    return [dict(zip(text[0].split(","), line.split(","), strict=True)) for line in text[1:]]


def test_good_rows_are_not_complained_about() -> None:
    assert engine_area.misses(good()) == []
    assert engine_area.stale(good()) == []


@pytest.mark.parametrize(
    ("figure", "value", "says"),
    [
        ("comb", 3801, "3801 cells; allowed are at most 3800; improve hw/engine."),
        ("fmax", 79.9, "79.9 MHz; allowed are at least 80; improve hw/engine."),
        ("bram", 46, "46 block RAMs; allowed are at most 45; improve hw/engine."),
    ],
)
def test_a_figure_beyond_its_limit_is_named(figure: str, value: float, says: str) -> None:
    rows = good()
    rows[0][figure] = f"{value:g}"
    said = f"tests/asserted/engine_area.csv: {FIRST.name}: {says}"
    assert engine_area.misses(rows) == [said]


def test_rows_of_other_sources_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = good()
    contents = FIRST.design.contents()
    assert engine_area.stale(rows[1:]) == [
        f"tests/asserted/engine_area.csv has no row of the present sources for {FIRST.name}; run"
        " `python -m melanion.docs area engine` and commit the file."
    ]
    for text, moved in ((b"// other words\n", 0), (b"logic more;\n", len(TARGETS))):
        changed = [(n, text + c if n == "mel_lists.sv" else c) for n, c in contents]
        monkeypatch.setattr("melanion.area.design.Design.contents", lambda _, new=changed: new)
        assert len(engine_area.stale(rows)) == moved


# ---- the program store ---------------------------------------------------------------------------


def package() -> bytes:
    """The package of the program as it is."""
    (found,) = [path for path in FIRST.design.sources().files if path.name == program.FILE]
    return found.read_bytes()


def test_the_words_of_the_program_do_not_matter() -> None:
    text = package()
    words = re.findall(rb"(\d+)'h[0-9a-f]+", text)
    filled = program.filled(text)
    assert program.filled(text) == filled != text
    assert re.findall(rb"(\d+)'h[0-9a-f]+", filled) == words
    first = re.search(rb"'\{\s+\d+'h([0-9a-f]+)", text)
    assert first is not None
    assert program.filled(text.replace(first[1], b"0", 1)) == filled
    checks = text[text.index(b" Checks ") :]
    assert filled.endswith(checks)
    random = dict(FIRST.design.contents())[program.FILE]
    assert random == filled


def test_a_package_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match=r"mel_program_pkg\.sv has no array of words"):
        program.filled(b"package mel_program_pkg; endpackage")


def test_the_design_is_the_unit_of_hw_engine() -> None:
    files = {path.name: path.parent.name for path in FIRST.design.sources().files}
    assert FIRST.design.top == UNIT_TOP
    assert files["mel_engine.sv"] == "engine"
    assert all(target.design.objects == target.objects for target in TARGETS)
