# SPDX-License-Identifier: Apache-2.0
"""The gates that yosys makes of the unit, as Verilog: what the random test runs besides the RTL."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from melanion.area import tools
from melanion.model import Limits
from melanion.yosys import PACKAGE
from tests.limited import HUNG
from tests.random import bench
from tests.verilated import ROOT, BenchError

BUILD = ROOT / "build" / "random" / "netlist"


def make(limits: Limits) -> Path:
    """The netlist of generic gates and flip-flops for these sizes; made when it is not there."""
    *unit, _ = bench.sources(ROOT / "hw" / "rtl")
    sizes = " ".join(f"-G {name}={value}" for name, value in bench.generics(limits).items())
    script = "\n".join(
        [
            f"read_slang --threads 1 -DSYNTHESIS --top mel_unit {sizes} {' '.join(map(str, unit))}",
            "synth -flatten -top mel_unit",
            "opt_clean -purge",
            "write_verilog -noattr",
        ]
    )
    digest = hashlib.sha256(f"{script} {tools.versions()[PACKAGE]}".encode())
    for file in unit:
        digest.update(file.read_bytes())
    target = BUILD / f"{digest.hexdigest()[:20]}.v"
    if target.is_file():
        return target
    BUILD.mkdir(parents=True, exist_ok=True)
    work = target.with_suffix(".part")
    run = target.with_suffix(".ys")
    run.write_text(f"{script} {work}\n", encoding="utf-8")
    done = subprocess.run(tools.yosys(str(run)), capture_output=True, text=True, timeout=HUNG)
    if done.returncode:
        raise BenchError(f"yosys failed:\n{(done.stdout + done.stderr)[-4000:]}")
    work.rename(target)
    return target
