# SPDX-License-Identifier: Apache-2.0
"""Blocks of a page: what stands between `<!-- KIND: NAME -->` and `<!-- KIND: end -->`.

A commit alone makes no block out of date: it is that of the measurement, older than the document's.
So: commit the change, make the documents, commit them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from melanion.docs.errors import DocsError

Blocks = Mapping[str, Callable[[], str]]  # name → its text
COMMIT = re.compile(r"commit `[\w-]+`")


def pattern(kind: str) -> re.Pattern[str]:
    """Blocks of a kind, with the groups `name` and `body`."""
    return re.compile(
        rf"(?<=<!-- {kind}: )(?P<name>[\w-]+) -->\n(?P<body>.*?)<!-- {kind}: end -->", re.DOTALL
    )


def rewritten(text: str, kind: str, blocks: Blocks, *, settle: bool = False) -> str:
    """A page with its blocks of a kind made anew. `settle`: replace the commit of a tree that was
    not clean, once it is. Raises DocsError: unknown block."""

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in blocks:
            raise DocsError(f"`{kind}: {name}` is no block; there are {', '.join(blocks)}.")
        body = blocks[name]()
        old = match["body"].strip("\n")
        settled = settle and "-dirty`" in old and "-dirty`" not in body
        if not settled and same(old, body):
            return match[0]
        return f"{name} -->\n\n{body}\n<!-- {kind}: end -->"

    return pattern(kind).sub(made, text)


def same(old: str, new: str) -> bool:
    """Two texts of a block that differ in nothing but a commit."""
    return COMMIT.sub("", old.strip("\n")) == COMMIT.sub("", new.strip("\n"))
