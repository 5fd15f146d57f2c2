# SPDX-License-Identifier: Apache-2.0
"""A user's own commands: their meaning for the golden model, the hardware unit's program with them,
and their calls in C. Which there are: `melanion.spec.own`."""

from melanion.commands.calls import HEADER, SOURCE, header, source
from melanion.commands.errors import CommandsError
from melanion.commands.meaning import meanings

__all__ = ["HEADER", "SOURCE", "CommandsError", "header", "meanings", "source"]
