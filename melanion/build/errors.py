# SPDX-License-Identifier: Apache-2.0
"""The error of this folder."""

from melanion.errors import MelanionError


class BuildError(MelanionError):
    """Something could not be built, or the cache not be used."""


class FetchError(BuildError):
    """A package could not be fetched: there is no network, its registry does not answer, or what
    fetches it is missing or too old."""
