"""The tests. A package, so that `tests/random` does not hide the standard `random`."""
