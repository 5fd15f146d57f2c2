# SPDX-License-Identifier: Apache-2.0
"""Reference model of the deadlock detection unit (docs/decisions/0039): one access after the other.

Who is in a deadlock is found by walks from every process, not by the unit's reduction, which is
here only for the number of its steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mel_gen import deadlock
from mel_gen.deadlock import Answer, Command, Region, Register

from tests.rtl.components.bench import Component
from tests.rtl.components.reference import NONE, Reference, Refused

WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Size:
    """Parameters of mel_deadlock, in its order."""

    processes: int
    resources: int
    cores: int

    @property
    def bound(self) -> int:
        """Cycles that a reduction takes at most."""
        least = min(self.processes, self.resources)
        return 2 * least - (3 if self.processes == self.resources and least > 2 else 2)


class Graph:
    """Edges: `holder` by resource, `waits` as pairs (process, resource)."""

    def __init__(self) -> None:
        self.holder: dict[int, int] = {}
        self.waits: set[tuple[int, int]] = set()

    def next(self, process: int) -> set[int]:
        """The processes that this one waits for."""
        return {self.holder[r] for p, r in self.waits if p == process and r in self.holder}

    def reached(self, process: int) -> set[int]:
        """All that it waits for, by any number of waits; itself when it is on a cycle."""
        found: set[int] = set()
        ahead = [process]
        while ahead:
            for other in self.next(ahead.pop()) - found:
                found.add(other)
                ahead.append(other)
        return found

    def deadlock(self) -> tuple[set[int], set[int]]:
        """Processes and resources on a cycle, or on a way from one cycle to another."""
        reached = {p: self.reached(p) for p, _ in self.waits}
        circular = {p for p, others in reached.items() if p in others}
        behind = {q for p in circular for q in reached[p]}
        dead = {p for p in behind if circular & reached.get(p, set())}
        return dead, {r for p, r in self.waits if p in dead and self.holder.get(r) in dead}

    def steps(self, size: Size) -> int:
        """Steps of the unit's reduction."""
        processes, resources = set(range(size.processes)), set(range(size.resources))
        for count in range(1, 2 + size.bound):
            waits = {(p, r) for p, r in self.waits if p in processes and r in resources}
            holds = {(p, r) for r, p in self.holder.items() if p in processes and r in resources}
            after = (
                {p for p, _ in waits} & {p for p, _ in holds},
                {r for _, r in waits} & {r for _, r in holds},
            )
            if after == (processes, resources) or not all(after):
                return count
            processes, resources = after
        raise AssertionError("a reduction takes more steps than its bound")


class Deadlock(Reference[Size]):
    facts: ClassVar = deadlock

    def reset(self) -> None:
        super().reset()
        self.graph = Graph()
        self.answer = [NONE] * self.size.cores
        self.notice = False
        self.steps = 0
        self.dead: tuple[set[int], set[int]] = set(), set()

    @property
    def irq(self) -> int:
        return int(self.notice)

    def late(self, closed: int, stalled: int) -> str:
        return f"{stalled} cycles late behind {self.steps} steps" if stalled > self.steps else ""

    def _store(self, core: int, address: int, word: int) -> int:
        if address == Register.NOTICE:
            self.seen["notice taken back"] += self.notice
            self.notice = False
            return 0
        if address not in list(Command):
            raise Refused("no such command")
        self.answer[core] = NONE
        command, process, resource = Command(address), word & 0xFF, word >> 8 & 0xFF
        if command == Command.CLEAR:
            if word:
                raise Refused("a word with clear")
            self.graph = Graph()
            waits = False
        else:
            if word >> 16 or process >= self.size.processes or resource >= self.size.resources:
                raise Refused("no such process or resource")
            waits = self._perform(command, process, resource)
        self.steps = self.graph.steps(self.size)
        before, self.dead = self.dead, self.graph.deadlock()
        self.seen[f"{command.name.lower()}{', waits' if waits else ''}"] += 1
        self.seen["longest reduction"] += self.steps == self.size.bound
        self.seen["resolved"] += bool(before[0]) and not self.dead[0]
        self.seen["between"] += bool(self.dead[0] - self._circular())
        if command in (Command.REQUEST, Command.GRANT) and process in self.dead[0]:
            self.answer[core] = int(Answer.DEADLOCK)
            self.notice = True
            self.seen[f"deadlock by {command.name.lower()}"] += 1
            self.seen[f"deadlock of {min(4, len(self.dead[0]))}"] += 1
        else:
            self.answer[core] = int(Answer.WAITS if waits else Answer.DONE)
            self.seen["waits beside a deadlock"] += waits and bool(self.dead[0])
        return 0

    def _circular(self) -> set[int]:
        return {p for p in self.dead[0] if p in self.graph.reached(p)}

    def _perform(self, command: Command, process: int, resource: int) -> bool:
        """Returns whether the process waits from now on."""
        graph, edge = self.graph, (process, resource)
        holder = graph.holder.get(resource)
        if command == Command.REQUEST:
            if holder == process:
                raise Refused("requests its own")
            if edge in graph.waits:
                raise Refused("requests twice")
            others = any(r == resource for _, r in graph.waits)
            self.seen["waits for a free one"] += holder is None and others
            if holder is not None or others:
                graph.waits.add(edge)
                return True
            graph.holder[resource] = process
        elif command == Command.GRANT:
            if holder is not None:
                raise Refused("grants what is held")
            graph.holder[resource] = process
            graph.waits.discard(edge)
        elif command == Command.RELEASE:
            if holder != process:
                raise Refused("releases what it does not hold")
            del graph.holder[resource]
        else:
            if edge not in graph.waits:
                raise Refused("withdraws no request")
            graph.waits.remove(edge)
        return False

    def _load(self, core: int, address: int) -> int:
        size, graph = self.size, self.graph
        if Region.HOLDER <= address < Region.HOLDER + 0x100:
            number = (address - Region.HOLDER) // 4
            self._exists(number)
            return graph.holder.get(number, NONE)
        if Region.WAITING <= address < Region.WAITING + 0x200:
            number = (address - Region.WAITING) // 8
            self._exists(number)
            return self._half({p for p, r in graph.waits if r == number}, bool(address & 4))
        processes, resources = self.dead
        own = {
            Register.SIZES: size.processes | size.resources << 8 | size.cores << 16,
            Register.ANSWER: self.answer[core],
            Register.NOTICE: int(self.notice),
            Register.STEPS: self.steps,
            Register.PROCESSES: self._half(processes, False),
            Register.PROCESSES_HIGH: self._half(processes, True),
            Register.RESOURCES: self._half(resources, False),
            Register.RESOURCES_HIGH: self._half(resources, True),
        }
        return self._load_register(core, address, own)

    def _exists(self, number: int) -> None:
        if number >= self.size.resources:
            raise Refused("no such resource to load")

    @staticmethod
    def _half(numbers: set[int], high: bool) -> int:
        return sum(1 << n for n in numbers) >> (32 if high else 0) & WORD


# Situations that random accesses must reach, whatever the size.
_ALWAYS = {
    "request", "request, waits", "grant", "release", "withdraw", "clear", "waits for a free one",
    "deadlock by request", "deadlock by grant", "deadlock of 2", "deadlock of 3", "resolved",
    "waits beside a deadlock", "notice taken back", "refused: requests its own",
    "refused: requests twice", "refused: grants what is held", "refused: withdraws no request",
    "refused: releases what it does not hold", "refused: a word with clear",
    "refused: no such process or resource", "refused: no such command",
    "refused: no such register", "refused: no such resource to load", "refused: not a whole word",
}  # fmt: skip
COMPONENT = Component(
    "deadlock",
    Deadlock,
    sizes={"few": Size(3, 4, 2), "many": Size(9, 12, 4)},
    more=[Size(2, 2, 1), Size(16, 16, 1), Size(64, 64, 4), Size(64, 2, 3), Size(5, 33, 2)],
    situations={
        "few": _ALWAYS | {"longest reduction"},
        "many": _ALWAYS | {"deadlock of 4", "between"},
    },
    soak=100_000,
)
