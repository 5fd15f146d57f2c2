# SPDX-License-Identifier: Apache-2.0
"""Errors of configurations."""

from melanion.errors import MelanionError


class ConfigError(MelanionError):
    """A configuration is wrong, or a system's name unknown: one sentence per line."""
