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

from mel_gen import COMMANDS, Blocks, Command, Query, Register, Status

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
# A core's: rows of a task whose registers are not at hand, and the cycles around them; each core
# may read from the same memory (hw/contexts/mel_context_store.sv).
ROWS, AROUND_ROWS = 4, (1, 2)  # with one core, with several
# Step of the reset: nothing else is served before.
ONCE = frozenset({"init"})
# A step of a set of event flags passes each waiter over at most once, in one of these.
PASSED = ("passed", "anew")
# Steps with which a set of event flags and a chain of owners go on.
WALK, LINK = "job walk", "job link"
# Commands that may begin a chain of more than one owner.
CHAINS = frozenset(
    {
        *(Command.MUTEX_LOCK, Command.MUTEX_DELETE, Command.TASK_SET_PRIORITY),
        *(Command.TASK_RELEASE, Command.TASK_TERMINATE),
    }
)
# Actions of an interrupt without a task that is released in their step: a handler; a set of event
# flags, which releases its waiters in steps of their own.
NO_RELEASE = frozenset({"irq_none", "irq_set_flags"})
# Jobs that go before all others when they ask (hw/engine/mel_choice.sv).
TICK, FOUND = "job tick", "job found"
Rows = Mapping[str, tuple[Bound, ...]]


class UnitError(MelanionError):
    """The unit has no bounds."""


@cache
def microprogram(features: frozenset[str] = frozenset()) -> Rows:
    """The bounds of the microprogram of units with these features, by request. Raises
    MicroError."""
    words = assemble(features=features)
    found: dict[str, list[Bound]] = {}
    for row in Bounds(words, bound_tables.load(paths.data_root() / FOLDER, words)).rows:
        found.setdefault(row.request, []).append(row)
    return {request: tuple(rows) for request, rows in found.items()}


@cache
def held_back() -> frozenset[Command]:
    """Commands that wait while a set of event flags or a chain of owners goes on."""
    names = assemble().tables.machine.held_back
    return frozenset(Command[name.upper()] for name in names)


def awaits_clearing() -> frozenset[Command]:
    """Commands that are asked again while what they meet is being cleared away."""
    return frozenset(op for op, row in COMMANDS.items() if Status.E_BUSY in row.statuses)


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
        """Requests that take turns with this one."""
        return self.cores + self.interrupts + self.jobs


def before_access(cores: int) -> Before:
    """Without ticks: AccessWait of hw/formal/mel_choice.sv."""
    return Before(cores=cores - 1, interrupts=cores, jobs=2 * cores)


JOB_WAIT = 2  # steps of others before one of a job: JobWait
# Steps before an interrupt whose request stays pending, without ticks: IrqWait.
BEFORE_LINE = Before(cores=1, interrupts=0, jobs=2)


@dataclass(frozen=True)
class Unit:
    """The unit of a system. `ratio`: its clock / that of the cores; `tick`: length of a tick, in
    cycles of a core; `window`: where the core reaches it. `free`: the first condition. `stage`:
    cycles of a core by which it sees all later (mel_clock_stage)."""

    tasks: int
    mutexes: int
    messages: int
    timers: int
    cores: int
    ratio: int
    tick: int
    window: int
    free: bool = False
    stage: int = 0
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
        each = max(rounds.get(name, 0) for name in PASSED)
        return self._without_waiters(cycles) + each * self.tasks

    def _without_waiters(self, cycles: Formula) -> int:
        return cycles.at({**self.counts, **dict.fromkeys(PASSED, 0)})

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
        several cores those of all requests, with one what its own leave behind their answer."""
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
        return _in_a_row(self.before, self.steps) + self.turn

    @property
    def line_waited(self) -> int:
        """Cycles that an interrupt waits for its choice."""
        steps = self._steps(self.tasks, self._without_waiters, of_cores=True)
        before = self._with_ticks(BEFORE_LINE, steps, of_cores=True)
        return _in_a_row(before, steps)

    @property
    def plain_waited(self) -> int:
        """Cycles that an access waits when no step of others walks a chain, or looks at waiters of
        event flags."""
        none = dict.fromkeys(("owners", "messages", *PASSED), 0)
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
            waited = self.core_cycles(_in_a_row(before, steps))
            if before.ticks > (late := waited // self.tick):
                return before
            before = replace(before, ticks=1 + late)

    def goes_on(self, access: Access, by: Command | None = None) -> int:
        """Cycles that an access is held back by what a command, or anything, has begun: the steps
        behind the first of one set of event flags or of one chain of owners. Others may come before
        each of them, two as proved, unless nothing else asks."""
        held = access.kind == Kind.COMMAND and access.op in held_back()
        dispatches = access.kind in (Kind.DISPATCH, Kind.SWITCH)
        found = [0]
        if held and by in (None, Command.EVENT_FLAGS_SET):
            found.append((self.tasks - 1) * self._alternating(WALK))
        if (held or dispatches) and (by is None or by in CHAINS):
            found.append((self.chain - 1) * self._alternating(LINK))
        return max(found)

    def _alternating(self, job: str) -> int:
        """A step of this job, and those of others that may come before it."""
        own = max(self.at(row.step) for row in self.rows[job]) + self.settles
        return own if self.free else own + JOB_WAIT * self.longest

    # ---- in cycles of a core ---------------------------------------------------------------------

    @property
    def settling(self) -> int:
        """From the answer of a command that has begun a chain of owners to the end of that."""
        after = max(self.after(Access(Kind.COMMAND, command)) for command in CHAINS)
        return self.core_cycles(after + self.goes_on(Access(Kind.DISPATCH)))

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
        return self.core_cycles(self.answer(access)) + self.stage

    def command_cycles(self, command: Command) -> int:
        """Wait of a command that is chosen at once."""
        return self.own_cycles(Access(Kind.COMMAND, command))

    @property
    def load_cycles(self) -> int:
        """From the dispatch of a task whose registers are not at hand until they are."""
        return ROWS * self.cores + AROUND_ROWS[self.cores > 1]

    def waits(self, access: Access, earlier: Iterable[Access] = ()) -> int:
        """Cycles by which an access may be answered later than memory is. `earlier`: accesses of
        which one may be the one before; none: nothing is under way."""
        if access.kind not in SERVED:
            return 0
        later = self.stage
        if access.kind == Kind.SWITCH:
            later += SWITCH_CYCLES + self.load_cycles
        own = self.answer(access)
        if not self.free:
            return self.core_cycles(self.waited + self.goes_on(access) + own) + later
        # The next access comes in the second cycle behind the answer at the earliest.
        left = max((self.after(each) - 1 + self._left(access, each) for each in earlier), default=0)
        return self.core_cycles(left + own) + later

    def _left(self, access: Access, before: Access) -> int:
        """Cycles by which the access before holds this one back."""
        if before.kind != Kind.COMMAND or not isinstance(before.op, Command):
            return 0
        return self.goes_on(access, before.op)

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

    @property
    def longest_access(self) -> int:
        """The longest wait of any access of a core."""
        asked = [Access(Kind.COMMAND, op) for op in Command]
        asked += [Access(Kind.QUERY, op) for op in Query]
        asked += [Access(Kind.DISPATCH), Access(Kind.CLAIM)]
        return max(map(self.waits, asked))

    def releases(self) -> dict[str, tuple[int, int]]:
        """By action that releases a task in its step, cycles from the edge of a line, the most
        urgent, until the core sees that another task is to run: when nothing else is served, to the
        end of the step, so that what the core asks next need not wait; whatever else is, as in
        `interrupts`."""
        found: dict[str, tuple[int, int]] = {}
        for action, (_, late) in self.interrupts().items():
            if action not in NO_RELEASE:
                steps = [self.at(row.step) for row in self.rows["irq"] if row.way == action]
                whole = max(steps) + self.settles + EDGE + self.ratio - 1
                found[action] = self.core_cycles(whole), late
        return found

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
                found[row.way] = (
                    max(known[0], alone + self.stage),
                    max(known[1], late + self.stage),
                )
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
        stage=int(system.unit_stage),
        rows=microprogram(frozenset({"flag_lanes"} if sizes.flag_lanes else ())),
    )
