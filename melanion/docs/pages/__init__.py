# SPDX-License-Identifier: Apache-2.0
"""Parts of single pages. A function without arguments makes them of files; one with `Facts`
(melanion/docs/facts.py) of a program that is walked through."""
