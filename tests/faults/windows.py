# SPDX-License-Identifier: Apache-2.0
"""Accesses of the window that are no command (row 7): partial and misaligned ones, writes to
registers, repeated ones, and loads of every word: documented answers, no effect, and all that are
illegal counted. And that a core has no way to another core's window (row 5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mel_gen import (
    COMMANDS,
    REGISTERS_END,
    WINDOW_BYTES,
    Command,
    IdKind,
    Query,
    Register,
    Status,
    TraceKind,
)

from tests.faults.stage import DORMANT, FOREVER, WANTED, Stage, perform
from tests.random.campaign import SIZES
from tests.random.generate import LAST
from tests.random.records import LINES, LOAD, STORE, Run
from tests.random.script import Entry, Kind, access

REGISTERS = range(int(Register.IDENTITY), REGISTERS_END, 4)
EFFECTS = (int(Register.DISPATCH), int(Register.CLAIM))
KNOWN = frozenset(map(int, Register))
WHOLE = 15
SPURIOUS = 0xFFFF_FFFF
NOT_DORMANT = Status.E_OBJ & 0xFFFF_FFFF
OF_A_CORE = frozenset(
    {
        TraceKind.COMMAND,
        TraceKind.ANSWER,
        TraceKind.VALUE,
        TraceKind.OPERAND,
        TraceKind.DISPATCH,
        TraceKind.CLAIM,
    }
)


def _effective() -> Iterator[int]:
    """The words at which a whole store is a command that would be done, most of them."""
    number = {IdKind.TASK: DORMANT, IdKind.SEMAPHORE: WANTED, IdKind.INTERRUPT: 3, IdKind.NONE: 0}
    for command, info in COMMANDS.items():
        yield int(command) * 1024 + number.get(info.id, 0) * 4


def illegal_accesses() -> list[Entry]:
    """Every byte enable in every alignment, loads and stores, where it would matter; and whole
    stores to every word of the registers but those that may be written."""
    words = [*_effective(), *KNOWN, Query.TASK_STATE * 1024, Query.SEMAPHORE_COUNT * 1024]
    found = [
        access(word + lane, write=write, data=1 << 16, byte_enable=enable)
        for word in words
        for lane in range(4)
        for enable in range(16)
        for write in (False, True)
        if (lane, enable) != (0, WHOLE)
    ]
    read_only = [word for word in REGISTERS if word not in (Register.OPERAND, Register.MONITOR)]
    found += [access(word, write=True, data=1) for word in read_only]
    return [*found, *(access(word) for word in REGISTERS if word not in KNOWN)]


def _unchanged(stage: Stage, program: Path, counted: int) -> None:
    """Between the two looks nothing changed, and so many accesses were counted."""
    played = stage.play(program)
    (before, refused), (after, refused_after) = played.look(0), played.look(1)
    assert after == before
    assert refused_after - refused == counted


def check_illegal_accesses(program: Path) -> None:
    stage = Stage()
    stage.populate()
    stage.look()
    accesses = illegal_accesses()
    for entry in accesses:
        stage.add(entry)
    stage.look()
    stage.unwind()
    _unchanged(stage, program, len(accesses))


def check_loads(program: Path) -> None:
    """Every aligned word of the window, twice, but the two registers with an effect."""
    stage = Stage()
    stage.populate()
    stage.look()
    words = [word for word in range(0, WINDOW_BYTES, 4) if word not in EFFECTS]
    for word in words:
        stage.add(access(word))
        stage.add(access(word))
    stage.look()
    stage.unwind()
    unknown = [word for word in words if word in REGISTERS and word not in KNOWN]
    _unchanged(stage, program, 2 * len(unknown))


def check_repeated(program: Path) -> None:
    """A store is one command each time. A second `dispatch` changes nothing; a second `claim`
    finds nothing, and begins a handler all the same; an answer can be loaded again."""
    stage = Stage()
    stage.populate()
    stage.look()
    starts = [stage.call(Command.TASK_START, DORMANT) for _ in range(3)]
    answers = [stage.add(access(0)) for _ in range(3)]
    dispatches = [stage.add(access(Register.DISPATCH)) for _ in range(3)]
    claims = []
    for _ in range(2):  # the next entry ends the handler
        claims.append(stage.add(access(Register.CLAIM)))
    stage.call(Command.TASK_TERMINATE, DORMANT)
    stage.look()
    stage.unwind()
    played = stage.play(program)
    assert [played.read[i] for i in starts] == [Status.E_OK, NOT_DORMANT, NOT_DORMANT]
    assert [played.read[i] for i in answers] == [NOT_DORMANT] * 3
    assert [played.read[i] for i in dispatches] == [0] * 3
    assert [played.read[i] for i in claims] == [SPURIOUS] * 2
    (before, refused), (after, refused_after) = played.look(0), played.look(1)
    assert (after, refused_after) == (before, refused)


# ---- the windows of two cores --------------------------------------------------------------------

TWO = SIZES["two"]
FLAGS = 0  # the group that gives core 0 its value, and shows its operand
VALUE, UNSET = 0b1010, 0b0101  # its flags; a pattern of flags that are clear
QUIET = 100  # cycles
POLL = 0  # core 0's operand, a timeout; core 1 stores FOREVER there


def _sweep() -> list[Entry]:
    """Core 1 loads and stores every word of the window: the registers as a task and as idle, the
    commands as a task until one of them has ended it, and then as idle. What a command does to the
    task or the group that it names is its matter: those of core 0 are not named."""
    named = {IdKind.TASK, IdKind.EVENT_FLAGS}
    known = set(map(int, COMMANDS))
    found = []
    for word in [*REGISTERS, *range(0, WINDOW_BYTES, 4)]:
        found.append(access(word)._replace(core=1))
        op, number = word >> 10, word >> 2 & 0xFF
        if op in known and number == 0 and COMMANDS[Command(op)].id in named:
            continue
        found.append(access(word, write=True, data=SPURIOUS)._replace(core=1))
    return found


def _met(number: int) -> list[Entry]:
    return [Entry(Kind.MEET, argument=number, core=core) for core in range(TWO.cores)]


def _command(
    command: Command,
    number: int = 0,
    argument: int = 0,
    *,
    core: int = 0,
    operand: int | None = None,
) -> Entry:
    return Entry(Kind.COMMAND, command, number, argument, core=core, operand=operand)


def check_windows_of_cores(program: Path) -> None:
    """Core 0 has a task, an answer, a value and an operand; core 1 sweeps the window; core 0 finds
    all four as they were, its interrupt lines never moved, and every access was core 1's own."""
    entries = [_command(Command.TASK_CREATE, core, core + 1 << 8) for core in range(TWO.cores)]
    entries += [_command(Command.TASK_START, core) for core in range(TWO.cores)]
    entries += [_command(Command.EVENT_FLAGS_CREATE, FLAGS, VALUE), *_met(1)]
    entries += [_command(Command.DISPATCH_ENABLE, core=core) for core in range(TWO.cores)]
    entries += [_command(Command.EVENT_FLAGS_TAKE_ANY, FLAGS, VALUE, operand=FOREVER)]
    take = Command.EVENT_FLAGS_TAKE_ANY * 1024 + 4 * FLAGS
    entries += [access(Command.TASK_START * 1024 + 4 * 5, write=True)]  # no such task
    entries += [access(Register.OPERAND, write=True, data=POLL), *_met(2)]
    first = len(entries)
    sweep = _sweep()  # it begins when what core 0 stored has been done
    entries += [sweep[0]._replace(delay=QUIET), *sweep[1:]]
    swept = range(first, len(entries))
    entries += _met(3)
    found = len(entries)
    entries += [access(word) for word in (take, Register.VALUE, Register.RUNNING)]
    entries += [access(take, write=True, data=UNSET), access(take)]
    entries += [access(register, delay=100) for register in LAST]
    run = perform(program, TWO, entries, 1).run
    read = {a.entry: a.read for a in run.accesses if a.kind == LOAD}
    wanted = [Status.E_NOEXS & SPURIOUS, VALUE, 0]
    assert [read[found + i] for i in range(3)] == wanted
    assert read[found + 4] == Status.E_TMOUT & SPURIOUS, "the operand is not core 0's own"
    _check_of_core_1(run, swept)


def _check_of_core_1(run: Run, sweep: range) -> None:
    """During the sweep core 0 is not heard of, and core 1 does all that a core can do."""
    accesses = [a for a in run.accesses if a.kind in (LOAD, STORE) and a.entry in sweep]
    assert {a.core for a in accesses} == {1}
    begin, end = min(a.accepted for a in accesses), max(a.answered for a in accesses)
    events = [e for e in run.events if begin < e[0] <= end and e[1] in OF_A_CORE]
    assert {(e[1], e[2]) for e in events} == {(int(kind), 1) for kind in OF_A_CORE}
    moved = [a for a in run.accesses if a.kind == LINES and begin < a.answered <= end]
    assert all(a.core == 1 for a in moved)
