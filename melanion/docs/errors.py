# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class DocsError(MelanionError):
    """A document cannot be made, or its rows cannot be measured."""
