# SPDX-License-Identifier: Apache-2.0
"""Random scenarios: programs of several tasks, which the C code of both kernels must run.

`python -m tests.random.programs SEED` prints one. A scenario has exactly one right log (the
executor refuses the others): a step that makes the order a matter of cycles is taken out again.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from mel_gen import KERNELS

from melanion.model import Kernel
from melanion.scenario import Scenario, ScenarioError, execute, load
from melanion.scenario.encoder import BUSY
from melanion.scenario.language import Call

TASKS = 6
STEPS = 50  # steps of a task, before some are taken out
FIRST_PRIORITY = 4  # most urgent; two tasks each; a mutex ceiling and others lie around them
COMPUTES = 5000  # cycles of a task of a crowd between two steps, at most
BURST = 90  # calls in a tick, at most, those that make the objects included: they end in time
# kind -> its letter in names, how many there are.
OBJECTS = {
    "task": ("t", TASKS),
    "semaphore": ("s", 3),
    "event_flags": ("e", 2),
    "queue": ("q", 2),
    "mutex": ("m", 3),
    "timer": ("k", 2),
    "interrupt": ("i", 4),
}
LAST = "- {call: task_state, task: t0}"  # last step of each task: its steps are never empty
_LINE = re.compile(r":(\d+): ")
# Steps that may make two tasks ready at once, or go on for ever: timeouts, flags; starts of others.
_LIMIT = re.compile(r"(timeout|ticks): \d|event_flags|task_start")
_LOCK = re.compile("mutex_lock")  # steps that give a task the mutexes that it has at its end


class _Kernel(Kernel):
    """Counts the calls of the fullest tick."""

    calls = fullest = 0

    def command(self, core: int, op: int, number: int, argument: int) -> int:
        self.calls += 1
        self.fullest = max(self.fullest, self.calls)
        return super().command(core, op, number, argument)

    def tick(self) -> int:
        self.calls = 0
        return super().tick()


class _Generator:
    limits: tuple[str, ...] = ("poll", *map(str, range(1, 10)), "forever")
    longest = 15  # ticks of a delay
    steps = STEPS

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.calls: dict[str, tuple[int, Callable[[], str]]] = {
            "semaphore_give": (6, lambda: self.of("semaphore")),
            "semaphore_take": (6, lambda: f"{self.of('semaphore')}, timeout: {self.limit()}"),
            "semaphore_count": (1, lambda: self.of("semaphore")),
            "semaphore_delete": (1, lambda: self.of("semaphore")),
            "semaphore_create": (1, lambda: f"{self.of('semaphore')}, maximum: 2, initial: 1"),
            "event_flags_set": (5, lambda: f"{self.of('event_flags')}, pattern: {self.flags()}"),
            "event_flags_clear": (1, lambda: f"{self.of('event_flags')}, pattern: {self.flags()}"),
            "event_flags_wait_any": (2, self.wait_for_flags),
            "event_flags_wait_all": (2, self.wait_for_flags),
            "event_flags_take_any": (3, self.wait_for_flags),
            "event_flags_take_all": (2, self.wait_for_flags),
            "event_flags_delete": (1, lambda: self.of("event_flags")),
            "event_flags_create": (1, lambda: f"{self.of('event_flags')}, initial: {self.flags()}"),
            "queue_send": (5, lambda: f"{self.message()}, timeout: {self.limit()}"),
            "queue_receive": (5, lambda: f"{self.of('queue')}, timeout: {self.limit()}"),
            "queue_post": (2, lambda: f"{self.message()}, priority: {self.random.randrange(8)}"),
            "queue_count": (1, lambda: self.of("queue")),
            "queue_delete": (1, lambda: self.of("queue")),
            "queue_create": (1, lambda: f"{self.of('queue')}, capacity: {self.number(1, 3)}"),
            "mutex_lock": (8, lambda: f"{self.of('mutex')}, timeout: {self.limit()}"),
            "mutex_unlock": (8, lambda: self.of("mutex")),
            "mutex_state": (1, lambda: self.of("mutex")),
            "mutex_delete": (1, lambda: self.of("mutex")),
            "mutex_create": (1, lambda: f"{self.of('mutex')}, protocol: 0, ceiling: 0"),
            "notification_set": (3, lambda: f"{self.of('task')}, bits: {self.flags()}"),
            "notification_give": (3, lambda: self.of("task")),
            "notification_overwrite": (1, lambda: f"{self.of('task')}, value: {self.flags()}"),
            "notification_send": (2, lambda: f"{self.of('task')}, value: {self.flags()}"),
            "notification_clear": (1, lambda: f"{self.of('task')}, bits: {self.flags()}"),
            "notification_cancel": (1, lambda: self.of("task")),
            "notification_wait": (4, self.wait_for_notification),
            "notification_take": (2, lambda: f"timeout: {self.limit()}"),
            "notification_take_all": (1, lambda: f"timeout: {self.limit()}"),
            "task_sleep": (3, lambda: f"timeout: {self.limit()}"),
            "task_delay": (14, lambda: f"ticks: {self.number(1, self.longest)}"),
            "task_wakeup": (3, lambda: self.of("task")),
            "task_release": (2, lambda: self.of("task")),
            "task_suspend": (2, lambda: self.of("task")),
            "task_resume": (4, lambda: self.of("task")),
            "task_terminate": (1, lambda: self.of("task")),
            "task_start": (4, lambda: self.of("task")),
            "task_set_priority": (2, self.change_priority),
            "task_rotate": (1, lambda: "priority: own"),
            "task_state": (1, lambda: self.of("task")),
            "dispatch_disable": (1, lambda: ""),
            "dispatch_enable": (2, lambda: ""),
            "timer_start": (2, self.start_timer),
            "timer_stop": (1, lambda: self.of("timer")),
            "irq_raise": (3, lambda: self.of("interrupt")),
            "irq_disable": (1, lambda: self.of("interrupt")),
            "irq_enable": (2, lambda: self.of("interrupt")),
        }

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def of(self, kind: str) -> str:
        letter, count = OBJECTS[kind]
        return f"{kind}: {letter}{self.random.randrange(count)}"

    def limit(self) -> str:
        return self.random.choice(self.limits)

    def flags(self) -> int:
        return self.random.choice((1, 2, 3, 4, 5, 7))

    def wait_for_flags(self) -> str:
        return f"{self.of('event_flags')}, pattern: {self.flags()}, timeout: {self.limit()}"

    def wait_for_notification(self) -> str:
        return (
            f"clear: {self.random.choice((0, self.flags(), 0xFFFF_FFFF))}, timeout: {self.limit()}"
        )

    def message(self) -> str:
        return f"{self.of('queue')}, message: {self.random.getrandbits(32)}"

    def change_priority(self) -> str:
        return f"{self.of('task')}, priority: {self.number(FIRST_PRIORITY - 1, FIRST_PRIORITY + 3)}"

    def start_timer(self) -> str:
        period = self.random.choice(("once", "once", "5"))
        return f"{self.of('timer')}, ticks: {self.number(1, 9)}, period: {period}"

    def step(self) -> str:
        names = list(self.calls)
        weights = [weight for weight, _ in self.calls.values()]
        (name,) = self.random.choices(names, weights)
        rest = self.calls[name][1]()
        return f"- {{call: {name}{', ' if rest else ''}{rest}}}"

    def lines(self) -> list[str]:
        """The file, a step per line."""
        found = ["text: A random program.", "given:"]
        found += ["  semaphores:", *(f"    s{i}: {{initial: {i}, maximum: 3}}" for i in range(3))]
        found += ["  event_flags:", "    e0: {}", "    e1: {}"]
        found += ["  queues:", "    q0: {capacity: 1}", "    q1: {capacity: 2}"]
        found += [
            "  mutexes:",
            "    m0: {}",
            "    m1: {}",
            f"    m2: {{ceiling: {FIRST_PRIORITY}}}",
        ]
        found += ["  tasks:"]
        for task in range(TASKS):
            found += [
                f"    t{task}:",
                f"      priority: {FIRST_PRIORITY + task // 2}",
                "      steps:",
            ]
            found += [f"        {self.step()}" for _ in range(self.steps)]
            found += [f"        {LAST}"]
        found += ["  timers:", "    k0: {action: task_wakeup, object: t1}"]
        found += ["    k1: {action: semaphore_give, object: s0}"]
        found += ["  interrupts:", "    i0: {action: event_flags_set, object: e0, word: 1}"]
        found += ["    i1: {action: queue_post, object: q1, word: 7}"]
        found += ["    i2:", "      action: task_release", "      object: t2", "      handler:"]
        found += ["        - {call: semaphore_give, semaphore: s1}"]
        found += ["        - {call: task_wakeup, task: t3}"]
        found += ["    i3: {action: notification_set, object: t4, word: 6}"]
        return [*found, "expect: []"]


class _Crowd(_Generator):
    """Tasks wait seldom and not for long, so that there is work for every core."""

    limits = ("poll", "poll", "1", "1", "2", "forever")
    longest = 1
    steps = 75


class _Heirs(_Generator):
    """Tasks lock mutexes, wait for those of others, and end."""

    limits = ("forever", "forever", "poll", "4")
    steps = 20

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        names = ("mutex_lock", "mutex_unlock", "task_delay", "task_terminate", "task_start")
        self.calls = {name: self.calls[name] for name in names}


def heirs(seed: int) -> Scenario:
    """A random scenario whose tasks often end with mutexes that others wait for, with its log."""
    return _make(_Heirs(seed), seed)[0]


def crowd(seed: int, kernel: str) -> Scenario:
    """A random scenario for several cores of a kernel: nothing is taken out, tasks compute between
    their steps. There is no one right log: the replay judges a run."""
    generator = _Crowd(seed)
    scenario = _load(seed, generator.lines(), KERNELS[kernel].lacks)

    def busy() -> Call:
        return Call(BUSY, 0, generator.number(0, COMPUTES), logged=False)

    steps = {
        name: tuple(each for call in calls for each in (busy(), call))
        if name in scenario.tasks
        else calls
        for name, calls in scenario.steps.items()
    }
    return replace(scenario, steps=steps)


def program_for(seed: int, kernel: str) -> Scenario:
    """A random scenario of calls that the kernel knows."""
    return program(seed, KERNELS[kernel].lacks & set(_Generator(0).calls))


@cache
def program(seed: int, lacks: frozenset[str] = frozenset()) -> Scenario:
    """A random scenario, without some calls, with the log that the model gives it."""
    return _make(_Generator(seed), seed, lacks)[0]


def _make(
    generator: _Generator, seed: int, lacks: frozenset[str] = frozenset()
) -> tuple[Scenario, str]:
    """The scenario, and the file that it comes from."""
    lines = generator.lines()
    scenario = _load(seed, lines, lacks)
    while True:
        kernel = _Kernel(scenario.limits)
        try:
            log = tuple(execute(scenario, kernel).log)
            if kernel.fullest <= BURST:
                break
            line = generator.random.choice(_steps(scenario))
        except ScenarioError as error:
            line = _guilty(_steps(scenario), lines, str(error), generator.random)
        lines[line - 1] = ""
        scenario = _without(scenario, line)
    places = tuple(range(1, len(log) + 1))
    return replace(scenario, expect=log, expect_lines=places), "\n".join(filter(None, lines))


def _load(seed: int, lines: list[str], lacks: frozenset[str]) -> Scenario:
    with tempfile.TemporaryDirectory(prefix="melanion-random-") as folder:
        file = Path(folder) / f"random_{seed}.yaml"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        scenario = load(file)
    return replace(
        scenario,
        main=tuple(call for call in scenario.main if call.name not in lacks),
        steps={
            name: tuple(call for call in calls if call.name not in lacks)
            for name, calls in scenario.steps.items()
        },
    )


def _steps(scenario: Scenario) -> list[int]:
    """The lines of all steps that may be taken out."""
    return [call.line for name in scenario.tasks for call in scenario.steps[name][:-1]]


def _guilty(steps: list[int], lines: list[str], complaint: str, chance: random.Random) -> int:
    """The line with the step to take out: the one named, or else one of `_LIMIT` or `_LOCK`."""
    match = _LINE.search(complaint)
    named = int(match[1]) if match else 0
    if named in steps:
        return named
    wanted = _LOCK if "the mutexes of" in complaint else _LIMIT
    return chance.choice([line for line in steps if wanted.search(lines[line - 1])])


def _without(scenario: Scenario, line: int) -> Scenario:
    steps = {
        name: tuple(call for call in calls if call.line != line)
        for name, calls in scenario.steps.items()
    }
    return replace(scenario, steps=steps)


if __name__ == "__main__":
    number = int(sys.argv[1])
    print(_make(_Generator(number), number)[1])
