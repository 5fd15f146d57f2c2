# SPDX-License-Identifier: Apache-2.0
"""The microprogrammed unit (hw/engine) against the golden model: random scripts of every profile.

Its ticks are counted by the program: with the shortest that the spec allows for a small unit they
may come late (docs/decisions, 0034), so the soak runs on sizes whose shortest tick is long enough.
Its cycles have no table yet: only results are judged.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from mel_gen import Command

from tests.common.soak import new_seed
from tests.common.verilated import ROOT
from tests.random import bench
from tests.random.campaign import SIZES as LIMITS
from tests.random.campaign import Case, CaseError, execute, run_case
from tests.random.generate import generate
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError
from tests.random.script import Entry, Kind

SIZES = ("default", "four_default")
SMALL = ("small", "odd", "two")
COMMANDS = 200


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("size", SIZES + SMALL)
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


def test_what_is_not_measured_reads_as_zero() -> None:
    limits = replace(LIMITS["small"], monitor=0)
    program = bench.build(limits, ROOT / "hw/engine")
    slower = Case("small", "timers", 1, COMMANDS, "engine").slower
    for profile in ("deadlines", "timers"):
        entries = generate(1, limits, PROFILES[profile], 3 * COMMANDS)
        execute(program, limits, entries, 1, slower)


def test_claims_begin_anew_when_ticks_stop() -> None:
    case = Case("small", "interrupts", 1, 0, "engine")
    handler = (
        Entry(Kind.EDGE, number=0, gap=1, delay=4),
        Entry(Kind.WAIT, argument=3000, after=3, handler=1),
        Entry(Kind.COMMAND, Command.DISPATCH_ENABLE, delay=40),
    )
    ticks = Entry(Kind.COMMAND, Command.TICK_SET, argument=5000)
    entries = [
        Entry(Kind.COMMAND, Command.DISPATCH_ENABLE),
        Entry(Kind.COMMAND, Command.IRQ_MAP, argument=0x10, operand=0),
        Entry(Kind.COMMAND, Command.IRQ_ENABLE),
        ticks,
        Entry(Kind.COMMAND, Command.CLAIM_LIMIT, argument=1),
        *handler,
        ticks._replace(argument=0),
        ticks,
        *handler,
    ]
    result = execute(case.build(), case.limits, entries, 1, case.slower)
    assert result.cycles < 5000


def test_failure_names_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("default", "mixed", 1, 20, "engine")

    def reject(*arguments: object) -> None:
        raise RejectedError("no")

    monkeypatch.setattr("tests.random.campaign.execute", reject)
    with pytest.raises(CaseError, match=r"--commands 20 --unit engine"):
        run_case(case, case.build())
