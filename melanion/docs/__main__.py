# SPDX-License-Identifier: Apache-2.0
"""`python -m melanion.docs` is the command line of the documents."""

import sys

from melanion.docs.command import main

sys.exit(main(sys.argv[1:]))
