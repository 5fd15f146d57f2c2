# SPDX-License-Identifier: Apache-2.0
"""Words of mutants in SystemVerilog exist: a rename of the hardware that forgets a mutant's new
text would break the build of every mutant that shares its bench."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from melanion import paths

ROOT = paths.data_root()
# No literal (8'hff) and no system function ($clog2).
WORD = re.compile(r"(?<!['\w$])[A-Za-z_]\w*")
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"', re.DOTALL)  # comments and strings

Mutant = Mapping[str, Any]


def words(text: str) -> set[str]:
    """Identifiers and keywords of SystemVerilog text."""
    return set(WORD.findall(SILENT.sub("", text)))


def unknown(mutant: Mutant, source: str, packages: set[str]) -> set[str]:
    """Words of the new text that neither its file nor a package has."""
    return words(str(mutant["new"])) - words(source) - packages


def mutants(value: object) -> Iterator[Mutant]:
    """Every mutant of SystemVerilog in the content of a YAML file."""
    if isinstance(value, list):
        for each in value:
            yield from mutants(each)
    elif isinstance(value, dict):
        if {"file", "old", "new"} <= value.keys() and str(value["file"]).endswith(".sv"):
            yield value
        for each in value.values():
            yield from mutants(each)


def test_words_of_every_mutant_exist() -> None:
    sources = {path.name: path for folder in ("hw", "soc", "gen") for path in _modules(folder)}
    texts = {name: path.read_text(encoding="utf-8") for name, path in sources.items()}
    packages = {each for name in texts if name.endswith("_pkg.sv") for each in words(texts[name])}
    tests = ROOT / "tests"
    listed = sorted([*tests.rglob("*mutants.yaml"), *(tests / "mutants").glob("*.yaml")])
    found = [
        (path, mutant)
        for path in listed
        for mutant in mutants(YAML(typ="safe").load(path.read_text(encoding="utf-8")))
    ]
    assert len(found) > 400
    wrong = [
        f"{path.relative_to(ROOT)}: {mutant.get('name', mutant['new'])}: {', '.join(sorted(lost))}"
        for path, mutant in found
        if (lost := unknown(mutant, texts[Path(mutant["file"]).name], packages))
    ]
    assert wrong == [], "\n".join(wrong)


def _modules(folder: str) -> list[Path]:
    """The formal benches have names of the modules that they judge, and what stands on a board for
    a module of the simulation has its name: they are left out."""
    others = {"formal", "board"}
    return [path for path in (ROOT / folder).rglob("*.sv") if not others & set(path.parts)]


def test_a_word_that_is_gone_is_named() -> None:
    source = "assign expiry = time; // deadline\n"
    mutant = {"file": "a.sv", "old": "time", "new": "deadline + 32'd1 + $clog2(limit_t'(time))"}
    assert unknown(mutant, source, {"limit_t"}) == {"deadline"}
    assert list(mutants({"a": [mutant, {**mutant, "file": "a.c"}]})) == [mutant]
