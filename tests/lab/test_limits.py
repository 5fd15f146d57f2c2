# SPDX-License-Identifier: Apache-2.0
"""Limits of rules: a wrong figure changes the verdict, in both directions where there are two
limits; a claim that prints a number has both; and how far a measured value is from its limit.

That the definitions are read, and what each quantity is, is tested in test_reproduce.py.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

from melanion.claims.claim import QUANTITIES, Claim, Rule
from melanion.claims.reference import reference_names
from melanion.claims.result import Result
from melanion.claims.verdict import judge
from melanion.docs.pages import reproduced
from melanion.report.reproduction import slack_text
from tests.common.planted_rows import HIGH, LOW, Direction, least, planted, verdict
from tests.lab.test_reproduce import GROWING, claim, made

DOCUMENTS = reference_names()
reproduction = cache(reproduced.reproduction)


# ---- a wrong figure in a rule of each quantity ---------------------------------------------------

# A rule of each quantity with both limits, which hold for the rows GROWING.
BOTH = [
    Rule(quantity="value", at_least=90, at_most=200),
    Rule(quantity="spread", over="priority", at_least=10, at_most=70),
    Rule(quantity="slope", over="priority", at_least=4, at_most=20),
    Rule(quantity="slope", over="priority", to_kernel="hwrtos", at_least=-1, at_most=1),
    Rule(quantity="step", over="priority", at_least=10, at_most=70),
    Rule(quantity="bend", over="priority", where={"pattern": 3}, at_least=2, at_most=8),
    Rule(quantity="share", limit=110, at_least=50, at_most=80),
    Rule(quantity="share", limit=2, to_kernel="hwrtos", at_least=50, at_most=80),
    Rule(quantity="count", limit=1000, at_least=5, at_most=20),
    Rule(quantity="ratio", to_kernel="hwrtos", at_least=1.5, at_most=3),
    Rule(quantity="ratio", to_metric="set", at_least=0.5, at_most=2),
    Rule(quantity="lowest", over="priority", at_least=2, at_most=4),
    Rule(quantity="crossover", over="priority", to_kernel="hwrtos", at_least=2, at_most=4),
]
# Rows for rules that GROWING would not hold: the least is in the middle, or the ratio grows.
VALLEY = {("sw", 1, 1): 100, ("sw", 1, 3): 50, ("sw", 1, 5): 120}
SLOWER = {
    **{("sw", 1, priority): 30 * priority for priority in (1, 3, 5)},
    **{("hwrtos", 1, priority): 60 for priority in (1, 3, 5)},
}


def rows_of(rule: Rule) -> Result:
    values = {"lowest": VALLEY, "crossover": SLOWER}.get(rule.quantity, GROWING)
    found = made(values, claim(rule))
    if rule.to_metric is None:
        return found
    twins = tuple(
        replace(each, row=replace(each.row, metric=rule.to_metric)) for each in found.measurements
    )
    return replace(found, measurements=found.measurements + twins)


@pytest.mark.parametrize("rule", BOTH, ids=lambda rule: rule.quantity)
@pytest.mark.parametrize("which", ["low", "high"])
def test_a_wrong_figure_changes_the_verdict(rule: Rule, which: Direction) -> None:
    """The control is the same rule on the rows as they are."""
    result = rows_of(rule)
    meant = claim(rule)
    before = verdict(result, meant, "sw")
    assert before.word == "reproduced" and before.slack >= 0
    after = verdict(planted(result, meant, rule, "sw", which), meant, "sw")
    assert after.word == "not" and after.slack < 0


def test_every_quantity_has_a_wrong_figure_in_both_directions() -> None:
    assert {rule.quantity for rule in BOTH} == set(QUANTITIES) == set(LOW) == set(HIGH)


# ---- a wrong figure in every rule of the documents -----------------------------------------------


def unbroken(result: Result, meant: Claim, kernel: str) -> list[str]:
    """Limits of a claim that no wrong figure is beyond."""
    found = []
    for place, rule in enumerate(meant.rules):
        limits: dict[Direction, float | None] = {"low": rule.at_least, "high": rule.at_most}
        for which, limit in limits.items():
            scale = meant.paper if rule.times_paper and meant.paper is not None else 1.0
            exact = rule.at_least == rule.at_most
            if limit is None or (
                which == "low" and exact and limit * scale <= least(rule, result, meant)
            ):
                continue
            wrong = planted(result, meant, rule, kernel, which)
            after = verdict(wrong, meant, kernel)
            if after.findings[place].holds is not False or after.word in ("reproduced", "holds"):
                found.append(f"{result.experiment} {kernel} {meant.says!r} {which} {rule}")
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_wrong_figure_is_beyond_every_limit(document: str) -> None:
    """A lower limit of 0 that an upper one of 0 meets is left out: nothing is below it."""
    complaints = []
    for result in reproduction(document).results:
        for meant in result.definition.claims:
            for kernel in meant.kernels:
                complaints += unbroken(result, meant, kernel)
    assert complaints == []


# ---- limits on both sides of a printed number ----------------------------------------------------

# Claims of a paper whose printed number has no rule with both limits, and why.
ONE_SIDED = {
    ("aquila-switch", "The minimum of a switch does not depend much on the quantum (275 to 351)"): (
        "the number bounds a spread from above; none at all is what the claim says, too"
    ),
    (
        "aquila-switch",
        "The maximum of a switch does not depend much on the quantum (1656 to 1678)",
    ): "the number bounds a spread from above; none at all is what the claim says, too",
}


def every_claim() -> list[tuple[str, Claim]]:
    return [
        (result.experiment, each)
        for document in DOCUMENTS
        for result in reproduction(document).results
        for each in result.definition.claims
    ]


def one_sided(claims: list[tuple[str, Claim]]) -> list[tuple[str, str]]:
    """Claims of a paper with a printed number, and without a rule with both limits about what the
    number is set beside: the first rule's quantity of the same rows."""
    return [
        (experiment, each.says)
        for experiment, each in claims
        if each.by == "paper"
        and each.paper is not None
        and not any(
            rule.at_least is not None
            and rule.at_most is not None
            and rule.quantity == each.rules[0].quantity
            and (rule.metric or each.metric) == (each.rules[0].metric or each.metric)
            for rule in each.rules
        )
    ]


def test_a_printed_number_is_limited_on_both_sides() -> None:
    assert sorted(one_sided(every_claim())) == sorted(ONE_SIDED)


def test_a_number_with_one_limit_is_noticed() -> None:
    one = claim(Rule(quantity="value", at_most=2, times_paper=True), paper=100)
    two = claim(Rule(quantity="value", at_least=0.5, at_most=2, times_paper=True), paper=100)
    other = Rule(quantity="spread", at_least=0, at_most=2)
    beside = one.model_copy(update={"rules": [*one.rules, other]})
    assert one_sided([("a", one), ("b", two), ("c", beside)]) == [("a", "x"), ("c", "x")]


def always_partly(each: Claim) -> bool:
    """Two of its rules admit between them every value of the same rows, so that one of them holds
    whatever was measured."""

    def rows(rule: Rule) -> dict[str, object]:
        limits = {"at_least", "at_most", "times_paper"}
        return {**rule.model_dump(exclude=limits), "metric": rule.metric or each.metric}

    def scaled(rule: Rule, limit: float | None) -> float | None:
        scale = each.paper if rule.times_paper and each.paper is not None else 1.0
        return None if limit is None else limit * scale

    return any(
        rows(above) == rows(below)
        and above.at_most is None
        and below.at_least is None
        and (least := scaled(above, above.at_least)) is not None
        and (most := scaled(below, below.at_most)) is not None
        and least <= most
        for above in each.rules
        for below in each.rules
    )


def test_no_claim_is_partly_true_whatever_was_measured() -> None:
    assert [each.says for _, each in every_claim() if always_partly(each)] == []
    halves = [Rule(quantity="value", at_least=50), Rule(quantity="value", at_most=100)]
    assert always_partly(claim(*halves))
    apart = [Rule(quantity="value", at_least=100), Rule(quantity="value", at_most=50)]
    assert not always_partly(claim(*apart))


def admits_the_contrary(each: Claim) -> bool:
    """A ratio that the paper prints as more than 1, and a lower limit below 1: what is slower there
    would be as printed where it is faster."""
    return each.paper is not None and any(
        rule.quantity == "ratio"
        and rule.times_paper
        and rule.at_least is not None
        and each.paper * rule.at_least < 1 < each.paper
        for rule in each.rules
    )


def test_a_gain_that_is_none_is_not_the_printed_one() -> None:
    assert [each.says for _, each in every_claim() if admits_the_contrary(each)] == []
    wide = Rule(quantity="ratio", to_kernel="hwrtos", at_least=0.5, at_most=1.5, times_paper=True)
    assert admits_the_contrary(claim(wide, paper=1.72))


# ---- slack ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "slack", "text"),
    [
        ([Rule(quantity="value", at_most=200)], 20, "+20 %"),
        ([Rule(quantity="value", at_least=80, at_most=200)], 20, "+20 %"),
        ([Rule(quantity="value", at_least=98, at_most=200)], 100 * 2 / 98, "+2 %"),
        ([Rule(quantity="value", at_least=10)], 900, "+900 %"),
        ([Rule(quantity="value", at_most=160)], 0, "0 %"),
        ([Rule(quantity="value", at_most=128)], -25, "-25 %"),
        ([Rule(quantity="value", at_least=200)], -50, "-50 %"),
        ([Rule(quantity="value", at_most=159.9)], -100 * 0.1 / 159.9, "-0.063 %"),
        ([Rule(quantity="spread", at_most=0)], -math.inf, "-∞ %"),
        ([Rule(quantity="spread", at_least=0)], math.inf, "∞ %"),
        ([Rule(quantity="slope", over="priority", at_least=-10)], 150, "+150 %"),
        # The rule that is nearest to failing, or that fails by the most, is the verdict's.
        (
            [Rule(quantity="value", at_most=200), Rule(quantity="spread", at_most=61)],
            1.64,
            "+1.6 %",
        ),
        ([Rule(quantity="value", at_most=200), Rule(quantity="spread", at_most=50)], -20, "-20 %"),
        ([Rule(quantity="value", at_most=200), Rule(quantity="value")], 20, "+20 %"),
    ],
)
def test_slack_is_the_distance_to_the_nearest_limit(
    rules: list[Rule], slack: float, text: str
) -> None:
    (found,) = judge(made(GROWING, claim(*rules)))
    assert found.slack == pytest.approx(slack, rel=1e-2)
    assert slack_text(found) == text


def test_slack_is_of_a_limit_that_the_paper_scales() -> None:
    rule = Rule(quantity="value", at_least=0.5, at_most=2, times_paper=True)
    (found,) = judge(made(GROWING, claim(rule, paper=100)))
    assert (found.ours, found.slack) == ((100, 160), 20)


def test_slack_agrees_with_every_verdict() -> None:
    for document in DOCUMENTS:
        for each in reproduction(document).verdicts:
            assert (each.slack >= 0) == (each.word in ("reproduced", "holds")), each.claim.says
