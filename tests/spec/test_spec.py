# SPDX-License-Identifier: Apache-2.0
"""The strict loader of spec/: every error text, and what counts for the hash.

Each case of spec_faults.yaml plants one fault into a copy of the real files and asks for the whole
sentence.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from melanion import paths
from melanion.spec import SpecError, load
from melanion.spec.check import PATTERN_WORDS, allowed
from melanion.spec.facts import ALONE, FILES
from melanion.spec.formula import FormulaError, names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(paths.data_root() / "spec", tmp_path / "spec"))


def plant(folder: Path, name: str, old: str, new: str) -> int:
    """Replace a text that occurs once; returns its line."""
    path = folder / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {name}.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def complaints(folder: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load(folder)
    return caught.value.message.splitlines()


FAULTS = YAML(typ="safe").load(Path(__file__).with_name("spec_faults.yaml"))


@pytest.mark.parametrize("fault", FAULTS, ids=[fault["sentence"].split()[0] for fault in FAULTS])
def test_fault_gets_its_sentence(folder: Path, fault: dict[str, Any]) -> None:
    name = fault["file"]
    sentence = fault["sentence"]
    if first := fault.get("first"):
        lines = (folder / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
        here = next(i for i, text in enumerate(lines, 1) if text.startswith(first))
        sentence = sentence.replace("{first}", str(here))
    line = plant(folder, name, fault["old"], fault["new"]) + fault.get("below", 0)
    assert f"spec/{name}.yaml:{line}: {sentence}" in complaints(folder)


def test_all_errors_of_all_files_are_collected(folder: Path) -> None:
    plant(folder, "status", "E_SYS:   {value: -5, ", "E_SYS:   {value: 5, ")
    plant(folder, "commands", "{op: 3,  id", "{op: 163,  id")
    plant(folder, "commands", "  wakeups: 15", "  wakeups: 16")
    plant(folder, "kernels", 'text: "the hardware unit on the bus"', 'text: ""')
    assert [text.split(":")[0] for text in complaints(folder)] == [
        "spec/status.yaml",
        "spec/commands.yaml",
        "spec/commands.yaml",
        "spec/kernels.yaml",
    ]


def test_missing_file(folder: Path) -> None:
    (folder / "trace.yaml").unlink()
    assert complaints(folder) == [
        "spec/trace.yaml:1: the file cannot be read (No such file or directory); correct its path,"
        " or restore the file."
    ]


def test_file_that_is_no_yaml(folder: Path) -> None:
    line = plant(folder, "trace", "watchdog: 4}", "watchdog: 4")
    [text] = complaints(folder)
    assert text.startswith(f"spec/trace.yaml:{line + 1}: the file is not YAML (")
    assert text.endswith("); correct the text there.")


def test_file_that_is_not_text(folder: Path) -> None:
    (folder / "trace.yaml").write_bytes(b"\xff\xfe\x00")
    assert complaints(folder) == [
        "spec/trace.yaml:1: the file cannot be read (it is not UTF-8 text); restore the file."
    ]


def test_empty_file(folder: Path) -> None:
    (folder / "trace.yaml").write_text("# nothing\n", encoding="utf-8")
    assert complaints(folder) == [
        "spec/trace.yaml:1: the file is empty; a mapping of keys is needed."
    ]


def test_file_that_is_a_list(folder: Path) -> None:
    (folder / "kernels.yaml").write_text("- sw\n", encoding="utf-8")
    assert complaints(folder) == [
        "spec/kernels.yaml:1: the file is a list; allowed is a mapping of keys; correct the value."
    ]


def test_unknown_file(folder: Path) -> None:
    (folder / "extra.yaml").write_text("a: 1\n", encoding="utf-8")
    known = ", ".join(f"{name}.yaml" for name in (*FILES, *ALONE))
    assert complaints(folder) == [
        f"spec/extra.yaml:1: the file is unknown; known are {known}; remove it."
    ]


def test_hash_ignores_comments_and_layout(folder: Path) -> None:
    before = load(folder).hash
    for name in FILES:
        path = folder / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        path.write_text("# another comment\n\n" + text.replace("\n  ", "\n    "), encoding="utf-8")
    assert load(folder).hash == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("commands", 'argument: {claims: "[31:0]"}', 'argument: {claims: "[15:0]"}'),
        ("parameters", "default: 64, minimum: 4, ", "default: 63, minimum: 4, "),
        ("registers", "offset: 0xFC2C,", "offset: 0xFC3C,"),
        ("status", "E_SYS:   {value: -5, ", "E_SYS:   {value: -6, "),
        ("trace", "kind: 23,", "kind: 24,"),
    ],
)
def test_hash_sees_every_file_of_the_unit(folder: Path, name: str, old: str, new: str) -> None:
    before = load(folder).hash
    plant(folder, name, old, new)
    assert load(folder).hash != before


def test_the_lock_cache_has_a_hash_of_its_own(folder: Path) -> None:
    before = load(folder)
    plant(folder, "lock_cache", "offset: 0xC1C", "offset: 0xC20")
    after = load(folder)
    assert after.hash == before.hash
    assert after.lock_cache_hash != before.lock_cache_hash


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("kernels", 'text: "the hardware unit on the bus"', 'text: "the unit on the bus"'),
        ("booster", "offset: 0x10, store: none", "offset: 0x14, store: none"),
    ],
)
def test_hash_does_not_see_what_the_unit_does_not_know(
    folder: Path, name: str, old: str, new: str
) -> None:
    before = load(folder).hash
    plant(folder, name, old, new)
    assert load(folder).hash == before


def test_every_pattern_has_words() -> None:
    def patterns(node: object) -> list[str]:
        if isinstance(node, dict):
            here = [node["pattern"]] if isinstance(node.get("pattern"), str) else []
            keys = list(node.get("patternProperties", {}))
            return here + keys + [p for child in node.values() for p in patterns(child)]
        return [p for child in node for p in patterns(child)] if isinstance(node, list) else []

    used = {p for model in (FILES | ALONE).values() for p in patterns(model.model_json_schema())}
    assert used
    assert used <= set(PATTERN_WORDS)


def test_allowed_of_a_union() -> None:
    node = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}
    assert allowed(node) == "a whole number, at least 1 or text"


def test_names_of_a_formula() -> None:
    assert names("8 * tasks + cores - 2 * tasks") == ["tasks", "cores"]
    with pytest.raises(FormulaError, match="contains 'True'"):
        names("tasks + True")
