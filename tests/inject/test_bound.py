# SPDX-License-Identifier: Apache-2.0
"""The bound of a share: its definition in exact numbers, and what it must keep to."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from melanion.inject.bound import upper


def at_most(count: int, sample: int, share: Fraction) -> Fraction:
    """Probability of `count` or fewer of `sample`."""
    terms = (comb(sample, k) * share**k * (1 - share) ** (sample - k) for k in range(count + 1))
    return sum(terms, Fraction(0))


@pytest.mark.parametrize(
    ("count", "sample"), [(0, 10), (0, 100), (1, 100), (5, 100), (50, 100), (3, 1000), (99, 100)]
)
def test_it_is_that_of_clopper_and_pearson(count: int, sample: int) -> None:
    """Above it so few are rarer than 1 in 20, below it they are not."""
    bound, step = Fraction(upper(count, sample)), Fraction(1, 10**9)
    assert at_most(count, sample, bound + step) < Fraction(1, 20)
    assert at_most(count, sample, bound - step) > Fraction(1, 20)


def test_of_none_it_is_the_rule_of_three() -> None:
    for sample in (100, 1_000, 10_000, 1_000_000):
        assert upper(0, sample) == pytest.approx(1 - 0.05 ** (1 / sample), rel=1e-6)
        assert upper(0, sample) == pytest.approx(3 / sample, rel=0.02)


def test_it_is_above_the_share_and_falls_with_the_sample() -> None:
    for count in (0, 1, 7):
        bounds = [upper(count, sample) for sample in (10, 100, 1_000, 100_000)]
        assert bounds == sorted(bounds, reverse=True)
        assert all(
            bound > count / n for bound, n in zip(bounds, (10, 100, 1_000, 100_000), strict=True)
        )
    assert upper(10, 10) == 1.0


@pytest.mark.parametrize(("count", "sample"), [(-1, 10), (11, 10)])
def test_no_count_of_a_sample_is_refused(count: int, sample: int) -> None:
    with pytest.raises(ValueError, match=f"{count} of {sample} is no count of a sample"):
        upper(count, sample)
