# SPDX-License-Identifier: Apache-2.0
"""What can go wrong around a debugger."""

from melanion.errors import MelanionError


class DebugError(MelanionError):
    """The server cannot be there, or its client is no GDB."""
