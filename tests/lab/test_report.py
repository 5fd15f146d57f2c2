# SPDX-License-Identifier: Apache-2.0
"""Reports of a result with known figures: terminal, page, CSV, JSON, and what cannot be written."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from melanion import report
from melanion.claims import load
from melanion.claims.result import Result
from melanion.measure import measure
from melanion.report import chart, finding
from melanion.report.chart import Series
from melanion.report.page import page
from melanion.report.svg import number
from tests.common.latency_events import whole_tape


def result(*kernels: str) -> Result:
    """`sw` takes twice as long as the others."""
    definition = load("latency")
    measured = [
        each
        for kernel in kernels
        for each in measure(
            "latency", kernel, definition, whole_tape(slow=2 if kernel == "sw" else 1).events
        )
    ]
    systems = {
        kernel: {"core": "1 × ibex main", "program": f"p{i}"} for i, kernel in enumerate(kernels)
    }
    provenance = {
        "command": "melanion compare latency --kernels <&>",
        "version": "0.1.0",
        "commit": "0123456789ab",
        "spec_hash": "01234567",
        "tools": {"verilator": "5.48.0", "gcc": "12.2.0"},
        "systems": systems,
    }
    return Result("latency", definition, kernels, tuple(measured), provenance)


TWO = result("sw", "hwrtos")


def terminal(shown: Result) -> list[str]:
    console = Console(width=80, file=io.StringIO(), force_terminal=False)
    console.print(report.table(shown))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_terminal_table_has_every_row_and_the_ratio_of_worst_cases() -> None:
    lines = [line.split() for line in terminal(TWO)]
    assert ["yield", "120", "120", "60", "60", "2.0"] in lines
    assert ["irq_to_task", "calls", "188", "198", "94", "99", "2.0"] in lines
    assert ["tick_idle", "80", "80", "0", "0", "–"] in lines
    assert ["tick_wake", "n=32", "last", "3910", "3910", "1955", "1955", "2.0"] in lines
    assert sum(1 for line in lines if line and line[0] in TWO.definition.metrics) == 22


@pytest.mark.parametrize(
    "kernels",
    [
        ("sw",),
        ("sw", "hwrtos"),
        ("sw", "hwrtos@bus:20", "freertos"),
        ("sw", "freertos", "lockcache", "hwrtos@banked"),
    ],
)
def test_terminal_table_fits_80_columns(kernels: tuple[str, ...]) -> None:
    lines = terminal(result(*kernels))
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    for kernel in kernels:
        assert any(kernel in line for line in lines)


def test_json_follows_the_schema() -> None:
    document = json.loads(report.json_text(TWO))
    assert document["schema"] == 1
    assert document["provenance"]["commit"] == "0123456789ab"
    assert len(document["rows"]) == 44
    assert document["rows"][7] == {
        "experiment": "latency",
        "kernel": "sw",
        "metric": "irq_to_task",
        "parameters": {"load": "calls"},
        "unit": "cycles",
        "n": 1000,
        "min": 180,
        "median": 188,
        "p99": 198,
        "max": 198,
    }
    for row in document["rows"]:
        assert row["min"] <= row["median"] <= row["p99"] <= row["max"]


def test_csv_is_the_same_as_json() -> None:
    rows = list(csv.DictReader(io.StringIO(report.csv_text(TWO))))
    for row, expected in zip(rows, json.loads(report.json_text(TWO))["rows"], strict=True):
        parameters = " ".join(f"{key}={value}" for key, value in expected["parameters"].items())
        assert row == {k: str(v) for k, v in expected.items()} | {"parameters": parameters}


class Outline(HTMLParser):
    """Tags, attributes and texts of a page; every tag must be closed in order."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data.strip()))


def test_page_needs_no_other_file_and_no_script() -> None:
    text = page(TWO)
    outline = Outline(text)
    assert "script" not in outline.tags and "link" not in outline.tags and "img" not in outline.tags
    assert not [a for a in outline.attributes if a[0] in ("src", "href") or a[0].startswith("on")]
    assert "url(" not in text and "@import" not in text
    assert "prefers-color-scheme: dark" in text and "width=device-width" in text
    assert len(text.encode()) < 3_000_000


def test_page_shows_worst_cases_first_and_where_they_come_from() -> None:
    outline = Outline(page(TWO))
    assert outline.tags.index("table") < outline.tags.index("svg")
    cells = [text for tag, text in outline.texts if tag in ("td", "small")]
    first = cells.index("Yield to another task")
    assert cells[first : first + 4] == ["Yield to another task", "120", "60", "2.0×"]
    footer = " ".join(text for _, text in outline.texts[-12:])
    for expected in ("melanion compare latency --kernels <&>", "0123456789ab", "verilator 5.48.0"):
        assert expected in footer
    assert "core: 1 × ibex main" in footer and "program: p0 (sw); p1 (hwrtos)" in footer


def test_page_marks_targets() -> None:
    text = page(TWO)
    assert text.count('class="met"') == 5 and 'class="missed"' not in text
    slow = result("sw")
    missed = Result("latency", slow.definition, ("hwrtos",), _renamed(slow), TWO.provenance)
    assert page(missed).count('class="missed"') == 5


def _renamed(slow: Result):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return tuple(replace(m, row=replace(m.row, kernel="hwrtos")) for m in slow.measurements)


def test_the_first_sentence_of_a_page_compares_one_load() -> None:
    assert finding.headline(TWO) == (
        "Under kernel-call load, an interrupt has its task running after at most 99 cycles with"
        " hwrtos, 198 with sw, in the worst case seen."
    )


def test_rows_in_words_fit_100_columns() -> None:
    console = Console(width=100, file=io.StringIO(), force_terminal=False)
    console.print(report.table(result("freertos", "sw", "hwrtos", "banked"), titles=True))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 100 and not any("…" in line for line in lines)
    names = [re.split(r"  +", line)[0] for line in lines]
    assert "Tick that wakes n tasks (n = 32, last task)" in names
    assert "Interrupt to task (under kernel-call load)" in names


def test_titles_state_the_finding() -> None:
    titles = [text for tag, text in Outline(page(TWO)).texts if tag == "h3"]
    assert titles == [
        "Interrupt to task while the core computes: at most 99 cycles with hwrtos, 198 with sw",
        "Interrupt to task under kernel-call load: at most 99 cycles with hwrtos, 198 with sw",
        "Interrupt to task while the core divides: at most 99 cycles with hwrtos, 198 with sw",
        "Interrupt to handler while the core computes: at most 40 cycles with hwrtos, 80 with sw",
        "Interrupt to handler under kernel-call load: at most 50 cycles with hwrtos, 100 with sw",
        "Interrupt to handler while the core divides: at most 60 cycles with hwrtos, 120 with sw",
        "First task after a tick: hwrtos is flat at 95 cycles; sw is flat at 190 cycles",
        "Last task after a tick: hwrtos grows by 60 cycles per task, to 1\u202f955;"
        " sw grows by 120 cycles per task, to 3\u202f910",
        "Interrupts disabled: hwrtos is flat at 100 cycles; sw is flat at 200 cycles",
    ]


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(1, 95), (8, 99), (32, 96)], "k is flat at 95–99 cycles"),
        ([(1, 95), (8, 100), (32, 96)], "k grows by less than 0.1 cycles per task, to 96"),
        ([(1, 95), (8, 130), (32, 90)], "k takes 90–130 cycles"),
        ([(1, 100), (32, 1650)], "k grows by 50 cycles per task, to 1\u202f650"),
    ],
)
def test_curve_titles_say_no_more_than_the_numbers(
    points: list[tuple[int, int]], words: str
) -> None:
    assert finding.curve_title("T", [("k", points)], "task") == f"T: {words}"


def test_numbers_and_axes() -> None:
    assert [number(v) for v in (0, 3.5, 12.5, 1234, 1234567)] == [
        "0",
        "3.5",
        "12",
        "1\u202f234",
        "1\u202f234\u202f567",
    ]
    assert chart.steps(270, 6) == [0, 50, 100, 150, 200, 250, 300]
    for high in (1, 7, 99, 100, 101, 4321, 10**6):
        ticks = chart.steps(high, 5)
        assert ticks[-1] >= high and len(ticks) <= 6


def test_charts_stay_inside_their_frame() -> None:
    """Also with names and values as long as they get, all maxima in one place."""
    series = [
        Series(name, slot, [(10, 1), (995 + slot, 1)])
        for slot, name in enumerate(("sw", "hwrtos@bus", "banked"))
    ]
    for text in (chart.histogram(series, "cycles"), chart.lines(series, "tasks", "cycles")):
        root = ElementTree.fromstring(text)
        for each in root:
            for key in ("x", "x1", "x2", "cx"):
                assert 0 <= float(each.get(key, 1)) <= 420
            if "name" in str(each.get("class")) and each.get("text-anchor") == "start":
                assert float(each.get("x", 0)) + chart.GLYPH * len(each.text or "") <= 420.1


def test_write_makes_the_folder_and_leaves_nothing_else(tmp_path: Path) -> None:
    files = report.write(TWO, tmp_path / "a" / "b")
    assert [file.name for file in files] == ["report.html", "latency.json", "latency.csv"]
    assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == [
        "latency.csv",
        "latency.json",
        "report.html",
    ]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(report.ReportError) as caught:
        report.check_writable(file / "report.html")
    assert caught.value.message == (
        f"{file}/report.html cannot be written (file exists); name another place with --out or"
        " --json."
    )
    with pytest.raises(report.ReportError) as caught:
        report.check_writable(tmp_path)
    assert caught.value.message == (
        f"{tmp_path} cannot be written (it is a folder); name another place with --out or --json."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(report.ReportError) as caught:
        report.check_writable(tmp_path / "report.html")
    assert "cannot be written (permission denied)" in caught.value.message
