# SPDX-License-Identifier: Apache-2.0
"""Errors of debugging."""

from melanion.errors import MelanionError


class DebugError(MelanionError):
    """The server cannot be there, or its client is no GDB."""
