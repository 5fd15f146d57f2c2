# SPDX-License-Identifier: Apache-2.0
"""Errors of this folder."""

from melanion.errors import MelanionError


class StudioError(MelanionError):
    """A page cannot be made as it was asked for."""
