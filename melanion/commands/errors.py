# SPDX-License-Identifier: Apache-2.0
"""The exception of this package."""

from melanion.errors import MelanionError


class CommandsError(MelanionError):
    """A user's model does not fit his commands: one sentence."""
