# SPDX-License-Identifier: Apache-2.0
"""Errors of proofs."""

from __future__ import annotations

from melanion.errors import MelanionError


class ProveError(MelanionError):
    """A tool is missing, or a file of the proofs is wrong."""
