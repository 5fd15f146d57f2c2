# SPDX-License-Identifier: Apache-2.0
"""`python -m melanion` is the command line."""

from melanion.cli import main

main()
