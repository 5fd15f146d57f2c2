# SPDX-License-Identifier: Apache-2.0
"""The gates that yosys makes of the unit, as Verilog: what the random test runs besides the RTL."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from melanion.area import tools
from melanion.model import Limits
from melanion.yosys import PACKAGE
from tests.common import limited
from tests.common.verilated import ROOT, BenchError
from tests.random import bench

BUILD = ROOT / "build" / "random" / "netlist"
SECONDS = 1800  # processor time for one run of yosys or abc
# Stores stay memories: one has the program as its contents.
SYNTHESIS = (
    "synth -flatten -top mel_unit -run begin:fine",
    "opt -fast -full",
    "opt -undriven -fine",
    "techmap",
    "opt -fast",
    "abc",
    "opt -fast",
)


def reads(limits: Limits, files: Iterable[Path]) -> str:
    """The command with which yosys reads the unit of these files."""
    sizes = " ".join(f"-G {name}={value}" for name, value in bench.generics(limits).items())
    names = " ".join(map(str, files))
    return f"read_slang --threads 1 -DSYNTHESIS --top mel_unit {sizes} {names}"


def make(limits: Limits) -> Path:
    """The netlist of generic gates and flip-flops for these sizes; made when it is not there."""
    files = bench.unit_sources()
    script = "\n".join(
        [
            reads(limits, files),
            *SYNTHESIS,
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


def _yosys(script: str, file: Path) -> None:
    file.write_text(f"{script}\n", encoding="utf-8")
    done = _run(tools.yosys(str(file)))
    if done.returncode:
        raise BenchError(f"yosys failed:\n{(done.stdout + done.stderr)[-4000:]}")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    limit = limited.processor(SECONDS)
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
