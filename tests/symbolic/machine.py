# SPDX-License-Identifier: Apache-2.0
"""The machine on symbols: a word's meaning, as mel_datapath has it, then what mel_engine, mel_unit
and mel_dispatcher make of it.

Words count, not cycles: a word that the hardware stalls executes here when its engine is idle.
"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from tests.symbolic.checks import may_wait, refused, refuses
from tests.symbolic.effects import device_read, device_test, devices, lists, say
from tests.symbolic.lists import Top
from tests.symbolic.paths import Expr
from tests.symbolic.program import Fields, Words
from tests.symbolic.state import (
    OBJECTS,
    Answer,
    State,
    Unsupported,
    assume_of,
    bit,
    const,
    key,
    look,
)

AFFINITIES = 2 * 256  # (cores + 1) * 256
WORDS = 200  # in a step; more: a loop that nothing cuts
KINDS = {"semaphore": 0, "event_flags": 1, "queue": 2}  # as something that is waited for; else 3


@dataclass(frozen=True)
class Request:
    """A command or query of the core, as mel_access decodes it."""

    name: str
    op: int
    kind: str  # that its number is of
    number: Expr
    argument: Expr
    write: bool = True

    @property
    def of_caller(self) -> bool:
        return self.kind == "none"


class Machine:
    """Executes one step from the idle word to the next."""

    def __init__(self, words: Words, initial: State, state: State, request: Request) -> None:
        self.words, self.state, self.request = words, state, request
        self.paths, self.initial = state.paths, initial
        self.file = [z3.BitVec(f"file_{n}", 32) for n in range(16)]
        registers = words.tables.machine.registers
        self.file[registers["zero"]] = const(0, 32)
        self.file[registers["levels"]] = z3.ZeroExt(16, state.limits["priorities"])
        self.file[registers["affinities"]] = const(AFFINITIES, 32)
        self.file[registers["now"]] = z3.Extract(31, 0, state.now)
        self.memory = self.fetched = const(0, 32)
        self.last = self.before = const(0, 32)  # results of the last words
        self.carry = self.flag = z3.BoolVal(False)
        self.subject = self.object = const(0, 8)
        self.kind, self.level = const(0, 2), const(0, 8)
        self.top = Top(z3.BoolVal(False), const(0, 8), const(0, 10))
        self.first = (z3.BoolVal(False), const(0, 8))
        self.refusal = const(0, 8)
        self._stored: tuple[int, Expr] | None = None  # by the word before
        self.answer: Answer | None = None
        self.reports: list[str] = []
        self.trail: list[tuple[int, bool]] = []  # words that executed, and whether annulled
        self.touched: dict[str, list[Expr]] = {}  # page → places that were read or written
        self.word: Fields = {}

    # ---- the step ----------------------------------------------------------------------------

    def run(self) -> None:
        """From a request to the next idle word."""
        self._idle()
        address, annulled = self.words.idle + 1, True
        target: int | None = self.words.slot(f"command {self.request.name}")
        for count in range(WORDS):
            taken = self._step(address, annulled)
            annulled = taken is not None and bool(self.word["annul"])
            address, target = address + 1 if target is None else target, taken
            if count == 0 and self.paths.decide(refuses(self)):
                annulled, target = True, refused(self)
            if address == self.words.idle:
                return
        raise Unsupported(f"{self.at}: more than {WORDS} words")

    @property
    def at(self) -> str:
        """Label, file and line of the last word."""
        executed = [address for address, annulled in self.trail if not annulled]
        return self.words.describe(executed[-1]) if executed else "idle"

    def path(self) -> str:
        """The words that were executed, and annulled ones in parentheses."""
        words = [(self.words.describe(address), annulled) for address, annulled in self.trail]
        return "\n".join(f"    ({word})" if annulled else f"    {word}" for word, annulled in words)

    def _idle(self) -> None:
        """The idle word: the record of the request, and who waits for its object."""
        request, running = self.request, self.state.core.running
        number = running if request.of_caller else request.number
        self.subject, self.object = number, request.number
        self.kind = const(KINDS.get(request.kind, 3), 2)
        self.top = look(self.initial, self.state, key(OBJECTS, self.kind, self.object))
        page = self.words.tables.machine.records[request.kind]
        self.fetched = self._read(self.words.page(page), number)

    def _step(self, address: int, annulled: bool) -> int | None:
        """Execute a word; returns where its branch goes when it is taken."""
        self.trail.append((address, annulled))
        self.word = self.words.word(address)
        a, b = self._operand_a(), self._operand_b()
        result, carry, status = self._compute(a, b)
        holds = not annulled and self._holds()
        active = not annulled and (holds or not self.word["predicate"])
        flag = self._test()
        read = self._read(*self._read_place(a)) if self.word["read"] else self.fetched
        target = self._target() if holds and self._branches() else None
        store = self._store_place() if self.word["store"] and active else None
        if active:
            numbers = self._numbers(a, result)
            lists(self, a)
            say(self, result, status)
            devices(self, result)
            self.subject, self.object, self.kind, self.level = numbers
            if self.word["write"]:
                self.file[int(self.word["target"])] = result
        self._commit(store, result)
        self.memory, self.fetched = self.fetched, read
        self.before, self.last, self.carry, self.flag = self.last, result, carry, flag
        return target

    # ---- operands, adder, logic --------------------------------------------------------------

    def _operand_a(self) -> Expr:
        word = self.word
        match word["a_from"]:
            case "file":
                return self.file[int(word["a"])]
            case "memory":
                return self.memory
            case "argument":
                return self.request.argument
        return device_read(self)

    def _operand_b(self) -> Expr:
        word = self.word
        match word["b_from"]:
            case "file":
                return self.file[int(word["b"])]
            case "constant":
                return self._constant()
            case "object":
                return z3.Concat(*[self.object] * 4)
        return z3.Concat(*[self.subject] * 4)

    def _constant(self) -> Expr:
        """The number of the word, or a size of the unit."""
        size = str(self.word["size"])
        if size == "affinities":
            return const(AFFINITIES, 32)
        if size in self.state.limits:
            return z3.ZeroExt(16, self.state.limits[size])
        if size:
            raise Unsupported(f"{self.at}: size.{size}")
        return const(int(self.word["constant"]), 32)

    def _compute(self, a: Expr, b: Expr) -> tuple[Expr, Expr, Expr]:
        """Result, carry and status."""
        alu, lanes, position = self.word["alu"], int(self.word["lanes"]), int(self.word["position"])
        odd = alu in ("sub", "andn", "xor", "a")
        operand, ahead = (~b, 1) if odd else (b, 0)
        wide = z3.ZeroExt(1, a) + z3.ZeroExt(1, operand) + const(ahead, 33)
        total = z3.Extract(31, 0, wide)
        carry_16 = bit(total ^ a ^ operand, 16)
        carry = carry_16 if position & 16 else z3.Extract(32, 32, wide) == 1
        logical = {"and": a & b, "andn": a & ~b, "or": a | b, "xor": a ^ b, "b": b}.get(str(alu), a)
        chosen = total if alu in ("add", "sub") else logical
        parts = [
            z3.Extract(8 * i + 7, 8 * i, chosen if lanes >> i & 1 else a) for i in (3, 2, 1, 0)
        ]
        return z3.simplify(z3.Concat(*parts)), carry, z3.Extract(31, 24, logical)

    # ---- conditions and branches -------------------------------------------------------------

    def _holds(self) -> bool:
        match self.word["branch"]:
            case "none":
                return False
            case "flag":
                return self.paths.decide(self.flag)
            case "not_flag":
                return not self.paths.decide(self.flag)
            case "carry":
                return self.paths.decide(self.carry)
            case "not_carry":
                return not self.paths.decide(self.carry)
        return True

    def _branches(self) -> bool:
        return not self.word["predicate"] or bool(self.word["finish_to"])

    def _target(self) -> int:
        if self.word["finish_to"]:
            return self.words.idle
        following = int(self.word["next"])
        if self.word["branch"] == "case":
            chosen = z3.Extract(26, 24, self.memory)
            return following + next(n for n in range(8) if self.paths.decide(chosen == n))
        return following

    def _test(self) -> Expr:
        """The flag of the next word."""
        core, position = self.state.core, int(self.word["position"])
        tested = self.memory if self.word["a_from"] == "memory" else self.last
        runs = z3.And(core.running_valid, core.running == self.subject)
        no_argument = self.request.argument == 0
        match self.word["test"]:
            case "none":
                return z3.BoolVal(False)
            case "zero":
                return self.last == 0
            case "bit":
                return bit(tested, position)
            case "waiter":
                return self.top.valid
            case "no_argument":
                return no_argument
            case "held":
                return z3.Extract(30, 29, self.memory) != 0
            case "runs" | "caller":
                return runs
            case "apart":
                return z3.And(runs, core.runnable, z3.Not(core.listed))
            case "keeps":
                return z3.And(runs, z3.Not(core.enabled))
            case "may_wait":
                return may_wait(self)
            case "first":
                return self.first[0]
            case "nothing":
                return self.memory == 0
            case "wait":
                turn = z3.And(core.runnable, z3.Not(core.listed))
                return z3.And(self.memory != 0, z3.Not(no_argument), turn)
            case "device":
                return device_test(self, position)
        raise Unsupported(f"{self.at}: test {self.word['test']}")

    # ---- state store -------------------------------------------------------------------------

    def _by_caller(self, page: int) -> tuple[int, Expr]:
        core = self.state.core
        if self.paths.decide(core.of_task):
            return page, core.running
        return page | 1, z3.If(core.in_handler, const(0, 8), const(1, 8))

    def _read_place(self, a: Expr) -> tuple[int, Expr]:
        word, page = self.word, int(self.word["read_page"])
        match word["read_by"]:
            case "subject":
                return page, self.subject
            case "object":
                return page, self.object
            case "immediate":
                return page, const(int(word["immediate"]), 8)
            case "a":
                return page, z3.Extract(7, 0, a)
            case "caller":
                return self._by_caller(page)
            case "core":
                return page, const(int(word["immediate"]) << 2 & 0xFF, 8)
        raise Unsupported(f"{self.at}: read by {word['read_by']}")

    def _store_place(self) -> tuple[int, Expr]:
        word, page = self.word, int(self.word["store_page"])
        match word["store_by"]:
            case "subject":
                return page, self.subject
            case "object":
                return page, self.object
            case "immediate":
                return page, const(int(word["immediate"]), 8)
            case "b":
                return page, z3.Extract(7, 0, self.file[int(word["b"])])
            case "caller":
                return self._by_caller(page)
        return page, const(int(word["immediate"]) << 2 & 0xFF, 8)

    def _read(self, page: int, number: Expr) -> Expr:
        """A read of the store: what the word behind the next one has as M."""
        if self._stored is not None and self._stored[0] == page:
            apart = self._stored[1] != number
            self.paths.require(apart, f"{self.at}: no read in the word behind a store there")
        self._touch(page, number)
        return z3.Select(self.state.pages[page], number)

    def _commit(self, place: tuple[int, Expr] | None, value: Expr) -> None:
        """A store, visible to reads of the word behind the next one."""
        self._stored = place
        if place is not None:
            page, number = place
            self._touch(page, number)
            self.state.pages[page] = z3.Store(self.state.pages[page], number, value)

    def _touch(self, page: int, number: Expr) -> None:
        name = next(n for n, at in self.words.tables.machine.pages.items() if at == page)
        self.touched.setdefault(name, []).append(number)
        assume_of(self.initial, name, number)

    # ---- subject, object, level --------------------------------------------------------------

    def _numbers(self, a: Expr, result: Expr) -> tuple[Expr, Expr, Expr, Expr]:
        low, top = z3.Extract(7, 0, a), z3.Extract(7, 0, self.top.node)
        subjects = {"keep": self.subject, "object": self.object, "top": top, "a": low,
                    "running": self.state.core.running, "first": self.first[1]}  # fmt: skip
        objects = {"keep": self.object, "memory": z3.Extract(23, 16, self.memory), "a": low,
                   "top": top}  # fmt: skip
        if self.word["subject"] not in subjects:
            raise Unsupported(f"{self.at}: subject <- {self.word['subject']}")
        kind = z3.Extract(25, 24, self.memory) if self.word["object"] == "memory" else self.kind
        if self.word["device"] == "kind":
            kind = const(int(self.word["immediate"]) & 3, 2)
        level = z3.Extract(7, 0, result) if self.word["load_level"] else self.level
        subject, number = subjects[str(self.word["subject"])], objects[str(self.word["object"])]
        return z3.simplify(subject), z3.simplify(number), z3.simplify(kind), z3.simplify(level)
