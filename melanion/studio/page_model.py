# SPDX-License-Identifier: Apache-2.0
"""The golden model in the page: judges the trace of a run, in Pyodide, and says who waits for what.

The page holds this file beside `melanion.model`, the annotator and `mel_gen`, and nothing else of
Melanion: no package but Python's own is there.
"""

from __future__ import annotations

import json
import struct
from typing import Any

from mel_gen import KERNELS

from melanion.model.owed import Patience
from melanion.model.replay import Event, Player, ReplayError
from melanion.model.state import Limits
from melanion.run.annotator import Annotator
from melanion.trace.annotations import Annotation, Began, Ended, Inherits

RECORD = struct.Struct("<QBBHIII")  # spec/trace.yaml

Row = dict[str, Any]


def verdict(trace: bytes, model: str, tasks: str) -> str:
    """The verdict on a trace, as the page reads it (`Verdict` of studio/src/contract.ts), without
    its `id`. `model`: of melanion/studio/programs.py; `tasks`: number → name; both as JSON."""
    given, names = json.loads(model), {int(n): name for n, name in json.loads(tasks).items()}
    sizes, patience = Limits(**given["limits"]), Patience(*given["patience"])
    player = Player(sizes, KERNELS[given["kernel"]], patience, names)
    annotator = Annotator(player.kernel)
    known = events(trace)
    try:
        for number, event in enumerate(known):
            annotator.before(event)
            player.play([event])
            annotator.after(number, event)
    except ReplayError as error:
        return json.dumps({"kind": "differs", "message": error.message})
    found = _Spans(known)
    for number, told in annotator.found.items():
        for annotation in told:
            found.tell(known[number][0], annotation)
    said = {"kind": "agrees", "events": len(known)}
    return json.dumps({**said, "waits": found.waits, "inherited": found.inherited})


def events(trace: bytes) -> list[Event]:
    """The events of a trace by cycle; those of one cycle in the order of reporting."""
    return sorted(RECORD.iter_unpack(trace), key=lambda event: event[0])


class _Spans:
    """Annotations as spans of cycles; `end` of one that goes on is None."""

    def __init__(self, known: list[Event]) -> None:
        self.events = known
        self.waits: list[Row] = []
        self.inherited: list[Row] = []
        self.open: dict[tuple[str, int], Row] = {}

    def tell(self, cycle: int, annotation: Annotation) -> None:
        row: Row
        match annotation:
            case Began(task, what):
                row = {"task": task, "begin": cycle, "end": None, "what": what}
                self.waits.append(self._begin("wait", task, row))
            case Ended(task, by, cause, _):
                at = None if cause is None else self.events[cause][0]
                self._end("wait", task, end=cycle, by=by, cause=at)
            case Inherits(task, priority, base, givers):
                self._end("inherits", task, end=cycle)
                if priority != base:
                    row = {"task": task, "begin": cycle, "end": None}
                    row |= {"priority": priority, "base": base, "givers": list(givers)}
                    self.inherited.append(self._begin("inherits", task, row))

    def _begin(self, what: str, task: int, row: Row) -> Row:
        self.open[what, task] = row
        return row

    def _end(self, what: str, task: int, **known: Any) -> None:
        row = self.open.pop((what, task), None)
        if row is not None:
            row.update(known)
