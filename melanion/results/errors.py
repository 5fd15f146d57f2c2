# SPDX-License-Identifier: Apache-2.0
"""Errors of the results store."""

from melanion.errors import MelanionError


class ResultsError(MelanionError):
    """The store cannot be read or written, or a reference names nothing in it."""
