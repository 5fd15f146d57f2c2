# SPDX-License-Identifier: Apache-2.0
"""Names of an interface (`compat:` in app.yaml) that its layer lacks: a program that uses one is
refused with one sentence, before the compiler and the linker complain of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

import melanion.build.tools as tools
from melanion.build.errors import BuildError

# In the layer's folder. Its keys `missing`: name → what to do instead; `switched`: macros that a
# program must switch on → how: where they are on, the preprocessor has left nothing of them.
FACTS = "calls.yaml"

_MARK = re.compile(r'^# (?P<line>\d+) "(?P<file>(?:[^"\\]|\\.)*)"')
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"^# *(?:define|undef) +(?P<name>\w+)")  # a macro, by the program
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True)
class Use:
    """Place in a program that uses a missing name."""

    file: str
    line: int
    name: str


def names(layer: Path) -> dict[str, str]:
    """The missing names of a layer, each with what to do instead; most layers list none."""
    path = layer / FACTS
    if not path.is_file():
        return {}
    return _listed(path.read_text(encoding="utf-8"))


@cache
def _listed(text: str) -> dict[str, str]:
    """Parse FACTS; cached, because the parser takes longer than the compiler needs for a source."""
    facts = YAML(typ="safe").load(text)
    return {**facts.get("missing", {}), **facts.get("switched", {})}


def instead(word: str, missing: dict[str, str]) -> str | None:
    """Advice for a missing name; None: it is not missing. A `*` stands for any end."""
    if word in missing:
        return missing[word]
    ends = (name for name in missing if name.endswith("*"))
    return next((missing[name] for name in ends if word.startswith(name[:-1])), None)


def first_use(preprocessed: str, missing: dict[str, str], layer: Path) -> Use | None:
    """The first of the names in what the preprocessor made of a source, definitions of macros
    kept, the layer's own headers left out: so comments and what is left out by #if do not count,
    nor what a macro stands for that nobody uses."""
    file, line = "", 0
    for text in preprocessed.splitlines():
        if mark := _MARK.match(text):
            file, line = mark["file"], int(mark["line"])
            continue
        if Path(file).parent == layer:
            continue
        defined = _DEFINED.match(text)
        for word in [defined["name"]] if defined else _WORD.findall(_STRING.sub('""', text)):
            if instead(word, missing) is not None:
                return Use(file, line, word)
        line += 1
    return None


def check(name: str, layer: Path, sources: list[tuple[Path, list[str]]]) -> None:
    """`sources`: each with the command that compiles it, up to `-c`. What cannot be preprocessed
    is left to the compiler, which says why. Raises BuildError."""
    missing = names(layer)
    if not missing:
        return
    for source, words in sources:
        done = tools.run([*words, "-E", "-dD", str(source)])
        use = first_use(done.output, missing, layer) if done.status == 0 else None
        if use is not None:
            raise BuildError(
                f"{Path(use.file).name}:{use.line}: {name} uses {use.name}, which the interface"
                f" {layer.name} does not have: {instead(use.name, missing)}; all names are in"
                f" docs/reference/{layer.name}.md."
            )
