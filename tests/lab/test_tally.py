# SPDX-License-Identifier: Apache-2.0
"""Verdicts counted apart by what decides them: measurement, a program set up as in the paper, a
choice of ours. Each class is judged by the rows, so that a claim cannot keep a class that it has no
more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, Literal

import pytest

from melanion.claims import load
from melanion.claims.claim import Claim, DecidedBy, Rule
from melanion.claims.reference import reference_names
from melanion.claims.result import Result
from melanion.claims.verdict import Finding, Verdict, judge
from melanion.docs.pages import reproduced
from melanion.measure.rows import Measurement, Row
from melanion.report.reproduction import reproduction_json, reproduction_page
from melanion.report.tally import tally, verdict_text
from tests.lab.test_reproduce import PROVENANCE, SYSTEM

reproduction = cache(reproduced.reproduction)


def result(experiment: str) -> Result:
    return next(
        each
        for seed in reference_names()
        for each in reproduction(seed).results
        if each.experiment == experiment
    )


def changed(found: Result, kernel: str, metric: str, to: Callable[[Row], int]) -> Result:
    """Return the result with another value in all rows of a metric on a kernel."""

    def other(each: Measurement) -> Measurement:
        row = each.row
        if (row.kernel, row.metric) != (kernel, metric):
            return each
        value = to(row)
        same = replace(row, min=value, median=value, p99=value, max=value)
        return Measurement(same, ((value, row.n),))

    return replace(found, measurements=tuple(map(other, found.measurements)))


# ---- the line ------------------------------------------------------------------------------------


def made(by: Literal["paper", "ours"], decided_by: DecidedBy, holds: bool) -> Verdict:
    rule = Rule(quantity="value", at_most=1)
    claim = Claim(
        says="x", by=by, source="§1", kernels=["sw"], metric="take", paper=1, rules=[rule]
    )
    return Verdict("waits", claim, "sw", (Finding("x", "", 1, 1, holds),), decided_by)


def test_classes_are_counted_apart() -> None:
    measured = [made("paper", "measurement", True), made("paper", "measurement", False)]
    ours = [made("ours", "measurement", True)]
    assert tally([*measured, *ours]) == (
        "claims of the paper: 1 reproduced, 0 partly, 1 not; claims of ours: 1 holds, 0 of"
        " our own targets missed"
    )
    setup = [made("paper", "setup", True)] * 3
    assert tally([*measured, *setup]) == (
        "claims of the paper: 1 reproduced, 0 partly, 1 not, and 3 set up as in the paper"
    )
    chosen = [made("paper", "choice", True), made("paper", "choice", False)]
    assert tally([*measured, *setup, *chosen, *ours]) == (
        "claims of the paper: 1 reproduced, 0 partly, 1 not, 3 set up as in the paper, and 2 not"
        " counted, since we chose what decides them; claims of ours: 1 holds, 0 of our own"
        " targets missed"
    )
    missed = made("paper", "setup", False)
    assert tally([*measured, *setup, missed]) == (
        "claims of the paper: 1 reproduced, 0 partly, 1 not, and 3 of 4 set up as in the paper"
    )
    assert [verdict_text(each) for each in (measured[1], setup[0], missed, chosen[0])] == [
        "not",
        "set up as in the paper",
        "not (set up as in the paper)",
        "reproduced (by our choice)",
    ]


@pytest.mark.parametrize(
    ("cycles", "text"),
    [(99, "not (ours faster)"), (100, "reproduced"), (401, "not")],
)
def test_faster_than_the_number_is_told(cycles: int, text: str) -> None:
    """More cycles are `not` alone; so is a spread, of which nobody knows which side is good."""
    both = Rule(quantity="value", at_least=0.5, at_most=2, times_paper=True)
    found = judged(Claim(**SAID, paper=200, rules=[both]), cycles)
    assert verdict_text(found) == text
    beside = Rule(quantity="spread", at_least=1)
    found = judged(Claim(**SAID, paper=200, rules=[both, beside]), cycles)
    assert "faster" not in verdict_text(found)
    ours = Claim(**{**SAID, "by": "ours"}, paper=200, rules=[both])
    assert "faster" not in verdict_text(judged(ours, cycles))


def test_more_rounds_in_a_time_are_faster() -> None:
    rule = Rule(quantity="count", limit=1000, at_least=1, at_most=5)
    claim = Claim(**SAID, paper=3, rules=[rule])
    assert [verdict_text(judged(claim, cycles)) for cycles in (100, 300, 2000)] == [
        "not (ours faster)",
        "reproduced",
        "not",
    ]


SAID: dict[str, Any] = {
    "says": "x",
    "by": "paper",
    "source": "§1",
    "kernels": ["sw"],
    "metric": "take",
}


def judged(claim: Claim, cycles: int) -> Verdict:
    """The verdict about one row with that many cycles."""
    row = Row("waits", "sw", "take", {}, "cycles", 1, *[cycles] * 4)
    definition = load("waits").model_copy(update={"claims": [claim]})
    (verdict,) = judge(Result("waits", definition, ("sw",), (Measurement(row, ()),), {}))
    return verdict


@pytest.mark.parametrize(
    ("seed", "setup", "choice"),
    [
        ("aquila", 0, 0),
        ("booster", 0, 5),
        ("rtu", 34, 4),
        ("thread-metric", 0, 54),
        ("white-paper", 0, 0),
    ],
)
def test_documents_have_so_many_of_each_class(seed: str, setup: int, choice: int) -> None:
    found = [each.decided_by for each in reproduction(seed).verdicts]
    assert (found.count("setup"), found.count("choice")) == (setup, choice)
    said = tally(reproduction(seed).verdicts)
    assert (f" {setup} set up as in the paper" in said) == (setup > 0)
    assert (f"and {choice} not counted, since we chose what decides them" in said) == (choice > 0)


def test_page_and_files_say_the_class() -> None:
    found = reproduction("rtu")
    results = tuple(
        replace(each, provenance={**PROVENANCE, "systems": dict.fromkeys(each.kernels, SYSTEM)})
        for each in found.results
    )
    text = reproduction_page(replace(found, results=results))
    assert tally(found.verdicts).replace("'", "&#39;") in text
    assert text.count(">set up as in the paper<") == 34
    assert text.count("reproduced (by our choice)") == 4
    assert reproduction_json(found).count('"decided_by": "setup"') == 34


# ---- set up as in the paper ----------------------------------------------------------------------


def test_a_count_that_a_kernel_changes_was_measured() -> None:
    """One context switch more on one kernel: no line of the claim is the program's then."""
    counts = result("rtu-counts")
    before = judge(counts)
    assert {each.decided_by for each in before} == {"setup"}
    more = changed(counts, "sw-3", "context_switches", lambda row: row.max + 1)
    after = judge(more)
    touched = [each for each in after if each.claim.metric == "context_switches"]
    assert {each.decided_by for each in touched} == {"measurement"}
    assert [each.kernel for each in touched if each.word == "not"] == ["sw-3", "sw-3"]
    rest = [each for each in after if each.claim.metric != "context_switches"]
    assert {each.decided_by for each in rest} == {"setup"}


def unmarked(found: Result) -> list[str]:
    """Claims that a printed count is met exactly, on several kernels and by all alike, and that say
    that it was measured."""
    complaints = []
    for claim in found.definition.claims:
        rule = claim.rules[0]
        exact = rule.times_paper and rule.at_least == rule.at_most == 1
        ours = [each for each in judge(found) if each.claim == claim]
        same = len(ours) > 1 and len({each.ours for each in ours}) == 1
        if exact and same and ours[0].word == "reproduced" and ours[0].decided_by == "measurement":
            complaints.append(claim.says)
    return complaints


def test_no_fixed_count_is_said_to_be_measured() -> None:
    """The control; planted is a class that is left out."""
    every = [each for seed in reference_names() for each in reproduction(seed).results]
    assert [said for each in every for said in unmarked(each)] == []
    counts = result("rtu-counts")
    left_out = [
        each.model_copy(update={"decided_by": "measurement"}) for each in counts.definition.claims
    ]
    definition = counts.definition.model_copy(update={"claims": left_out})
    assert len(unmarked(replace(counts, definition=definition))) == 4


# ---- the bus of the booster ----------------------------------------------------------------------


def words(found: Result, place: int) -> dict[str, str]:
    claim = found.definition.claims[place]
    return {each.kernel: each.word for each in judge(found) if each.claim == claim}


def test_a_call_that_the_bus_does_not_slow_is_not_slow_because_of_it() -> None:
    """Calls of `booster` are slower than software's by the same on every bus, those of `hwrtos` by
    3 cycles for each of its wait states. Planted: a slope for the one, none for the other."""
    calls = result("booster-calls")
    assert words(calls, 0) == {"booster-128": "partly", "hwrtos-128": "reproduced"}
    assert words(calls, 1) == {"booster-128": "holds"}
    flat, steep = calls, calls
    for metric in ("send", "receive"):
        flat = changed(flat, "hwrtos-128", metric, lambda row: 318)
        steep = changed(steep, "booster-128", metric, lambda row: 108 + int(row.parameters["bus"]))
    assert words(flat, 0)["hwrtos-128"] == "partly"
    assert words(steep, 0)["booster-128"] == "reproduced"
    assert words(steep, 1) == {"booster-128": "partly"}
    fast = changed(calls, "booster-128", "send", lambda row: 50)
    assert words(changed(fast, "booster-128", "receive", lambda row: 50), 1) == {
        "booster-128": "partly"
    }


def test_a_crossover_lies_behind_a_fast_bus() -> None:
    """A call that is slower than software's without a wait state crosses nothing."""
    calls = result("booster-calls")
    assert words(calls, 3) == {"hwrtos-128": "holds"}
    slow = changed(calls, "hwrtos-128", "send", lambda row: 60 + 3 * int(row.parameters["bus"]))
    assert words(slow, 3) == {"hwrtos-128": "partly"}
