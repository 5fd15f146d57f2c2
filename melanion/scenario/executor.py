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
from melanion.model.state import NEVER, Core
from melanion.scenario.language import (
    COMMAND_OF,
    EDGE,
    IDLE,
    QUERIES,
    SPIN,
    Call,
    Entry,
    Scenario,
    ScenarioError,
    result_text,
)

STEPS_MAXIMUM = 10_000  # a scenario that is not done after this never will be


@dataclass
class Outcome:
    """What happened on the model; `ticks` that passed until nothing could happen any more."""

    log: list[Entry] = field(default_factory=list)
    ticks: int = 0


@dataclass
class _Thread:
    """A task's place in its steps, and its call that has not returned yet.

    A call returns when its caller runs again: then it is logged. `value` None: the kernel knows it.
    """

    name: str
    steps: tuple[Call, ...]
    place: int = 0
    pending: Call | None = None
    value: int | None = None
    spin_until: int | None = None


def execute(scenario: Scenario, kernel: Kernel | None = None) -> Outcome:
    """The log of a scenario on the model. Raises ScenarioError when its order is not determined."""
    return _Executor(scenario, kernel or Kernel(scenario.limits)).run()


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
        for call in self.scenario.main:
            status = self.call(call)
            assert status is not None  # no call waits in the idle context
            if not call.logged and status != Status.E_OK:
                raise self.wrong(call, f"of the given objects ends with {Status(status).name}")
            self.log(IDLE, call, status)
        self.kernel.command(0, Command.DISPATCH_ENABLE, 0, 0)
        for _ in range(STEPS_MAXIMUM):
            self.background()
            self.handlers()
            if self.kernel.dispatch_due(self.core):
                self.kernel.dispatch(0)
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
            self.threads[number] = _Thread(name, self.scenario.steps[name])
        return self.threads[number]

    def spins(self, thread: _Thread) -> bool:
        return thread.spin_until is not None and self.kernel.now < thread.spin_until

    def advance(self, thread: _Thread) -> None:
        """The running task's call returns, or it makes its next one, or it ends."""
        thread.spin_until = None
        if thread.pending is not None:
            value = self.kernel.answer(0) if thread.value is None else thread.value
            self.log(thread.name, thread.pending, value)
            thread.pending = None
        elif thread.place == len(thread.steps):
            self.kernel.command(0, Command.TASK_EXIT, 0, 0)
            self.forget(self.core.running)
        else:
            call = thread.steps[thread.place]
            thread.place += 1
            if call.name == SPIN:
                thread.spin_until = self.kernel.now + call.argument
                return
            thread.value = self.call(call)
            thread.pending = call
            self.check_order(call)

    def check_order(self, call: Call) -> None:
        """Whether the caller goes on first after these is a matter of cycles."""
        if call.name not in ("irq_raise", "semaphore_delete"):
            return
        self.background()
        if self.kernel.dispatch_due(self.core) or self.core.handler_irqs:
            raise self.wrong(
                call,
                "preempts its caller at a time that depends on cycles; make the caller the most"
                " urgent, disable dispatch, or use edge",
            )

    # ---- calls ------------------------------------------------------------------------------

    def call(self, call: Call) -> int | None:
        """Make one call; None: the caller waits."""
        if call.name == EDGE:
            self.edges.append(call.number)
            return Status.E_OK
        if call.name in QUERIES:
            return self.query(call)
        command = COMMAND_OF[call.name].command
        value = self.kernel.command(0, command, call.number, call.argument)
        if value == Status.E_OK:
            self.follow(command, call)
        return None if value == ANSWER_WAITING else value

    def follow(self, command: Command, call: Call) -> None:
        """What a successful call means for the simulated tasks and lines."""
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

    def query(self, call: Call) -> int:
        if QUERIES[call.name] == "task":
            return self.kernel.query(Query.TASK_STATE, call.number)
        return self.kernel.query(Query.SEMAPHORE_COUNT, call.number)

    def log(self, who: str, call: Call, value: int) -> None:
        if call.logged:
            self.outcome.log.append(Entry(who, call.name, result_text(call.name, value)))

    # ---- what is not a task -----------------------------------------------------------------

    def background(self) -> None:
        kernel = self.kernel
        while kernel.dying:
            kernel.release(next(iter(kernel.dying.values())).waiting[0])
        while kernel.late:
            kernel.timeout(kernel.due()[0])

    def handlers(self) -> None:
        while self.core.handler_irqs:
            claimed = self.kernel.claim(0)
            assert claimed is not None
            for call in self.scenario.steps[self.lines[claimed]]:
                status = self.call(call)
                assert status is not None  # no call waits in a handler
                self.log(self.lines[claimed], call, status)
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
        if thread is None and all(task.deadline == NEVER for task in self.kernel.tasks.values()):
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
        if ready and spinner is not None and not self.spins(spinner):
            raise ScenarioError(
                f"{self.scenario.file}:1: at tick {self.kernel.time} {spinner.name} stops to spin"
                " and a task times out; which comes first is a matter of cycles; move one of them."
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
