# SPDX-License-Identifier: Apache-2.0
"""Charts of the page of all results: their content follows from the numbers, and everything stays
inside."""

from __future__ import annotations

import itertools
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from melanion.report import colours, comparison, distribution, finding
from melanion.report.chart import Series, bars, lines
from melanion.report.comparison import Part, fronts
from melanion.report.figures import bars_of, lines_of
from melanion.report.svg import WIDTH, Frame, short

SIX = [
    Series(name, slot, [(10 + slot, 900), (400 + slot, 90), (990 * (slot + 1), 1)])
    for slot, name in enumerate(("sw", "freertos", "booster", "hwrtos", "port", "banked"))
]


def shapes(text: str, tag: str, kind: str) -> list[ElementTree.Element]:
    return [
        each
        for each in ElementTree.fromstring(text).iter()
        if each.tag.rpartition("}")[2] == tag and kind in str(each.get("class")).split()
    ]


def inside(text: str) -> bool:
    root = ElementTree.fromstring(text)
    height = float(str(root.get("viewBox")).split()[3])
    places: list[tuple[str | None, float]] = [
        (each.get(k), WIDTH) for each in root for k in ("x", "x1", "x2", "cx")
    ]
    places += [(each.get(k), height) for each in root for k in ("y", "y1", "y2", "cy")]
    return all(value is None or 0 <= float(value) <= limit for value, limit in places)


def test_ridges_have_a_row_for_each_kernel_and_name_its_largest_value() -> None:
    text = distribution.ridges(SIX, "cycles")
    assert inside(text)
    for each in SIX:
        assert len(shapes(text, "rect", f"s{each.slot}")) == len(each.points)
        assert f"max {each.last[0]:,}".replace(",", "\u202f") in text
    heights = [float(e.get("height", 0)) for e in shapes(text, "rect", "s0")]
    assert heights == sorted(heights, reverse=True) and heights[-1] > 0  # one sample is a bar


def corners(series: Series) -> list[tuple[float, float]]:
    (curve,) = shapes(distribution.exceeding([series], "cycles"), "polyline", "curve")
    pairs = (word.split(",") for word in str(curve.get("points")).split())
    return [(float(x), float(y)) for x, y in pairs]


def test_share_that_takes_longer_falls_at_every_value() -> None:
    """900, 90, 10 of 1000 samples: a tenth takes longer than the first, a hundredth than the
    second, none than the last."""
    found = corners(Series("sw", 0, [(100, 900), (200, 90), (300, 10)]))
    heights = [y for _, y in found]
    assert heights == sorted(heights)
    top, bottom = heights[0], heights[-1]
    decade = (bottom - top) / 3
    assert heights[2] == pytest.approx(top + decade, abs=0.2)
    assert heights[4] == pytest.approx(top + 2 * decade, abs=0.2)
    assert [x for x, _ in found][1::2] == [x for x, _ in found][2::2]  # a staircase
    assert inside(distribution.exceeding(SIX, "cycles"))


def test_stack_is_as_long_as_its_sum() -> None:
    parts = [
        Part("first", 0, {"sw": 30.0, "banked": 10.0}),
        Part("second", 1, {"sw": 70.0}),
    ]
    text = comparison.stack(["sw", "banked"], parts, "cycles")
    first, second = (shapes(text, "rect", f"s{slot}") for slot in (0, 1))
    widths = [float(each.get("width", 0)) for each in (*first, *second)]
    assert widths[0] / widths[1] == pytest.approx(3, rel=0.01)
    assert widths[2] / widths[1] == pytest.approx(7, rel=0.01)
    start = float(first[0].get("x", 0)) + widths[0]
    assert float(second[0].get("x", 0)) == pytest.approx(start, abs=0.1)
    assert ">100<" in text and ">10<" in text and inside(text)


def test_front_is_what_nothing_beats() -> None:
    found = [
        ("a", 0, 0.0, 400.0),
        ("b", 1, 0.0, 800.0),
        ("c", 2, 10.0, 400.0),
        ("d", 3, 10.0, 100.0),
        ("e", 4, 10.0, 100.0),
        ("f", 5, 20.0, 50.0),
    ]
    assert [point.name for point in fronts(found) if point.front] == ["a", "d", "e", "f"]
    text = comparison.scatter(fronts(found), "cells", "cycles")
    assert len(shapes(text, "circle", "mark")) == 6
    assert len(shapes(text, "circle", "open")) == 2
    assert inside(text)


def test_many_series_get_a_legend_and_few_their_names() -> None:
    curves = [Series(each.name, each.slot, [(1, 5), (2, 9 * each.slot)]) for each in SIX]
    many = lines_of(curves, "n", "cycles")
    assert [name for name, _ in many["legend"]] == [each.name for each in SIX]
    assert ">freertos" not in many["chart"].replace("<title>freertos", "")
    few = lines_of(curves[:2], "n", "cycles")
    assert "legend" not in few and "freertos 9" in few["chart"]
    assert "legend" in lines_of([Series("sw-sorted pattern 1", 0, [(1, 5)])], "n", "cycles")
    assert "legend" in bars_of(["x"], [Series(e.name, e.slot, [(0, 5)]) for e in SIX], "cycles")
    assert "legend" not in bars_of(["x"], [Series("sw", 0, [(0, 5)])], "cycles")


def test_values_beside_curves_are_apart() -> None:
    curves = [Series(each.name, each.slot, [(1, 5), (2, 70 + each.slot)]) for each in SIX]
    curves.append(Series("far", 0, [(1, 5), (2, 2000)]))
    text = lines(curves, "n", "cycles", named=False)
    heights = sorted(float(each.get("y", 0)) for each in shapes(text, "text", "name"))
    assert all(b - a >= 12.9 for a, b in pairwise(heights))
    assert heights[-1] <= Frame(1, 0, 1).bottom + 4 and inside(text)


def test_far_apart_numbers_get_a_log_axis_and_crowded_ones_are_left_out() -> None:
    text = lines([Series("sw", 0, [(10**k, 5) for k in range(1, 5)])], "us", "cycles")
    places = [float(each.get("cx", 0)) for each in shapes(text, "circle", "mark")]
    steps = [b - a for a, b in pairwise(places)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.2) and "us, log scale" in text
    crowded = lines([Series("sw", 0, [(k, 5) for k in (1, 2, 100, 101)])], "n", "cycles")
    assert ">101<" in crowded and ">100<" not in crowded


def test_bars_without_names_above() -> None:
    series = [Series("sw", 0, [(0, 5)])]
    assert ">sw<" in bars(["x"], series, "cycles")
    assert ">sw<" not in bars(["x"], series, "cycles", named=False)


def test_large_numbers_have_room() -> None:
    assert [short(v) for v in (99999, 123456, 2e6, 5_012_345)] == [
        *("99\u202f999", "123\u202fk", "2\u202fM", "5.01\u202fM"),
    ]


def test_title_of_a_tail_is_the_distance_to_the_median() -> None:
    curves = [("sw", [(100, 5), (110, 4), (300, 1)]), ("port", [(50, 9), (51, 1)])]
    assert finding.tail_title("under load", curves) == (
        "From the median to the worst case, under load: 1 cycle with port, 200 sw"
    )


def test_a_kernel_has_one_colour_on_every_page() -> None:
    """Whichever kernels stand beside it; no two of a page share one."""
    alone = {kernel: colours.slots([kernel])[kernel] for kernel in colours.KERNELS}
    assert alone == colours.KERNELS and len({*alone.values()}) == len(colours.KERNELS)
    for pair in itertools.permutations(colours.KERNELS, 2):
        assert colours.slots(pair) == {kernel: alone[kernel] for kernel in pair}
    names = ["hwrtos@bus:20", "sw-poll", "sw", "banked-2", *"abcd"]
    for name in ("banked[tasks=16]", "banked+lm", "banked@banked", "banked-2[tasks=8]"):
        assert colours.slots([name])[name] == alone["banked"]
    found = colours.slots(names)
    assert list(found) == names and len({*found.values()}) == len(names)
    assert (found["sw"], found["hwrtos@bus:20"], found["banked-2"]) == (0, 1, 4)
    assert found["sw-poll"] in colours.OTHERS, "that of sw is taken, and no other kernel's is its"
    others = [found[name] for name in names if name not in ("sw", "hwrtos@bus:20", "banked-2")]
    assert set(colours.OTHERS) <= set(others), "kernels that are not there lend theirs last"
