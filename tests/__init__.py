# SPDX-License-Identifier: Apache-2.0
"""The tests. A package, so that `tests/random` does not hide the standard `random`."""
