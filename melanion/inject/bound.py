# SPDX-License-Identifier: Apache-2.0
"""Upper bound of a share that was counted in a sample (Clopper and Pearson): exact, one-sided."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

CONFIDENCE = 0.95
_STEPS = 60  # halvings of the interval: more than a double resolves


def upper(count: int, sample: int, confidence: float = CONFIDENCE) -> float:
    """The share above which `count` or fewer of `sample` would come in at most 1 - `confidence` of
    all samples. Of none that were seen it is about 3 / `sample`."""
    if not 0 <= count <= sample:
        raise ValueError(f"{count} of {sample} is no count of a sample")
    if count == sample:
        return 1.0
    low, high = max(count / sample, 1e-12), 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(count, sample, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(count: int, sample: int, share: float) -> float:
    """Probability of `count` or fewer of `sample`, 0 < `share` < 1; logarithms, because the
    factors of large samples are beyond a double."""
    if share >= 1.0:
        return 0.0
    total = 0.0
    for each in range(count + 1):
        ways = lgamma(sample + 1) - lgamma(each + 1) - lgamma(sample - each + 1)
        total += exp(ways + each * log(share) + (sample - each) * log1p(-share))
    return total
