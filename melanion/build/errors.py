"""The error of this room."""

from melanion.errors import MelanionError


class BuildError(MelanionError):
    """Something could not be built, or the cache not be used."""
