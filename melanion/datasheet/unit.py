# SPDX-License-Identifier: Apache-2.0
"""The bounds of the unit of a system: those of its microprogram (docs/reference/microprogram.md),
with the numbers of rounds that the sizes of the system allow, and what an access waits for before.

Two conditions. *Free*: when a call begins nothing is under way, and nothing but its own accesses
asks for service; an access waits for what is under way behind the answer of the one before.
Otherwise anything asks: cores, interrupts, timeouts, ticks. What then goes before a request is
proved (hw/formal/mel_choice.sv): the step that is under way, so many steps of each kind, and each
tick with what is found in it.

Counted in cycles of the unit; what `waits`, `release` and `rest` return, in those of a core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from mel_gen import COMMANDS, Blocks, Command, Query, Register

from melanion import paths
from melanion.config import System
from melanion.datasheet.accesses import SERVED, Access, Kind
from melanion.errors import MelanionError
from melanion.micro import assemble, bound_tables
from melanion.micro.bounds import Bound, Bounds, Formula
from melanion.micro.paths import SETTLES
from melanion.micro.tables import FOLDER
from melanion.soc import addresses

TURN = 1  # with several cores: from a request to the cycle that may choose it
EDGE = 2  # from an edge of a line to the choice of its service, and from its answer to the line
SWITCH_CYCLES = 2  # a core's: from the dispatch to the grant of the store that asked for it
# Step of the reset: nothing else is served before.
ONCE = frozenset({"init"})
# A set of event flags looks at each waiter once, and does one of these with it.
PASSED, RELEASED = ("passed", "anew"), "released"
# Jobs that go before all others when they ask (hw/engine/mel_choice.sv).
TICK, FOUND = "job tick", "job found"
Rows = Mapping[str, tuple[Bound, ...]]


class UnitError(MelanionError):
    """The unit has no bounds."""


@cache
def microprogram() -> Rows:
    """The bounds of the microprogram, by request. Raises MicroError."""
    words = assemble()
    found: dict[str, list[Bound]] = {}
    for row in Bounds(words, bound_tables.load(paths.data_root() / FOLDER, words)).rows:
        found.setdefault(row.request, []).append(row)
    return {request: tuple(rows) for request, rows in found.items()}


def awaits_clearing(rows: Rows) -> frozenset[Command]:
    """Commands that are tried again while what they meet is being cleared away."""
    return frozenset(
        command
        for command in Command
        if any(not row.outcome for row in rows.get(f"command {command.name.lower()}", ()))
    )


@dataclass(frozen=True)
class Before:
    """Steps of others between a request and its choice, beside the one that is under way; each of
    `ticks` has a step of its own and at most `found` of entries that end with it."""

    cores: int
    interrupts: int
    jobs: int
    ticks: int = 0
    found: int = 0

    @property
    def turns(self) -> int:
        """Those that take turns with the request."""
        return self.cores + self.interrupts + self.jobs


def before_access(cores: int) -> Before:
    """Without ticks: AccessWait of hw/formal/mel_choice.sv."""
    return Before(cores=cores - 1, interrupts=cores, jobs=2 * cores)


# Of an interrupt whose request stays pending, without ticks: IrqWait.
BEFORE_LINE = Before(cores=1, interrupts=0, jobs=2)


@dataclass(frozen=True)
class Unit:
    """The unit of a system. `ratio`: its clock / that of the cores; `tick`: length of a tick, in
    cycles of a core; `window`: where the core reaches it. `free`: the first condition."""

    tasks: int
    mutexes: int
    messages: int
    timers: int
    cores: int
    ratio: int
    tick: int
    window: int
    free: bool = False
    rows: Rows = field(default_factory=microprogram, repr=False, compare=False)

    # ---- steps -----------------------------------------------------------------------------------

    @property
    def chain(self) -> int:
        """The longest chain of owners."""
        return min(self.tasks, self.mutexes)

    @property
    def counts(self) -> dict[str, int]:
        """The most rounds of each kind in one step; waiters of event flags: `at`."""
        return {"owners": self.chain, "messages": self.messages, "more_cores": self.cores - 1}

    @property
    def settles(self) -> int:
        """Cycles more until the next choice."""
        return SETTLES if self.cores > 1 else 0

    @property
    def turn(self) -> int:
        return TURN if self.cores > 1 else 0

    def at(self, cycles: Formula) -> int:
        """At most, in this system."""
        rounds = dict(cycles.rounds)
        each = max(rounds.get(name, 0) for name in (*PASSED, RELEASED))
        return self._without_waiters(cycles) + each * self.tasks

    def _without_waiters(self, cycles: Formula) -> int:
        return cycles.at({**self.counts, **dict.fromkeys((*PASSED, RELEASED), 0)})

    def answer(self, access: Access) -> int:
        """From the choice of an access to its answer: U."""
        answers = (row.answer for row in self._rows(access))
        return max(self.at(answer) for answer in answers if answer is not None)

    def after(self, access: Access) -> int:
        """Behind its answer, until the next choice."""
        afters = (row.after for row in self._rows(access))
        return max(self.at(after) for after in afters if after is not None) + self.settles

    def step(self, request: str) -> int:
        """From a choice to the next one."""
        return max(self.at(row.step) for row in self.rows[request]) + self.settles

    def _rows(self, access: Access) -> Iterator[Bound]:
        """Rows that an access may take: its own, and refusals before its program begins."""
        for request in requests(access, self.rows):
            yield from self.rows[request]

    # ---- others ----------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> dict[str, int]:
        """Steps of others that may come before an access, by request: jobs and interrupts; with
        several cores those of all requests, with one what its own leave behind their answer.
        Waiters of event flags are passed over here; what their release takes more: `_releases`."""
        return self._steps(self.tasks, self._without_waiters, of_cores=self.cores > 1)

    def _steps(
        self, waiters: int, cycles_of: Callable[[Formula], int], *, of_cores: bool
    ) -> dict[str, int]:
        found: dict[str, int] = {}
        for request, row in self._others:
            formula = row.step if of_cores or not _is_of_core(request) else row.after
            if formula is None:
                continue
            name = f"{request}, {row.way}" if row.way else request
            rounds = dict(formula.rounds)
            passed = max(rounds.get(each, 0) for each in PASSED) * waiters
            cycles = cycles_of(formula) + passed + self.settles
            found[name] = max(found.get(name, 0), cycles)
        return found

    @property
    def _others(self) -> Iterator[tuple[str, Bound]]:
        return ((name, row) for name, rows in self.rows.items() for row in rows if name not in ONCE)

    @property
    def longest(self) -> int:
        """The longest of `steps`."""
        return max(self.steps.values())

    @cached_property
    def before(self) -> Before:
        """Steps of others before an access."""
        return self._with_ticks(before_access(self.cores), self.steps, of_cores=self.cores > 1)

    @property
    def waited(self) -> int:
        """Cycles that an access waits for its choice, whatever else asks."""
        cycles = self._cycles(self.before, self.steps, of_cores=self.cores > 1)
        return cycles + self.turn

    @property
    def line_waited(self) -> int:
        """Cycles that an interrupt waits for its choice."""
        steps = self._steps(self.tasks, self._without_waiters, of_cores=True)
        before = self._with_ticks(BEFORE_LINE, steps, of_cores=True)
        return self._cycles(before, steps, of_cores=True)

    @property
    def plain_waited(self) -> int:
        """Cycles that an access waits when no step of others walks a chain, or looks at waiters of
        event flags."""
        none = dict.fromkeys(("owners", "messages", *PASSED, RELEASED), 0)
        counts = {**self.counts, **none}
        steps = self._steps(0, lambda formula: formula.at(counts), of_cores=self.cores > 1)
        return _in_a_row(self.before, steps) + self.turn

    def _with_ticks(self, turns: Before, steps: Mapping[str, int], *, of_cores: bool) -> Before:
        """With as many ticks as fall into the wait. Raises UnitError."""
        # An entry is found once in a tick; others may arm one in each of their steps meanwhile.
        armed = 1 + turns.turns if of_cores else 0
        before = replace(turns, found=2 * self.tasks + self.timers + armed)
        in_tick = _in_a_row(replace(before, ticks=1), steps) - _in_a_row(before, steps)
        if self.core_cycles(in_tick) >= self.tick:
            raise UnitError(
                f"a tick of {self.tick} cycles is no longer than the step of a tick, and those of"
                f" all entries that may end with it, take ({self.core_cycles(in_tick)} cycles), so"
                " no access has a bound; write a longer tick_us."
            )
        while True:
            waited = self.core_cycles(self._cycles(before, steps, of_cores=of_cores))
            if before.ticks > (late := waited // self.tick):
                return before
            before = replace(before, ticks=1 + late)

    def _cycles(self, before: Before, steps: Mapping[str, int], *, of_cores: bool) -> int:
        """So many steps of others, and the release of waiters in them: what it takes more than to
        pass them over. A core that waits for the unit lets no task wait, so that each waiter leaves
        once; another core may let one wait in each of its steps."""
        more = 0
        for _, row in self._others:
            rounds = dict(row.step.rounds)
            more = max(more, rounds.get(RELEASED, 0) - rounds.get("passed", 0))
        leave = self.tasks + (1 + before.cores if of_cores else 0)
        return _in_a_row(before, steps) + more * leave

    # ---- in cycles of a core ---------------------------------------------------------------------

    def core_cycles(self, cycles: int) -> int:
        """A response is shown in the core's cycle in which it comes, or in the next one."""
        return -(-cycles // self.ratio)

    @property
    def served_cycles(self) -> int:
        """Wait of an access until it is chosen, whatever else asks."""
        return self.core_cycles(self.waited)

    @property
    def plain_cycles(self) -> int:
        """… when no step of others walks a chain of owners or past waiters of event flags."""
        return self.core_cycles(self.plain_waited)

    def own_cycles(self, access: Access) -> int:
        """Wait of an access that is chosen at once."""
        return self.core_cycles(self.answer(access))

    def command_cycles(self, command: Command) -> int:
        """Wait of a command that is chosen at once."""
        return self.own_cycles(Access(Kind.COMMAND, command))

    def waits(self, access: Access, earlier: Iterable[Access] = ()) -> int:
        """Cycles by which an access may be answered later than memory is. `earlier`: accesses of
        which one may be the one before; none: nothing is under way."""
        if access.kind not in SERVED:
            return 0
        switch = SWITCH_CYCLES if access.kind == Kind.SWITCH else 0
        own = self.answer(access)
        if not self.free:
            return self.core_cycles(self.waited + own) + switch
        # The next access comes in the second cycle behind the answer at the earliest.
        left = max((self.after(each) - 1 for each in earlier), default=0)
        return self.core_cycles(left + own) + switch

    # ---- what a call lets the unit do behind it --------------------------------------------------

    def release(self, commands: Iterable[Command]) -> int:
        """From the answer of one of these commands, until the unit has released all that it
        releases behind it in steps of their own. How long a job waits is not proved: it counts as
        an access does."""
        found = [0]
        for command in commands:
            steps = self._behind(command)
            if self.free:
                begin = Access(Kind.COMMAND, command), Access(Kind.DISPATCH)
                found.append(sum(map(self.after, begin)) + sum(steps))
            else:
                found.append(self.waited + sum(self.waited + step for step in steps))
        return self.core_cycles(max(found))

    def rest(self, commands: Iterable[Command]) -> int:
        """The rest of a step that has released a task, when nothing else asks."""
        found = [0]
        for command in commands if self.free else ():
            found += [self.after(Access(Kind.COMMAND, command)), *self._behind(command)]
        return self.core_cycles(max(found))

    def _behind(self, command: Command) -> list[int]:
        """Steps that a command starts and that may release the most urgent task: that of an
        interrupt; one for each mutex that an ended task held, and one that finds no more. The first
        waiter of a deleted object leaves in the step of the command."""
        if command == Command.IRQ_RAISE:
            return [self.step("irq") + EDGE]
        if command in (Command.TASK_EXIT, Command.TASK_TERMINATE):
            return [self.step("job orphan")] * (self.mutexes + 1)
        return []

    # ---- interrupts ------------------------------------------------------------------------------

    def interrupts(self) -> dict[str, tuple[int, int]]:
        """By action, cycles from the edge of a line that is more urgent than others until the
        action is performed and the core sees its line: when nothing else is served; whatever else
        is."""
        found: dict[str, tuple[int, int]] = {}
        waited = self.line_waited
        for row in self.rows["irq"]:
            if row.answer is not None:
                # The line is looked at in the first unit cycle of a core's.
                own = self.at(row.answer) + EDGE + self.ratio - 1
                alone, late = self.core_cycles(own), self.core_cycles(own + waited)
                known = found.get(row.way, (0, 0))
                found[row.way] = max(known[0], alone), max(known[1], late)
        return found


def _is_of_core(request: str) -> bool:
    return request != "irq" and not request.startswith("job ")


def _in_a_row(before: Before, steps: Mapping[str, int]) -> int:
    """Cycles of so many steps, each the longest of its kind."""
    kinds: dict[str, int] = {"core": 0}
    for name, cycles in steps.items():
        request = name.split(",")[0]
        kind = "core" if _is_of_core(request) else request
        if kind.startswith("job ") and kind not in (TICK, FOUND):
            kind = "job"
        kinds[kind] = max(kinds.get(kind, 0), cycles)
    turns = before.cores * kinds["core"] + before.interrupts * kinds["irq"]
    in_tick = kinds[TICK] + before.found * kinds[FOUND]
    return max(kinds.values()) + turns + before.jobs * kinds["job"] + before.ticks * in_tick


_NAMES = {
    Kind.OPERAND: "store operand",
    Kind.VALUE: "load value",
    Kind.DISPATCH: "load dispatch",
    Kind.SWITCH: "load dispatch",
    Kind.CLAIM: "load claim",
}


def requests(access: Access, rows: Rows) -> list[str]:
    """Entries of the program that an access may lead to, by its number and its operand."""
    op = access.op
    if access.kind == Kind.COMMAND:
        name = f"command {op.name.lower()}" if op is not None else ""
        other = isinstance(op, Command) and COMMANDS[op].blocks == Blocks.OPERAND
        return [each for each in (name, "refuse", "refuse_other" if other else "") if each in rows]
    if access.kind == Kind.QUERY:
        assert isinstance(op, Query)
        return [f"command {op.name.lower()}", "refuse_other"]
    if access.kind != Kind.REGISTER:
        return [_NAMES[access.kind]]
    if isinstance(op, Register):
        name = f"{'store' if access.store else 'load'} {op.name.lower()}"
        if name in rows or not access.store:
            return [name if name in rows else "load_plain"]
    return ["refuse_other"]


def unit(system: System) -> Unit:
    """The unit of a system that has one. Raises UnitError."""
    sizes = system.parameters
    return Unit(
        sizes.tasks,
        sizes.mutexes,
        sizes.messages,
        sizes.timers,
        system.core.count,
        system.clock_ratio,
        system.tick_cycles,
        addresses(system)["unit_base"],
    )
