# SPDX-License-Identifier: Apache-2.0
"""The first screen of README.md: its picture is read back and compared with the files of rows that
other tests assert; its text says the same figures; no other figure stands there.

The positions of the marks are turned into cycles by the numbers at the axis, so that a mark in a
wrong place, a wrong number beside it and a wrong axis are each found.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from melanion import build, config, paths
from melanion.build.tools import CROSS_GCC, version
from melanion.docs import blocks, documents
from melanion.docs.pages import front
from melanion.measure.experiments import interference
from melanion.measure.recording import Recording
from melanion.report import worst
from melanion.report.svg import number
from melanion.run import Settings, run_program
from tests.common import exact_cycles, kept
from tests.docs.test_docs import text_of
from tests.lab.test_interference import DEFINITION, PROGRAM

ROOT = paths.data_root()
README = ROOT / "README.md"
LATENCY = ROOT / "docs" / "reference" / "latency.md"
NAMES = {"freertos": "FreeRTOS", "sw": "sw", "hwrtos": "hwrtos", "port": "port", "banked": "banked"}
SVG = "{http://www.w3.org/2000/svg}"
CLOSE = 0.006  # relative tolerance: coordinates have one digit


def recorded(file: str, load: str) -> dict[str, int]:
    """Kernel, as the picture names it → largest value of interrupt to task under a load."""
    with (ROOT / "tests" / "asserted" / file).open(newline="", encoding="utf-8") as stream:
        return {
            NAMES[line["kernel"]]: int(line["max"])
            for line in csv.DictReader(stream)
            if line["metric"] == "irq_to_task"
            and line["parameters"] == f"load={load}"
            and line["kernel"] in NAMES
        }


CALLS = recorded("latency_cycles.csv", "calls")
FEW = recorded("interference_cycles.csv", "few")


@dataclass(frozen=True)
class Shown:
    """Row of a kernel in a picture: cycles of its marks by position, from left to right; and the
    numbers beside them."""

    loaded: float
    every: tuple[float, ...]
    numbers: tuple[int, ...]


def read_back(picture: str) -> dict[str, Shown]:
    """Kernel → what is drawn of it."""
    root = ElementTree.fromstring(picture)
    texts = list(root.iter(f"{SVG}text"))
    height = float(root.get("viewBox", "").split()[3])
    axis = {  # x of a number below the plot → its value
        float(e.get("x", 0)): int(digits(e))
        for e in texts
        if float(e.get("y", 0)) > height - worst.FOOT and digits(e)
    }
    found = {}
    for name in NAMES.values():
        discs, corners = (
            [e for e in root.iter(SVG + tag) if e.get("data-kernel") == name]
            for tag in ("circle", "polygon")
        )
        (disc,) = discs
        top = float(disc.get("cy", 0)) - worst.UPPER
        numbers = [
            [int(word) for word in re.findall(r"\d+", digits(e, keep=" … "))]
            for e in texts
            if top <= float(e.get("y", 0)) < top + worst.ROW and float(e.get("x", 0)) > worst.LEFT
        ]
        places = [middle(e.get("points", "")) for e in corners]
        found[name] = Shown(
            cycles(axis, float(disc.get("cx", 0))),
            tuple(cycles(axis, x) for x in places),
            tuple(value for each in numbers for value in each),
        )
    return found


def digits(element: ElementTree.Element, keep: str = "") -> str:
    text = (element.text or "").replace("\u202f", "")
    return text if keep and keep in text else text if text.isdecimal() else ""


def middle(points: str) -> float:
    xs = [float(pair.split(",")[0]) for pair in points.split()]
    return (min(xs) + max(xs)) / 2


def cycles(axis: dict[float, int], x: float) -> float:
    """By the numbers at both ends of the axis, whose scale is logarithmic."""
    (x0, low), (x1, high) = min(axis.items()), max(axis.items())
    return float(low * (high / low) ** ((x - x0) / (x1 - x0)))


def wrong(picture: str) -> list[str]:
    """Kernels of which something else is drawn than was recorded."""
    loaded = recorded("latency_cycles.csv", "calls")
    few, many = (recorded("interference_cycles.csv", load) for load in ("few", "many"))
    found = []
    for name, shown in read_back(picture).items():
        every = (few[name], many[name]) if name in few else ()
        right = [
            shown.loaded == pytest.approx(loaded[name], rel=CLOSE),
            shown.every == pytest.approx(every, rel=CLOSE),
            shown.numbers == (loaded[name], *every),
        ]
        found += [] if all(right) else [name]
    return found


def test_the_picture_shows_what_was_recorded() -> None:
    picture = text_of(front.PICTURE)
    assert picture == front.picture(), "run `python -m melanion.docs`"
    assert wrong(picture) == []
    assert "every cycle: not measured" in picture
    assert list(read_back(picture)) == list(NAMES.values())


@pytest.mark.parametrize(
    ("pattern", "planted", "kernel"),
    [
        (r'(data-kernel="hwrtos" cx=")(\d+)', r"\g<1>1\2", "hwrtos"),  # a mark is moved
        (f">{CALLS['port']}<", f">{CALLS['port'] - 1}<", "port"),  # a number is wrong
        (rf"(?s)(data-kernel=\"sw\".*?){FEW['sw']}", rf"\g<1>{FEW['sw'] - 1}", "sw"),
        (r'<polygon [^>]*data-kernel="banked"[^>]*>', "", "banked"),  # a mark is missing
        (r">2\u202f000<", ">3\u202f000<", "FreeRTOS"),  # the axis is wrong
    ],
)
def test_a_wrong_picture_is_found(pattern: str, planted: str, kernel: str) -> None:
    text, count = re.subn(pattern, planted, front.picture(), count=1)
    assert count == 1
    assert kernel in wrong(text)


def test_another_figure_is_found() -> None:
    rows = front.figures()
    for place, row in enumerate(rows):
        rows[place] = replace(row, loaded=row.loaded * 101 // 100 + 1)
        assert wrong(worst.picture(rows, *front.words())) == [row.name]
        rows[place] = row


def test_all_kernels_are_under_one_load() -> None:
    """Figures have the same number of interrupts, of one load of one experiment and no other."""
    assert len({row.samples for row in front.figures()}) == 1
    loaded = {row.name: row.loaded for row in front.figures()}
    assert loaded == recorded("latency_cycles.csv", "calls")
    for other in ("idle", "divide"):
        assert loaded != recorded("latency_cycles.csv", other)


# ---- figures of the sweep, measured anew ---------------------------------------------------------

# Kernel, load → the call in which its figure was seen, and the first one that is run: which tasks
# are at hand on `banked`, and when the unit is asked, depends on the calls before. `make soak` runs
# them, and sweeps every call; a run of all tests holds the page to the recorded figures.
SEEN = {
    ("sw", "few"): ("mutex_lock", "mutex_lock"),
    ("hwrtos", "few"): ("mutex_lock", "mutex_lock"),
    ("hwrtos", "many"): ("mutex_lock", "mutex_lock"),
    ("port", "few"): ("mutex_lock", "mutex_lock"),
    ("port", "many"): ("mutex_lock", "mutex_lock"),
    ("banked", "many"): ("mutex_lock", "mutex_lock"),
}
LAB = ("build", "config", "experiments", "model", "run", "soc", "spec", "trace")
DECIDING = ("kernel", "hw", "soc", "spec", "gen", "configs", "apps/benchmarks")


def swept_anew(kernel: str, load: str, call: str, first: str) -> str:
    """The largest value of interrupt to task in calls, in digits. Raises MelanionError."""
    numbers: dict[str, int | str] = {
        "FIRST_CALL": DEFINITION.phases[first],
        "LAST_CALL": DEFINITION.phases[call],
    }
    run = run_program(
        config.find(kernel),
        build.application(PROGRAM),
        Settings(defines=numbers, max_cycles=400_000_000),
    )
    found = interference.metric("irq_to_task")(Recording(DEFINITION, run.events))
    return str(max(int(max(samples)) for where, samples in found if where == {"load": load}))


@exact_cycles.pinned
@pytest.mark.soak
@pytest.mark.parametrize(("kernel", "load"), SEEN)
def test_a_figure_of_the_sweep_is_seen_again(kernel: str, load: str) -> None:
    call, first = SEEN[kernel, load]
    contents = [
        ("sweep", f"{kernel} {load} {call} {first}".encode()),
        ("tools", version(CROSS_GCC).encode()),
        *kept.folders(*DECIDING, *(f"melanion/{room}" for room in LAB), "tests/docs/test_front.py"),
    ]
    what = f"sweeping {call} of {kernel}, {load}"
    said = kept.verdict(what, contents, lambda: swept_anew(kernel, load, call, first))
    assert int(said) == recorded("interference_cycles.csv", load)[NAMES[kernel]]


# ---- the text ------------------------------------------------------------------------------------


def first_screen(text: str) -> str:
    """README.md up to the table of measurements."""
    return text.partition("## Measurements")[0]


def test_the_first_screen() -> None:
    """One sentence, the picture, the two commands; figures come from blocks that are made."""
    text = first_screen(text_of(README))
    head, sentence = text.split("\n\n")[:2]
    assert head == "# Melanion" and sentence.count(".") == 1 and sentence.endswith(".")
    order = [sentence, "](docs/latency.svg)", "    make demo ", "    make test "]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    typed = blocks.pattern(documents.KIND).sub("", text)
    assert re.findall(r"\d+", typed) == ["12"], "Debian's version alone is typed"


def test_the_table_of_couplings_has_the_clock_of_each_core() -> None:
    """Cycles of different clocks are not alike: that of a core with the registers of all tasks is
    the lower one, as in docs/explanation/banked.md."""
    lines = re.findall(r"^\| `(\w+)` \|(?:[^|]*\|){2} ([0-9.]+) \|", front.couplings(), re.M)
    clocks = {name: float(mhz) for name, mhz in lines}
    assert clocks["sw"] == clocks["hwrtos"] == clocks["port"] > clocks["banked"] > 0
    assert clocks["banked"] == float(front.core_mhz(banked=True))
    assert "{" not in front.couplings()


def test_the_text_of_the_picture_says_its_figures() -> None:
    """For those who do not see it."""
    (said,) = re.findall(r"!\[([^\]]*)\]\(docs/latency\.svg\)", text_of(README))
    root = ElementTree.fromstring(text_of(front.PICTURE))
    assert root.get("aria-label") == said
    for name, value in recorded("latency_cycles.csv", "calls").items():
        assert f"{name} {value}" in said
    few, many = (recorded("interference_cycles.csv", load) for load in ("few", "many"))
    for name in few:
        assert f"{name} {few[name]} and {many[name]}" in said
    assert said.endswith("not measured with FreeRTOS.")


def test_the_worst_for_a_handler_stands_beside_that_for_a_task() -> None:
    (line,) = [
        each for each in text_of(README).splitlines() if each.startswith("In the same sweep")
    ]
    with (ROOT / "tests" / "asserted" / "interference_cycles.csv").open(newline="") as stream:
        rows = [each for each in csv.DictReader(stream) if each["metric"] == "irq_to_handler"]
    kernels = list(dict.fromkeys(each["kernel"] for each in rows))
    assert len(kernels) == 4
    for kernel in kernels:
        most = max(int(each["max"]) for each in rows if each["kernel"] == kernel)
        assert f"{number(most)} with `{kernel}`" in line
    assert len(text_of(README).splitlines()) <= 100


@pytest.mark.parametrize(
    ("page", "name"), [(README, "worst"), (README, "couplings"), (LATENCY, "measurements")]
)
def test_blocks_need_no_run(page: Path, name: str) -> None:
    """They are made from files alone."""
    (body,) = [
        body
        for found, body in blocks.pattern(documents.KIND).findall(text_of(page))
        if found == name
    ]
    assert blocks.same(body, documents.OTHERS[name]())


def test_ticks_reach_around_every_value() -> None:
    assert worst.ticks(21, 1711) == [20, 50, 100, 200, 500, 1000, 2000]
    assert worst.ticks(1, 1) == [1, 2]
    assert worst.ticks(50, 50) == [50, 100]
    assert worst.ticks(9, 1001) == [5, 10, 20, 50, 100, 200, 500, 1000, 2000]
