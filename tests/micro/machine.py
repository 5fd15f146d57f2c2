# SPDX-License-Identifier: Apache-2.0
"""The machine of these tests, and words and programs for it."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from melanion import paths
from melanion.micro import effects
from melanion.micro.errors import Place
from melanion.micro.program import Program, assemble_texts
from melanion.micro.tables import FOLDER, Tables, load_tables
from melanion.micro.word import Word
from melanion.spec import load

HERE = Path(__file__).parent


@functools.cache
def tables(new: str = "", machine: str | None = None) -> Tables:
    """Tables of hw/micro/word.yaml, with more fields, and of a machine."""
    word = (paths.data_root() / FOLDER / "word.yaml").read_text(encoding="utf-8")
    text = machine or (HERE / "machine.yaml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "word.yaml").write_text(word + new, encoding="utf-8")
        (folder / "machine.yaml").write_text(text, encoding="utf-8")
        return load_tables(folder, load())


def apply(text: str, used: Tables | None = None) -> Word:
    """One word; a target that is a number is put in."""
    word = Word(used or tables(), Place("test.mu", 1), text)
    effects.apply(word, text)
    if word.target is not None:
        word.set("next", int(word.target, 0), text)
    return word


def assemble(text: str) -> Program:
    """A program of one file, and the idle word unless it has one."""
    idle = {} if "at idle:" in text else {"idle.mu": "at idle: idle"}
    return assemble_texts({"test.mu": text, **idle}, tables())


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a YAML file beside this."""
    found: list[dict[str, Any]] = YAML(typ="safe").load(HERE / name)
    return found
