# SPDX-License-Identifier: Apache-2.0
"""Files in the folder of a run's result, which a process of the studio writes."""

TRACE, IMAGE, ANSWER = "trace", "image", "answer.json"
CYCLES, LISTING = "cycles", "listing"  # of a window: what the unit does, and its words
UNIT = "unit.json"  # the run as the results store has it; absent: it failed
