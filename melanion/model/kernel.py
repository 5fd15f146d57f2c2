# SPDX-License-Identifier: Apache-2.0
"""`Kernel`: the events of a trace, executed on the golden model.

One method call is one event: `command`, `claim`, `tick`, `orphan`, `irq`, `slice`, `miss`, `answer`
here, `dispatch` and `turn` in scheduler.py, `timeout`, `release` and `link` in waiting.py.
ModelError: the event is not allowed in this state.
"""

from __future__ import annotations

from mel_gen import ANSWER_WAITING, Context, IdKind, Query, Status

import melanion.model.busy as busy
import melanion.model.deadline as deadline
import melanion.model.mutex as mutex
import melanion.model.quantum as quantum
import melanion.model.service as service
import melanion.model.task as task
import melanion.model.timer as timer
from melanion.model.checks import refusal
from melanion.model.handlers import HANDLERS
from melanion.model.state import Core, ModelError, Task
from melanion.model.waiting import Handler, Waiting

STATUS_OF: dict[int, Status] = {int(status): status for status in Status}
QUERY_KINDS: dict[Query, IdKind] = {
    Query.TASK_STATE: IdKind.TASK,
    Query.SEMAPHORE_COUNT: IdKind.SEMAPHORE,
    Query.QUEUE_COUNT: IdKind.QUEUE,
    Query.MUTEX_STATE: IdKind.MUTEX,
    Query.RUN_TIME: IdKind.TASK,
}
COUNTED = frozenset({Status.E_RSFN, Status.E_CTX, Status.E_ID, Status.E_PAR})  # by `refused`


class Kernel(Waiting):
    """One system, which executes one event at a time."""

    # ---- commands ---------------------------------------------------------------------------

    def command(self, core_number: int, op: int, number: int, argument: int) -> int:
        """Execute one command; returns 0, a negative status, or ANSWER_WAITING."""
        self.begin()
        core = self.cores[core_number]
        context = self.context(core)
        ours = context == Context.TASK and not core.ended
        caller = self.running_task(core) if ours else None
        if caller is not None and caller.wait:
            raise ModelError(f"task {caller.number} is {caller.state.name.lower()} and cannot call")
        refused = refusal(self, core, context, op, number, argument)
        answer = self._handler(op)(self, core, number, argument) if refused is None else refused
        if answer == ANSWER_WAITING:
            return answer
        status = STATUS_OF[answer]
        if status in COUNTED:
            self.refused += 1
        self._answer(core, context, caller, status)
        return answer

    def busy(self, core_number: int, op: int) -> None:
        """A command was answered E_BUSY, and did nothing else."""
        self.begin()
        core = self.cores[core_number]
        context = self.context(core)
        busy.check(op)
        ours = context == Context.TASK and not core.ended
        self._answer(core, context, self.running_task(core) if ours else None, Status.E_BUSY)

    def _answer(self, core: Core, context: Context, caller: Task | None, status: Status) -> None:
        """The status of a command, for whoever asked."""
        if context == Context.TASK and core.ended:
            core.ended_result = status
        elif caller is not None:
            caller.result = status
        elif context == Context.HANDLER:
            core.handler_result = status
        else:
            core.idle_result = status

    def _handler(self, op: int) -> Handler:
        own = self.limits.own.get(op)
        return HANDLERS[op] if own is None else own.handler

    def query(self, op: Query, number: int) -> int:
        """The word that a query returns (spec/registers.yaml), or a negative status.

        Of run_time only the status: the model knows no cycles.
        """
        kind = QUERY_KINDS[op]
        if number >= self.counts[kind]:
            return Status.E_ID
        if number not in self.objects[kind]:
            return Status.E_NOEXS
        if op == Query.RUN_TIME:
            return Status.E_OK
        if op == Query.SEMAPHORE_COUNT:
            return self.semaphores[number].count
        if op == Query.QUEUE_COUNT:
            return len(self.queues[number].messages)
        if op == Query.MUTEX_STATE:
            return mutex.state_word(self, self.mutexes[number])
        return task.state_word(self, self.tasks[number])

    # ---- the other events -------------------------------------------------------------------

    def slice(self, core_number: int) -> int:
        """The running task of a core has used its quantum and loses its turn; returns it."""
        self.begin()
        return quantum.end_slice(self, self.cores[core_number])

    def miss(self, number: int, budget: bool) -> None:
        """A deadline of a task was missed, or its budget is used up."""
        self.begin()
        deadline.miss(self, number, budget=budget)

    @property
    def claims_limited(self) -> bool:
        return self.claim_limit != 0 and self.tick_cycles != 0

    def handler_due(self, core: Core) -> bool:
        """An interrupt asks for its handler: one is pending, and the limit is not reached."""
        return bool(core.handler_irqs) and not (self.claims_limited and not self.claims_left)

    def claim(self, core_number: int) -> int | None:
        """A handler begins, and takes the lowest pending interrupt (None: spurious)."""
        self.begin()
        core = self.cores[core_number]
        core.in_handler = True
        if not self.handler_due(core):
            return None
        if self.claims_limited:
            self.claims_left -= 1
        first = min(core.handler_irqs)
        core.handler_irqs.remove(first)
        return first

    def tick(self) -> int:
        """The tick counter advances; returns it. Tasks whose wait has expired are then `late`."""
        self.begin()
        self.now += 1
        self.claims_left = self.claim_limit
        timer.expire(self)
        quantum.count(self)
        deadline.find(self)
        self.find_late()
        return self.time

    def orphan(self, number: int, ended: int) -> int | None:
        """A mutex of a task that ended is unlocked; returns the new owner (None: nobody)."""
        self.begin()
        return mutex.orphan(self, number, ended)

    def settle(self) -> None:
        """Finish the work that commands left: release tasks from their waits, unlock mutexes of
        ended tasks."""
        while self.linked is not None:
            self.link(self.linked)
        while self.released:
            self.release(min(self.released, key=lambda n: (self.tasks[n].priority, n)))
        while self.dying:
            self.release(next(iter(self.dying.values())).waiting[0])
        while self.orphans:
            ended = min(self.orphans)
            self.orphan(self.tasks[ended].owned[0].number, ended)

    def irq(self, number: int) -> Status:
        """An edge of an enabled interrupt is served; returns the status of its action."""
        self.begin()
        return service.serve(self, number)

    def answer(self, core_number: int) -> Status:
        """Status that a program reads as its answer, without the flags."""
        core = self.cores[core_number]
        if core.in_handler:
            return core.handler_result
        if core.running is None:
            return core.idle_result
        if core.ended:
            return core.ended_result
        subject = self.tasks[core.running]
        return Status.E_OK if subject.wait else subject.result
