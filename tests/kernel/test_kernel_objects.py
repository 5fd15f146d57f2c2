# SPDX-License-Identifier: Apache-2.0
"""Objects of a kernel: after a change of one source only that source is compiled anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from melanion import build, config
from melanion.build import units
from melanion.build.units import Unit
from tests.common.planted_tree import TreeMutant

SOURCE = TreeMutant("source", "kernel/common/console.c", "static void put(", "static void  put(")
HEADER = TreeMutant("header", "kernel/common/boot.h", "/* boot.h:", "/*  boot.h:")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the kernel's sources, as they are compiled."""
    found: list[str] = []
    right = units.compile_all

    def compile_all(work: Path, gcc: Sequence[str], some: Sequence[Unit], *rest: Any) -> None:
        found.extend(unit.source.name for unit in some if unit.target.startswith("kernel_"))
        right(work, gcc, some, *rest)

    monkeypatch.setattr(units, "compile_all", compile_all)
    return found


def compile_kernel() -> None:
    build.program(config.find("hwrtos"), build.application("pingpong"))


def test_only_a_changed_source_is_compiled(
    compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_kernel()
    whole = sorted(compiled)
    assert "console.c" in whole and len(whole) > 20
    compiled.clear()
    compile_kernel()
    assert compiled == []
    for mutant, expected in ((SOURCE, ["console.c"]), (HEADER, whole)):
        compiled.clear()
        folder = tmp_path / mutant.name
        folder.mkdir()
        with monkeypatch.context() as patch:
            mutant.plant(patch, folder)
            compile_kernel()
        assert sorted(compiled) == expected, mutant.name


def test_a_source_that_another_includes_counts_as_a_header(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    for name, text in {
        "main.c": '#include "part/deadline.c"\n',
        "part/deadline.c": "",
        "other.c": "",
        "a.h": "",
    }.items():
        (tmp_path / name).write_text(text)
    names = {name for name, _ in units.included(units.headers([("app", tmp_path)]))}
    assert names == {"app/part/deadline.c", "app/a.h"}
