# SPDX-License-Identifier: Apache-2.0
"""The program store of the microprogrammed unit, filled with random words: a synthesis can then
optimize nothing away that this program does not use, and its figures hold for any program."""

from __future__ import annotations

import random
import re

FILE = "mel_program_pkg.sv"
SEED = 22
# The arrays of words; the check table beside them stays, because spec/ decides it.
_ARRAY = re.compile(rb"(\b(?:Lean|Lanes)?Words \[\d+\] = '\{)([^}]*)(\})")
_WORD = re.compile(rb"(\d+)'h[0-9a-f]+")


def filled(package: bytes) -> bytes:
    """The package of the program with random words, always the same. Raises ValueError: the package
    has no words."""
    numbers = random.Random(SEED)

    def word(match: re.Match[bytes]) -> bytes:
        width = int(match[1])
        return b"%d'h%x" % (width, numbers.getrandbits(width))

    text, count = _ARRAY.subn(
        lambda array: array[1] + _WORD.sub(word, array[2]) + array[3], package
    )
    if not count or text == package:
        raise ValueError(f"{FILE} has no array of words; correct the pattern of {__name__}.")
    return text
