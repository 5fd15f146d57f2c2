# SPDX-License-Identifier: Apache-2.0
"""The golden model: the executable meaning of the kernel. Pure Python, no input or output.

Its modules stand on floors, and each imports from floors below only
(tests/model/test_model_floors.py):
`state` holds the data, `scheduler` says who runs, `waiting` how waits begin and end; a module per
noun (`task`, `semaphore`, `timer`, …) has the commands of that noun; over all nouns stand
`handlers` (the function of every command), `checks` (what is refused before) and `service` (what an
interrupt does); `kernel` executes one event at a time; `describe` puts states into words,
`owed` says what a run must bring until when, and `replay` compares its trace with the model.

`State`, `Scheduler`, `Waiting` and `Kernel` are one object, each class a floor of it: no call goes
through another object, and a mutant of any floor is a subclass of `Kernel`.
"""

from melanion.model.kernel import Kernel
from melanion.model.owed import Patience
from melanion.model.replay import ReplayError, ReplayReport, replay
from melanion.model.state import Limits, ModelError, OwnCommand
from melanion.model.table import Table, TaskRow, table

__all__ = [
    "Kernel",
    "Limits",
    "ModelError",
    "OwnCommand",
    "Patience",
    "ReplayError",
    "ReplayReport",
    "Table",
    "TaskRow",
    "replay",
    "table",
]
