# SPDX-License-Identifier: Apache-2.0
"""The bench of the unit: what it is built of, and how scripts run on it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mel_gen import PARAMETERS, parameter_hash_word, sv_sizes

from melanion.model import Limits
from tests.common import verilated
from tests.common.verilated import ROOT, BenchError
from tests.random import script, steps

HERE = Path(__file__).resolve().parent
PROGRAM = "program.hex"  # in the folder where a bench that loads its microprogram runs


RTL = ROOT / "hw" / "engine"

_ratios: dict[Path, int] = {}  # by program that was built


@dataclass(frozen=True)
class Outcome:
    """Output of one script. `complaint` is the driver's own finding, or empty."""

    trace: bytes
    log: bytes
    steps: bytes
    summary: dict[str, int]
    complaint: str


def unit_sources(rtl: Path = RTL) -> list[Path]:
    """The packages and modules of the unit, in the order of mel_unit.f. Raises BenchError."""
    if not (rtl / "mel_unit.f").is_file():
        raise BenchError(
            f"{rtl} is no copy of hw/engine: it has no mel_unit.f; make one with"
            f" `cp -r hw/engine {rtl}`, or correct the path."
        )
    unit = (rtl / "mel_unit.f").read_text(encoding="utf-8").split()
    # A file of another folder is that of the tree, also for a copy of this folder.
    return [(RTL / name).resolve() if "/" in name else rtl / name for name in unit]


def sources(rtl: Path = RTL) -> list[Path]:
    """Those of the unit, and those of its bench."""
    return [*unit_sources(rtl), HERE / "steps.sv", HERE / "bench.sv"]


def sources_of_netlist(netlist: Path) -> list[Path]:
    """A netlist of the unit (tests/random/netlist.py) in the place of its modules."""
    return [ROOT / "gen/sv/mel_pkg.sv", netlist, HERE / "bench.sv"]


def generics(limits: Limits) -> dict[str, str]:
    """The parameters of the unit, as SystemVerilog writes them."""
    values = {name: getattr(limits, name) for name, info in PARAMETERS.items() if info.hash}
    return {
        "Sizes": sv_sizes(**values),
        "TimeReset": f"64'h{limits.time_reset:x}",
        "ParameterHash": f"32'h{parameter_hash_word(**values):x}",
    }


def microprogram(limits: Limits, *, loads: bool = False) -> list[str]:
    """Options of the build for its microprogram. MEL_PROGRAM in the environment: a hex file that
    the program reads when it starts, so that a change of hw/micro needs no other build. `loads`:
    one that every run has for itself."""
    words = PROGRAM if loads else os.environ.get("MEL_PROGRAM")
    return [
        f"-GRounds={steps.parameter(limits)}",
        *([f'-DMEL_PROGRAM="{words}"'] if words else []),
    ]


def build(
    limits: Limits,
    rtl: Path = RTL,
    *,
    assertions: bool = True,
    netlist: Path | None = None,
    files: Sequence[Path] = (),
    ratio: int = 1,
    loads: bool = False,
) -> Path:
    """The bench program for these sizes.

    `assertions`: those of the RTL are checked too. `netlist`: of these sizes, instead of the RTL;
    `files`: instead of all that belongs to `rtl`. `ratio`: cycles of the unit's clock in one of the
    cores. `loads`: runs bring their microprogram (`words` of `run`).
    """
    files = files or (sources_of_netlist(netlist) if netlist else sources(rtl))
    options = ["--assert" if assertions else "--no-assert"]
    options += [f"-G{name}={value}" for name, value in generics(limits).items()]
    options += ["-DNETLIST"] if netlist else microprogram(limits, loads=loads)
    if ratio > 1:
        options += [f"-GClockRatio={ratio}", "-CFLAGS", f"-DCLOCK_RATIO={ratio}"]
    program = verilated.build("bench", files, HERE / "bench.cpp", options)
    _ratios[program] = ratio
    return program


def ratio_of(program: Path) -> int:
    """`ratio` of a program that this process built."""
    return _ratios.get(program, 1)


def run(
    program: Path,
    limits: Limits,
    entries: list[script.Entry],
    seed: int,
    bound: int,
    words: str | None = None,
) -> Outcome:
    """Execute a script. `seed`: power-up contents; `bound`: cycles until ready, or a response;
    `words`: the microprogram, of a bench that loads it."""
    with tempfile.TemporaryDirectory(prefix="melanion-random-") as folder:
        names = [Path(folder) / name for name in ("script", "trace", "log", "steps")]
        script.write(names[0], entries)
        numbers = (seed, bound, limits.tasks, limits.cores)
        arguments = [str(program), *map(str, names[:3]), *map(str, numbers), str(names[3])]
        if words is not None:
            (Path(folder) / PROGRAM).write_text(words, encoding="utf-8")
        result = verilated.run(arguments, folder=Path(folder))
        *chatter, summary = result.stdout.splitlines() or [""]
        failed = [line for line in chatter if "Assertion failed" in line]
        if result.returncode not in (0, 1) or not summary.startswith("{"):
            text = (result.stderr + result.stdout).strip()
            raise BenchError(f"the bench broke off: {text[-2000:]}")
        trace, log, measured = (name.read_bytes() for name in names[1:])
        complaint = "\n".join([*failed[:1], result.stderr.strip()]).strip()
        return Outcome(trace, log, measured, json.loads(summary), complaint)
