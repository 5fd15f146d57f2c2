"""Accesses of the window that are no command (row 7): partial and misaligned ones, writes to
registers, repeated ones, and loads of every word: documented answers, no effect, and all that are
illegal counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mel_gen import COMMANDS, WINDOW_BYTES, Command, IdKind, Query, Register, Status

from tests.faults.stage import DORMANT, WANTED, Stage
from tests.random.script import Entry, access

REGISTERS = range(int(Register.IDENTITY), WINDOW_BYTES, 4)
EFFECTS = (int(Register.DISPATCH), int(Register.CLAIM))
KNOWN = frozenset(map(int, Register))
WHOLE = 15
SPURIOUS = 0xFFFF_FFFF
NOT_DORMANT = Status.E_OBJ & 0xFFFF_FFFF


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
