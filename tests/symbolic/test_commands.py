# SPDX-License-Identifier: Apache-2.0
"""Each command's program against melanion/model by symbolic execution, and mutants of words that
this must notice, with the path that shows it."""

from __future__ import annotations

import functools
import re
from typing import Any

import pytest
import z3
from ruamel.yaml import YAML

from melanion import paths
from melanion.build import cache as store
from melanion.micro.program import assemble_texts
from melanion.micro.tables import FOLDER, load_tables
from melanion.spec import load
from tests.common import kept
from tests.symbolic.commands import PROVED, prove
from tests.symbolic.page import PAGE, page
from tests.symbolic.paths import Difference
from tests.symbolic.program import Words

ROOT = paths.data_root()
# Seconds of processor time of these are many: soak.
LONG = frozenset(
    (
        *("notification_set", "notification_give", "notification_overwrite", "notification_send"),
        *("task_terminate", "task_release", "task_create", "task_suspend", "task_wakeup"),
        *("task_rotate", "task_sleep", "semaphore_take", "semaphore_create"),
        *("event_flags_wait_any", "event_flags_wait_all", "event_flags_take_any"),
        "event_flags_take_all",
    )
)
# Sources that decide the verdict of a proof.
READ = ("hw/micro", "melanion/micro", "melanion/model", "gen/python", "spec", "tests/symbolic")
MUTANTS: list[dict[str, Any]] = YAML(typ="safe").load(
    (ROOT / "tests/symbolic/mutants.yaml").read_text(encoding="utf-8")
)


@functools.cache
def sources() -> dict[str, str]:
    folder = ROOT / FOLDER
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.mu"))}


def words(changed: dict[str, str] | None = None) -> Words:
    tables = load_tables(ROOT / FOLDER, load())
    return Words(assemble_texts(sources() | (changed or {}), tables))


@functools.cache
def program() -> Words:
    return words()


def _read() -> store.Contents:
    return [*kept.folders(*READ), ("z3", z3.get_version_string().encode())]


def _named(name: str) -> object:
    return pytest.param(name, marks=[pytest.mark.soak] if name in LONG else [])


@pytest.mark.parametrize("name", [_named(name) for name in sorted(PROVED)])
def test_a_command_does_what_the_model_says(name: str) -> None:
    def check() -> str:
        found = prove(program(), name)
        assert found.paths > 2 and found.requirements > found.paths
        return str(found)

    kept.verdict(f"program of {name}", _read(), check)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant["name"])
def test_a_changed_word_is_noticed(mutant: dict[str, Any]) -> None:
    text = sources()[mutant["file"]]
    assert text.count(mutant["old"]) == 1

    def check() -> str:
        changed = words({mutant["file"]: text.replace(mutant["old"], mutant["new"])})
        with pytest.raises(Difference) as caught:
            prove(changed, mutant["command"])
        return str(caught.value)

    said = kept.verdict(f"mutant: {mutant['name']}", _read(), check)
    assert said.startswith(f"{mutant['command']}: ")
    place = rf"^ +\(?{mutant['at']}, hw/micro/{re.escape(mutant['file'])}:\d+: "
    assert re.search(place, said, re.MULTILINE), said


def test_every_noun_of_a_proof_has_a_mutant() -> None:
    nouns = {name.partition("_")[0] for name in PROVED}
    assert nouns == {mutant["command"].partition("_")[0] for mutant in MUTANTS}


def test_the_page_names_what_is_proved() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(program().tables.spec)
