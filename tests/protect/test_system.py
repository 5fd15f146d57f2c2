# SPDX-License-Identifier: Apache-2.0
"""Systems with a protected unit: they do what those without do, in the same cycles; a flip leads
to the safe state; what takes no protected unit says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from melanion import build, config, export, paths, soc
from melanion.board import schema
from melanion.board.design import design
from melanion.build import wasm
from melanion.config import ConfigError
from melanion.errors import MelanionError
from melanion.inject import Campaign, prepared, run
from melanion.inject.outcome import SILENT
from melanion.results import Store
from melanion.run import Settings, run_program

ROOT = paths.data_root()
LIVES = str(ROOT / "apps" / "faults" / "lives")


@pytest.mark.parametrize(
    "words",
    [
        "hwrtos",
        pytest.param("hwrtos-2", marks=pytest.mark.soak),
        pytest.param("hwrtos-single", marks=pytest.mark.soak),
        pytest.param("hwrtos-staged", marks=pytest.mark.soak),
        pytest.param("port-4", marks=pytest.mark.soak),
        pytest.param("banked", marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize("app", ["pingpong", LIVES])
def test_every_event_is_in_the_same_cycle(words: str, app: str) -> None:
    """With wait states of the unit, too."""
    kernel, *rest = words.split("-")
    guarded = "-".join([kernel, "protected", *rest])
    program, settings = build.application(app), Settings(unit_wait_states=1)
    protected, plain = (
        run_program(config.find(name), program, settings).events for name in (guarded, words)
    )
    assert len(plain) > 500
    np.testing.assert_array_equal(protected, plain)


# ---- flips ---------------------------------------------------------------------------------------

FLIPS = 250


def counts(tmp_path: Path, system: str, flips: int) -> dict[str, dict[str, int]]:
    """Kind of state, of the unit alone → class → flips."""
    campaign = Campaign(config.find(system), build.application(LIVES), 1, flips, "u_unit")
    settings = Settings(defines={"ROUNDS": 3})
    with prepared(campaign, settings, lambda _: None) as (found, harness):
        records = run(found, harness, Store(tmp_path / "results.sqlite"), "test", 2)
    classes: dict[str, dict[str, int]] = {}
    for record in records:
        of = classes.setdefault(record.kind, {})
        of[record.name] = of.get(record.name, 0) + 1
    return classes


@pytest.mark.parametrize(
    ("system", "flips"),
    [
        ("hwrtos-protected", FLIPS),
        pytest.param("hwrtos-protected", 10_000, marks=pytest.mark.soak),
        pytest.param("banked-protected", 2_000, marks=pytest.mark.soak),
        pytest.param("port-protected-2", 2_000, marks=pytest.mark.soak),
    ],
)
def test_no_flip_in_the_unit_is_silent(tmp_path: Path, system: str, flips: int) -> None:
    found = counts(tmp_path, system, flips)
    assert set(found) == {"registers", "memories", "configuration"}
    for kind, classes in found.items():
        assert not [name for name in (*SILENT, "program") if name in classes], (kind, classes)
        assert sum(classes.values()) >= flips // 3
    registers = found["registers"]
    assert registers["detected"] > 0.8 * sum(registers.values())


def test_parity_promises_nothing_of_registers(tmp_path: Path) -> None:
    found = counts(tmp_path, "hwrtos-parity", FLIPS)
    assert set(found["registers"]) & {*SILENT, "hang", "program"}
    for kind in ("memories", "configuration"):
        assert not [name for name in (*SILENT, "program") if name in found[kind]], found


# ---- what is refused -----------------------------------------------------------------------------


def test_a_kernel_without_a_unit_is_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        config.find("sw-protected")
    assert caught.value.message == (
        "sw-protected: unit_protection is 'all', and the kernel sw has no hardware unit; remove the"
        " key, or take a kernel with one (hwrtos)."
    )


def _board() -> None:
    design(schema.find("ulx3s_85f"), config.find("hwrtos-protected"))


def _folder() -> None:
    export.content(config.find("hwrtos-protected"))


def _verilog() -> None:
    export.plain_content(config.find("hwrtos-protected-single"), "apb4", trace=False)


def _page() -> None:
    wasm.web_hardware(config.find("hwrtos-protected"))


@pytest.mark.parametrize(
    ("use", "noun"),
    [(_board, "a board"), (_folder, "an export"), (_verilog, "`--verilog`"), (_page, "a page")],
)
def test_what_takes_no_protected_unit_says_so(use: Callable[[], None], noun: str) -> None:
    with pytest.raises(MelanionError) as caught:
        use()
    name = f"hwrtos-{'single-' if use is _verilog else ''}protected"
    assert caught.value.exit_code == 2
    assert caught.value.message == (
        f"{name}: unit_protection is 'all', and {noun} takes no protected unit yet; name the system"
        " without the word protected or parity, or write unit_protection: none."
    )


def test_what_takes_a_usual_unit_says_nothing() -> None:
    assert soc.refuse_protection(config.find("hwrtos"), "a page") == ""
