# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class InjectError(MelanionError):
    """A campaign of bit flips is wrongly asked for, or cannot go on."""
