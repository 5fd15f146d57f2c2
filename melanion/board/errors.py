# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class BoardError(MelanionError):
    """A board, or what was asked of it, is wrong: one sentence per line."""
