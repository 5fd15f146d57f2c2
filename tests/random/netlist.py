# SPDX-License-Identifier: Apache-2.0
"""The gates that yosys makes of the unit, as Verilog: what the random test runs besides the RTL."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from melanion.area import tools
from melanion.model import Limits
from melanion.yosys import PACKAGE, location
from tests.common import limited
from tests.common.verilated import ROOT, BenchError
from tests.random import bench

BUILD = ROOT / "build" / "random" / "netlist"
SECONDS = 1800  # processor time for one run of yosys or abc
# Unit → commands. The stores of hw/engine stay memories: one has the program as its contents.
SYNTHESIS = {
    "rtl": ["synth -flatten -top mel_unit"],
    "engine": [
        "synth -flatten -top mel_unit -run begin:fine",
        "opt -fast -full",
        "opt -undriven -fine",
        "techmap",
        "opt -fast",
        "abc",
        "opt -fast",
    ],
}


def reads(limits: Limits, files: Iterable[Path]) -> str:
    """The command with which yosys reads the unit of these files."""
    sizes = " ".join(f"-G {name}={value}" for name, value in bench.generics(limits).items())
    names = " ".join(map(str, files))
    return f"read_slang --threads 1 -DSYNTHESIS --top mel_unit {sizes} {names}"


def make(limits: Limits, unit: str = "rtl") -> Path:
    """The netlist of generic gates and flip-flops for these sizes; made when it is not there.
    `unit`: of SYNTHESIS."""
    files = bench.unit_sources(ROOT / "hw" / unit)
    script = "\n".join(
        [
            reads(limits, files),
            *SYNTHESIS[unit],
            "opt_clean -purge",
            "write_verilog -noattr",
        ]
    )
    digest = hashlib.sha256(f"{script} {tools.versions()[PACKAGE]}".encode())
    for file in files:
        digest.update(file.read_bytes())
    target = BUILD / f"{digest.hexdigest()[:20]}.v"
    if target.is_file():
        return target
    BUILD.mkdir(parents=True, exist_ok=True)
    work = target.with_suffix(".part")
    _yosys(f"{script} {work}", target.with_suffix(".ys"))
    work.rename(target)
    return target


def equal(one: Path, other: Path) -> bool:
    """Whether every output and every next value of a flip-flop is the same function in two netlists
    whose flip-flops have the same names and order: abc proves it or finds values that differ."""
    package = location()
    assert package is not None
    with tempfile.TemporaryDirectory() as folder:
        for name, netlist in {"one": one, "other": other}.items():
            work = Path(folder) / name
            aiger = work.with_suffix(".aig")
            _yosys(
                f"read_verilog {netlist}\nprep -top mel_unit\nasync2sync\ndffunmap\nsimplemap\n"
                f"setundef -zero -init\nsetundef -zero\naigmap\nwrite_aiger -zinit {aiger}",
                work.with_suffix(".ys"),
            )
            _abc(package, folder, f"read_aiger {name}.aig; comb; write_aiger {name}.comb.aig")
        verdict = _abc(package, folder, "cec one.comb.aig other.comb.aig")
    equal, different = "are equivalent" in verdict, "NOT EQUIVALENT" in verdict
    if equal == different:
        raise BenchError(f"abc gave no verdict:\n{verdict[-4000:]}")
    return equal


def _yosys(script: str, file: Path) -> None:
    file.write_text(f"{script}\n", encoding="utf-8")
    done = _run(tools.yosys(str(file)))
    if done.returncode:
        raise BenchError(f"yosys failed:\n{(done.stdout + done.stderr)[-4000:]}")


def _abc(package: Path, folder: str, commands: str) -> str:
    done = _run([str(package / "yosys-abc"), "-c", commands], folder)
    done.check_returncode()
    return done.stdout


def _run(command: list[str], folder: str | None = None) -> subprocess.CompletedProcess[str]:
    limit = limited.processor(SECONDS)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=limit)
