# SPDX-License-Identifier: Apache-2.0
"""`Kernel`: state, checks and scheduling of the golden model.

One method call is one event of a trace: `command`, `dispatch`, `claim`, `tick`, `timeout`,
`release`, `orphan`, `irq`, `turn`, `slice`, `miss`, `answer`. Runnable tasks, the running one
included, stand in one list per priority, in order of precedence; the first task of the most urgent
list is the one to run.
ModelError: the event is not allowed in this state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mel_gen import ANSWER_WAITING, Context, IdKind, Query, Status

from melanion.model import deadline, event_flags, interrupt, mutex, quantum, task, timer
from melanion.model.checks import refusal
from melanion.model.handlers import HANDLERS
from melanion.model.state import (
    NEVER,
    Core,
    EventFlags,
    Interrupt,
    Limits,
    ModelError,
    Mutex,
    Queue,
    Released,
    Semaphore,
    Task,
    Timer,
    Wait,
    Waited,
    Words,
)

FOREVER = 0xFFFF_FFFF
TIME_MASK = (1 << 64) - 1

Handler = Callable[["Kernel", Core, int, int], int]
STATUS_OF: dict[int, Status] = {int(status): status for status in Status}
QUERY_KINDS: dict[Query, IdKind] = {
    Query.TASK_STATE: IdKind.TASK,
    Query.SEMAPHORE_COUNT: IdKind.SEMAPHORE,
    Query.QUEUE_COUNT: IdKind.QUEUE,
    Query.MUTEX_STATE: IdKind.MUTEX,
    Query.RUN_TIME: IdKind.TASK,
}
COUNTED = frozenset({Status.E_RSFN, Status.E_CTX, Status.E_ID, Status.E_PAR})  # by `refused`


class Kernel:
    """The state of one system."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.counts = {
            IdKind.TASK: self.limits.tasks,
            IdKind.SEMAPHORE: self.limits.semaphores,
            IdKind.EVENT_FLAGS: self.limits.event_flags,
            IdKind.QUEUE: self.limits.queues,
            IdKind.MUTEX: self.limits.mutexes,
            IdKind.INTERRUPT: self.limits.lines,
            IdKind.TIMER: self.limits.timers,
        }
        self.tasks: dict[int, Task] = {}
        self.semaphores: dict[int, Semaphore] = {}
        self.event_flags: dict[int, EventFlags] = {}
        self.queues: dict[int, Queue] = {}
        self.mutexes: dict[int, Mutex] = {}
        self.objects: dict[IdKind, Mapping[int, object]] = {  # objects that are created and deleted
            IdKind.TASK: self.tasks,
            IdKind.SEMAPHORE: self.semaphores,
            IdKind.EVENT_FLAGS: self.event_flags,
            IdKind.QUEUE: self.queues,
            IdKind.MUTEX: self.mutexes,
        }
        # Deleted, with waiters that are not released yet.
        self.dying: dict[tuple[IdKind, int], Waited] = {}
        self.released: dict[int, Released] = {}  # waiters of event flags that have not left yet
        self.orphans: set[int] = set()  # tasks that ended and still own mutexes
        self.timers = [Timer() for _ in range(self.limits.timers)]
        self.interrupts = [Interrupt() for _ in range(self.limits.lines)]
        self.raised: set[int] = set()  # lines of timers with an edge that is not served yet
        # Lines that rose while an edge was pending, and in which tick: that one may just have been
        # taken, then both are served, the second before the tick after the next.
        self.raised_twice: dict[int, int] = {}
        self.cores = [Core(i) for i in range(self.limits.cores)]
        # Words of every task, then of the handler level and of idle of every core.
        self.words = [Words() for _ in range(self.limits.tasks + 2 * self.limits.cores)]
        self.ready: list[list[int]] = [[] for _ in range(self.limits.priorities)]
        self.occupied = 0  # bit p: `ready[p]` is not empty
        self.quanta = [0] * self.limits.priorities  # in ticks; 0: none
        self.now = self.limits.time_reset  # in ticks; never wraps, unlike `time`
        self.late: set[int] = set()  # tasks whose time limit has passed
        self.earliest = NEVER  # no deadline of a task that is not late lies before this
        self.overdue: set[int] = set()  # tasks whose deadline was missed, to be reported
        self.missed_deadlines = self.budget_overruns = 0
        self.reported = self.limits.tasks  # the register
        self.tick_cycles = 0
        self.claim_limit = 0  # claims allowed to handlers per tick; 0: no limit
        self.claims_left = 0  # of that, in this tick; unused without a limit or ticks
        self.refused = 0
        self.lost_irqs = 0

    @property
    def time(self) -> int:
        """The tick counter."""
        return self.now & TIME_MASK

    # ---- scheduling -------------------------------------------------------------------------

    def chosen(self, core: Core) -> int | None:
        """The task that the core should run now (docs/decisions/0009); None: idle."""
        if not core.dispatch_enabled:
            return core.running
        if self.limits.cores == 1:
            if not self.occupied:
                return None
            urgent = (self.occupied & -self.occupied).bit_length() - 1
            if core.apart and self.running_task(core).priority == urgent:
                return core.running
            return self.ready[urgent][0]
        if not core.apart:
            return self.candidate(core)
        priority = self.running_task(core).priority
        if not self.occupied & (1 << priority) - 1:  # nobody is more urgent
            return core.running
        candidate = self.candidate(core)
        if candidate is None or self.tasks[candidate].priority >= priority:
            return core.running
        return candidate

    def candidate(self, core: Core) -> int | None:
        """The first ready task that may come to this core: its own first among equals."""
        own, free = self.first_ready(core.number), self.first_ready(None)
        if free is None or self.destined(free) is not core:
            return own
        if own is None or self.tasks[free].priority < self.tasks[own].priority:
            return free
        return own

    def first_ready(self, home: int | None) -> int | None:
        """The first ready task of those that may run on this core only (None: on any)."""
        apart = [core.running for core in self.cores if core.apart]
        tasks, left = self.tasks, self.occupied
        while left:
            lowest = left & -left
            for number in self.ready[lowest.bit_length() - 1]:
                if tasks[number].core == home and number not in apart:
                    return number
            left ^= lowest
        return None

    def listed(self, line: list[int]) -> list[int]:
        """Those of a ready list whose turn it is not already on some core."""
        apart = {core.running for core in self.cores if core.apart}
        return [number for number in line if number not in apart]

    def destined(self, number: int) -> Core | None:
        """Core for the first of the ready tasks that may run on any core."""
        host = self.running_core(number)
        if host is not None:
            return host
        enabled = [core for core in self.cores if core.dispatch_enabled]
        least = self.limits.priorities

        def urgency(core: Core) -> int:
            return self.running_task(core).priority if core.apart else least

        return max(enabled, key=urgency, default=None)  # the first of equals

    def dispatch_due(self, core: Core) -> bool:
        return self.chosen(core) != core.running or (core.ended and core.dispatch_enabled)

    def make_ready(self, subject: Task, first: bool = False) -> None:
        """Behind the others of its priority, with a new slice, or before them."""
        line = self.ready[subject.priority]
        if not first:
            subject.used, subject.used_up = 0, False
        line.insert(0 if first else len(line), subject.number)
        self.occupied |= 1 << subject.priority

    def unready(self, subject: Task) -> None:
        host = self.running_core(subject.number)
        if host is not None:
            host.apart = False
        self._leave_line(subject)

    def to_tail(self, subject: Task) -> None:
        """A runnable task goes behind the others of its priority, with a new slice."""
        self._leave_line(subject)
        self.make_ready(subject)

    def reprioritize(self, subject: Task, priority: int) -> None:
        """Another priority: to the head of it where a core runs it, else behind the others."""
        if subject.runnable:
            self._leave_line(subject)
        subject.priority = priority
        if subject.runnable:
            self.make_ready(subject, first=self.running_core(subject.number) is not None)

    def _leave_line(self, subject: Task) -> None:
        line = self.ready[subject.priority]
        line.remove(subject.number)
        if not line:
            self.occupied &= ~(1 << subject.priority)

    # ---- waiting ----------------------------------------------------------------------------

    def start_wait(
        self, subject: Task, wait: Wait, timeout: int, queue: list[int] | None = None
    ) -> int:
        """The task waits, in `queue` if any, `timeout` ticks or FOREVER; returns the answer."""
        self.unready(subject)
        subject.wait = wait
        if queue is not None:
            subject.queue = queue
            self.queue_waiter(queue, subject)
        if timeout != FOREVER:
            subject.deadline = self.now + timeout
            self.earliest = min(self.earliest, subject.deadline)
        return ANSWER_WAITING

    def end_wait(self, subject: Task, result: Status) -> None:
        """The wait of a task ends with this result; it becomes ready unless it is suspended."""
        self.leave_wait(subject)
        subject.result = result
        if subject.runnable:
            self.make_ready(subject)

    def leave_wait(self, subject: Task) -> None:
        """Take a task out of where it waits, and cancel its time limit."""
        number = subject.number
        if subject.wait == Wait.EVENT_FLAGS and self.released.pop(number, None) is None:
            event_flags.forget(self, number)
        if subject.queue is not None:
            subject.queue.remove(number)
            subject.queue = None
            if self.dying:
                self.dying = {n: gone for n, gone in self.dying.items() if gone.waiting}
        subject.wait = None
        self.cancel_limit(subject)
        awaited, subject.awaited = subject.awaited, None
        if awaited is not None and awaited.owner is not None:
            mutex.inherit(self, self.tasks[awaited.owner])

    def cancel_limit(self, subject: Task) -> None:
        subject.deadline = NEVER
        self.late.discard(subject.number)

    def queue_waiter(self, line: list[int], subject: Task) -> None:
        """Into a wait list: behind all that are as urgent or more."""
        place = sum(1 for other in line if self.tasks[other].priority <= subject.priority)
        line.insert(place, subject.number)

    def move_waiter(self, subject: Task) -> None:
        """Its priority has changed: behind the waiters of the new one, as if it had just come."""
        if subject.queue is not None:
            subject.queue.remove(subject.number)
            self.queue_waiter(subject.queue, subject)
        if subject.awaited is not None and subject.awaited.owner is not None:
            mutex.inherit(self, self.tasks[subject.awaited.owner])

    # ---- commands ---------------------------------------------------------------------------

    def words_of(self, core: Core) -> Words:
        """Operand and value of the context that calls on a core."""
        context = self.context(core)
        if context == Context.TASK:
            assert core.running is not None
            return self.words[core.running]
        return self.words[self.limits.tasks + 2 * core.number + (context == Context.IDLE)]

    def context(self, core: Core) -> Context:
        if core.in_handler:
            return Context.HANDLER
        return Context.IDLE if core.running is None else Context.TASK

    def command(self, core_number: int, op: int, number: int, argument: int) -> int:
        """Execute one command; returns 0, a negative status, or ANSWER_WAITING."""
        core = self.cores[core_number]
        context = self.context(core)
        ours = context == Context.TASK and not core.ended
        caller = self.running_task(core) if ours else None
        if caller is not None and caller.wait:
            raise ModelError(f"task {caller.number} is {caller.state.name.lower()} and cannot call")
        refused = refusal(self, core, context, op, number, argument)
        answer = HANDLERS[op](self, core, number, argument) if refused is None else refused
        if answer == ANSWER_WAITING:
            return answer
        status = STATUS_OF[answer]
        if status in COUNTED:
            self.refused += 1
        if context == Context.TASK and core.ended:
            core.ended_result = status
        elif caller is not None:
            caller.result = status
        elif context == Context.HANDLER:
            core.handler_result = status
        else:
            core.idle_result = status
        return answer

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

    def running_task(self, core: Core) -> Task:
        assert core.running is not None
        return self.tasks[core.running]

    def running_core(self, number: int) -> Core | None:
        """The core whose running task this is."""
        return next((core for core in self.cores if core.running == number), None)

    # ---- the other events -------------------------------------------------------------------

    def dispatch(self, core_number: int) -> int | None:
        """The core ends its handler, if any, and runs the chosen task: returns it (None: idle)."""
        core = self.cores[core_number]
        chosen, before = self.chosen(core), core.running
        core.in_handler = False
        if core.dispatch_enabled:
            if core.apart and chosen != before:  # preempted
                subject = self.running_task(core)
                self.reprioritize(subject, subject.priority)
            core.running = chosen
            core.apart = chosen is not None
            core.ended = False
        return chosen

    def turn(self, core_number: int) -> int:
        """The running task lost its turn and is the first in turn again; returns it."""
        core = self.cores[core_number]
        if core.running is None or not self.has_turn_again(core):
            raise ModelError(f"the running task of core {core_number} is not first in turn again")
        core.apart = True
        return core.running

    def has_turn_again(self, core: Core) -> bool:
        """Whether the running task of a core lost its turn, and is the first in turn."""
        if core.running is None or core.apart or not core.dispatch_enabled:
            return False
        return self.running_task(core).runnable and not self.dispatch_due(core)

    def slice(self, core_number: int) -> int:
        """The running task of a core has used its quantum and loses its turn; returns it."""
        return quantum.end_slice(self, self.cores[core_number])

    def miss(self, number: int, budget: bool) -> None:
        """A deadline of a task was missed, or its budget is used up."""
        deadline.miss(self, number, budget=budget)

    @property
    def claims_limited(self) -> bool:
        return self.claim_limit != 0 and self.tick_cycles != 0

    def handler_due(self, core: Core) -> bool:
        """An interrupt asks for its handler: one is pending, and the limit is not reached."""
        return bool(core.handler_irqs) and not (self.claims_limited and not self.claims_left)

    def claim(self, core_number: int) -> int | None:
        """A handler begins, and takes the lowest pending interrupt (None: spurious)."""
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
        """The tick counter advances; returns it. Tasks whose limit passed are then `late`."""
        self.now += 1
        self.claims_left = self.claim_limit
        timer.expire(self)
        quantum.count(self)
        deadline.find(self)
        if self.now >= self.earliest:
            self.late = {t.number for t in self.tasks.values() if t.deadline <= self.now}
            self.earliest = min(
                (t.deadline for t in self.tasks.values() if t.deadline > self.now), default=NEVER
            )
        return self.time

    def due(self) -> list[int]:
        """The late tasks, the most urgent first (equal priorities: any order)."""
        return sorted(self.late, key=lambda number: (self.tasks[number].priority, number))

    def timeout(self, number: int) -> Status:
        """The time limit of a late task ends its wait; returns the result."""
        if number not in self.late:
            raise ModelError(f"task {number} is not due at tick {self.time}")
        subject = self.tasks[number]
        result = Status.E_OK if subject.wait == Wait.DELAY else Status.E_TMOUT
        self.end_wait(subject, result)
        return result

    def release(self, number: int) -> Status:
        """A task leaves: a waiter of flags that were set, or the first of a deleted object."""
        if number in self.released:
            urgent = min(self.tasks[n].priority for n in self.released)
            if self.tasks[number].priority != urgent:
                raise ModelError(f"a waiter with priority {urgent} leaves before task {number}")
            result = self.released[number].result
            if result == Status.E_OK:
                self.words[number].value = self.released[number].flags
        else:
            firsts = [gone.waiting[0] for gone in self.dying.values()]
            if number not in firsts:
                raise ModelError(f"task {number} is neither released nor among {firsts}")
            result = Status.E_DLT
        self.end_wait(self.tasks[number], result)
        return result

    def orphan(self, number: int, ended: int) -> int | None:
        """A mutex of a task that ended is unlocked; returns the new owner (None: nobody)."""
        return mutex.orphan(self, number, ended)

    def settle(self) -> None:
        """Finish the work that commands left: release tasks from their waits, unlock mutexes of
        ended tasks."""
        while self.released:
            self.release(min(self.released, key=lambda n: (self.tasks[n].priority, n)))
        while self.dying:
            self.release(next(iter(self.dying.values())).waiting[0])
        while self.orphans:
            ended = min(self.orphans)
            self.orphan(self.tasks[ended].owned[0].number, ended)

    def irq(self, number: int) -> Status:
        """An edge of an enabled interrupt is served; returns the status of its action."""
        return interrupt.serve(self, number)

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
