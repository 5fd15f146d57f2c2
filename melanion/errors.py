# SPDX-License-Identifier: Apache-2.0
"""The base of every error that a user can act on. Each folder derives one class from it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MelanionError(Exception):
    """`message` is what the user reads: one sentence (or one per line when several things are
    wrong).

    `exit_code` of the command line: 1 the thing failed, 2 wrong use.
    """

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code


def meant(word: str, known: Iterable[str], otherwise: str) -> str:
    """Remedy for a word that is not known: the closest known one, or `otherwise`."""
    close = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {close[0]}" if close else otherwise
