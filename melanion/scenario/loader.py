# SPDX-License-Identifier: Apache-2.0
"""Reads scenario files. An error is a sentence with file, line, key, value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mel_gen import Command, IdKind, IrqAction

from melanion.errors import meant
from melanion.model import Limits, OwnCommand
from melanion.model.interrupt import OBJECTS
from melanion.scenario.language import (
    CALLS,
    COMMAND_OF,
    EDGE,
    FOREVER,
    IDLE,
    OPTIONAL,
    OWN_PRIORITY,
    PSEUDO,
    QUERIES,
    REPORT,
    SPIN,
    TIMES,
    TIMES_MAXIMUM,
    WORD,
    Call,
    Entry,
    Scenario,
    ScenarioError,
)
from melanion.scenario.result import allowed_results, read_result
from melanion.scenario.schema import File, Given, InterruptGiven
from melanion.spec.check import check, sentence, show
from melanion.spec.yaml_file import KeyPath, YamlFile, read

# Kinds of objects -> their key in `given`, which is also the name of their limit.
KINDS = {
    "task": "tasks",
    "semaphore": "semaphores",
    "event_flags": "event_flags",
    "queue": "queues",
    "mutex": "mutexes",
    "timer": "timers",
    "interrupt": "interrupts",
}
WORDS = {
    "timeout": {"forever": FOREVER, "poll": 0},
    "ticks": {"forever": FOREVER},
    "period": {"once": 0},
    "protocol": {"inheritance": 0, "ceiling": 1},
}
ROTATE_WORDS = {"own": OWN_PRIORITY}
ACTIONS = {action.name.lower(): int(action) for action in IrqAction}


def load(path: Path, own: Mapping[int, OwnCommand] | None = None) -> Scenario:
    """Read one scenario; `own`: commands of a user, which language.add has added. Raises
    ScenarioError with every error of the file."""
    file = read(path, path.name)
    model, problems = check(File, file)
    if model is None:
        raise ScenarioError("\n".join(problems), 2)
    resolver = _Resolver(file, model.given, own or {})
    scenario = resolver.scenario(path.stem, model)
    if resolver.problems:
        raise ScenarioError("\n".join(text for _, text in sorted(resolver.problems)), 2)
    return scenario


@dataclass
class _Resolver:
    """Names to numbers, steps to calls."""

    file: YamlFile
    given: Given
    own: Mapping[int, OwnCommand]
    problems: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.limits = Limits(time_reset=self.given.time_reset, own=self.own)
        tasks: list[str] = []
        self.sources: dict[str, tuple[str, int]] = {}  # task -> its key, and its place in the group
        for name, task in self.given.tasks.items():
            members = [f"{name}_{i}" for i in range(task.count)] if task.count else [name]
            self.sources.update((member, (name, i)) for i, member in enumerate(members))
            tasks += members
        self.numbers = {
            kind: {name: i for i, name in enumerate(getattr(self.given, key))}
            for kind, key in KINDS.items()
        }
        self.numbers["task"] = {name: i for i, name in enumerate(tasks)}
        first = self.limits.interrupts
        timer_lines = {name: first + i for name, i in self.numbers["timer"].items()}
        self.lines = {**self.numbers["interrupt"], **timer_lines}
        self.givens = {**self.given.interrupts, **self.given.timers}  # actions of the lines
        if self.given.report is not None:
            self.lines[REPORT] = self.limits.lines - 1
            self.givens[REPORT] = self.given.report

    def wrong(self, path: KeyPath, rest: str) -> None:
        self.problems.append((self.file.line(path), sentence(self.file, path, rest)))

    def scenario(self, name: str, model: File) -> Scenario:
        self.check_names()
        steps: dict[str, tuple[Call, ...]] = {}
        priorities: dict[str, int] = {}
        for task, (key, place) in self.sources.items():
            given = self.given.tasks[key]
            steps[task] = self.calls(given.steps, ("given", "tasks", key, "steps"))
            priorities[task] = given.priority + place
            if priorities[task] >= self.limits.priorities:
                self.wrong(
                    ("given", "tasks", key, "count"),
                    f"is {given.count}; with priority {given.priority} the last task has"
                    f" {priorities[task]}, allowed is 0 … {self.limits.priorities - 1}; lower it",
                )
        for line, interrupt in self.givens.items():
            handler = interrupt.handler or []
            steps[line] = self.calls(handler, (*self.path_of_line(line), "handler"))
        entries = [self.entry(text, i) for i, text in enumerate(model.expect)]
        return Scenario(
            name=name,
            text=model.text,
            limits=self.limits,
            tasks=self.numbers["task"],
            interrupts=self.lines,
            main=(
                *self.objects(),
                *self.setup(priorities),
                *self.calls(self.given.main, ("given", "main")),
            ),
            steps=steps,
            priorities=priorities,
            expect=tuple(entry for entry in entries if entry is not None),
            expect_lines=tuple(self.file.line(("expect", i)) for i in range(len(entries))),
        )

    def check_names(self) -> None:
        seen = {IDLE: "the calls before the kernel starts", REPORT: "the line of reports"}
        for kind, names in self.numbers.items():
            key = KINDS[kind]
            limit = getattr(self.limits, key)
            if len(names) > limit:
                self.wrong(("given", key), f"are {len(names)}; allowed are {limit}; remove some")
            for name in names:
                if name in seen:
                    self.wrong(
                        ("given", key, self.sources.get(name, (name, 0))[0]),
                        f"has the name {name!r}, which is that of {seen[name]}; rename it",
                    )
                article = "an" if kind[0] in "ei" else "a"
                seen[name] = f"{article} {kind}"

    def path_of_line(self, name: str) -> KeyPath:
        if name == REPORT:
            return ("given", REPORT)
        return ("given", "timers" if name in self.numbers["timer"] else "interrupts", name)

    # ---- the calls that make the given objects ----------------------------------------------

    def objects(self) -> Iterable[Call]:
        """The objects but tasks."""
        for name, semaphore in self.given.semaphores.items():
            if semaphore.initial > semaphore.maximum:
                self.wrong(
                    ("given", "semaphores", name, "initial"),
                    f"is {semaphore.initial}; allowed is 0 … {semaphore.maximum} (maximum)",
                )
            argument = semaphore.maximum << 16 | semaphore.initial
            yield from self.create("semaphore", name, semaphore.state, argument)
        for name, flags in self.given.event_flags.items():
            yield from self.create("event_flags", name, flags.state, flags.initial)
        for name, queue in self.given.queues.items():
            yield from self.create("queue", name, queue.state, queue.capacity)
        for name, mutex in self.given.mutexes.items():
            argument = 0 if mutex.ceiling is None else 1 << 8 | mutex.ceiling
            yield from self.create("mutex", name, mutex.state, argument)

    def create(self, kind: str, name: str, state: str, argument: int) -> Iterable[Call]:
        if state == "made":
            yield Call(f"{kind}_create", self.numbers[kind][name], argument, logged=False)

    def setup(self, priorities: dict[str, int]) -> Iterable[Call]:
        """Tasks and interrupt lines."""
        started = []
        for name, number in self.numbers["task"].items():
            state = self.given.tasks[self.sources[name][0]].state
            if state != "absent":
                yield Call("task_create", number, priorities[name], logged=False)
            if state == "ready":
                started.append(Call("task_start", number, 0, logged=False))
        for name, number in self.lines.items():
            interrupt = self.givens[name]
            argument = self.map_argument(name, interrupt)
            yield Call("irq_map", number, argument, interrupt.word, logged=False)
            if interrupt.enabled:
                yield Call("irq_enable", number, 0, logged=False)
        yield from started

    def map_argument(self, name: str, interrupt: InterruptGiven) -> int:
        path = (*self.path_of_line(name), "object")
        kind = _kind_of_object(interrupt.action)
        number = 0
        if kind is None and interrupt.object is not None:
            self.wrong(path, f"is {interrupt.object!r}; the action none has no object; remove it")
        elif kind is not None:
            number = self.number(kind, interrupt.object, path)
        handler = interrupt.handler is not None
        return number << 8 | handler << 4 | ACTIONS[interrupt.action]

    # ---- steps ------------------------------------------------------------------------------

    def calls(self, steps: list[dict[str, Any]], path: KeyPath) -> tuple[Call, ...]:
        found = [self.call(step, (*path, i)) for i, step in enumerate(steps)]
        return tuple(call for call in found if call is not None)

    def call(self, step: dict[str, Any], path: KeyPath) -> Call | None:
        name = step.get("call")
        if name is None:
            self.wrong(path, f"has no call; add one of {', '.join(CALLS)}")
            return None
        if name not in CALLS:
            hint = meant(str(name), CALLS, "correct the name")
            self.wrong((*path, "call"), f"is {show(name)}; allowed is {', '.join(CALLS)}; {hint}")
            return None
        needed = CALLS[name]
        for key in step:
            if key not in ("call", TIMES, *needed):
                takes = ", ".join(needed) or "no argument"
                self.wrong((*path, key), f"is an unknown key; {name} takes {takes}; remove it")
        for key in needed:
            if key not in step and key not in OPTIONAL:
                self.wrong(path, f"has no {key}, which {name} needs; add it")
        if any(key not in step and key not in OPTIONAL for key in needed):
            return None
        number = 0
        if needed and needed[0] in KINDS:
            names = self.lines if needed[0] == "interrupt" and name != EDGE else None
            number = self.number(needed[0], step[needed[0]], (*path, needed[0]), names)
        return Call(
            name=name,
            number=number,
            argument=self.argument(name, step, path),
            operand=self.operand(name, step, path),
            line=self.file.line(path),
            logged=name not in PSEUDO,
            times=self.times(step, path),
        )

    def times(self, step: dict[str, Any], path: KeyPath) -> int:
        value = step.get(TIMES, 1)
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= TIMES_MAXIMUM:
            return value
        allowed = f"a whole number 1 … {TIMES_MAXIMUM}"
        self.wrong((*path, TIMES), f"is {show(value)}; allowed is {allowed}; correct the value")
        return 1

    def operand(self, name: str, step: dict[str, Any], path: KeyPath) -> int:
        key = COMMAND_OF[name].operand if name in COMMAND_OF else ""
        if not key:
            return 0
        value = step.get(key, OPTIONAL.get(key))
        return self.word(key, value, WORDS.get(key, {}), WORD, (*path, key))

    def argument(self, name: str, step: dict[str, Any], path: KeyPath) -> int:
        if name in QUERIES or name == EDGE:
            return 0
        if name == SPIN:
            return self.word("ticks", step["ticks"], {}, WORD, (*path, "ticks"))
        info = COMMAND_OF[name]
        argument = 0
        for key, (high, low) in info.fields.items():
            limit = (1 << (high - low + 1)) - 1 if len(info.fields) > 1 else WORD
            here = (*path, key)
            if key == "action":
                value = self.word(key, step[key], ACTIONS, -1, here)
            elif key == "handler":
                value = self.flag(step[key], here)
            elif key == "object":
                value = self.mapped_object(step, here)
            else:
                words = ROTATE_WORDS if info.command == Command.TASK_ROTATE else WORDS.get(key, {})
                value = self.word(key, step.get(key, OPTIONAL.get(key)), words, limit, here)
            argument |= (value & limit) << low
        return argument

    def word(
        self, key: str, value: object, words: dict[str, int], limit: int, path: KeyPath
    ) -> int:
        """A number 0 … limit (none when limit is -1), or one of the words."""
        if isinstance(value, str) and value in words:
            return words[value]
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit:
            return value
        allowed = [*words] + ([f"a whole number 0 … {limit}"] if limit >= 0 else [])
        self.wrong(path, f"is {show(value)}; allowed is {', '.join(allowed)}; correct the value")
        return 0

    def flag(self, value: object, path: KeyPath) -> int:
        if not isinstance(value, bool):
            self.wrong(path, f"is {show(value)}; allowed is true, false; correct the value")
        return int(value is True)

    def mapped_object(self, step: dict[str, Any], path: KeyPath) -> int:
        value = step["object"]
        kind = _kind_of_object(step.get("action"))
        if kind is not None and isinstance(value, str):
            return self.number(kind, value, path)
        return self.word("object", value, {}, 0xFF, path)

    def number(
        self, kind: str, value: object, path: KeyPath, names: dict[str, int] | None = None
    ) -> int:
        """An object by name; a number stands for itself, so that wrong ones can be tried."""
        names = self.numbers[kind] if names is None else names
        if isinstance(value, str) and value in names:
            return names[value]
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= WORD:
            return value
        allowed = ", ".join(names) or f"no {kind} is given"
        self.wrong(path, f"is {show(value)}; allowed is {allowed}, or a number; correct the name")
        return 0

    # ---- expected entries -------------------------------------------------------------------

    def entry(self, text: str, index: int) -> Entry | None:
        path = ("expect", index)
        words = text.split()
        if len(words) < 3:
            self.wrong(path, f"is {text!r}; allowed is: who, call, result; write three words")
            return None
        who, call, *rest = words
        people = [*self.numbers["task"], *self.lines, IDLE]
        if who not in people:
            self.wrong(path, f"names {who!r}; allowed is {', '.join(people)}; correct the name")
            return None
        if call not in CALLS or call in PSEUDO:
            logged = [name for name in CALLS if name not in PSEUDO]
            self.wrong(path, f"names {call!r}; allowed is {', '.join(logged)}; correct the call")
            return None
        result = read_result(call, rest, self.numbers["task"])
        if result is None:
            ending = " ".join(rest)
            allowed = allowed_results(call)
            self.wrong(path, f"ends with {ending!r}; allowed is {allowed}; correct the result")
            return None
        return Entry(who, call, result)


def _kind_of_object(action: object) -> str | None:
    """The kind of the object of an action; None: it has none, or there is no such action."""
    if not isinstance(action, str) or action not in ACTIONS:
        return None
    kind = OBJECTS.get(IrqAction(ACTIONS[action]), IdKind.NONE)
    return None if kind == IdKind.NONE else kind.value
