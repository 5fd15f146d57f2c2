# SPDX-License-Identifier: Apache-2.0
"""C headers of the kernel as data: what a header says of itself, and each function with its
comment."""

from __future__ import annotations

import re
from dataclasses import dataclass

from melanion import paths
from melanion.docs.errors import DocsError

FOLDER = paths.data_root() / "kernel" / "include" / "melanion"
COMMENT = r"/\*(?P<text>(?:(?!\*/).)*)\*/\n"
INTRODUCTION = re.compile(r"\A/\* SPDX.*?\*/\n" + COMMENT, re.DOTALL)
FUNCTION = re.compile(
    rf"^{COMMENT}(?P<prototype>(?!#|typedef)[^;{{}}#]*?\b(?P<name>mel_\w+)\([^;{{}}]*\))\s*[;{{]",
    re.MULTILINE | re.DOTALL,
)
# Parts of a comment, each to the next one; what stands before the first is the meaning.
PART = re.compile(r"(?:(?<=\. )|^)(Callers|µITRON|FreeRTOS|ThreadX): |(?:(?<=\. )|^)(?=E_OK)")
STATUS = "Status"


@dataclass(frozen=True)
class Function:
    """`prototype` in C, without the semicolon. `parts`: Callers, Status, µITRON … → text."""

    name: str
    prototype: str
    meaning: str
    parts: dict[str, str]


@dataclass(frozen=True)
class Header:
    """`introduction`: what the header says first, without its own name."""

    name: str
    introduction: str
    functions: list[Function]


def header(stem: str) -> Header:
    """A header of kernel/include/melanion. DocsError: it has no introduction."""
    return parsed(f"{stem}.h", (FOLDER / f"{stem}.h").read_text(encoding="utf-8"))


def parsed(name: str, text: str) -> Header:
    """The header `name` of this text."""
    first = INTRODUCTION.match(text)
    if first is None:
        raise DocsError(f"kernel/include/melanion/{name}: no comment says what the header is.")
    introduction = _plain(first["text"]).removeprefix(f"{name}: ")
    functions = [_function(match) for match in FUNCTION.finditer(text)]
    return Header(name, introduction[:1].upper() + introduction[1:], functions)


def _function(match: re.Match[str]) -> Function:
    text = _plain(match["text"])
    found = list(PART.finditer(text))
    ends = [*(each.start() for each in found), len(text)][1:]
    parts = {
        each[1] or STATUS: text[each.end() : end].strip()
        for each, end in zip(found, ends, strict=True)
    }
    meaning = text[: found[0].start()] if found else text
    prototype = re.sub(r"\s+", " ", match["prototype"].removeprefix("static inline ")).strip()
    return Function(match["name"], prototype, meaning.strip(), parts)


def _plain(comment: str) -> str:
    """Lines of a comment as one, paragraphs joined."""
    return " ".join(re.sub(r"\n \*", "\n", comment).split())
