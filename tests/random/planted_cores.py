# SPDX-License-Identifier: Apache-2.0
"""Bugs of several cores, planted in the model that a rehearsal plays; the judge has the right one.

They show that the random test sees them before there is a unit to plant them in; those of the RTL:
tests/mutants/unit.yaml.
"""

from __future__ import annotations

from melanion.model import Kernel
from melanion.model.state import Core, Task


class AnyCoreForAll(Kernel):
    """a task of one core runs on any"""

    def candidate(self, core: Core) -> int | None:
        apart = {other.running for other in self.cores if other.apart}
        ready = [n for line in self.ready for n in line if n not in apart]
        free = next(iter(ready), None)
        return free if free is not None and self.destined(free) is core else None


class AnyBeforeOwn(Kernel):
    """among equals a task of any core goes before one of this core"""

    def candidate(self, core: Core) -> int | None:
        own = super().candidate(core)
        apart = {other.running for other in self.cores if other.apart}
        ready = [n for line in self.ready for n in line if n not in apart]
        free = next((n for n in ready if self.tasks[n].core is None), None)
        if own is None or free is None or self.destined(free) is not core:
            return own
        return free if self.tasks[free].priority <= self.tasks[own].priority else own


class HighestOfEquals(Kernel):
    """among equally urgent cores the highest number takes the task"""

    def destined(self, number: int) -> Core | None:
        first = super().destined(number)
        if first is None or first.running == number:
            return first

        def urgency(core: Core) -> int:
            return self.running_task(core).priority if core.apart else self.limits.priorities

        enabled = [core for core in self.cores if core.dispatch_enabled]
        return next(core for core in reversed(enabled) if urgency(core) == urgency(first))


class DisabledCoreTakes(Kernel):
    """a core with dispatch disabled counts as a place for a task"""

    def destined(self, number: int) -> Core | None:
        return self.running_core(number) or max(
            self.cores,
            key=lambda c: self.running_task(c).priority if c.apart else self.limits.priorities,
        )


class RegistersInUse(Kernel):
    """a task goes to another core before its own has left it"""

    def destined(self, number: int) -> Core | None:
        host = self.running_core(number)
        others = [core for core in self.cores if core.dispatch_enabled and core is not host]
        idle = next((core for core in others if core.running is None), None)
        return idle or super().destined(number)


class EndedGoesOn(Kernel):
    """a task that ended and started again goes on where it ran"""

    def dispatch_due(self, core: Core) -> bool:
        return self.chosen(core) != core.running


class EqualPreempts(Kernel):
    """an equally urgent task of this core only preempts"""

    def chosen(self, core: Core) -> int | None:
        chosen, candidate = super().chosen(core), self.candidate(core)
        if core.apart and core.dispatch_enabled and candidate is not None:
            same = self.tasks[candidate].priority == self.running_task(core).priority
            return candidate if same and self.tasks[candidate].core is not None else chosen
        return chosen


class PreemptedToTail(Kernel):
    """a preempted task goes behind the others of its priority"""

    def dispatch(self, core_number: int) -> int | None:
        core = self.cores[core_number]
        preempted = self.running_task(core) if core.apart else None
        chosen = super().dispatch(core_number)
        if preempted is not None and chosen != preempted.number:
            self._leave_line(preempted)
            self.make_ready(preempted)
        return chosen


class HeldTaskStopped(Kernel):
    """a task with dispatch disabled on another core can be suspended"""

    def command(self, core_number: int, op: int, number: int, argument: int) -> int:
        core, host = self.cores[core_number], self.running_core(number)
        held = host is not None and host is not core and not host.dispatch_enabled
        if host is None or not held:
            return super().command(core_number, op, number, argument)
        host.dispatch_enabled = True
        answer = super().command(core_number, op, number, argument)
        host.dispatch_enabled = False
        return answer


class OperandOfCore(Kernel):
    """a task leaves its operand behind when it moves to another core"""

    def dispatch(self, core_number: int) -> int | None:
        chosen = super().dispatch(core_number)
        if chosen is not None and core_number:
            self.words[chosen].operand = self.words[chosen].value = 0
        return chosen


class TakesFromCore(Kernel):
    """a wake-up makes a task of another core ready for the core that calls"""

    def make_ready(self, subject: Task, first: bool = False) -> None:
        if subject.core is not None and self.running_core(subject.number) is None:
            subject.core = 0
        super().make_ready(subject, first)


BUGS: tuple[type[Kernel], ...] = (
    AnyCoreForAll,
    AnyBeforeOwn,
    HighestOfEquals,
    DisabledCoreTakes,
    RegistersInUse,
    EndedGoesOn,
    EqualPreempts,
    PreemptedToTail,
    HeldTaskStopped,
    OperandOfCore,
    TakesFromCore,
)
