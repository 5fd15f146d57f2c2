# SPDX-License-Identifier: Apache-2.0
"""Proofs of the theorems of flip.py: yosys makes gates of them, abc decides whether an input makes
`bad_o` high."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import melanion.build.cache as cache
import melanion.build.tools as tools
from melanion import yosys
from melanion.build.errors import BuildError
from melanion.protect import Netlist
from melanion.safety.flip import Theorem, Unit
from melanion.safety.state import OWN, is_observer

ABC = "yosys-abc"
_GATES = """\
read_json theorems.json
opt_expr
opt_clean
simplemap
techmap
opt
aigmap
"""
_WRITE = """\
setattr -mod -set top 1 {name}
write_aiger {name}.aig
setattr -mod -unset top {name}
"""
_ANSWER = re.compile(r"^(UNSATISFIABLE|SATISFIABLE|UNDECIDED)", re.MULTILINE)


@dataclass(frozen=True)
class Proofs:
    """`theorems`: names; `open`: those that are not proved → what abc said."""

    theorems: tuple[str, ...]
    open: Mapping[str, str]


def prove(module: Mapping[str, Any], *, registers: bool) -> Proofs:
    """`module`: a protected netlist of the unit, of the JSON document; `registers`: they are
    protected, too. Raises BuildError, FlipError."""
    unit = Unit(Netlist(dict(module)), is_observer, OWN.__contains__)
    theorems = [*unit.of_memories(), *([unit.of_registers()] if registers else [])]
    return Proofs(tuple(each.name for each in theorems), unproved(theorems))


def unproved(theorems: Sequence[Theorem]) -> Mapping[str, str]:
    """Name of each theorem that is not true → what abc said: SATISFIABLE, or UNDECIDED. Raises
    BuildError: yosys or abc is not there, or broke off."""
    folder = yosys.location()
    if folder is None:
        raise BuildError(
            f"proofs need the Python package {yosys.PACKAGE}, which is not installed; run"
            f" `pip install {yosys.PACKAGE}=={yosys.VERSION}`, or `make setup-dev` in a checkout."
        )
    names = [f"t{number}" for number in range(len(theorems))]
    with tempfile.TemporaryDirectory(prefix="melanion-flip-") as made:
        work = Path(made)
        modules = {name: each.module for name, each in zip(names, theorems, strict=True)}
        (work / "theorems.json").write_text(json.dumps({"modules": modules}), encoding="utf-8")
        script = _GATES + "".join(_WRITE.format(name=name) for name in names)
        (work / "gates.ys").write_text(script, encoding="utf-8")
        _run([*yosys.COMMAND, "gates.ys"], work)
        commands = "; ".join(f"read_aiger {name}.aig; iprove" for name in names)
        said = _ANSWER.findall(_run([str(folder / ABC), "-c", commands], work))
    if len(said) != len(theorems):
        raise BuildError(
            f"abc gave {len(said)} answers to {len(theorems)} theorems; this is a defect of"
            " Melanion."
        )
    pairs = zip(theorems, said, strict=True)
    return {each.name: answer for each, answer in pairs if answer != "UNSATISFIABLE"}


def _run(command: list[str], work: Path) -> str:
    done = tools.run(command, folder=work)
    if done.status != 0:
        sentence = f"{Path(command[0]).name} broke off; this is a defect of Melanion"
        raise BuildError(cache.tool_failed("flip", done.output, sentence))
    return done.output
