# SPDX-License-Identifier: Apache-2.0
"""Limits of what the studio builds and runs, and what a request may ask for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from melanion.spec.check import PATTERN_WORDS
from melanion.spec.schema import Name, Row, Text

MOST_CYCLES = 20_000_000
BODY = 2 << 20  # bytes of a request
WAITS = r"^[0-9]{1,4}(-[0-9]{1,4})?$"
SET_NAME = r"^[A-Za-z0-9](?:[A-Za-z0-9 ._,+-]{0,58}[A-Za-z0-9._+-])?$"
PATTERN_WORDS[SET_NAME] = "a name of 1 to 60 letters, digits, spaces and . _ , + -"
PATTERN_WORDS[WAITS] = "wait states such as 0 or 0-7"

Side = Literal["a", "b"]
Value = Annotated[int, Field(ge=-(1 << 31), lt=1 << 32)]
Word = Annotated[str, Field(max_length=500)]  # of a form; may be empty
Line = Annotated[int, Field(ge=0, le=63)]
Cycle = Annotated[int, Field(ge=1, le=MOST_CYCLES)]


@dataclass(frozen=True)
class Limits:
    """`seconds`: of a build and a run together, on the clock; `memory`: bytes of the address space
    of each process; `file`: bytes of each file that is written; `console`: bytes that are shown."""

    seconds: float = 900
    memory: int = 4 << 30
    file: int = 256 << 20
    console: int = 1 << 20

    @property
    def text(self) -> str:
        """`900 s for a build with its run, 4 GiB of memory a process, 256 MiB a file`."""
        return (
            f"{self.seconds:g} s for a build with its run, {self.memory / (1 << 30):.2g} GiB of"
            f" memory a process, {self.file / (1 << 20):.3g} MiB a file"
        )

    @property
    def words(self) -> dict[str, float]:
        """As a process of the studio gets them."""
        return asdict(self)


class Pulse(Row):
    """An interrupt line that rises in a cycle."""

    line: Line
    cycle: Cycle


class StoredRun(Row):
    """A run of a set of the results store."""

    set: int = Field(ge=1)
    experiment: Text
    kernel: Text


class OpenedRun(StoredRun):
    """`again`: simulate, even if the trace has been kept."""

    again: bool = False


class Chosen(Row):
    """What a side of the page has chosen, which decides a run."""

    side: Side
    program: Name
    system: Text
    seed: int = Field(ge=0, le=(1 << 32) - 1)
    wait_states: Annotated[str, StringConstraints(pattern=WAITS)]
    cycles: Cycle
    pulses: list[Pulse] = Field(max_length=64)
    knobs: dict[Name, Value] = Field(max_length=64)


class RunRequest(Chosen):
    """A run that a side of the page asks for. `keep`: in the results store, as `melanion run`;
    `stored`: the run of the store that it repeats."""

    keep: bool = False
    stored: OpenedRun | None = None


class WatchRequest(Chosen):
    """The unit's cycles from `first` on, before `until`, in the run of this number that the side
    shows."""

    run: int = Field(ge=1)
    first: int = Field(ge=0, le=MOST_CYCLES)
    until: Cycle


class SystemRequest(Row):
    """A system by its name, or composed: `words` of axes, `sizes` that were chosen. `beside`: the
    system of the other side, whose colour it does not get."""

    name: Word = ""
    kernel: Word = ""
    words: list[Word] = Field(default=[], max_length=16)
    place: Word = ""
    memory: Word = ""
    sizes: dict[Name, int] = Field(default={}, max_length=64)
    beside: Word = ""


class SaveRequest(Row):
    """A file of the folder. `version`: of the content that was changed."""

    path: Text
    text: str
    version: Text


class NewRequest(Row):
    """A source of the folder that is made, empty."""

    path: Text


class ExportRequest(Row):
    """`folder`: below the place of exports."""

    system: Text
    folder: Text


class KeepRequest(Row):
    """Both runs of the page, as one set."""

    name: Annotated[str, StringConstraints(pattern=SET_NAME)]


class OpenRequest(Row):
    """Runs of a set that the page shows: all, or one."""

    set: int = Field(ge=1)
    run: StoredRun | None = None
