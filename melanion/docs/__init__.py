# SPDX-License-Identifier: Apache-2.0
"""Documents of a checkout: their figures, tables and listings, made from measurements and runs, so
that no figure in them is typed by hand.

`python -m melanion.docs` writes them all; its other commands measure what they show and what tests
assert. No part of a wheel: pages, asserted rows and the table of faults are files of a checkout, so
in an installed wheel Python says that there is no module `melanion.docs`.
"""
