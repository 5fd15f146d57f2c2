# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class RunError(MelanionError):
    """A run did not end as its program should."""
