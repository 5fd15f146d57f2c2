# SPDX-License-Identifier: Apache-2.0
"""Bytes of the kernel: its code by part, and what one more task or object costs in memory.

Read from linked programs, so that only what is linked counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from elftools.elf.elffile import ELFFile

from melanion import build
from melanion.build.footprint import ALLOCATED, WRITABLE, Part, parts
from melanion.config import System

# The smallest program: what it has besides the kernel does not depend on the sizes of the kernel.
SMALL = "hello"
# Sizes of a system, and by how many each is made larger to see what one costs.
MORE = {"tasks": 16, "semaphores": 16, "event_flags": 16, "mutexes": 16, "queues": 16}
MORE |= {"messages": 16, "timers": 8}


@dataclass(frozen=True)
class Sizes:
    """`parts` by name; `each`: bytes of memory of one more of a kind."""

    parts: tuple[Part, ...]
    each: dict[str, float]


def sizes(
    system: System, program: build.Program, report: Callable[[str], None] = lambda text: None
) -> Sizes:
    """Sizes of a program in which every call is linked. Raises BuildError."""
    return Sizes(tuple(parts(program)), each(system, report))


def each(system: System, report: Callable[[str], None]) -> dict[str, float]:
    """Bytes of memory that one more of a kind takes, of the whole program."""
    app = build.application(SMALL)
    least = _ram(build.program(system, app, report=report))
    found = {}
    for name, more in MORE.items():
        grown = {name: getattr(system.parameters, name) + more}
        larger = system.model_copy(
            update={"parameters": system.parameters.model_copy(update=grown)}
        )
        found[name] = (_ram(build.program(larger, app, report=report)) - least) / more
    return found


def _ram(program: build.Program) -> int:
    with program.elf.open("rb") as file:
        sections = list(ELFFile(file).iter_sections())
    writable = WRITABLE | ALLOCATED
    return sum(s["sh_size"] for s in sections if s["sh_flags"] & writable == writable)
