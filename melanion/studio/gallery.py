# SPDX-License-Identifier: Apache-2.0
"""The gallery: systems and programs of the page, and what a visitor may change of a program without
a compiler (apps/gallery/gallery.yaml)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from melanion import paths
from melanion.errors import meant
from melanion.spec.check import check, sentence
from melanion.spec.schema import KernelName, Name, Row, Text
from melanion.spec.yaml_file import YamlFile, read
from melanion.studio.errors import StudioError

FILE = "gallery.yaml"
WORD = 0xFFFF_FFFF

Cycle = Annotated[int, Field(ge=1, le=10_000_000)]
Value = Annotated[int, Field(ge=0, le=WORD)]
Each = TypeVar("Each")


class SystemRow(Row):
    """A system of the page, by its name."""

    title: Text
    text: Text


class Line(Row):
    """Interrupt line that the page raises. `pulses`: in which cycles, usually."""

    number: int = Field(ge=0, le=63)
    name: Text
    pulses: list[Cycle] = Field(min_length=1, max_length=64)


class Knob(Row):
    """A variable of the program. `choices`: names of its values from `least` on, where they are no
    quantities; `tick`: the length of a tick, whose least value each system decides, too."""

    title: Text
    unit: str = ""
    least: Value
    most: Value
    choices: list[Text] = Field(default=[])
    tick: bool = False


class ProgramRow(Row):
    """A program, by the name of its folder. `text`: what there is to see; `cycles`: the run ends
    there."""

    title: Text
    text: Text
    cycles: Cycle
    lines: list[Line] = Field(default=[])
    knobs: dict[Name, Knob] = Field(default={})


class Gallery(Row):
    """The whole of it; every program runs on every system. `knobs`: of every program, behind its
    own; `load` adds them there."""

    systems: dict[KernelName, SystemRow] = Field(min_length=1)
    knobs: dict[Name, Knob] = Field(default={})
    programs: dict[Name, ProgramRow] = Field(min_length=1)

    def folder(self, program: str) -> Path:
        """The folder of a program."""
        return folder() / program

    def chosen(self, systems: tuple[str, ...], programs: tuple[str, ...]) -> Gallery:
        """These systems and programs alone; all where none is named. Raises StudioError."""
        return Gallery(
            systems=_chosen("system", self.systems, systems),
            programs=_chosen("program", self.programs, programs),
        )


def folder() -> Path:
    """The programs of the page."""
    return paths.data_root() / "apps" / "gallery"


@cache
def load() -> Gallery:
    """Read the gallery. Raises StudioError."""
    return parse(read(folder() / FILE, f"apps/gallery/{FILE}"))


def parse(file: YamlFile) -> Gallery:
    """Check a gallery. Raises StudioError with a sentence for each thing that is wrong."""
    gallery, problems = check(Gallery, file)
    if gallery is not None:
        problems = [sentence(file, path, rest) for path, rest in _wrong(gallery)]
    if gallery is None or problems:
        raise StudioError("\n".join(problems), 2)
    programs = {
        name: program.model_copy(update={"knobs": {**program.knobs, **gallery.knobs}})
        for name, program in gallery.programs.items()
    }
    return gallery.model_copy(update={"programs": programs})


def _wrong(gallery: Gallery) -> list[tuple[tuple[str | int, ...], str]]:
    """Keys that do not fit together, and what is wrong with them."""
    found: list[tuple[tuple[str | int, ...], str]] = []
    for name, program in gallery.programs.items():
        for number, line in enumerate(program.lines):
            path = ("programs", name, "lines", number, "pulses")
            late = [cycle for cycle in line.pulses if cycle >= program.cycles]
            if late:
                rest = f"holds {late[0]}, and the run ends in cycle {program.cycles}"
                found.append((path, f"{rest}; name an earlier cycle, or a longer run"))
            if sorted(set(line.pulses)) != line.pulses:
                found.append((path, "is not in order of time; sort it, and name no cycle twice"))
    knobs: list[tuple[tuple[str | int, ...], Knob]] = [
        (("programs", name, "knobs", key), knob)
        for name, program in gallery.programs.items()
        for key, knob in program.knobs.items()
    ]
    knobs += [(("knobs", key), knob) for key, knob in gallery.knobs.items()]
    for where, knob in knobs:
        values = knob.most - knob.least + 1
        if knob.most <= knob.least:
            rest = f"is {knob.most}; it must be more than least, {knob.least}"
            found.append(((*where, "most"), rest))
        elif knob.choices and len(knob.choices) != values:
            rest = f"names {len(knob.choices)} values, and there are {values} from least to most"
            found.append(((*where, "choices"), f"{rest}; name each"))
    return found


def _chosen(what: str, known: dict[str, Each], names: tuple[str, ...]) -> dict[str, Each]:
    for name in names:
        if name not in known:
            hint = meant(name, known, "name one of them")
            raise StudioError(
                f"{name!r} is no {what} of the page (there are {', '.join(known)}); {hint}.", 2
            )
    return {name: each for name, each in known.items() if not names or name in names}
