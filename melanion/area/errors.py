# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class AreaError(MelanionError):
    """A design could not be synthesized, or what was asked for does not exist."""
