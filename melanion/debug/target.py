# SPDX-License-Identifier: Apache-2.0
"""Target of the debugger: a held simulation, its program and its tasks.

A thread is a task (number + 1), or the idle context of a core, which is also boot code and `main`
(behind the tasks, by core). A handler belongs to the thread that it interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mel_gen import ExitReason, TraceKind

import melanion.debug.frames as frames
from melanion.build import Program, symbols
from melanion.config import System
from melanion.debug.frames import PC, Registers
from melanion.model import Table
from melanion.run import tasks
from melanion.run.held import Held, Stop, named
from melanion.trace import Events

_NAME_MOST = 32  # bytes of a task's name


@dataclass(frozen=True)
class Thread:
    """`core`: which runs it, None: none does; `about`: state and wait in words."""

    number: int
    name: str
    core: int | None
    about: str


class _Names(Mapping[int, str]):
    """Names of the tasks, read when they are asked for."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def __getitem__(self, task: int) -> str:
        return self._target.name(task)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __len__(self) -> int:
        return self._target.tasks


class Target:
    """The system while it stands."""

    def __init__(self, system: System, program: Program, held: Held) -> None:
        self.system, self.program, self.held = system, program, held
        self.tasks = system.parameters.tasks
        self._symbols = program.content.symbols
        self._stack_names = tasks.task_names(program)
        self._events: Events | None = None
        self._table: Table | None = None
        self._contexts, self._context_bytes = self._find_contexts()

    def moved(self) -> None:
        """The simulation has run: forget what was true before."""
        self._events = self._table = None

    # ---- what happened ----------------------------------------------------------------------

    @property
    def events(self) -> Events:
        """Events of the run so far."""
        if self._events is None:
            found = self.held.events()
            unnamed = not self.system.kernel_info.replayed
            self._events = named(found, self.program, self.tasks) if unnamed else found
        return self._events

    @property
    def table(self) -> Table:
        """The tasks by the golden model."""
        if self._table is None:
            self._table = tasks.tasks(self.system, self.events, _Names(self))
        return self._table

    def end(self) -> tuple[ExitReason, int]:
        """Why the run has ended, and its exit code."""
        last = self.events[-1]
        return ExitReason(int(last["a"])), int(last["b"])

    # ---- threads ----------------------------------------------------------------------------

    def thread_of(self, core: int) -> int:
        """Thread that a core runs, or was running when its handler came."""
        switches = self.events[
            (self.events["kind"] == TraceKind.DISPATCH) & (self.events["core"] == core)
        ]
        task = int(switches["a"][-1]) if len(switches) else self.tasks
        return self.tasks + 1 + core if task >= self.tasks else task + 1

    def core_of(self, thread: int) -> int | None:
        """The core that runs a thread."""
        cores = range(self.system.core.count)
        return next((core for core in cores if self.thread_of(core) == thread), None)

    def threads(self) -> list[Thread]:
        """Every task that exists, and what runs when none does."""
        table = self.table
        found = []
        for row in table.rows:
            priority = "" if row.priority is None else f", priority {row.priority}"
            about = f"{row.doing}{priority}, since cycle {row.since}"
            found.append(Thread(row.number + 1, row.name, self.core_of(row.number + 1), about))
        for core in range(self.system.core.count):
            thread = self.tasks + 1 + core
            runs = self.core_of(thread) is not None
            about = f"{'running' if runs else 'ready'} on core {core}"
            found.append(Thread(thread, "idle", core if runs else None, about))
        known = {each.number for each in found}  # a task that the model does not know runs somehow
        strays = {self.thread_of(core) for core in range(self.system.core.count)} - known
        found += [Thread(n, self.name(n - 1), self.core_of(n), "running") for n in sorted(strays)]
        return found

    def name(self, task: int) -> str:
        """As its program calls the task; else as its stack is called; else empty."""
        if self._contexts is not None and task < self.tasks:
            address = self.held.word(self._context(task) + frames.NAME)
            text = self.held.read(address, _NAME_MOST) if address else None
            if text:
                return text.partition(b"\0")[0].decode("ascii", "replace")
        return self._stack_names.get(task, "")

    # ---- registers --------------------------------------------------------------------------

    def registers(self, thread: int) -> Registers:
        """Registers of a thread: those of the core that runs it, else those that its kernel
        saved."""
        core = self.core_of(thread)
        if core is not None:
            return dict(enumerate(self.held.registers(core)))
        idle = thread - self.tasks - 1 if thread > self.tasks else None
        if self.system.coupling == "banked":
            return self._banked(thread - 1, idle)
        if self._contexts is None:
            return {}
        context = self._context(thread - 1) if idle is None else self._idle(idle)
        several = self.system.unit and self.system.core.count > 1
        task_exit = self._symbols.get("mel_task_exit", 0)
        found = frames.saved(self.held.word, context, task_exit, several=several)
        return {0: 0, **found, frames.GP: self.held.registers(0)[frames.GP]}

    def pc(self, core: int) -> int:
        return self.held.registers(core)[PC]

    def _banked(self, task: int, idle: int | None) -> Registers:
        if idle is not None:
            return frames.banked(self.held.bank(idle, frames.IDLE_BANK))
        return frames.banked(self.held.bank(0, frames.TASK_BANK + task))

    # ---- the kernel's records ---------------------------------------------------------------

    def _find_contexts(self) -> tuple[int | None, int]:
        """Address of the tasks' contexts, and the bytes from one to the next."""
        for name in ("mel_tasks", "mel_contexts"):
            if name in self._symbols:
                whole = symbols.size(self.program.elf, name)
                return self._symbols[name], whole // (self.tasks + 1)
        return None, 0

    def _context(self, task: int) -> int:
        assert self._contexts is not None
        return self._contexts + self._context_bytes * task

    def _idle(self, core: int) -> int:
        if core == 0:
            return self._context(self.tasks)
        size = symbols.size(self.program.elf, "mel_cores") // self.system.core.count
        offset = 4 if self.system.unit else 24  # common/current/several.h, software/smp.h
        return self.held.word(self._symbols["mel_cores"] + size * core + offset)

    # ---- memory -----------------------------------------------------------------------------

    @property
    def writable(self) -> bool:
        """A core with a cache would not see what is written behind it."""
        return self.system.core.type != "vexriscv" and self.system.memory.cache is None

    def current(self, stop: Stop) -> int:
        """The thread that a stop is about."""
        return self.thread_of(stop.core)
