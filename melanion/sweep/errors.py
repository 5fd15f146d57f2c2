# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class SweepError(MelanionError):
    """A sweep is wrongly described, or cannot go on."""
