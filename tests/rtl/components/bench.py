# SPDX-License-Identifier: Apache-2.0
"""The bench of a component, a unit that stands alone beside the hardware RTOS with a window per
core: its files, its runs, and the verdict of its reference on each access."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.common import verilated
from tests.common.verilated import ROOT
from tests.rtl.components.reference import Reference

HERE = Path(__file__).resolve().parent
ACCESSES = 6_000  # number in a run outside `make soak`


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file` (of the component's folder); `size` shows it."""

    name: str
    file: str
    old: str
    new: str
    why: str
    size: str


@dataclass(frozen=True)
class Component:
    """A component and its random accesses.

    RTL: module mel_<name> in hw/<name>, with a file list. Beside this file: <name>.cpp, the driver,
    and <name>_mutants.yaml; a mutant is shown by the last of `sizes` unless it says another.
    """

    name: str
    reference: type[Reference[Any]]
    sizes: Mapping[str, Any]  # by name: random accesses in every run
    more: Sequence[Any]  # others: linted in every run, random accesses in `make soak`
    situations: Mapping[str, set[str]]  # name of a size → all that its random accesses must reach
    soak: int  # accesses of a run of `make soak`
    yosys: str = "-G Cores=3"  # parameters for the other front end

    @property
    def top(self) -> str:
        return f"mel_{self.name}"

    @property
    def file_list(self) -> Path:
        """Its file list."""
        return ROOT / "hw" / self.name / f"{self.top}.f"

    @property
    def parameters(self) -> Mapping[str, tuple[str, int, int, int]]:
        """Name of a field of a size → SystemVerilog name, default, minimum, maximum."""
        return self.reference.facts.PARAMETERS  # type: ignore[no-any-return]

    def sources(self) -> list[Path]:
        """Its files, in the order of its own list."""
        names = self.file_list.read_text(encoding="utf-8").split()
        return [(self.file_list.parent / name).resolve() for name in names]

    def generics(self, size: Any) -> list[str]:
        """The size as Verilator takes it."""
        return [f"-G{self.parameters[key][0]}={value}" for key, value in asdict(size).items()]

    def mutants(self) -> list[Mutant]:
        text = (HERE / f"{self.name}_mutants.yaml").read_text(encoding="utf-8")
        usual = {"size": [*self.sizes][-1]}
        return [Mutant(**{**usual, **row}) for row in YAML(typ="safe").load(text)]

    def build(self, size: Any, files: Sequence[Path] = ()) -> Path:
        """The bench program for this size, of these files instead of its own. Raises BenchError."""
        options = ["--assert", *self.generics(size)]
        driver = HERE / f"{self.name}.cpp"
        return verilated.build(self.top, files or self.sources(), driver, options)

    def run(
        self, program: Path, size: Any, *, seed: int, accesses: int
    ) -> tuple[Counter[str], str]:
        """Return the count of each situation, and the complaint of bench or reference, or empty."""
        command = [str(program), *map(str, (seed, accesses, *astuple(size)))]
        done = verilated.run(command)
        reference = self.reference(size)
        for number, line in enumerate(done.stdout.splitlines()):
            if line == "reset":
                reference.reset()
            elif text := wrong(reference, line):
                return reference.seen, f"access {number}: {text}"
            else:
                reference.seen["accesses"] += 1
        complaint = f"{' '.join(command)}\n{done.stderr}" if done.returncode else ""
        return reference.seen, complaint


def wrong(reference: Reference[Any], line: str) -> str:
    """Return a difference between an access (a line of bench.h) and the reference, or empty."""
    core, write, address, enables, word, answer, irq, closed, stalled = (
        int(text, 16) for text in line.split()
    )
    if irq != reference.irq:
        return f"interrupts {irq:#x}, not {reference.irq:#x}"
    if late := reference.late(closed, stalled):
        return late
    expected = reference.access(core, bool(write), address, enables, word)
    if answer == expected:
        return ""
    verb = "store" if write else "load"
    return f"{verb} of {address:#x} by core {core}: {answer:#x}, not {expected:#x}"
