# SPDX-License-Identifier: Apache-2.0
"""The golden model: the executable meaning of the kernel. Pure Python, no input or output.

`Kernel` holds the state and executes one event at a time; `replay` compares a run's trace with it.
One module per noun (`task`, `semaphore`, `event_flags`, `queue`, `mutex`, `interrupt`, `timer`,
`time`) holds the commands of that noun;
`checks` what is refused before, `state` the data.
"""

from melanion.model.kernel import Kernel
from melanion.model.replay import Patience, ReplayError, ReplayReport, replay
from melanion.model.state import Limits, ModelError
from melanion.model.table import Table, TaskRow, table

__all__ = [
    "Kernel",
    "Limits",
    "ModelError",
    "Patience",
    "ReplayError",
    "ReplayReport",
    "Table",
    "TaskRow",
    "replay",
    "table",
]
