# SPDX-License-Identifier: Apache-2.0
"""Names in the Verilog that yosys writes: those that plain Verilog has to escape are replaced."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"\\(\S+) ")
_WORD = re.compile(r"\b[a-zA-Z_][\w$]*")
_BANNER = re.compile(r"\A/\* .* \*/\n+")


def plain_names(text: str, top: str) -> str:
    """Replace each escaped name by a plain one that nothing else has, and give every module the
    top's name as its beginning, so that two such files may be in one design. The head of the file,
    which names yosys, goes."""
    text = _BANNER.sub("", text)
    used = {*_WORD.findall(_ESCAPED.sub(" ", text)), top}
    names: dict[str, str] = {}

    def free(wish: str) -> str:
        name, number = wish, 1
        while name in used:
            number += 1
            name = f"{wish}_{number}"
        used.add(name)
        return name

    for escaped in re.findall(r"^module \\?(\S+?) ?\(", text, re.MULTILINE):
        if escaped != top:
            noun = escaped.partition("$")[0].removeprefix("mel_")
            names[escaped] = free(f"{top}_{noun}")

    def replaced(match: re.Match[str]) -> str:
        escaped = match[1]
        if escaped not in names:
            names[escaped] = free(_wish(escaped))
        return names[escaped]

    return _ESCAPED.sub(replaced, text)


def _wish(escaped: str) -> str:
    """A plain name like an escaped one; of the tables that yosys made of case statements `rom`."""
    if escaped.startswith("$auto$proc_rom"):
        return "rom"
    return re.sub(r"\W+", "_", escaped).strip("_")
