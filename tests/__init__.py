"""The tests. A package, so that `tests/random` does not stand in for the standard library's `random`."""
