# SPDX-License-Identifier: Apache-2.0
"""`Annotator`: what each event brought about that the events do not say, as the golden model finds
it: beginnings and ends of waits with their causes, and inherited priorities. The page has it, too
(melanion/studio/page_model.py)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from mel_gen import Context, TraceKind

from melanion.model.kernel import Kernel
from melanion.model.state import Task, Wait
from melanion.model.table import waits_for
from melanion.trace.annotations import Annotation, Began, Ended, Inherits


@dataclass(frozen=True)
class _Cause:
    """An event that ends waits, now or when their tasks are released."""

    by: str
    number: int | None


class Annotator:
    """Compares the model before and after each event. `found`: number of an event → what it brought
    about."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.found: dict[int, list[Annotation]] = defaultdict(list)
        self.waiting: dict[int, Wait] = {}
        self.inherited: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        self.caused: dict[int, _Cause] = {}  # tasks that will be released
        self.runs: int | None = None  # on the core of the event

    def before(self, event: Any) -> None:
        if event[2] < len(self.kernel.cores):
            self.runs = self.kernel.cores[event[2]].running

    def after(self, number: int, event: Any) -> None:
        cause = self._cause(number, event)
        for leaving in self._leaving():
            self.caused.setdefault(leaving, cause)
        tell = self.found[number].append
        for task in list(self.waiting):
            subject = self.kernel.tasks.get(task)
            if subject is None or subject.wait is None:
                del self.waiting[task]
                why = self.caused.pop(task, cause)
                ready = subject is not None and subject.runnable
                tell(Ended(task, why.by, why.number, ready))
        for task, subject in self.kernel.tasks.items():
            if subject.wait is not None and task not in self.waiting:
                self.waiting[task] = subject.wait
                tell(Began(task, waits_for(self.kernel, subject)))
            self._inheritance(tell, subject)
        if not self.found[number]:
            del self.found[number]

    def _leaving(self) -> list[int]:
        """Tasks whose wait an event has ended, and that leave with an event of their own."""
        gone = [task for each in self.kernel.dying.values() for task in each.waiting]
        return [*self.kernel.released, *gone]

    def _cause(self, number: int, event: Any) -> _Cause:
        kind, a = event[1], event[3]
        if kind == TraceKind.COMMAND:
            context = a >> 8
            if context == Context.TASK or (context == Context.UNKNOWN and self.runs is not None):
                return _Cause(f"task {self.runs}", number)
            return _Cause("a handler" if context == Context.HANDLER else "main", number)
        if kind == TraceKind.IRQ:
            return _Cause(f"interrupt {a}", number)
        if kind == TraceKind.TIMEOUT:
            return _Cause("its timeout", None)
        if kind == TraceKind.ORPHAN:
            return _Cause(f"the end of task {event[5]}", number)
        return _Cause("the kernel", None)

    def _inheritance(self, tell: Any, subject: Task) -> None:
        now: tuple[int, int, tuple[int, ...]] = (subject.priority, subject.base_priority, ())
        if subject.priority != subject.base_priority:
            givers = (
                waiter
                for mutex in subject.owned
                for waiter in mutex.waiting
                if self.kernel.tasks[waiter].priority == subject.priority
            )
            now = (*now[:2], tuple(sorted(givers)))
        before = self.inherited.get(subject.number)
        inherits = now[0] != now[1]
        if now == before or not (inherits or before is not None):
            return
        if inherits:
            self.inherited[subject.number] = now
        else:
            del self.inherited[subject.number]
        tell(Inherits(subject.number, *now))
