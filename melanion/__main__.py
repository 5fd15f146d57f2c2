"""`python -m melanion` is the command line."""

from melanion.cli import main

main()
