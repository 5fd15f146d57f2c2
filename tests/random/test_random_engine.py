# SPDX-License-Identifier: Apache-2.0
"""The microprogrammed unit (hw/engine) against the golden model: random scripts of every profile.

Its ticks are counted by the program, so it needs longer ones than hw/rtl: with the shortest that
the spec allows for a small unit, its background falls behind (docs/decisions, 0034). Here are the
sizes whose shortest tick is long enough. Its cycles have no table yet: only results are judged.
"""

from __future__ import annotations

import pytest

from tests.common.soak import new_seed
from tests.random.campaign import Case, CaseError, run_case
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError

SIZES = ("default", "four_default")
COMMANDS = 200


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("size", SIZES)
def test_engine_agrees_with_the_model(size: str, profile: str) -> None:
    case = Case(size, profile, 1, COMMANDS, "engine")
    result = run_case(case, case.build())
    assert result.commands > COMMANDS // 2


@pytest.mark.soak
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("size", SIZES)
def test_engine_agrees_with_other_seeds(size: str, profile: str) -> None:
    seed = new_seed()
    for number in range(seed, seed + 5):
        case = Case(size, profile, number, 1000, "engine")
        run_case(case, case.build())


def test_failure_names_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("default", "mixed", 1, 20, "engine")

    def reject(*arguments: object) -> None:
        raise RejectedError("no")

    monkeypatch.setattr("tests.random.campaign.execute", reject)
    with pytest.raises(CaseError, match=r"--commands 20 --unit engine"):
        run_case(case, case.build())
