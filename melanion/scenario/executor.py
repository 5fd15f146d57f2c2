# SPDX-License-Identifier: Apache-2.0
"""Runs a scenario on the golden model: simulated tasks that make one call after the other.

The world moves (edges, then ticks) only when every task waits, has ended or spins; what a kernel
does in the background is done at once. Where the order on real hardware would depend on cycles,
the scenario is refused: a scenario has exactly one right log.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mel_gen import ANSWER_WAITING, Command, Query, Status

from melanion.model import Kernel
from melanion.model.state import NEVER, Core, Task, Timer
from melanion.scenario.language import (
    COMMAND_OF,
    EDGE,
    IDLE,
    QUERIES,
    SPIN,
    TICK_CYCLES,
    Call,
    Entry,
    Scenario,
    ScenarioError,
)
from melanion.scenario.result import result_text

STEPS_MAXIMUM = 10_000  # a scenario that is not done after this never will be


@dataclass
class Outcome:
    """Log of the model; `ticks`: number of ticks until nothing could happen any more."""

    log: list[Entry] = field(default_factory=list)
    ticks: int = 0


@dataclass(frozen=True)
class _Answer:
    """Answer to a call. `status` None: its caller waits; `word`: the result of a query."""

    status: int | None
    word: int = 0


@dataclass
class _Thread:
    """A task's place in its steps, and its call that has not returned yet.

    A call returns when its caller runs again: then it is logged.
    """

    name: str
    steps: tuple[Call, ...]
    place: int = 0
    pending: tuple[Call, _Answer] | None = None
    spin_until: int | None = None


# Calls after which the kernel goes on in the background: what that wakes may preempt the caller.
LASTING = frozenset(
    {
        "irq_raise",
        "semaphore_delete",
        "event_flags_set",
        "event_flags_delete",
        "queue_delete",
        "mutex_delete",
        "task_terminate",
    }
)


def execute(scenario: Scenario, kernel: Kernel | None = None) -> Outcome:
    """The log of a scenario on the model. Raises ScenarioError when its order is not determined."""
    return _Executor(scenario, kernel or Kernel(scenario.limits)).run()


def _each(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    return tuple(single for call in calls for single in call.each())


class _Executor:
    def __init__(self, scenario: Scenario, kernel: Kernel) -> None:
        self.scenario = scenario
        self.kernel = kernel
        self.core: Core = kernel.cores[0]
        self.outcome = Outcome()
        self.names = {number: name for name, number in scenario.tasks.items()}
        self.lines = {number: name for name, number in scenario.interrupts.items()}
        self.threads: dict[int, _Thread] = {}
        self.edges: list[int] = []  # lines that will rise when nothing else happens

    def wrong(self, call: Call, rest: str) -> ScenarioError:
        return ScenarioError(f"{self.scenario.file}:{call.line}: {call.name} {rest}.")

    def run(self) -> Outcome:
        self.kernel.command(0, Command.TICK_SET, 0, TICK_CYCLES)
        for call in _each(self.scenario.main):
            answer = self.call(call)
            assert answer.status is not None  # no call waits in the idle context
            if not call.logged and answer.status != Status.E_OK:
                name = Status(answer.status).name
                raise self.wrong(call, f"of the given objects ends with {name}")
            self.log(IDLE, call, answer)
        self.kernel.command(0, Command.DISPATCH_ENABLE, 0, 0)
        for _ in range(STEPS_MAXIMUM):
            self.background()
            self.handlers()
            if self.kernel.dispatch_due(self.core):
                self.kernel.dispatch(0)
                continue  # the slice of the task that goes on may be over
            thread = self.thread()
            if thread is not None and not self.spins(thread):
                self.advance(thread)
            elif not self.world():
                return self.outcome
        raise ScenarioError(f"{self.scenario.file}:1: the tasks run for ever; end their steps.")

    # ---- tasks ------------------------------------------------------------------------------

    def thread(self) -> _Thread | None:
        number = self.core.running
        if number is None:
            return None
        if number not in self.threads:
            name = self.names[number]
            self.threads[number] = _Thread(name, _each(self.scenario.steps[name]))
        return self.threads[number]

    def spins(self, thread: _Thread) -> bool:
        return thread.spin_until is not None and self.kernel.now < thread.spin_until

    def advance(self, thread: _Thread) -> None:
        """The running task's call returns, or it makes its next one, or it ends."""
        thread.spin_until = None
        if thread.pending is not None:
            self.log(thread.name, *thread.pending)
            thread.pending = None
        elif thread.place == len(thread.steps):
            self.kernel.command(0, Command.TASK_EXIT, 0, 0)
            self.forget(self.core.running)
            if thread.steps:
                self.check_heirs(thread.steps[-1])
        else:
            call = thread.steps[thread.place]
            thread.place += 1
            if call.name == SPIN:
                thread.spin_until = self.kernel.now + call.argument
                return
            thread.pending = (call, self.call(call))
            self.check_heirs(call)
            self.check_order(call)

    def check_order(self, call: Call) -> None:
        """Whether the caller goes on first after these is a matter of cycles."""
        if call.name not in LASTING:
            return
        self.background()
        if self.kernel.dispatch_due(self.core) or self.kernel.handler_due(self.core):
            raise self.wrong(
                call,
                "preempts its caller at a time that depends on cycles; make the caller the most"
                " urgent, disable dispatch, or use edge",
            )

    def check_heirs(self, call: Call) -> None:
        """Refuse the end of a task whose mutexes go to several ready tasks of one priority.

        Each kernel hands them on in the order of its own list. That decides only who is first
        among equals: an heir's priority depends on no other mutex that is handed on.
        """
        for ended in map(self.kernel.tasks.__getitem__, self.kernel.orphans):
            priorities = []
            for mutex in ended.owned:
                heir = self.kernel.tasks[mutex.waiting[0]] if mutex.waiting else None
                if heir is not None and not heir.suspended:
                    ceiling = heir.priority if mutex.ceiling is None else mutex.ceiling
                    priorities.append(min(heir.priority, ceiling))
            if len(set(priorities)) != len(priorities):
                raise ScenarioError(
                    f"{self.scenario.file}:{call.line}: the mutexes of {self.names[ended.number]},"
                    " which ended, go to several tasks of one priority at once; in which order is"
                    " not determined; give them different priorities."
                )

    # ---- calls ------------------------------------------------------------------------------

    def call(self, call: Call) -> _Answer:
        """Make one call."""
        if call.name == EDGE:
            if call.number in self.edges:
                raise self.wrong(call, "of a line that is still to rise; use another line")
            self.edges.append(call.number)
            return _Answer(Status.E_OK)
        if call.name in QUERIES:
            word = self.kernel.query(Query[call.name.upper()], call.number)
            return _Answer(word) if word < 0 else _Answer(Status.E_OK, word)
        info = COMMAND_OF[call.name]
        if info.operand:
            self.kernel.words_of(self.core).operand = call.operand
        status = self.kernel.command(0, info.command, call.number, call.argument)
        if status == Status.E_OK:
            self.follow(info.command, call)
        return _Answer(None if status == ANSWER_WAITING else status)

    def follow(self, command: Command, call: Call) -> None:
        """Apply a successful call's consequences to the simulated tasks and lines."""
        if command == Command.TASK_EXIT:
            self.forget(self.core.running)
        elif command == Command.TASK_START:
            self.forget(call.number)
        elif command == Command.IRQ_RAISE and self.kernel.interrupts[call.number].enabled:
            self.kernel.irq(call.number)

    def forget(self, task: int | None) -> None:
        """A task starts with its first step, whenever it is started."""
        if task is not None:
            self.threads.pop(task, None)

    def log(self, who: str, call: Call, answer: _Answer) -> None:
        """The call returns to its caller, who runs."""
        if not call.logged:
            return
        status = self.kernel.answer(0) if answer.status is None else answer.status
        query = call.name in QUERIES
        word = answer.word if query else self.kernel.words_of(self.core).value
        result = result_text(call.name, status, word, self.scenario.tasks)
        self.outcome.log.append(Entry(who, call.name, result))

    # ---- what is not a task -----------------------------------------------------------------

    def background(self) -> None:
        """All that the kernel owes, except handlers and the next task."""
        kernel = self.kernel
        if kernel.has_turn_again(self.core):
            kernel.turn(0)
        self.end_slice()
        while kernel.overdue:
            kernel.miss(min(kernel.overdue), budget=False)
        while kernel.raised:
            kernel.irq(min(kernel.raised))
        self.check_released()
        kernel.settle()
        while kernel.late:
            kernel.timeout(kernel.due()[0])
        self.end_slice()

    def end_slice(self) -> None:
        if self.kernel.slice_over(self.core):
            self.kernel.slice(0)

    def check_released(self) -> None:
        released = [self.kernel.tasks[number] for number in self.kernel.released]
        priorities = [task.priority for task in released if not task.suspended]
        if len(set(priorities)) != len(priorities):
            raise ScenarioError(
                f"{self.scenario.file}:1: event flags release several tasks of one priority at"
                " once; in which order is not determined; give them different priorities."
            )

    def handlers(self) -> None:
        while self.kernel.handler_due(self.core):
            claimed = self.kernel.claim(0)
            assert claimed is not None
            for call in _each(self.scenario.steps[self.lines[claimed]]):
                answer = self.call(call)
                assert answer.status is not None  # no call waits in a handler
                self.log(self.lines[claimed], call, answer)
            self.background()
            self.kernel.dispatch(0)

    def world(self) -> bool:
        """One edge, or else one tick. False: nothing can happen any more."""
        if self.edges:
            line = self.edges.pop(0)
            if self.kernel.interrupts[line].enabled:
                self.kernel.irq(line)
            return True
        thread = self.thread()
        clocks: list[Task | Timer] = [*self.kernel.tasks.values(), *self.kernel.timers]
        still = thread is None and all(clock.expiry == NEVER for clock in clocks)
        if still and not self.core.handler_irqs:  # these wait for the tick that lets them begin
            return False
        self.kernel.tick()
        self.outcome.ticks += 1
        self.check_tick(thread)
        return True

    def check_tick(self, spinner: _Thread | None) -> None:
        due = [self.kernel.tasks[number] for number in self.kernel.due()]
        ready = [task.priority for task in due if not task.suspended]
        if len(set(ready)) != len(ready):
            raise ScenarioError(
                f"{self.scenario.file}:1: at tick {self.kernel.time} several tasks of one priority"
                " time out; in which order is not determined; give them different priorities."
            )
        events = ["a task times out"] if due else []
        events += ["a timer expires"] if self.kernel.raised else []
        events += ["a deadline is missed"] * len(self.kernel.overdue)
        sliced = self.kernel.slice_over(self.core)
        events += ["a slice ends"] if sliced else []
        begins = self.kernel.handler_due(self.core)
        events += ["a handler begins"] if begins else []
        changes = ready or self.kernel.raised or sliced or self.kernel.overdue or begins
        if changes and spinner is not None and not self.spins(spinner):
            events.insert(0, f"{spinner.name} stops to spin")
        if len(events) > 1:
            raise ScenarioError(
                f"{self.scenario.file}:1: at tick {self.kernel.time} {' and '.join(events)};"
                " which comes first is a matter of cycles; move one of them."
            )


def differences(scenario: Scenario, log: list[Entry], what: str) -> Iterator[str]:
    """A sentence about the first difference between a log and the expected one; none if equal."""
    for index, expected in enumerate(scenario.expect):
        line = scenario.expect_lines[index]
        found = log[index] if index < len(log) else "nothing more"
        if found != expected:
            yield (
                f"{scenario.file}:{line}: entry {index + 1} is {str(expected)!r},"
                f" {what} gave {str(found)!r}."
            )
            return
    if len(log) > len(scenario.expect):
        yield (
            f"{scenario.file}:{scenario.expect_lines[-1] if scenario.expect_lines else 1}:"
            f" the expected log ends here, {what} went on with {str(log[len(scenario.expect)])!r}."
        )
