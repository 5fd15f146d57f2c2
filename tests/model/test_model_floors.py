# SPDX-License-Identifier: Apache-2.0
"""Floors of melanion/model: a module imports modules of lower floors only, also for types alone.

The folder itself (`__init__`) shows modules of all floors, so that none of them may import it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from melanion import paths
from tests.rules.imports import modules_named

FOLDER = paths.data_root() / "melanion" / "model"
MODEL = "melanion.model"
# The lowest first.
FLOORS: tuple[set[str], ...] = (
    {"state"},
    {"scheduler"},
    {"waiting"},
    {
        *("busy", "deadline", "event_flags", "interrupt", "mutex", "notification", "quantum"),
        *("queue", "semaphore", "task", "time", "timer"),
    },
    {"checks", "handlers", "service"},
    {"kernel"},
    {"describe"},
    {"owed"},
    {"replay"},
    {"lower", "table"},
    {"__init__"},
)
FLOOR_OF = {name: number for number, names in enumerate(FLOORS) for name in names}
MODULES = sorted(FOLDER.glob("*.py"))


def of_model(text: str) -> Iterator[tuple[int, str]]:
    """Line and name of every import of a module of the model."""
    for line, name in modules_named(text):
        folder, _, module = name.rpartition(".")
        if name == MODEL:
            yield line, "__init__"
        elif folder == MODEL and module in FLOOR_OF:
            yield line, module


def upward(module: str, text: str) -> list[str]:
    """Imports from the floor of the module, or from one above."""
    return [
        f"{line}: {module} may not import {other}"
        for line, other in of_model(text)
        if FLOOR_OF[other] >= FLOOR_OF[module]
    ]


def unlike(modules: Iterable[str]) -> list[str]:
    """Modules that stand on no floor, and names on floors without a module."""
    return sorted(set(modules) ^ set(FLOOR_OF))


def test_every_module_stands_on_one_floor() -> None:
    modules = {path.stem for path in MODULES}
    assert unlike(modules) == []
    assert unlike(modules - {"task"} | {"task_part"}) == ["task", "task_part"]
    assert sum(map(len, FLOORS)) == len(FLOOR_OF)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules_import_lower_floors_only(path: Path) -> None:
    assert upward(path.stem, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "planted", "other"),
    [
        ("state", "from melanion.model.waiting import Waiting", "waiting"),
        ("task", "import melanion.model.mutex as mutex", "mutex"),  # a noun beside it
        ("mutex", "if TYPE_CHECKING:\n    from melanion.model.kernel import Kernel", "kernel"),
        ("kernel", "def late() -> None:\n    import melanion.model.replay", "replay"),
        ("replay", "from melanion.model import quantum", "__init__"),
        ("lower", "from melanion import model", "__init__"),
        ("table", "import melanion.model", "__init__"),
    ],
)
def test_planted_imports_are_found(module: str, planted: str, other: str) -> None:
    right = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
    line = right.count("\n") + 1 + planted.count("\n")
    assert upward(module, f"{right}{planted}\n") == [f"{line}: {module} may not import {other}"]
    assert upward("kernel", "from melanion.errors import MelanionError\n") == []
