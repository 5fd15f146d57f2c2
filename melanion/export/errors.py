# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from __future__ import annotations

from melanion.errors import MelanionError


class ExportError(MelanionError):
    """The folder cannot be written, or a file that belongs in it is missing."""
