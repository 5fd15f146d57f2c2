# SPDX-License-Identifier: Apache-2.0
"""A GDB remote server on the simulation (docs/decisions/0028).

`server` speaks with GDB over a socket, `packet` frames what is said, `target` is what is debugged:
threads (one per task, one per idle context), their registers (`frames`: of tasks that do not run),
memory. The simulation itself is held by melanion.run.held.
"""

from melanion.debug.errors import DebugError
from melanion.debug.server import Ending, Server
from melanion.debug.target import Target

__all__ = ["DebugError", "Ending", "Server", "Target"]
