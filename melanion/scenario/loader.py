"""Reads scenario files. An error is a sentence with file, line, key, value and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mel_gen import Command, IrqAction

from melanion.model import Limits
from melanion.scenario.language import (
    CALLS,
    COMMAND_OF,
    FOREVER,
    IDLE,
    OWN_PRIORITY,
    PSEUDO,
    QUERIES,
    WORD,
    Call,
    Entry,
    Scenario,
    ScenarioError,
    results_of,
)
from melanion.scenario.schema import File, Given, InterruptGiven
from melanion.spec.check import check, sentence, show
from melanion.spec.yaml_file import KeyPath, YamlFile, read

KINDS = ("task", "semaphore", "interrupt")
WORDS = {"timeout": {"forever": FOREVER, "poll": 0}, "ticks": {"forever": FOREVER}}
ROTATE_WORDS = {"own": OWN_PRIORITY}
ACTIONS = {action.name.lower(): int(action) for action in IrqAction}


def load(path: Path) -> Scenario:
    """Read one scenario. Raises ScenarioError with every error of the file."""
    file = read(path, path.name)
    model, problems = check(File, file)
    if model is None:
        raise ScenarioError("\n".join(problems), 2)
    resolver = _Resolver(file, model.given)
    scenario = resolver.scenario(path.stem, model)
    if resolver.problems:
        raise ScenarioError("\n".join(text for _, text in sorted(resolver.problems)), 2)
    return scenario


@dataclass
class _Resolver:
    """Names to numbers, steps to calls."""

    file: YamlFile
    given: Given
    problems: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.limits = Limits(time_reset=self.given.time_reset)
        tasks: list[str] = []
        self.sources: dict[str, tuple[str, int]] = {}  # task -> its key, and its place in the group
        for name, task in self.given.tasks.items():
            members = [f"{name}_{i}" for i in range(task.count)] if task.count else [name]
            self.sources.update((member, (name, i)) for i, member in enumerate(members))
            tasks += members
        self.numbers = {
            "task": {name: i for i, name in enumerate(tasks)},
            "semaphore": {name: i for i, name in enumerate(self.given.semaphores)},
            "interrupt": {name: i for i, name in enumerate(self.given.interrupts)},
        }

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
        for line, interrupt in self.given.interrupts.items():
            handler = interrupt.handler or []
            steps[line] = self.calls(handler, ("given", "interrupts", line, "handler"))
        entries = [self.entry(text, i) for i, text in enumerate(model.expect)]
        return Scenario(
            name=name,
            text=model.text,
            limits=self.limits,
            tasks=self.numbers["task"],
            semaphores=self.numbers["semaphore"],
            interrupts=self.numbers["interrupt"],
            main=(
                *self.setup(priorities),
                *self.calls(self.given.main, ("given", "main")),
            ),
            steps=steps,
            priorities=priorities,
            expect=tuple(entry for entry in entries if entry is not None),
            expect_lines=tuple(self.file.line(("expect", i)) for i in range(len(entries))),
        )

    def check_names(self) -> None:
        seen = {IDLE: "the calls before the kernel starts"}
        for kind, names in self.numbers.items():
            limit = getattr(self.limits, f"{kind}s")
            if len(names) > limit:
                self.wrong(
                    ("given", f"{kind}s"), f"are {len(names)}; allowed are {limit}; remove some"
                )
            for name in names:
                if name in seen:
                    self.wrong(
                        ("given", f"{kind}s", self.sources.get(name, (name, 0))[0]),
                        f"has the name {name!r}, which is that of {seen[name]}; rename it",
                    )
                seen[name] = f"a {kind}"

    # ---- the calls that make the given objects ----------------------------------------------

    def setup(self, priorities: dict[str, int]) -> Iterable[Call]:
        for name, number in self.numbers["semaphore"].items():
            semaphore = self.given.semaphores[name]
            if semaphore.state == "made":
                if semaphore.initial > semaphore.maximum:
                    self.wrong(
                        ("given", "semaphores", name, "initial"),
                        f"is {semaphore.initial}; allowed is 0 … {semaphore.maximum} (maximum)",
                    )
                argument = semaphore.maximum << 16 | semaphore.initial
                yield Call("semaphore_create", number, argument, logged=False)
        started = []
        for name, number in self.numbers["task"].items():
            state = self.given.tasks[self.sources[name][0]].state
            if state != "absent":
                yield Call("task_create", number, priorities[name], logged=False)
            if state == "ready":
                started.append(Call("task_start", number, 0, logged=False))
        for name, number in self.numbers["interrupt"].items():
            interrupt = self.given.interrupts[name]
            argument = self.map_argument(name, interrupt)
            yield Call("irq_map", number, argument, logged=False)
            if interrupt.enabled:
                yield Call("irq_enable", number, 0, logged=False)
        yield from started

    def map_argument(self, name: str, interrupt: InterruptGiven) -> int:
        path = ("given", "interrupts", name, "object")
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
            close = difflib.get_close_matches(str(name), CALLS, n=1)
            hint = f"did you mean {close[0]}" if close else "correct the name"
            self.wrong((*path, "call"), f"is {show(name)}; allowed is {', '.join(CALLS)}; {hint}")
            return None
        needed = CALLS[name]
        for key in step:
            if key != "call" and key not in needed:
                takes = ", ".join(needed) or "no argument"
                self.wrong((*path, key), f"is an unknown key; {name} takes {takes}; remove it")
        for key in needed:
            if key not in step:
                self.wrong(path, f"has no {key}, which {name} needs; add it")
        if any(key not in step for key in needed):
            return None
        line = self.file.line(path)
        number = 0
        if needed and needed[0] in KINDS:
            number = self.number(needed[0], step[needed[0]], (*path, needed[0]))
        return Call(name, number, self.argument(name, step, path), line, name not in PSEUDO)

    def argument(self, name: str, step: dict[str, Any], path: KeyPath) -> int:
        if name in QUERIES or name == "edge":
            return 0
        if name == "spin":
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
                value = self.word(key, step[key], words, limit, here)
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

    def number(self, kind: str, value: object, path: KeyPath) -> int:
        """An object by name; a number stands for itself, so that wrong ones can be tried."""
        names = self.numbers[kind]
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
        if len(words) != 3:
            self.wrong(path, f"is {text!r}; allowed is: who, call, result; write three words")
            return None
        who, call, result = words
        people = [*self.numbers["task"], *self.numbers["interrupt"], IDLE]
        if who not in people:
            self.wrong(path, f"names {who!r}; allowed is {', '.join(people)}; correct the name")
        elif call not in CALLS or call in PSEUDO:
            logged = [name for name in CALLS if name not in PSEUDO]
            self.wrong(path, f"names {call!r}; allowed is {', '.join(logged)}; correct the call")
        elif result not in results_of(call) and not (
            call in QUERIES and QUERIES[call] == "semaphore" and result.isdecimal()
        ):
            count = ["a count"] if QUERIES.get(call) == "semaphore" else []
            allowed = ", ".join([*results_of(call), *count])
            self.wrong(path, f"ends with {result!r}; allowed is {allowed}; correct the result")
        else:
            return Entry(who, call, result)
        return None


def _kind_of_object(action: object) -> str | None:
    if action == "semaphore_give":
        return "semaphore"
    return "task" if action in ("task_wakeup", "task_release") else None
